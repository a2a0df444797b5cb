"""Notes fade over weeks: they are found by what is clear, by nothing that is masked, and nothing is written between.

Minds live by the wall clock here, so that a day is a day of forgetting.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from checking import Checking, Json, checking, rows
from daemon_fixture import Daemon, daemon_process
from fading_minds import DAY, OTHERS, PLANTED, START, WALL, House
from soulmem.core.text import tokens
from soulmem.embed.adapters.hashing_embedder import HashingEmbedder

AWAKE: Json = {**WALL, "idle.after_s": 31_536_000}


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("f"), "--simulated-clock", START) as found:
        yield found


@pytest.fixture
def house(daemon: Daemon) -> Iterator[House]:
    """A house without minds: those of other tests would have to live through the weeks of this one."""
    found = House(daemon)
    yield found
    for name in found.minds:
        found.api.call("mind.delete", mind=name, confirm=name)


def plant(api: Checking, mind: str, text: str, secret: str, **params: object) -> str:
    elements = [{"quote": secret, "level": 2, "gist": "something"}]
    return api.note(mind, text, elements=elements, **params)


def ids(items: list[Json]) -> list[str]:
    return [item["id"] for item in items]


def is_findable(daemon: Daemon, mind: str, note: str, secret: str) -> bool:
    """Whether any index of the file knows the secret: full text, words, or a vector made of it."""
    number = int(note[1:])
    [(text, shown, terms)] = rows(daemon, mind, "SELECT text, shown, terms FROM note WHERE id = ?", number)
    hashes = set(np.frombuffer(terms, dtype=np.uint32).tolist())
    words = [
        word
        for word in tokens.query_terms(secret)
        if rows(daemon, mind, "SELECT 1 FROM note_search WHERE note_search MATCH ? AND rowid = ?", f'"{word}"', number)
        or int(tokens.term_hashes([word])[0]) in hashes
    ]
    vectors = rows(daemon, mind, "SELECT data FROM vector WHERE kind = 'note' AND item = ?", number)
    own = HashingEmbedder().embed([text if shown is None else shown])[0]
    for (data,) in vectors:
        assert np.allclose(np.frombuffer(data, dtype=np.float32), own, atol=1e-6), "a vector of what shows"
    assert len(vectors) == 1
    assert bool(words) == (shown is None), (words, shown)
    return bool(words)


@pytest.mark.parametrize(("text", "secret", "clear"), PLANTED)
def test_a_note_is_found_by_what_is_clear_and_no_more_by_what_faded(
    house: House, text: str, secret: str, clear: str
) -> None:
    api, mind = house.api, house.mind()
    note = plant(api, mind, text, secret)
    house.wait(4)
    api.settle(mind)
    assert ids(api.found(mind, secret))[:1] == [note], "four days later it is still clear"
    assert is_findable(house.daemon, mind, note, secret)
    told = len(house.daemon.events("note_blurred"))
    house.wait(0.5)
    api.settle(mind)
    by_chance = [item for item in api.found(mind, secret, explain=True) if item["id"] == note]
    assert all(not item["why"]["channels"].get("lexical") for item in by_chance), "no word of it leads there"
    assert ids(api.found(mind, clear))[:1] == [note]
    assert not is_findable(house.daemon, mind, note, secret)
    blurred = house.daemon.events("note_blurred")[told:]
    assert [each["count"] for each in blurred if each["mind"] == mind] == [1]
    house.wait(20)
    api.settle(mind)
    assert note not in ids(api.found(mind, clear)), "after weeks the whole note has blurred"


def test_what_is_lasting_never_fades(house: House) -> None:
    api = house.api
    companion, assistant = house.mind(), house.mind(profile="assistant")
    text, secret, _ = PLANTED[0]
    kept = {
        (companion, plant(api, companion, text, secret, pinned=True)),
        (companion, api.note(companion, text + " Or so they say.", kind="lore")),
        (assistant, plant(api, assistant, text, secret)),
    }
    house.wait(400)
    for mind, note in kept:
        assert note in ids(api.found(mind, secret))
        shown = api.call("note.get", mind=mind, id=note)["note"]
        assert all(element["blurs_at"] is None for element in shown["elements"])
        assert {element["state"] for element in shown["elements"]} == {"clear"}
        assert rows(house.daemon, mind, "SELECT 1 FROM element WHERE due_next IS NOT NULL") == []
    pinned = next(note for mind, note in kept if mind == companion)
    api.call("note.unpin", mind=companion, id=pinned)
    assert pinned in ids(api.found(companion, secret)), "it begins to fade only now"
    house.wait(5)
    assert (pinned in ids(api.found(companion, secret))) == ("Or so" in note_text(api, companion, pinned))


def note_text(api: Checking, mind: str, note: str) -> str:
    text: str = api.call("note.get", mind=mind, id=note)["note"]["text"]
    return text


def test_a_mind_that_is_never_idle_does_not_find_what_faded_meanwhile(house: House) -> None:
    api, mind = house.api, house.mind(AWAKE)
    text, secret, clear = PLANTED[0]
    note = plant(api, mind, text, secret)
    api.say(mind, "good morning")
    house.wait(5)
    assert api.status(mind)["state"] == "working"
    assert is_indexed(house.daemon, mind, secret), "nobody looked yet"
    assert note not in ids(api.found(mind, secret))
    assert ids(api.found(mind, clear))[:1] == [note]
    assert note not in ids(api.found(mind, secret, ranking="stream"))[:1]
    assert not is_indexed(house.daemon, mind, secret)


def is_indexed(daemon: Daemon, mind: str, secret: str) -> bool:
    return bool(rows(daemon, mind, "SELECT 1 FROM note_search WHERE note_search MATCH ?", secret))


def test_between_crossings_nothing_is_written(house: House) -> None:
    api, mind = house.api, house.mind()
    for text, secret, _ in PLANTED:
        plant(api, mind, text, secret)
    api.settle(mind)
    house.wait(0.1)
    before = image(house.daemon, mind)
    house.wait(3.9)
    assert image(house.daemon, mind) == before, "days of forgetting, and not a byte"
    house.wait(1)
    assert image(house.daemon, mind) != before


def image(daemon: Daemon, mind: str) -> str:
    digest = hashlib.sha256()
    for suffix in ("", "-wal"):
        path = daemon.state / "minds" / f"{mind}.db{suffix}"
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()


def test_what_is_recalled_keeps_and_what_is_praised_keeps_better(house: House) -> None:
    api, mind = house.api, house.mind()
    text, secret, clear = PLANTED[0]
    note = plant(api, mind, text, secret)
    left = plant(api, mind, "Olga lost her copper compass near the lighthouse.", "copper compass")

    def opacity(note: str) -> float:
        elements = api.call("note.get", mind=mind, id=note)["note"]["elements"]
        return min(float(element["opacity"]) for element in elements)

    for _ in range(4):
        house.wait(1)
        before, other = opacity(note), opacity(left)
        answer = api.call("recall", mind=mind, query=clear, k=1)
        assert ids(answer["items"]) == [note]
        assert opacity(note) == pytest.approx(before + 0.15 * (1 - before), abs=1e-4), "returned: a little"
        assert opacity(left) == pytest.approx(other, abs=1e-6), "not returned: nothing"
    recalled = opacity(note)
    api.call("feedback", mind=mind, recall_id=answer["recall_id"], verdict="good", used=[note])
    assert opacity(note) == pytest.approx(recalled + 0.75 * (1 - recalled), abs=1e-4), "used and praised: much"
    praised = opacity(note)
    api.call("feedback", mind=mind, recall_id=answer["recall_id"], verdict="bad", used=[note])
    assert opacity(note) == pytest.approx(praised, abs=1e-6), "what misled is not kept for that"
    house.wait(0.5)
    assert note in ids(api.found(mind, secret))
    assert left not in ids(api.found(mind, "copper compass"))
    faded = opacity(left)
    api.call("recall", mind=mind, query="Olga lighthouse", k=1)
    assert opacity(left) == pytest.approx(faded, abs=1e-4), "what is masked gains nothing from being looked for"


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"forgetting.blank_below": 0.5}, "blank_below"),
        ({"forgetting.blur_below": 0.1}, "blank_below"),
        ({"forgetting.blur_below": 1.5}, "blur_below"),
        ({"forgetting.scale": 0}, "scale"),
        ({"forgetting.scale": -1.0}, "scale"),
        ({"forgetting.dormancy_rate": 1.5}, "dormancy_rate"),
        ({"forgetting.detail_days": 0}, "detail_days"),
        ({"forgetting.curve": "linear"}, "curve"),
        ({"forgetting.max_notes": 0}, "max_notes"),
    ],
)
def test_senseless_settings_are_refused_by_name_and_change_nothing(house: House, settings: Json, named: str) -> None:
    api = house.api
    error = api.refused("invalid_params", "mind.create", mind="never", settings=settings)
    assert named in error.message
    api.refused("mind_not_found", "mind.get", mind="never")
    mind = house.mind()
    note = api.note(mind, PLANTED[0][0])
    before = api.call("mind.get", mind=mind)["mind"], api.call("note.get", mind=mind, id=note)["note"]
    error = api.refused("invalid_params", "mind.update", mind=mind, settings=settings)
    assert named in error.message
    assert before == (api.call("mind.get", mind=mind)["mind"], api.call("note.get", mind=mind, id=note)["note"])


def test_other_settings_take_hold_at_once(house: House) -> None:
    api, mind = house.api, house.mind()
    text, secret, _ = PLANTED[0]
    note = plant(api, mind, text, secret)
    house.wait(3)

    def elements() -> list[Json]:
        found: list[Json] = api.call("note.get", mind=mind, id=note)["note"]["elements"]
        return found

    before = elements()
    api.call("mind.update", mind=mind, settings={"forgetting.curve": "power"})
    for was, now in zip(before, elements(), strict=True):
        assert now["opacity"] == pytest.approx(was["opacity"], abs=1e-5), "as strong as before, on another curve"
        assert now["blurs_at"] != was["blurs_at"]
    api.call("mind.update", mind=mind, settings={"forgetting.curve": "exponential"})
    for was, now in zip(before, elements(), strict=True):
        assert now["opacity"] == pytest.approx(was["opacity"], abs=1e-5)
        assert now["blurs_at"][:13] == was["blurs_at"][:13], "back again"
    api.call("mind.update", mind=mind, settings={"forgetting.blur_below": 0.8})
    assert note not in ids(api.found(mind, secret)), "less is clear now"
    api.call("mind.update", mind=mind, settings={"forgetting.blur_below": 0.5})
    assert note in ids(api.found(mind, secret)), "and more again"
    house.wait(2)
    assert note not in ids(api.found(mind, secret))
    api.call("mind.update", mind=mind, profile="assistant")
    assert note in ids(api.found(mind, secret)), "an assistant forgets nothing"


def test_a_fact_that_is_told_again_is_remembered_again(house: House) -> None:
    api, mind = house.api, house.mind()

    def told() -> tuple[str, float]:
        api.say(mind, "I live in Lisbon.", speaker="Ann")
        api.call("idle.run", mind=mind)
        [fact] = api.notes(mind, kind="semantic")
        return fact["id"], fact["elements"][0]["opacity"]

    fact, _ = told()
    house.wait(10)
    before = api.call("note.get", mind=mind, id=fact)["note"]["elements"][0]["opacity"]
    again, opacity = told()
    assert again == fact
    assert opacity >= before + 0.5 * (1 - before) - 1e-3


def test_forgetting_and_restoring_do_not_bring_back_what_faded(house: House) -> None:
    api, mind = house.api, house.mind()
    text, secret, clear = PLANTED[0]
    note = plant(api, mind, text, secret)
    api.call("note.forget", mind=mind, id=note)
    house.wait(6)
    api.call("note.restore", mind=mind, id=note)
    assert note not in ids(api.found(mind, secret))
    assert note in ids(api.found(mind, clear))
    api.settle(mind)
    assert not is_findable(house.daemon, mind, note, secret)


def test_above_the_ceiling_the_notes_of_least_weight_go(house: House) -> None:
    api = house.api
    mind = house.mind({**WALL, "forgetting.max_notes": 6})
    made = [
        api.note(mind, f"boat {number} 船{number}号", importance=0.1 * (number + 1), elements=[]) for number in range(6)
    ]
    hub = api.note(mind, "the harbour", pinned=True)
    for note in made:
        api.call("link.add", mind=mind, src=hub, dst=note, kind="abstract_of")
    told = len(house.daemon.events("note_forgotten"))
    house.wait(40)
    left = {note["id"] for note in api.notes(mind)}
    assert hub in left
    assert len(left) == 6
    assert left & set(made) == {made[4], made[5]}, "the most important stay, though all are linked"
    gone = house.daemon.events("note_forgotten")[told:]
    assert {each["reason"] for each in gone} == {"ceiling"}
    assert sum(each["count"] for each in gone) == 4


def test_fading_goes_on_over_a_restart_and_waits_while_the_clock_is_suspect(tmp_path: Path) -> None:
    text, secret, clear = PLANTED[0]
    with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
        api = checking(daemon)
        for mind, settings in (("a", WALL), ("talkative", AWAKE)):
            api.call("mind.create", mind=mind, settings=settings)
            for other in OTHERS:
                api.note(mind, other, pinned=True)
        api.say("talkative", "good morning")
        hers = plant(api, "talkative", text, secret)
        api.call("clock.advance", seconds=3 * DAY)
        note = plant(api, "a", text, secret)
        api.call("clock.advance", seconds=2 * DAY)
        assert api.call("clock.jump", seconds=30 * DAY)["suspect"]
        for mind, planted in (("a", note), ("talkative", hers)):
            assert planted in ids(api.found(mind, secret)), "neither a leap nor what is overdue counts now"
            assert rows(daemon, mind, "SELECT 1 FROM note WHERE shown IS NOT NULL") == []
        assert not api.call("clock.jump", seconds=-30 * DAY)["suspect"]
        assert note in ids(api.found("a", secret)), "two days are no month"
        assert hers not in ids(api.found("talkative", secret)), "five days are five days"
        api.settle("a")
        daemon.kill()
    with daemon_process(tmp_path, "--simulated-clock", name="again") as daemon:
        api = checking(daemon)
        assert note in ids(api.found("a", secret))
        api.call("clock.advance", seconds=3 * DAY)
        assert note not in ids(api.found("a", secret))
        assert ids(api.found("a", clear))[:1] == [note]
        api.settle("a")
        assert not is_findable(daemon, "a", note, secret)
        daemon.kill()
    (tmp_path / "c.toml").write_text("[forgetting]\nblur_below = 0.3\n")
    with daemon_process(tmp_path, "--simulated-clock", "--config", str(tmp_path / "c.toml"), name="third") as daemon:
        assert note in ids(checking(daemon).found("a", secret)), "by this configuration it is clear"


# -- what a change leaves behind -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "secret", "near"), PLANTED, ids=["en", "zh", "mixed"])
def test_a_faded_note_is_found_by_the_tags_and_the_time_it_is_given(
    house: House, text: str, secret: str, near: str
) -> None:
    api, mind = house.api, house.mind()
    note = plant(api, mind, text, secret, tags=[secret])
    house.wait(5)
    assert api.found(mind, near, tags=[secret]) == []
    given = {"tags": ["holiday", "假日"], "at": "2023-05-04T10:00:00Z"}
    api.call("note.update", mind=mind, id=note, **given)
    within = {"from": "2023-05-01T00:00:00Z", "to": "2023-06-01T00:00:00Z"}
    (item,) = api.found(mind, near, tags=["holiday", "假日"], **within)
    assert (item["id"], item["at"][:7], item["state"]) == (note, "2023-05", "blurred")
    assert secret not in item["text"]
