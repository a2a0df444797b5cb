"""What a night makes of notes beyond ties, each within its bounds, and a night that is taken back: all is as it was."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from checking import Json
from daemon_fixture import Daemon
from replay_bench import LANGUAGES, MOVED, TALK_STEPS, TOLD, Bench, labels, operation, operations
from soulmem.client import SoulmemRemoteError
from soulmem.store.session.verify import damages
from soulmem.store.sqlite import offline_reader

DAY_S = 86_400
TWICE = {
    "en": ("Ben and I watched a film about whales", "Ben and I watched a movie about whales", "about whales"),
    "zh": ("我在收容所领养了一只灰猫。", "我真的在收容所收养了一只灰猫，好开心！", "灰猫"),
}
OTHER = {
    "en": ("Ben and I watched a film about whales", "Tim and I watched a film about whales", "about whales"),
    "zh": ("我在收容所领养了一只灰猫。", "我在收容所领养了一只白猫。", "猫"),
}
LAKE = {"en": "We went to the lake with Tom and swam until dark.", "zh": "我和老王去湖边游泳，一直到天黑。"}
VAGUE = {"en": "Something that was talked about.", "zh": "关于运动的事。"}
SHOWN = {"en": "something that was talked about", "zh": "关于运动的事"}
INVENTED = {"en": "Something that Lena talked about.", "zh": "关于游泳的事。"}
SHARED = {"en": "The people around them keep to their crafts.", "zh": "他们身边的人都守着自己的手艺。"}
_PICTURE = (
    "SELECT id, kind, text, at, at_parts, speaker, importance, valence, tags, entities, attributes, lifecycle, pinned, "
    "valid_from, fidelity, rewritten_exp, merged_into, shown, shown_tags, recalls, created_at FROM note",
    'SELECT note, start, "end", level, gist, anchor, a0, t0, stability, last_growth FROM element',
    "SELECT * FROM link",
    "SELECT note, by, relation, said, event FROM ending",
    "SELECT reflection, note, version FROM evidence",
    "SELECT loser, survivor FROM merge",
    "SELECT note, message FROM note_source",
)


def picture(daemon: Daemon, mind: str) -> list[list[tuple[Any, ...]]]:
    """What a mind's file holds of its notes and what ties them."""

    def read(connection: sqlite3.Connection) -> list[list[tuple[Any, ...]]]:
        return [sorted(connection.execute(query), key=repr) for query in _PICTURE]

    return offline_reader.look(daemon.state / "minds" / f"{mind}.db", read)


def beside(bench: Bench, mind: str, notes: list[str]) -> None:
    """Tie notes to what is new, so that they are gone over with it."""
    told = [note["id"] for note in bench.api.notes(mind) if note["sources"] and note["id"] not in notes]
    for note in notes:
        bench.api.call("link.add", mind=mind, src=told[-1], dst=note, kind="semantic", verb="beside", strength=0.9)
    bench.api.settle(mind)


def told_twice(bench: Bench, language: str, texts: tuple[str, str, str]) -> tuple[str, list[str]]:
    """A mind that heard two tellings a little apart and made no note of both; the notes of them."""
    mind, _ = bench.mind(language, **{"linking.merge": False})
    for number, text in enumerate(texts[:2]):
        bench.api.say(mind, text, speaker="Ann", id=f"t{number}")
        bench.api.settle(mind)
        bench.api.call("clock.advance", seconds=1200)
        bench.api.call("idle.run", mind=mind, steps=list(TALK_STEPS))
    found = [note["id"] for note in bench.api.notes(mind) if texts[2] in note["text"] and note["sources"]]
    assert len(found) == 2
    bench.api.call("mind.update", mind=mind, settings={"linking.merge": True})
    beside(bench, mind, found)
    return mind, found


def faded(bench: Bench, language: str) -> tuple[str, str]:
    """A mind with a note of which nothing is clear and something vague still shows, and something new beside it."""
    mind, _ = bench.mind(language, **{"idle.replay": False})
    bench.api.say(mind, LAKE[language], speaker="Ann", id="lake")
    bench.api.settle(mind)
    bench.api.call("idle.run", mind=mind)
    (note,) = [each["id"] for each in bench.api.notes(mind) if [s["id"] for s in each["sources"]] == ["lake"]]
    bench.api.call("clock.advance", seconds=200 * DAY_S)
    shown = bench.api.call("note.get", mind=mind, id=note)["note"]
    assert shown["state"] == "blank", shown
    bench.api.say(mind, "The nurse gave me a green umbrella. 护士送了我一把伞。", speaker="Ann", id="new")
    bench.api.settle(mind)
    bench.api.call("idle.run", mind=mind)
    beside(bench, mind, [note])
    bench.api.call("mind.update", mind=mind, settings={"idle.replay": True})
    return mind, note


