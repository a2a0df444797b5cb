"""Calls that name the conversations they are about: nothing that was heard elsewhere is found, counted or changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from checking import Checking, checking
from daemon_fixture import daemon_process

APART = {"recall.sharing": "conversation"}


def _texts(api: Checking, heard_in: list[str] | None, mind: str = "m") -> set[str]:
    asked = {} if heard_in is None else {"heard_in": heard_in}
    listed = {note["text"] for note in api.pages("note.list", mind=mind, **asked)}
    for way in ({"kinds": ["note"]}, {"ranking": "stream"}):
        recalled = api.call("recall", mind=mind, query="tea or 茶?", min_score=0, k=50, **way, **asked)
        assert {item["text"] for item in recalled["items"]} <= listed
    return listed


@pytest.mark.parametrize("settings", [{}, APART])
@pytest.mark.parametrize("rows_in_ram", ["1000000", "0"], ids=["memory", "disk"])
def test_only_what_was_heard_in_the_named_conversations_is_found(
    tmp_path: Path, settings: dict[str, str], rows_in_ram: str
) -> None:
    with daemon_process(tmp_path, env={"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": rows_in_ram}) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="m", settings=settings)
        api.note("m", "Tea grows")
        for home, text in (("a", "Ann drinks tea"), ("ab", "小明喝茶"), ("b", "Bo drinks 茶 and tea")):
            api.note("m", text, conversation=home)
        api.settle("m")
        assert _texts(api, ["a"]) == {"Ann drinks tea", "Tea grows"}
        assert _texts(api, ["a", "b"]) == {"Ann drinks tea", "Bo drinks 茶 and tea", "Tea grows"}
        assert _texts(api, ["ab", "nobody"]) == {"小明喝茶", "Tea grows"}
        assert _texts(api, []) == _texts(api, ["A", "a%", "a ", "*"]) == {"Tea grows"}
        assert len(_texts(api, None)) == 4
        found = api.call("recall", mind="m", query="tea", heard_in=["a"], kinds=["note"], min_score=0)
        assert all(item["id"].startswith("n") and "_" not in item["id"] for item in found["items"]), "the owner's ids"
        assert not api.stray


def test_what_a_conversation_may_not_know_is_not_found_by_naming_where_it_was_heard(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="m", settings=APART)
        for home, text in (("a", "Ann drinks tea"), ("b", "Bo drinks tea")):
            api.note("m", text, conversation=home)
        api.settle("m")
        for heard_in in (["b"], ["a", "b"]):
            asked = {"mind": "m", "conversation": "a", "heard_in": heard_in}
            texts = {note["text"] for note in api.pages("note.list", **asked)}
            texts |= {item["text"] for item in api.call("recall", query="tea", min_score=0, **asked)["items"]}
            assert "Bo drinks tea" not in texts
        many = ["x"] * 1001
        api.refused("invalid_params", "recall", mind="m", query="tea", heard_in=many)


def test_what_was_made_of_a_message_is_listed_by_the_message(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="m", settings=APART)
        for home, text in (("a", "I love jazz. 我住在杭州。"), ("a", "Ok."), ("b", "I love tea.")):
            api.say("m", text, conversation=home)
        named = api.say("m", "I love tea.", conversation="a", id="x")["id"]
        api.call("idle.run", mind="m")

        def made_of(*messages: tuple[str, str], **more: str) -> set[str]:
            asked = [{"conversation": home, "id": each} for home, each in messages]
            return {note["text"] for note in api.pages("note.list", limit=1, mind="m", made_of=asked, **more)}

        first = made_of(("a", "m1"))
        assert len(first) == 2
        assert made_of(("a", "m2")) == made_of() == made_of(("b", "x"), ("c", "m1"), ("a", "nobody")) == set()
        assert len(made_of(("a", named))) == len(made_of(("b", "m1"))) == 1
        assert len(made_of(("a", "m1"), ("a", "x"), ("b", "m1")) - first) == 1, "the same words"
        assert made_of(("b", "m1"), conversation="a") == set()
        assert made_of(("a", "m1"), conversation="a") == first
        assert made_of(("a", "m1"), kind="plan") == set()


def test_the_conversations_are_listed_in_the_order_they_began(tmp_path: Path) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.say("m", "Tea?", conversation="早上")
        api.say("m", "Tea!", conversation="a")
        api.say("m", "好", conversation="早上")
        api.note("m", "Tea grows", conversation="by hand")
        found = api.pages("conversation.list", limit=1, mind="m")
        assert [(each["name"], each["messages"]) for each in found] == [("早上", 2), ("a", 1), ("by hand", 0)]
        last = found[-1]["id"]
        assert api.call("conversation.list", mind="m", cursor=last) == {"items": [], "next_cursor": None}
        api.say("m", "More", conversation="later")
        assert [each["name"] for each in api.pages("conversation.list", mind="m", cursor=last)] == ["later"]


@pytest.mark.parametrize(
    ("told", "by_hand", "again"),
    [
        ("I live in Paris.", "User moved to Berlin. I no longer live in Paris.", "I love jazz."),
        ("我住在杭州。", "用户搬到成都了。我不住杭州了。", "我喜欢爵士乐。"),
    ],
)
def test_a_note_by_hand_ends_nothing_that_its_own_conversation_may_not_know(
    tmp_path: Path, told: str, by_hand: str, again: str
) -> None:
    with daemon_process(tmp_path) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="m", settings=APART)
        api.say("m", told, conversation="a")
        api.call("idle.run", mind="m")
        for kind in ("semantic", "episodic"):
            api.call("note.add", mind="m", kind=kind, text=by_hand, conversation="b")
        api.say("m", again, conversation="a")
        api.call("idle.run", mind="m")
        held = api.pages("note.list", mind="m", heard_in=["a"])
        assert len(held) == 2
        assert not [note for note in api.pages("note.list", mind="m") if note["valid_to"] is not None]
