"""Messages of one id in several conversations: answers tell them apart, and what is given back means one of them."""

from collections.abc import Iterator

import pytest

from checking import Checking, checking, rows
from daemon_fixture import Daemon, daemon_process

TOLD = {
    "main": "The bees live in the orchard.",
    "群/聊": "蜜蜂 bees live on the roof.",
    "third": "No bees in the attic.",
}


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("d")) as daemon:
        yield daemon


@pytest.fixture
def api(daemon: Daemon) -> Checking:
    return checking(daemon)


def told(api: Checking, mind: str, **settings: object) -> dict[str, str]:
    """The ref of what was said in each conversation, always under the same id."""
    api.call("mind.create", mind=mind, profile="assistant", settings=settings)
    return {name: api.say(mind, text, conversation=name, id="m1", speaker=name)["ref"] for name, text in TOLD.items()}


def test_answers_tell_them_apart(api: Checking) -> None:
    refs = told(api, "apart")
    assert refs == {"main": "main/m1", "群/聊": "群%2F聊/m1", "third": "third/m1"}
    items = api.found("apart", "where do bees 蜜蜂 live?", min_score=0)
    assert {item["id"] for item in items} == {"m1"}
    assert {item["ref"]: item["text"] for item in items} == {refs[name]: text for name, text in TOLD.items()}
    for name, ref in refs.items():
        assert [each["ref"] for each in api.messages("apart", name)] == [ref]
    assert api.say("apart", TOLD["third"], conversation="third", id="m1", speaker="third")["ref"] == "third/m1"
    note = api.note("apart", "Bees sting.")
    found = [item for item in api.found("apart", "bees sting", min_score=0) if item["id"] == note]
    assert found[0].get("ref") is None


def test_a_ref_leaves_out_one_and_an_id_all(api: Checking) -> None:
    refs = told(api, "left-out")
    query = {"query": "where do bees 蜜蜂 live?", "min_score": 0}
    left = api.call("recall", mind="left-out", exclude=[refs["群/聊"], "m99", "none/m1"], **query)
    assert {item["text"] for item in left["items"]} == {TOLD["main"], TOLD["third"]}
    assert len(left["warnings"]) == 2
    assert api.call("recall", mind="left-out", exclude=["m1"], **query)["items"] == []


def test_feedback_is_for_the_one_that_was_used(api: Checking, daemon: Daemon) -> None:
    refs = told(api, "used")
    recall = api.call("recall", mind="used", query="where do bees 蜜蜂 live?", min_score=0)["recall_id"]
    answer = api.call("feedback", mind="used", recall_id=recall, verdict="good", used=[refs["third"], "third/m2"])
    assert [line for line in answer["warnings"] if "there is no" in line] == [
        "used: there is no 'third/m2' in this mind"
    ]
    useful = rows(
        daemon, "used",
        "SELECT c.name FROM recall_hit h JOIN message m ON m.id = h.item JOIN conversation c ON c.id = m.conversation "
        "WHERE h.kind = 'message' AND h.used = 1",
    )  # fmt: skip
    assert useful == [("third",)]


def test_what_is_hidden_is_not_there_by_its_ref_either(api: Checking) -> None:
    refs = told(api, "hidden", **{"recall.sharing": "conversation"})
    asked = {"mind": "hidden", "conversation": "main", "query": "where do bees 蜜蜂 live?", "min_score": 0}
    one, other = (api.call("recall", **asked, exclude=[ref])["warnings"] for ref in (refs["third"], "never/m1"))
    assert [line.replace("third", "never") for line in one] == other
    own = api.call("recall", **asked, exclude=[refs["main"]])
    assert (own["items"], own.get("warnings") or []) == ([], [])
