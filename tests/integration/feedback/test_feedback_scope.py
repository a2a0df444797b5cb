"""Feedback in front of somebody: what may not surface there is answered in the words of what never was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from checking import Checking, Json, checking, ids_of
from daemon_fixture import Daemon, daemon_process

SCOPED = pytest.mark.parametrize("sharing", ["participants", "conversation"])


class Planted(NamedTuple):
    """A mind that Ann told something in `tea` and Bo something in `pub`."""

    mind: str
    common: str
    held: str  # a note that Bo must not know of
    mine: str  # a recall of Bo's
    hers: str  # a recall of Ann's


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("fs")) as running:
        yield running


@pytest.fixture(scope="module")
def api(daemon: Daemon) -> Checking:
    return checking(daemon)


def plant(api: Checking, mind: str, sharing: str) -> Planted:
    api.call("mind.create", mind=mind, settings={"recall.sharing": sharing})
    told = {"mind": mind, "recall": True, "role": "user"}
    hers = api.call("message.add", content="The heron 白鹭", speaker="Ann", conversation="tea", id="hush", **told)
    mine = api.call("message.add", content="Hello heron 白鹭", speaker="Bo", conversation="pub", id="hi", **told)
    source = [{"conversation": "tea", "id": "hush"}]
    held = api.note(mind, "Ann hid the heron 小林藏了白鹭", sources=source)
    common = api.note(mind, "Herons fish 白鹭捕鱼")
    return Planted(mind, common, held, mine["recall_id"], hers["recall_id"])


def given(api: Checking, planted: Planted, used: list[str], **more: object) -> Json:
    """A verdict on a recall of its own, told without its number and with the ids by their places."""
    asked = api.call("recall", mind=planted.mind, query="heron 白鹭", conversation="pub")
    said = api.call("feedback", mind=planted.mind, recall_id=asked["recall_id"], verdict="good", used=used, **more)
    number = said.pop("recall_id")
    warnings = [text for text in said.get("warnings", ()) if number not in text]  # that no links were followed
    # The longest first: a blind id may hold the letters of a short one.
    for place, name in sorted(enumerate(used), key=lambda each: -len(each[1])):
        warnings = [text.replace(name, f"<{place}>") for text in warnings]
    said["warnings"] = warnings
    return said


@SCOPED
def test_a_hidden_note_or_message_is_as_if_it_never_was(api: Checking, daemon: Daemon, sharing: str) -> None:
    planted = plant(api, f"hide-{sharing}", sharing)
    blind = ids_of(daemon, planted.mind).blind
    common, held, absent, missing = (blind(each) for each in (planted.common, planted.held, "n777", "n778"))
    never = given(api, planted, [absent, common, missing, "hi", "none"], conversation="pub")
    assert len(never["warnings"]) >= 3
    assert not any("<1>" in text and "there is no" in text for text in never["warnings"]), "what is common is known"
    for used in (
        [held, common, missing, "hi", "none"],
        [absent, common, held, "hi", "none"],
        [absent, common, missing, "hi", "hush"],
        [held, common, absent, "hi", "hush"],
        [planted.held, common, "n777", "hi", "hush"],
        [planted.common, common, missing, "hi", "none"],
    ):
        assert given(api, planted, used, conversation="pub") == never
    owner = given(api, planted, [planted.held])
    assert owner["warnings"] == ["used: <0> did not come back in this recall"]


@SCOPED
def test_a_recall_in_front_of_others_is_as_if_it_never_was(api: Checking, daemon: Daemon, sharing: str) -> None:
    planted = plant(api, f"ask-{sharing}", sharing)
    ids = ids_of(daemon, planted.mind)

    def refusal(recall: str) -> tuple[str, str]:
        error = api.refused(
            "not_found", "feedback", mind=planted.mind, recall_id=recall, verdict="good", conversation="pub"
        )
        return str(error).replace(recall, "?"), str(error.hint)

    assert planted.hers == ids.blind(planted.hers)
    for hidden in (planted.hers, ids.plain(planted.hers), ids.plain(planted.mine)):
        assert refusal(hidden) == refusal(ids.blind("r999")) == refusal("r999")
    for recall, where in ((planted.mine, {"conversation": "pub"}), (planted.hers, {"conversation": "tea"})):
        said = api.call("feedback", mind=planted.mind, recall_id=recall, verdict="good", **where)
        assert said["recall_id"] == recall
    said = api.call("feedback", mind=planted.mind, recall_id=planted.hers, verdict="bad")
    assert (said["duplicate"], said["recall_id"]) == (False, ids.plain(planted.hers))


def test_in_an_open_mind_it_makes_no_difference(api: Checking) -> None:
    planted = plant(api, "open", "open")
    used = [planted.held, "n777", "hush"]
    assert given(api, planted, used, conversation="pub") == given(api, planted, used)


def test_the_clients_name_the_conversation(api: Checking, daemon: Daemon) -> None:
    planted = plant(api, "client", "conversation")
    client = daemon.client()
    said = client.feedback("client", planted.mine, "good", used=[planted.held], conversation="pub")
    assert said["warnings"][:1] == [f"used: there is no '{planted.held}' in this mind"]
