"""The words of a question guide every recall: of a message, in the background, of a context, of a client; no model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from checking import Checking, checking, rows
from daemon_fixture import Daemon, daemon_process

BOTH = pytest.mark.parametrize("language", ["en", "zh"])
LINES: dict[str, dict[str, str]] = {}  # by language: the ids of what stands there, and its lines
WORLDS: dict[str, dict[str, str]] = {
    "en": {
        "door": "The bread of Bergen is dark.",
        "act": "Fold it nine times.",
        "event": "Somebody burnt a sleeve.",
        "noise": "Fog in Bergen, {} hours.",
        "how": "How do I get the bread of Bergen dark, by which method and steps?",
        "when": "When was it that the bread of Bergen, exactly that day, was dark?",
        "calm": "What of the bread of Bergen, dark?",
        "hurried": "Quick, just tell me! The bread of Bergen, dark?",
        "hard": "Why is the bread of Bergen dark?",
        "haste": "impatient, in a rush",
        "sad": "sad and worn",
    },
    "zh": {
        "door": "卑尔根的黑面包。",
        "act": "要叠九回。",
        "event": "有人烧了袖子。",
        "noise": "卑尔根有雾，{}小时。",
        "how": "卑尔根的黑面包怎么做，步骤和方法？",
        "when": "卑尔根的黑面包那次是什么时候，那天？",
        "calm": "卑尔根的黑面包呢？",
        "hurried": "快点说，直接告诉我！卑尔根的黑面包呢？",
        "hard": "卑尔根的面包为什么黑？",
        "haste": "很着急，不耐烦",
        "sad": "很难过",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Daemon, Checking]]:
    with daemon_process(tmp_path_factory.mktemp("g"), env={"SOULMEM_EMBEDDER_NAME": "hashing"}) as daemon:
        yield daemon, checking(daemon)


def furnish(api: Checking, mind: str, language: str) -> dict[str, str]:
    """A mind that is furnished, made of the lines of one that was furnished once; its ids are the same."""
    if language not in LINES:
        LINES[language] = _furnished(api, f"first-{language}", language)
        exported = api.call("mind.export", mind=f"first-{language}")
        assert exported["next_cursor"] is None, "all of it is one piece"
        LINES[language]["lines"] = exported["text"]
    ids = {name: told for name, told in LINES[language].items() if name != "lines"}
    api.call("mind.import", mind=mind, text=LINES[language]["lines"], end=True)
    api.until(lambda: not api.status(mind)["embed_backlog"], "embedded")
    api.settle(mind)
    return ids


def _furnished(api: Checking, mind: str, language: str) -> dict[str, str]:
    """A door that words find, and two things that only links tie to it, as strongly the one as the other."""
    world = WORLDS[language]
    api.call("mind.create", mind=mind)
    api.call("mind.update", mind=mind, settings={"recall.min_score": 0.0, "recall.k": 80})
    ids = {"door": api.note(mind, world["door"], kind="semantic")}
    ids |= {f"noise{n}": api.note(mind, world["noise"].format(n)) for n in range(64)}
    ids["act"] = api.note(mind, world["act"], kind="procedural")
    ids["event"] = api.note(mind, world["event"], valence=-1.0)
    for end in ("act", "event"):
        api.call("link.add", mind=mind, src=ids["door"], dst=ids[end], kind="association", strength=0.5)
    api.settle(mind)
    return ids


Asking = Callable[[Checking, str, str, dict[str, Any]], None]
WAYS: dict[str, Asking] = {
    "client": lambda api, mind, text, mood: api.call("recall", mind=mind, query=text, k=80, **mood) and None,
    "context": lambda api, mind, text, mood: api.call("context.get", mind=mind, query=text, **mood) and None,
    "message": lambda api, mind, text, mood: api.say(mind, text, speaker="Ann", recall=True, **mood) and None,
    "background": lambda api, mind, text, mood: api.say(mind, text, speaker="Ann", **mood) and None,
}
EVERY_WAY = pytest.mark.parametrize("way", list(WAYS))


def brought(house: tuple[Daemon, Checking], mind: str, way: str, text: str, **mood: Any) -> dict[str, tuple[str, int]]:
    """By note the tier in which a recall on record brought it, and its place from the end: the last has the least."""
    daemon, api = house
    WAYS[way](api, mind, text, {"mood": mood} if mood else {})

    def last() -> list[tuple[Any, ...]]:
        return rows(daemon, mind, "SELECT id FROM recall WHERE state <> 'pending' ORDER BY id DESC LIMIT 1")

    before = rows(daemon, mind, "SELECT count(*) FROM recall WHERE state = 'pending'")
    api.until(
        lambda: before and rows(daemon, mind, "SELECT count(*) FROM recall WHERE state = 'pending'") == [(0,)], ""
    )
    hits = rows(daemon, mind, "SELECT item, tier, rank FROM recall_hit WHERE recall = ? AND kind = 'note'", *last()[0])
    return {f"n{item}": (tier, -rank) for item, tier, rank in hits}


@BOTH
@EVERY_WAY
def test_what_is_asked_for_leans_to_its_kind_of_memory(house: tuple[Daemon, Checking], way: str, language: str) -> None:
    ids, world = furnish(house[1], f"lean-{way}-{language}", language), WORLDS[language]
    how = brought(house, f"lean-{way}-{language}", way, world["how"])
    assert how[ids["act"]][1] > how[ids["event"]][1], how
    when = brought(house, f"lean-{way}-{language}", way, world["when"])
    assert when[ids["event"]][1] > when[ids["act"]][1], when


@BOTH
@EVERY_WAY
def test_impatience_shortens(house: tuple[Daemon, Checking], way: str, language: str) -> None:
    """Said in the words of the question, in words of the mood, or as a figure: then no link is followed far."""
    mind, world = f"haste-{way}-{language}", WORLDS[language]
    ids = furnish(house[1], mind, language)
    assert ids["event"] in brought(house, mind, way, world["calm"])
    for text, mood in (
        (world["hurried"], {}), (world["calm"], {"mood": world["haste"]}), (world["calm"], {"impatience": 0.9}),
    ):  # fmt: skip
        assert ids["event"] not in brought(house, mind, way, text, **mood), (text, mood)


@BOTH
@EVERY_WAY
def test_a_mood_favours_what_feels_alike(house: tuple[Daemon, Checking], way: str, language: str) -> None:
    mind = f"mood-{way}-{language}"
    ids, text = furnish(house[1], mind, language), WORLDS[language]["calm"]
    for words, is_sad in (({"valence": -1, "arousal": 1}, True), ({"valence": 1, "arousal": 1}, False)):
        found = brought(house, mind, way, text, **words)
        assert (found[ids["event"]][1] > found[ids["act"]][1]) is is_sad, found


@BOTH
def test_a_hard_question_is_followed_farther_unless_the_caller_chooses(
    house: tuple[Daemon, Checking], language: str
) -> None:
    _, api = house
    mind, world = f"depth-{language}", WORLDS[language]
    furnish(api, mind, language)

    def taken(text: str, **more: Any) -> Any:
        found = api.call("recall", mind=mind, query=text, explain=True, record=False, **more)
        assert "deliberation" not in found
        return found["analysis"]

    assert taken(world["hard"])["depth"] == "deep"
    assert taken(world["calm"])["depth"] == "normal"
    assert taken(world["hurried"])["depth"] == "skim"
    assert taken(world["hard"], mood={"impatience": 1})["depth"] == "normal", "one step less"
    for chosen in ("skim", "normal"):
        assert taken(world["hard"], depth=chosen)["depth"] == chosen
        assert taken(world["hurried"], depth=chosen)["depth"] == chosen
    assert taken(world["calm"], mood={"today": world["sad"]})["mood"]["valence"] < 0


@pytest.mark.parametrize("mood", [{"?": "asdf 💥 \u202e"}, {"valence": 1e308, "x": -1e308}, {"mood": "哇" * 9000}])
def test_a_mood_of_nonsense_is_bounded_and_told(house: tuple[Daemon, Checking], mood: dict[str, Any]) -> None:
    _, api = house
    mind = f"nonsense-{len(str(mood))}"
    furnish(api, mind, "en")
    found = api.call("recall", mind=mind, query=WORLDS["en"]["calm"], explain=True, record=False, mood=mood)
    told = found["analysis"]["mood"]
    assert told["valence"] == (1.0 if "valence" in mood else 0.0)
    assert told["impatience"] == 0.0
    assert 0.0 <= told["arousal"] <= 1.0
    assert found["items"]
