"""Filters on attributes in every recall: by association, as a stream, in the archive, in memory and on the disk."""

from collections.abc import Iterator
from typing import Any

import pytest

from checking import Checking, checking
from daemon_fixture import daemon_process

START = "2026-03-01T08:00:00Z"
DAY = 86_400
SAID = {
    "roof": ("The bees live on the roof 屋顶.", {"topic": "bees", "stars": 4}),
    "cellar": ("The bees sleep in the cellar.", {"topic": "bees", "stars": 2, "where": ["地下", "dark"]}),
    "kitchen": ("The bees were in the kitchen 厨房.", {"topic": "故事"}),
    "attic": ("No bees in the attic.", None),
}
ASKED: list[tuple[dict[str, Any], set[str]]] = [
    ({"topic": "bees"}, {"roof", "cellar"}),
    ({"topic": "故事"}, {"kitchen"}),
    ({"topic": "bees", "stars": {"gte": 3}}, {"roof"}),
    ({"stars": {"lt": 3}}, {"cellar"}),
    ({"topic": ["故事", "wasps"]}, {"kitchen"}),
    ({"topic": {"icontains": "BEE"}}, {"roof", "cellar"}),
    ({"where": {"contains": "地下"}}, {"cellar"}),
    ({"topic": "*"}, {"roof", "cellar", "kitchen"}),
    ({"OR": [{"stars": 4}, {"topic": "故事"}]}, {"roof", "kitchen"}),
    ({"topic": {"ne": "bees"}}, {"kitchen", "attic"}),
    ({"NOT": [{"stars": {"gt": 0}}]}, {"kitchen", "attic"}),
    ({"topic": "wasps"}, set()),
]
QUERY = "where do the bees 蜜蜂 live?"


@pytest.fixture(scope="module", params=["in memory", "on the disk"])
def api(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checking]:
    env = {} if request.param == "in memory" else {"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": "1"}
    with daemon_process(tmp_path_factory.mktemp("d"), "--simulated-clock", START, env=env) as daemon:
        api = checking(daemon)
        for profile in ("assistant", "companion"):
            api.call("mind.create", mind=profile, profile=profile)
            for name, (text, attributes) in SAID.items():
                given = {} if attributes is None else {"attributes": attributes}
                api.say(profile, text, id=name, **given)
                api.note(profile, f"{text} ({name})", kind="semantic", tags=[name], **given)
            api.say(profile, "What else 还有呢?", id="what")
        yield api


def names(items: list[dict[str, Any]], kind: str) -> set[str]:
    """Which of what was told is among the items of a kind."""
    of = [item for item in items if (item["kind"] == "message") == (kind == "message")]
    return {item["id"] if kind == "message" else item["tags"][0] for item in of} & SAID.keys()


@pytest.mark.parametrize(("attributes", "found"), ASKED)
def test_only_what_has_them_comes(api: Checking, attributes: dict[str, Any], found: set[str]) -> None:
    items = api.found("assistant", QUERY, attributes=attributes, k=20, min_score=0)
    assert names(items, "message") == found
    assert names(items, "note") == found
    assert not [item for item in items if item["kind"] == "summary" and "attic" not in found]
    stream = api.found("assistant", QUERY, attributes=attributes, k=20, ranking="stream")
    assert names(stream, "note") == found


@pytest.mark.parametrize("depth", ["normal", "deep"])
@pytest.mark.parametrize(
    "query", [QUERY, "Where do the bees live and who keeps the key?", "蜜蜂住哪儿，钥匙又在谁那儿？"]
)
def test_only_what_has_them_comes_at_every_depth(api: Checking, depth: str, query: str) -> None:
    for attributes in ({"topic": "bees"}, {"OR": [{"stars": 4}, {"where": {"contains": "地下"}}]}):
        items = api.found("assistant", query, attributes=attributes, k=20, min_score=0, depth=depth)
        assert names(items, "note") == {"roof", "cellar"}


def test_they_join_the_other_filters(api: Checking) -> None:
    asked = {"attributes": {"topic": "bees"}, "k": 20, "min_score": 0}
    assert names(api.found("assistant", QUERY, **asked, kinds=["message"]), "message") == {"roof", "cellar"}
    assert names(api.found("assistant", QUERY, **asked, kinds=["semantic"]), "note") == {"roof", "cellar"}
    assert names(api.found("assistant", QUERY, **asked, tags=["roof"]), "note") == {"roof"}
    assert names(api.found("assistant", QUERY, **asked, exclude=["roof"]), "message") == {"cellar"}
    assert names(api.found("assistant", QUERY, **asked, depth="skim"), "message") == {"roof", "cellar"}
    without = api.found("assistant", QUERY, attributes={}, k=20, min_score=0)
    assert names(without, "message") == SAID.keys()


