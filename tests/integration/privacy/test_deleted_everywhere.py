"""What hangs on a message, and goes with it: corrections, notes of several messages, keys, lessons, repetitions."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, Json, checking, rows, schema
from daemon_fixture import Daemon, daemon_process
from leftovers import files_with, tables_with
from shell import Shell
from soulmem.client import SoulmemRemoteError
from soulmem.store.session.verify import damages

START = "2026-03-02T09:00:00Z"
MARK = "quarzplover66125"
TALK = ("I work at the harbour in Bergen.", "我在港口上班，住在老城区。", "My neighbour Lars mends clocks.")

OF_ALL = """
link.list job.list mind.get ledger.get audit.list conversation.list profile.list plan.list reflection.list
""".split()  # what is asked of a mind as a whole


class House:
    def __init__(self, daemon: Daemon, home: Path) -> None:
        self.daemon = daemon
        self.api: Checking = checking(daemon)
        self.shell = Shell(daemon.socket, home)
        self.made = 0

    def mind(self, profile: str = "companion", **settings: object) -> str:
        self.made += 1
        flat = {key.replace("__", "."): value for key, value in settings.items()}
        self.api.call("mind.create", mind=f"e{self.made}", profile=profile, settings=flat)
        return f"e{self.made}"

    def file(self, mind: str) -> Path:
        return self.daemon.state / "minds" / f"{mind}.db"

    def say(self, mind: str, text: str, name: str, **params: Any) -> None:
        self.api.say(mind, text, id=name, speaker="Ann", **params)

    def is_gone(self, mind: str, mark: str = MARK) -> None:
        """Nothing of it is in the file of the mind, nor in any answer of any method that reads."""
        assert tables_with(self.file(mind), mark) == []
        assert files_with(self.daemon.state, mark, mind) == []
        assert mark not in repr(list(self.answers(mind)))
        assert damages(self.file(mind)) == []

    def answers(self, mind: str) -> Iterator[Json]:
        """What every method that reads says of a mind; a method that is not known here fails the test."""
        known = {
            "recall": [{"query": "What is the code? 暗号是什么？", "k": 100, "explain": True, "record": False}],
            "context.get": [{}, {"conversation": "main", "query": "the code 暗号"}],
            "profile.get": [{"name": name} for name in ("Ann", "my sister", "妈妈", "Bo")],
            "profile.between": [{"name": name, "other": "Ann"} for name in ("my sister", "妈妈", "Bo")],
            "profile.path": [{"name": name, "relations": ["*", "*"]} for name in ("Ann", "my sister", "妈妈", "Bo")],
            "note.list": [{}, {"state": "forgotten"}],
            "message.list": [{}, {"conversation": "other"}],
            "graph.get": [{}, *({"around": f"n{number}"} for number in range(1, 20))],
            "note.get": [{"id": f"n{number}"} for number in range(1, 20)],
            "note.history": [{"id": f"n{number}"} for number in range(1, 20)],
            "note.forecast": [{"id": f"n{number}"} for number in range(1, 20)],
            **{name: [{}] for name in OF_ALL},
            **{name: [] for name in ("events.watch",)},
        }
        yield self.daemon.call("mind.export", {"mind": mind})
        for name in self.api.call("system.describe")["methods"]:
            described = schema(name)
            if described["rights"] != "read":
                continue
            takes_mind = "mind" in described["params"]["properties"]
            for params in known[name] if takes_mind else [{}]:
                with contextlib.suppress(SoulmemRemoteError):
                    yield self.daemon.call(name, {**params, **({"mind": mind} if takes_mind else {})})


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with daemon_process(tmp_path_factory.mktemp("e"), "--simulated-clock", START) as daemon:
        yield House(daemon, tmp_path_factory.mktemp("home"))


def talk(house: House, mind: str) -> None:
    for number, text in enumerate(TALK):
        house.say(mind, text, f"t{number}")


def test_a_former_wording_and_the_correction_of_it_go_too(house: House) -> None:
    mind = house.mind(window__capacity=2, window__topic_marks=False)
    house.say(mind, f"The code of my locker is {MARK}.", "s")
    talk(house, mind)
    house.api.settle(mind)
    told = house.api.call(
        "message.update", mind=mind, id="s", content="The code is blue 蓝色.", keep_notes=True, key="k"
    )
    assert told["corrected"] is True
    house.api.call("idle.run", mind=mind)
    assert tables_with(house.file(mind), MARK)
    assert house.api.call("message.delete", mind=mind, id="s")["erased"] is True
    house.is_gone(mind)
    house.api.call("idle.run", mind=mind)
    house.is_gone(mind)
    assert "blue" not in repr(house.api.notes(mind))


def test_an_edit_and_then_a_deletion_leave_neither_wording(house: House) -> None:
    mind = house.mind()
    house.say(mind, f"My sister is called {MARK}.", "s")
    talk(house, mind)
    house.api.call("idle.run", mind=mind)
    house.api.call("message.update", mind=mind, id="s", content="My sister is called Zottelfink.", key="e1")
    house.api.call("idle.run", mind=mind)
    assert "Zottelfink" in repr(house.api.notes(mind))
    house.api.call("message.delete", mind=mind, id="s", key="d1")
    for mark in (MARK, "Zottelfink"):
        house.is_gone(mind, mark)
    again = house.api.call("message.delete", mind=mind, id="s", key="d1")
    assert again["duplicate"] is True
    assert house.api.call("message.delete", mind=mind, id="s")["again"] is True
    house.api.refused("not_found", "message.update", mind=mind, id="s", content="x", key="e1")
    house.api.refused("not_found", "message.update", mind=mind, id="s", content="x")


def test_an_id_that_was_deleted_is_not_heard_again(house: House) -> None:
    mind = house.mind()
    house.say(mind, f"The code is {MARK}.", "s")
    house.api.call("message.delete", mind=mind, id="s")
    for text in (f"The code is {MARK}.", "Something else. 别的话。"):
        answer = house.api.say(mind, text, id="s", speaker="Ann", recall=True)
        assert (answer["duplicate"], answer["deleted"], answer["seq"]) == (True, True, 1)
    assert house.api.messages(mind) == []
    house.is_gone(mind)
    assert house.api.say(mind, "Anew 重新开始", id="s2")["seq"] == 2


def test_the_same_edit_twice_changes_nothing(house: House) -> None:
    mind = house.mind()
    house.say(mind, "My cat is called Tofu.", "s")
    talk(house, mind)
    house.api.call("idle.run", mind=mind)
    first = house.api.call("message.update", mind=mind, id="s", content="My cat is called Miso.")
    second = house.api.call("message.update", mind=mind, id="s", content="My cat is called Miso.")
    assert first["withdrawn"]
    assert second["again"] is True
    assert (second["withdrawn"], second["message"]["version"]) == ([], first["message"]["version"])
    house.api.call("idle.run", mind=mind)
    assert [note["text"] for note in house.api.notes(mind) if "Miso" in note["text"]]
    back = house.api.call("message.update", mind=mind, id="s", content="My cat is called Tofu.")
    assert back["withdrawn"], "who corrects the correction is heard as well"
    house.api.call("idle.run", mind=mind)
    notes = repr(house.api.notes(mind))
    assert "Tofu" in notes
    assert "Miso" not in notes


def test_an_edit_leaves_notes_of_other_sentences_alone(house: House) -> None:
    mind = house.mind()
    said = "I work as a baker in Ghent. My sister Ines plays the cello every Sunday."
    house.say(mind, said, "s")
    talk(house, mind)
    house.api.call("idle.run", mind=mind)
    notes = {note["id"]: note["text"] for note in house.api.notes(mind)}
    changed = house.api.call("message.update", mind=mind, id="s", content=said.replace("Ines", "Agnes"))
    assert all("Ines" in notes[note] for note in changed["withdrawn"])
    kept = {note["id"]: note["text"] for note in house.api.notes(mind)}
    assert {note for note, text in notes.items() if "Ines" not in text} <= kept.keys()
    house.api.call("idle.run", mind=mind)
    told = [note["text"] for note in house.api.notes(mind)]
    assert sum("baker" in text for text in told) == sum("baker" in text for text in notes.values()), "told once still"
    assert any("Agnes" in text for text in told)


def test_what_is_repeated_elsewhere_is_named_and_can_go_too(house: House) -> None:
    mind = house.mind()
    house.say(mind, f"Please remember: the code is {MARK}.", "s")
    house.api.say(mind, f"Noted, your code is {MARK}.", "assistant", id="r", speaker="Mira")
    house.api.say(mind, "A quiet evening. 安静的晚上。", conversation="other", id="o1")
    house.api.say(mind, f"She told me the code {MARK} 暗号.", conversation="other", id="o2")
    house.api.call("idle.run", mind=mind)
    deleted = house.api.call("message.delete", mind=mind, id="s")
    said = {(each["conversation"], each["id"]) for each in deleted["repeats"] if each["kind"] == "message"}
    assert said == {("main", "r"), ("other", "o2")}
    shown = [message["id"] for message in house.api.messages(mind)]
    assert shown == ["r"], "what others said is theirs"
    for each in deleted["repeats"]:
        with contextlib.suppress(SoulmemRemoteError):  # a note of a message that went went with it
            if each["kind"] == "note":
                house.api.call("note.purge", mind=mind, id=each["id"])
            else:
                house.api.call("message.delete", mind=mind, conversation=each["conversation"], id=each["id"])
    house.is_gone(mind)
    house.is_gone(mind, "66125")


def test_a_note_of_several_messages_loses_what_only_one_of_them_said(house: House) -> None:
    mind = house.mind()
    house.say(mind, f"My locker has the code {MARK}.", "s")
    house.say(mind, "My locker stands in the hall of the station.", "u")
    talk(house, mind)
    both = [{"id": "s"}, {"id": "u", "quote": "in the hall of the station"}]
    joined = house.api.note(mind, f"Ann's locker in the hall has the code {MARK}", sources=both, tags=[MARK])
    carried = house.api.note(mind, "My locker stands in the hall of the station.", sources=both)
    alone = house.api.note(mind, "Ann has a secret.", sources=[{"id": "s"}])
    pinned = house.api.note(mind, f"Pinned: {MARK}", sources=[{"id": "s"}], pinned=True)
    forgotten = house.api.note(mind, f"Forgotten: {MARK}", sources=both)
    house.api.call("note.forget", mind=mind, id=forgotten)
    house.api.call("link.add", mind=mind, src=joined, dst=carried)
    house.api.call("note.update", mind=mind, id=carried, tags=["hall"], key="u1")
    deleted = house.api.call("message.delete", mind=mind, id="s")
    assert set(deleted["purged"]) == {joined, alone, pinned, forgotten}, "and nothing was digested that could say more"
    house.is_gone(mind)
    kept = house.api.call("note.get", mind=mind, id=carried)["note"]
    assert [source["id"] for source in kept["sources"]] == ["u"]
    house.api.refused("not_found", "note.get", mind=mind, id=joined)
    house.api.refused("not_found", "note.restore", mind=mind, id=forgotten)
    house.api.call("idle.run", mind=mind)
    house.is_gone(mind)
    purged = rows(
        house.daemon, mind, "SELECT item, kind, reason, sum(count) FROM purged GROUP BY 1, 2, 3 ORDER BY 1, 2"
    )
    assert ("message", "user", "client", 1) in purged
    assert ("note", "episodic", "source", 4) in purged


def test_what_else_a_note_rested_on_is_noted_anew(house: House) -> None:
    """A note of two messages of a digested talk is emptied, and comes back with what the other one says."""
    mind = house.mind()
    house.say(mind, f"My locker has the code {MARK}.", "s")
    house.say(mind, "My locker stands in the hall of the station, and it is green.", "u")
    talk(house, mind)
    house.api.call("idle.run", mind=mind)
    for note in house.api.notes(mind):
        if "locker" in note["text"]:
            house.api.call("note.purge", mind=mind, id=note["id"])
    with_both = [{"id": "s"}, {"id": "u"}]
    rows_before = rows(house.daemon, mind, "SELECT sum(sealed) FROM message")
    assert rows_before == [(2,)]
    joined = house.api.note(mind, f"The green locker in the hall opens with {MARK}", sources=with_both)
    other = house.api.note(mind, "Lars wants a locker too.")
    link = house.api.call("link.add", mind=mind, src=joined, dst=other)["id"]
    house.api.say(mind, "Hello again. 又来了。", id="later")
    house.api.call("message.update", mind=mind, id="u", content="My locker stands in the hall and it is green now.")
    deleted = house.api.call("message.delete", mind=mind, id="s")
    assert joined in deleted["withdrawn"] or joined in deleted["purged"]
    house.is_gone(mind)
    house.api.call("idle.run", mind=mind)
    house.is_gone(mind)
    told = {note["id"]: note["text"] for note in house.api.notes(mind)}
    assert any("hall" in text for text in told.values())
    if joined in told:
        assert link in {each["id"] for each in house.api.links(mind)}


@pytest.mark.parametrize("when", ["alive", "forgotten"])
def test_a_purged_note_is_gone_and_not_made_again(house: House, when: str) -> None:
    mind = house.mind()
    house.say(mind, f"My locker has the code {MARK} and stands at the station.", "s")
    talk(house, mind)
    house.api.call("idle.run", mind=mind)
    note = next(each["id"] for each in house.api.notes(mind) if MARK in each["text"])
    house.api.call("note.update", mind=mind, id=note, importance=0.9, key="n1")
    if when == "forgotten":
        house.api.call("note.forget", mind=mind, id=note)
    answer = house.api.call("note.purge", mind=mind, id=note, key="p1")
    assert (answer["purged"], answer["erased"]) == (True, True)
    assert answer["sources"] == [{"conversation": "main", "id": "s"}]
    assert house.api.call("note.purge", mind=mind, id=note, key="p1")["duplicate"] is True
    house.api.refused("not_found", "note.purge", mind=mind, id=note)
    house.api.refused("not_found", "note.history", mind=mind, id=note)
    assert MARK not in repr(house.api.notes(mind)) + repr(house.api.notes(mind, state="forgotten"))
    house.api.call("message.update", mind=mind, id="t0", content="I work at the harbour in Tromsø.")
    house.api.call("idle.run", mind=mind)
    assert MARK not in repr(house.api.notes(mind))
    assert "Tromsø" in repr(house.api.notes(mind))
    assert MARK in repr(house.api.messages(mind)), "what was said stands, until it is deleted"
    house.api.call("message.delete", mind=mind, id="s")
    house.is_gone(mind)


def test_links_forget_what_they_learnt_of_a_deleted_question(house: House) -> None:
    mind = house.mind("assistant", recall__cares=False)
    one = house.api.note(mind, "The lighthouse keeper Ines collects old maps.")
    two = house.api.note(mind, "Old maps hang in the harbour office.")
    house.api.call("link.add", mind=mind, src=one, dst=two)
    house.api.settle(mind)
    asked = f"Who collects old maps for {MARK}?"
    answer = house.api.say(mind, asked, id="s", speaker="Ann", recall=True)
    recall = house.api.call("context.get", mind=mind, query=asked)["recall_id"]
    for number in (answer["recall_id"], recall):
        house.api.call("feedback", mind=mind, recall_id=number, verdict="good", used=[one, two])
    assert tables_with(house.file(mind), MARK)
    house.api.call("message.delete", mind=mind, id="s")
    house.is_gone(mind)
    house.api.call("feedback", mind=mind, recall_id=recall, verdict="bad")
    house.is_gone(mind)


def test_the_shell_edits_and_deletes(house: House) -> None:
    mind = house.mind()
    house.say(mind, f"My code is {MARK}, remember it.", "s")
    house.api.say(mind, f"I keep {MARK} in mind.", "assistant", id="r")
    talk(house, mind)
    assert "t0 changed" in house.shell("edit", "t0", "I work at the harbour in Narvik.", "-m", mind).stdout
    assert "says so already" in house.shell("edit", "--seq", "3", "I work at the harbour in Narvik.", "-m", mind).stdout
    house.shell("edit", "t0", "-m", mind, code=2)
    house.shell("delete", "-m", mind, "--yes", code=2)
    house.shell("delete", "s", "-m", mind, code=2)
    house.shell("delete", "--seq", "99", "-m", mind, "--yes", code=64)
    told = house.shell("delete", "--seq", "1", "-m", mind, "--yes").stdout
    assert "s deleted" in told
    assert "main/r" in told
    found = house.shell.json("delete", "s", "-m", mind, "--yes")
    assert found["again"] is True
    house.shell("delete", "r", "-m", mind, "--yes", "--repeats")
    house.is_gone(mind)
    note = house.api.note(mind, f"A thought of {MARK}", sources=[{"id": "t1"}])
    told = house.shell("delete", "--note", note, "-m", mind, "--yes").stdout
    assert "gone for good" in told
    assert "main/t1" in told
    house.is_gone(mind)


@pytest.mark.parametrize("act", ["update", "delete"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_fact_that_was_told_twice_stands_on_the_other_telling(house: House, act: str, language: str) -> None:
    fact = {"en": "I am allergic to penicillin.", "zh": "我对青霉素过敏。"}[language]
    other = {"en": "I am allergic to shellfish.", "zh": "我对海鲜过敏。"}[language]
    mind = house.mind()
    for number in range(2):
        house.say(mind, fact, f"f{number}")
        talk_about = ("The tram was late again this morning.", "今天早上电车又晚点了。")
        house.api.say(mind, talk_about[number], id=f"x{number}", speaker="Ann")
        house.api.call("idle.run", mind=mind)
    known = [note for note in house.api.notes(mind) if note["kind"] == "semantic"]
    assert len(known) == 1
    assert [source["id"] for source in known[0]["sources"]] == ["f0", "f1"]
    if act == "update":
        assert house.api.call("message.update", mind=mind, id="f0", content=other)["withdrawn"] == []
    else:
        assert house.api.call("message.delete", mind=mind, id="f0")["purged"] == []
    house.api.call("idle.run", mind=mind)
    facts = {note["id"]: note for note in house.api.notes(mind) if note["kind"] == "semantic"}
    assert [source["id"] for source in facts[known[0]["id"]]["sources"]] == ["f1"]
    assert facts[known[0]["id"]]["text"] == known[0]["text"]
    assert len(facts) == (2 if act == "update" else 1)
