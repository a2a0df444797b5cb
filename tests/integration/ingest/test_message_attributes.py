"""Attributes of messages: kept as they are, shown wherever the message is, found by, and gone with it."""

from collections.abc import Iterator
from typing import Any

import pytest

from checking import Checking, checking, rows
from daemon_fixture import Daemon, daemon_process

GIVEN: dict[str, Any] = {
    "source": "微信",
    "stars": 4,
    "tags": ["bees", "蜂"],
    "seen": True,
    "where": {"x": 1.5, "y": None},
}


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("d")) as daemon:
        yield daemon


@pytest.fixture
def api(daemon: Daemon) -> Checking:
    return checking(daemon)


def test_they_come_back_as_they_were(api: Checking) -> None:
    api.call("mind.create", mind="kept", profile="assistant")
    api.say("kept", "The bees live on the roof 屋顶.", id="a", attributes=GIVEN)
    api.say("kept", "The cat sleeps.", id="b")
    api.say("kept", "Nothing 没有.", id="c", attributes={})
    assert [each["attributes"] for each in api.messages("kept")] == [GIVEN, {}, {}]
    found = {each["id"]: each for each in api.found("kept", "bees 屋顶 cat", min_score=0)}
    assert found["a"]["attributes"] == GIVEN
    assert found["b"].get("attributes") is None
    assert api.call("message.update", mind="kept", id="a", content="The bees moved.")["message"]["attributes"] == GIVEN
    history = {"role": "user", "content": "long ago 从前", "at": "2024-05-01T08:00:00Z", "attributes": {"from": "导入"}}
    assert api.call("message.import", mind="kept", messages=[history])["stored"] == 1
    assert api.call("message.import", mind="kept", messages=[history])["stored"] == 0
    assert api.messages("kept")[-1]["attributes"] == {"from": "导入"}


def test_the_same_message_again_is_the_same_with_the_same_attributes(api: Checking) -> None:
    for is_known in (False, True):
        assert api.say("again", "hello 你好", id="a", attributes=GIVEN)["duplicate"] is is_known
    turned = dict(reversed(GIVEN.items()))
    assert api.say("again", "hello 你好", id="a", attributes=turned)["duplicate"]
    for other in ({}, {"source": "QQ"}):
        api.refused(
            "idempotency_conflict",
            "message.add",
            mind="again",
            role="user",
            content="hello 你好",
            id="a",
            attributes=other,
        )


def test_they_are_changed_without_a_word(api: Checking) -> None:
    """A digested message keeps its notes; nothing is embedded, summarised or noted anew."""
    api.call("mind.create", mind="changed", profile="assistant")
    api.say("changed", "My sister Brigitte keeps bees on the roof 屋顶.", id="a", attributes=GIVEN)
    api.say("changed", "我在杭州养蜜蜂。", id="b")
    api.call("idle.run", mind="changed")
    api.settle("changed")
    notes = api.call("note.list", mind="changed")["items"]
    assert notes
    for name, attributes in (("a", {"topic": "蜂", "stars": 5}), ("b", {"topic": "蜂"})):
        done = api.call("message.update", mind="changed", id=name, attributes=attributes)
        assert done["message"]["attributes"] == attributes
        assert (done["withdrawn"], done["rederiving"], done.get("again")) == ([], 0, None)
        assert api.call("message.update", mind="changed", id=name, attributes=attributes)["again"]
    assert api.call("note.list", mind="changed")["items"] == notes
    asked = {"k": 20, "min_score": 0, "kinds": ["message"]}
    found = api.found("changed", "bees 蜜蜂", attributes={"topic": "蜂"}, **asked)
    assert {each["id"]: each["attributes"] for each in found} == {
        "a": {"topic": "蜂", "stars": 5},
        "b": {"topic": "蜂"},
    }
    assert api.found("changed", "bees 蜜蜂", attributes={"source": "微信"}, **asked) == []

    both = api.call(
        "message.update", mind="changed", id="a", content="She sold them 卖了.", attributes={"topic": "end"}
    )
    assert (both["message"]["content"], both["message"]["attributes"]) == ("She sold them 卖了.", {"topic": "end"})
    kept = api.call("message.update", mind="changed", id="a", attributes={}, keep_notes=True)
    assert (kept["message"]["content"], kept["message"]["attributes"]) == ("She sold them 卖了.", {})
    assert api.found("changed", "bees 蜜蜂", attributes={"topic": "end"}, **asked) == []