def test_a_context_recalls_only_what_has_them(api: Checking) -> None:
    def told(**asked: Any) -> set[str]:
        blocks = api.call("context.get", mind="assistant", query=QUERY, min_score=0, **asked)["blocks"]
        text = "".join(block["text"] for block in blocks if block["kind"] == "notes")
        return {name for name in SAID if f"({name})" in text}

    assert told() == SAID.keys()
    for attributes, found in ASKED:
        assert told(attributes=attributes) == found, attributes
    whole = api.call("context.get", mind="assistant", query=QUERY, attributes={"topic": "wasps"})
    assert SAID["kitchen"][0] in next(block["text"] for block in whole["blocks"] if block["kind"] == "window")
    error = api.refused("invalid_params", "context.get", mind="assistant", query="x", attributes={"a": {"over": 3}})
    assert error.message.startswith("attributes: ")
    assert "query" in api.refused("invalid_params", "context.get", mind="assistant", attributes={"a": 1}).message


def test_the_archive_is_filtered_too(api: Checking) -> None:
    api.call("idle.run", mind="companion")
    api.settle("companion")
    asked = {"attributes": {"topic": "bees"}, "k": 20, "min_score": 0, "reach": "archive"}
    items = api.found("companion", QUERY, **asked)
    assert names([item for item in items if item.get("from") == "archive"], "message") <= {"roof", "cellar"}
    assert names(items, "note") == {"roof", "cellar"}


def test_what_has_faded_matches_nothing(api: Checking) -> None:
    api.call("mind.create", mind="fading", profile="companion")
    text = "Ann hid the key in Zanzibar 桑给巴尔, behind the red door of the harbour house."
    note = api.note(
        "fading", text, attributes={"place": "Zanzibar", "topic": "key"}, importance=0.9,
        elements=[{"quote": "Zanzibar 桑给巴尔", "level": 2, "gist": "somewhere", "anchor": "forced"}],
    )  # fmt: skip
    asked = {"mind": "fading", "query": "where is the key?", "min_score": 0, "record": False}
    by_place, by_topic = ({**asked, "attributes": {name: "*"}} for name in ("place", "topic"))
    assert [item["id"] for item in api.call("recall", **by_place)["items"]] == [note]
    shown = api.call("note.get", mind="fading", id=note)["note"]
    while "Zanzibar" in shown["rendered"]:
        api.call("clock.advance", seconds=20 * DAY)
        shown = api.call("note.get", mind="fading", id=note)["note"]
    assert shown["state"] == "blurred"
    assert api.call("recall", **{**asked, "attributes": {"place": "Zanzibar"}})["items"] == []
    assert [item["attributes"] for item in api.call("recall", **by_topic)["items"]] == [{"topic": "key"}]


@pytest.mark.parametrize(
    "wrong",
    [{"stars": {"over": 3}}, {"OR": []}, {"OR": "x"}, {"stars": {}}, {"stars": {"in": 3}}, {"a": {"b": {"c": 1}}}],
)
def test_what_is_no_filter_is_refused(api: Checking, wrong: dict[str, Any]) -> None:
    error = api.refused("invalid_params", "recall", mind="assistant", query="x", attributes=wrong)
    assert error.message.startswith("attributes: ")


def test_what_is_hidden_is_not_found_by_them(api: Checking) -> None:
    api.call("mind.create", mind="hidden", profile="assistant", settings={"recall.sharing": "conversation"})
    for talk in ("main", "side"):
        api.say("hidden", f"The bees of {talk} 蜜蜂.", conversation=talk, id=talk, attributes={"topic": "bees"})
    asked = {"mind": "hidden", "query": QUERY, "attributes": {"topic": "bees"}, "min_score": 0, "record": False}
    assert [item["id"] for item in api.call("recall", **asked, conversation="main")["items"]] == ["main"]
    assert len(api.call("recall", **asked)["items"]) == 2
    nothing = [
        {**asked, "conversation": "main", "attributes": each} for each in ({"topic": "wasps"}, {"place": "side"})
    ]
    assert len({str(api.call("recall", **each) | {"elapsed_ms": 0}) for each in nothing}) == 1


def test_a_message_that_is_deleted_is_not_found_by_them(api: Checking) -> None:
    api.call("mind.create", mind="deleted", profile="assistant")
    for name in ("one", "other"):
        api.say("deleted", f"The bees of {name} 蜜蜂.", id=name, attributes={"topic": "bees"})
    api.call("message.delete", mind="deleted", id="one")
    for wanted in ({"topic": "bees"}, {"topic": {"ne": "wasps"}}):
        assert [item["id"] for item in api.found("deleted", QUERY, attributes=wanted, min_score=0)] == ["other"]