def undo(bench: Bench, mind: str, **params: object) -> Json:
    done = bench.api.call("replay.undo", mind=mind, **params)
    bench.api.settle(mind)
    assert damages(bench.daemon.state / "minds" / f"{mind}.db") == []
    return done


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_that_tell_one_thing_become_one_and_come_apart(bench: Bench, language: str) -> None:
    mind, notes = told_twice(bench, language, TWICE[language])
    before = picture(bench.daemon, mind)
    cores = [text[1:] for text in TWICE[language][:2]]
    done = bench.sleep(mind, lambda prompt: operations(operation("merge", labels(prompt, *cores))))
    assert done["merged"] == 1
    shown = [bench.api.call("note.get", mind=mind, id=note)["note"] for note in notes]
    assert sorted(note["lifecycle"] for note in shown) == ["consolidated", "forgotten"]
    back = undo(bench, mind)
    assert (back["merged"], back["regions"] >= 1) == (1, True)
    assert picture(bench.daemon, mind) == before
    found = [item["id"] for item in bench.api.found(mind, cores[0], k=10)]
    assert set(notes) <= set(found), "search knows both again"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_somebody_edits_while_a_model_thinks_is_left_alone(bench: Bench, language: str) -> None:
    mind, notes = told_twice(bench, language, TWICE[language])
    cores = [text[1:] for text in TWICE[language][:2]]
    edited = {"en": "Ben and I watched nothing at all.", "zh": "我什么都没领养。"}[language]

    def says(prompt: str) -> Json:
        found = labels(prompt, *cores)
        if found:
            bench.daemon.call("note.update", {"mind": mind, "id": notes[1], "text": edited})
        return operations(operation("merge", found), operation("link", found), operation("retag", found[:1]))

    done = bench.sleep(mind, says)
    assert (done["merged"], done["retagged"]) == (0, 0)
    shown = {note["id"]: note for note in bench.api.notes(mind)}
    assert shown[notes[1]]["text"] == edited
    assert shown[notes[0]]["lifecycle"] == "consolidated"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_differs_stays_two_whatever_a_model_says(bench: Bench, language: str) -> None:
    mind, notes = told_twice(bench, language, OTHER[language])
    cores = [text[1:] for text in OTHER[language][:2]]
    done = bench.sleep(mind, lambda prompt: operations(operation("merge", labels(prompt, *cores))))
    assert done["merged"] == 0
    assert {note["lifecycle"] for note in bench.api.notes(mind) if note["id"] in notes} == {"consolidated"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_vague_words_become_a_sentence_and_the_note_again(bench: Bench, language: str) -> None:
    mind, note = faded(bench, language)
    before = picture(bench.daemon, mind)
    wanted = lambda prompt: operations(operation("rephrase", labels(prompt, SHOWN[language] + "?"), VAGUE[language]))  # noqa: E731
    assert bench.sleep(mind, wanted)["rephrased"] == 1
    shown = bench.api.call("note.get", mind=mind, id=note)["note"]
    assert (shown["text"], shown["state"]) == (VAGUE[language], "rewritten")
    assert LAKE[language].split()[-1].strip(".。") in str(
        bench.api.call("note.history", mind=mind, id=note)["versions"]
    )
    assert undo(bench, mind)["rephrased"] == 1
    assert picture(bench.daemon, mind) == before
    assert bench.api.call("note.get", mind=mind, id=note)["note"]["state"] == "blank"


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_that_do_not_show_and_notes_that_are_clear_stay(bench: Bench, language: str) -> None:
    mind, note = faded(bench, language)

    def says(prompt: str) -> Json:
        vague, clear = labels(prompt, SHOWN[language] + "?"), labels(prompt, TOLD[language][1])
        return operations(
            operation("rephrase", vague, INVENTED[language]), operation("rephrase", clear, TOLD[language][0])
        )

    assert bench.sleep(mind, says)["rephrased"] == 0
    assert bench.api.call("note.get", mind=mind, id=note)["note"]["state"] == "blank"
    assert TOLD[language][1] in [each["text"] for each in bench.api.notes(mind)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_topics_come_from_the_list_and_go_again(bench: Bench, language: str) -> None:
    mind, notes = bench.mind(language)
    bench.api.call("note.update", mind=mind, id=notes[1], tags=["work", "clocks"])
    before = picture(bench.daemon, mind)

    def says(prompt: str) -> Json:
        one, two = labels(prompt, TOLD[language][1]), labels(prompt, TOLD[language][2])
        topics = {"topics": ["home", "secret", "family", "home"]}
        return operations(operation("retag", one) | topics, operation("retag", two) | {"topics": ["unheard of"]})

    assert bench.sleep(mind, says)["retagged"] == 1
    tags = {note["id"]: note["tags"] for note in bench.api.notes(mind)}
    assert tags[notes[1]] == ["home", "family", "clocks"]
    assert undo(bench, mind)["retagged"] == 1
    assert picture(bench.daemon, mind) == before
    assert {note["id"]: note["tags"] for note in bench.api.notes(mind)}[notes[1]] == ["work", "clocks"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_night_is_taken_back_whole_and_not_done_again(bench: Bench, language: str) -> None:
    mind, notes = bench.mind(language)
    before = picture(bench.daemon, mind)

    def says(prompt: str) -> Json:
        return operations(
            operation("link", labels(prompt, TOLD[language][1], MOVED[language])),
            operation("abstract", labels(prompt, *TOLD[language][1:]), SHARED[language]),
            operation("retag", labels(prompt, TOLD[language][0])) | {"topics": ["home"]},
        )

    done = bench.sleep(mind, says)
    assert (done["concluded"], done["retagged"], done["tied"] >= 1) == (1, 1, True)
    (job,) = [job["id"] for job in bench.api.jobs(mind) if job["step"] == "replay"]
    back = undo(bench, mind, key="once")
    assert back == {
        "job": job, "regions": done["regions"], "links": back["links"], "concluded": 1, "ended": 0, "merged": 0,
        "rephrased": 0, "retagged": 1,
    }  # fmt: skip
    assert back["links"] >= 1
    assert picture(bench.daemon, mind) == before
    assert bench.api.call("reflection.list", mind=mind)["items"] == []
    assert bench.api.call("replay.undo", mind=mind, key="once") == back | {"duplicate": True}
    told = [event for event in bench.daemon.events("replay_undone") if event["mind"] == mind]
    assert [(event["regions"], event["links"]) for event in told] == [(back["regions"], back["links"])]
    for params in ({}, {"job": job}, {"job": "j999"}):
        with pytest.raises(SoulmemRemoteError, match=r"taken back|take back"):
            bench.api.client.call("replay.undo", {"mind": mind, **params})
    bench.api.call("clock.advance", seconds=2 * DAY_S)
    bench.api.say(mind, "The nurse wrote to me. 护士给我写信了。", speaker="Ann", id="again")
    bench.api.settle(mind)
    bench.api.call("mind.update", mind=mind, settings={"idle.replay": False})
    bench.api.call("idle.run", mind=mind)
    beside(bench, mind, notes)
    bench.api.call("mind.update", mind=mind, settings={"idle.replay": True})
    asked = len(bench.asked)
    bench.api.call("idle.run", mind=mind, steps=["replay"])
    assert len(bench.asked) > asked
    ends = {frozenset((link["src"], link["dst"])) for link in bench.api.links(mind)}
    assert frozenset((notes[1], notes[3])) not in ends, "what was taken back is not tied again"
    tags = {note["id"]: note["tags"] for note in bench.api.notes(mind)}
    assert "home" not in tags[notes[0]]


def test_what_somebody_changed_meanwhile_stays_changed(bench: Bench) -> None:
    mind, notes = bench.mind("en")
    says = lambda prompt: operations(operation("retag", labels(prompt, TOLD["en"][1])) | {"topics": ["home"]})  # noqa: E731
    assert bench.sleep(mind, says)["retagged"] == 1
    bench.api.call("note.update", mind=mind, id=notes[1], tags=["art"], text="Tom sells old clocks in Bern.")
    assert undo(bench, mind)["retagged"] == 0
    note = bench.api.call("note.get", mind=mind, id=notes[1])["note"]
    assert (note["text"], note["tags"]) == ("Tom sells old clocks in Bern.", ["art"])


def test_no_words_of_a_note_are_kept_for_it(bench: Bench) -> None:
    """What is needed to take a night back goes with the note, and holds none of its words."""
    mind, note = faded(bench, "en")
    says = lambda prompt: operations(operation("rephrase", labels(prompt, SHOWN["en"] + "?"), VAGUE["en"]))  # noqa: E731
    assert bench.sleep(mind, says)["rephrased"] == 1

    def read(connection: sqlite3.Connection) -> tuple[list[Any], list[Any]]:
        kept = connection.execute("SELECT undo FROM replay_region").fetchall()
        return kept, connection.execute("SELECT note FROM replay_rewrite").fetchall()

    file = bench.daemon.state / "minds" / f"{mind}.db"
    kept, reworded = offline_reader.look(file, read)
    assert reworded == [(int(note[1:]),)]
    assert "lake" not in str(kept)
    assert "talked" not in str(kept)
    bench.api.call("note.purge", mind=mind, id=note)
    assert offline_reader.look(file, read)[1] == []
    assert undo(bench, mind)["rephrased"] == 0