def test_a_change_that_is_sent_again_is_one_change(api: Checking) -> None:
    api.say("repeated", "hello 你好", id="a", attributes=GIVEN)
    change = {"mind": "repeated", "id": "a", "attributes": {"n": 1}, "key": "k1"}
    assert api.call("message.update", **change).get("duplicate") is None
    assert api.call("message.update", **change)["duplicate"]
    api.refused("idempotency_conflict", "message.update", **{**change, "attributes": {"n": 2}})
    api.refused("idempotency_conflict", "message.update", **{**change, "content": "hello"})


def test_no_change_and_what_is_gone_are_refused(api: Checking) -> None:
    for keep_notes in (False, True):
        api.say("refusals", "hello 你好", id=f"a{keep_notes}", attributes=GIVEN)
        api.call("message.delete", mind="refusals", id=f"a{keep_notes}", keep_notes=keep_notes)
        api.refused("not_found", "message.update", mind="refusals", id=f"a{keep_notes}", attributes={"n": 1})
    api.say("refusals", "hello 你好", id="b", attributes=GIVEN)
    assert "content" in api.refused("invalid_params", "message.update", mind="refusals", id="b").hint
    api.refused("too_large", "message.update", mind="refusals", id="b", attributes={"text": "蜂" * 9_000})
    assert api.messages("refusals")[-1]["attributes"] == GIVEN


def test_what_is_too_much_is_refused(api: Checking) -> None:
    said = {"mind": "much", "role": "user", "content": "x"}
    api.refused("too_large", "message.add", **said, attributes={"text": "蜂" * 9_000})
    api.refused_raw("invalid_params", "message.add", {**said, "attributes": ["no object"]})
    assert "much" not in [each["mind"] for each in api.call("mind.list")["items"]]
    api.call("message.add", **said, attributes={"text": "蜂" * 8_000})


@pytest.mark.parametrize("keep_notes", [False, True])
def test_they_go_with_the_message(daemon: Daemon, api: Checking, keep_notes: bool) -> None:
    mind = f"gone-{keep_notes}".lower()
    api.say(mind, "My number is 117.", id="a", attributes={"secret": "zanzibar 桑给巴尔"})
    api.call("message.update", mind=mind, id="a", attributes={"secret": "zanzibar, no more 不再"})
    api.say(mind, "And what is yours?", id="b", attributes={"kept": 1})
    api.call("message.delete", mind=mind, id="a", keep_notes=keep_notes)
    api.until(lambda: api.call("message.delete", mind=mind, id="a").get("again"), "its end")
    assert rows(daemon, mind, "SELECT client_id FROM message WHERE attributes IS NOT NULL") == [("b",)]
    if not keep_notes:
        file = daemon.state / "minds" / f"{mind}.db"
        api.until(
            lambda: b"zanzibar" not in b"".join(each.read_bytes() for each in file.parent.glob(f"{mind}.db*")), "bytes"
        )


def test_they_travel_with_a_whole_mind(daemon: Daemon, api: Checking) -> None:
    api.say("whole", "The bees live on the roof.", id="a", attributes=GIVEN)
    piece = api.call("mind.export", mind="whole")
    assert piece["next_cursor"] is None
    api.call("mind.import", mind="copy", text=piece["text"], end=True)
    assert api.messages("copy")[0]["attributes"] == GIVEN
