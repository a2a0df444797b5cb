"""Sharing over the socket: what Ann told the mind alone, Bo gets by no call that is made in front of him."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from checking import Json, checking, ids_of, rows
from daemon_fixture import daemon_process
from told_secrets import CASES, House, answered, attempts, leaks, plant

START = "2026-03-01T08:00:00Z"
SCOPED = ["participants", "conversation"]

# Each language and each way to share, in memory and on disk; all of them with one another in torture.
HERE = [("memory", "en", "participants"), ("memory", "zh", "conversation"), ("disk", "mixed", "participants")]
ALL = list(product(("memory", "disk"), ("en", "zh", "mixed"), SCOPED))
WAYS = [way if way in HERE else pytest.param(*way, marks=pytest.mark.torture) for way in ALL]
scoped_in_each_language = pytest.mark.parametrize(("house", "language", "sharing"), WAYS, indirect=["house"])
in_each_language = pytest.mark.parametrize(
    ("house", "language"),
    [
        *(way[:2] for way in HERE),
        *(pytest.param("disk", language, marks=pytest.mark.torture) for language in ("en", "zh")),
    ],
    indirect=["house"],
)


@pytest.fixture(scope="module")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, House]]:
    """One daemon that keeps its index in memory and one that searches on disk."""
    with ExitStack() as stack:
        envs = {"memory": {}, "disk": {"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": "0"}}
        made = {
            name: stack.enter_context(daemon_process(tmp_path_factory.mktemp("s"), "--simulated-clock", START, env=env))
            for name, env in envs.items()
        }
        yield {name: House(daemon) for name, daemon in made.items()}


@pytest.fixture(params=["memory", "disk"])
def house(request: pytest.FixtureRequest, houses: dict[str, House]) -> House:
    return houses[request.param]


@scoped_in_each_language
def test_no_call_in_front_of_another_brings_the_secret(house: House, language: str, sharing: str) -> None:
    planted = house.planted(CASES[language], sharing)
    seen = seen_by_id = 0
    for here in ("pub", "nowhere") if language == "mixed" else ("pub",):
        for method, params in attempts(planted, here):
            if here == "nowhere" and (method == "message.list" or (method == "context.get" and "query" not in params)):
                continue  # nobody spoke there yet: these say so
            answer = answered(house.api, method, params)
            assert not leaks(planted, answer), f"{method} {params}: {answer}"
            seen += planted.case.common in answer
            seen_by_id += method == "note.get" and planted.case.common in answer
    assert seen > 10, "what is common surfaces everywhere"
    assert seen_by_id, "ids were asked for in a form in which they are understood"


@scoped_in_each_language
def test_the_secret_is_there_for_who_told_it_and_for_the_owner(house: House, language: str, sharing: str) -> None:
    planted = house.planted(CASES[language], sharing)
    mine = [note for note in planted.secret if note != planted.mixed]
    for where in ({"conversation": "tea"}, {}):
        known_as = planted.known_as if where else str
        found = {"message", "summary", "note"}
        for kind in sorted(found):
            query = planted.case.secret.lines[1]
            items = house.api.found(planted.mind, query, kinds=[kind], **where)
            assert any(planted.case.secret.mark in item["text"] for item in items), (kind, where, items)
        for note in mine:
            house.api.call("note.get", mind=planted.mind, id=known_as(note), **where)
            house.api.call("note.history", mind=planted.mind, id=known_as(note), **where)
        common = known_as(planted.common)
        verbs = [link["verb"] for link in house.api.links(planted.mind, note=common, **where)]
        assert planted.case.secret.mark in verbs
        around = house.api.call("graph.get", mind=planted.mind, around=common, **where)
        assert {note["id"] for note in around["notes"]} & set(map(known_as, mine))
    context = house.api.call("context.get", mind=planted.mind, conversation="tea", max_tokens=100_000)
    assert planted.case.secret.pinned in context["text"]
    # what was heard in both surfaces in neither alone, and in front of its owner
    for conversation, form in product(("tea", "pub"), planted.forms(planted.mixed)):
        house.api.refused("not_found", "note.get", mind=planted.mind, id=form, conversation=conversation)
    assert house.api.call("note.get", mind=planted.mind, id=planted.mixed)["note"]["sources"]


@in_each_language
def test_in_an_open_mind_everybody_knows_everything(house: House, language: str) -> None:
    planted = house.planted(CASES[language], "open")
    got = {method for method, params in attempts(planted, "pub") if leaks(planted, answered(house.api, method, params))}
    assert got == {
        "recall",
        "context.get",
        "note.list",
        "link.list",
        "graph.get",
        "note.get",
        "note.history",
        "note.forecast",
    }


@scoped_in_each_language
def test_a_message_that_waits_for_its_recall_gets_none_of_it(house: House, language: str, sharing: str) -> None:
    planted = plant(house, CASES[language], sharing)
    for question in planted.case.questions:
        asked = {"recall": True, "speaker": planted.case.other, "conversation": "pub", "id": question[:20]}
        for _ in range(2):  # a message that is sent again is answered from the record
            answer = house.api.say(planted.mind, question, **asked)
            assert not leaks(planted, json.dumps(answer, ensure_ascii=False)), answer
    told = house.api.say(
        planted.mind, planted.case.questions[0], recall=True, speaker=planted.case.secret.speaker, conversation="tea"
    )
    assert planted.case.secret.mark in told["context"]["text"]
    again = house.api.call("idle.run", mind=planted.mind)
    assert again["state"] == "idle"
    for method, params in attempts(planted, "pub"):  # the digestion of both side by side mixes nothing
        assert planted.case.secret.mark not in answered(house.api, method, params), (method, params)


@in_each_language
def test_a_recorded_answer_is_held_to_the_sharing_of_today(house: House, language: str) -> None:
    planted = house.planted(CASES[language], "open")
    asked = {"recall": True, "speaker": planted.case.other, "conversation": "pub", "id": "asked"}
    question = planted.case.questions[0]
    assert planted.case.secret.mark in house.api.say(planted.mind, question, **asked)["context"]["text"]
    house.api.call("mind.update", mind=planted.mind, settings={"recall.sharing": "participants"})
    after = house.api.say(planted.mind, question, **asked)
    house.api.call("mind.update", mind=planted.mind, settings={"recall.sharing": "open"})  # others look at it too
    assert after["duplicate"]
    assert planted.case.secret.mark not in after["context"]["text"]


CHANGES: list[tuple[str, Json]] = [
    ("note.get", {}),
    ("note.history", {}),
    ("note.forecast", {"days": 40}),
    ("note.update", {"text": "changed 改了", "version": 1}),
    ("note.pin", {}),
    ("note.unpin", {}),
    ("note.forget", {}),
    ("note.restore", {}),
    ("link.list", {"note": None}),
    ("graph.get", {"around": None}),
    ("link.add", {"src": None, "dst": "n1"}),
    ("link.add", {"src": "n1", "dst": None}),
    ("link.add", {"src": None, "dst": None}),
]


@pytest.mark.parametrize("sharing", SCOPED)
@pytest.mark.parametrize(("method", "params"), CHANGES, ids=[f"{m}-{'-'.join(p)}" for m, p in CHANGES])
def test_what_is_out_of_scope_is_missing_in_the_very_same_words(
    house: House, method: str, params: Json, sharing: str
) -> None:
    api = house.api
    mind, held = house.heron(sharing)
    known_as = ids_of(house.daemon, mind).blind
    before = api.call("note.get", mind=mind, id=held)

    def refusal(note: str) -> tuple[str, int, str, str]:
        given = {name: {None: note, "n1": known_as("n1")}.get(value, value) for name, value in params.items()}
        given |= {} if {"note", "around", "src"} & set(params) else {"id": note}
        error = api.refused("not_found", method, mind=mind, conversation="pub", **given)
        return error.name, error.code, str(error).replace(note, "?"), str(error.hint).replace(note, "?")

    assert refusal(known_as(held)) == refusal(known_as("n777")) == refusal(held) == refusal("n777") == refusal("x")
    assert api.call("note.get", mind=mind, id=held) == before, "nothing was changed"


@pytest.mark.parametrize("sharing", SCOPED)
def test_pages_counts_warnings_and_quotes_do_not_tell(house: House, sharing: str) -> None:
    api, mind = house.api, house.mind(sharing)
    known_as = ids_of(house.daemon, mind).blind
    api.say(mind, "The heron is called 白鹭.", speaker="Ann", conversation="tea", id="hush")
    api.say(mind, "Hello 你好", speaker="Bo", conversation="pub")
    source = [{"conversation": "tea", "id": "hush"}]
    common = [api.note(mind, f"Common {n} 公开") for n in range(2)]
    held = [api.note(mind, f"Hidden {n} 保密", sources=source, tags=["x"]) for n in range(6)]
    common.append(api.note(mind, "Common last 公开"))
    shared = [known_as(note) for note in common]
    pub = {"mind": mind, "conversation": "pub"}
    assert [note["id"] for note in api.pages("note.list", limit=1, **pub)] == shared
    assert api.call("note.list", limit=3, **pub)["next_cursor"] is None
    for near, far in zip(held, held[1:] + common[:1], strict=True):
        api.call("link.add", mind=mind, src=near, dst=far)
    shown = api.call("link.add", src=shared[0], dst=shared[2], **pub)["id"]
    assert [link["id"] for link in api.pages("link.list", limit=1, **pub)] == [shown]
    graph = api.call("graph.get", around=shared[0], limit=2, depth=6, **pub)
    assert ([note["id"] for note in graph["notes"]], graph["truncated"]) == ([shared[0], shared[2]], False)
    assert api.call("graph.get", limit=3, **pub)["truncated"] is False
    strange = [held[0], known_as(held[0]), "n777", known_as("n777")]
    warned = api.call("recall", query="heron", exclude=strange, **pub)["warnings"]
    assert warned == [f"exclude: there is no {name!r} in this mind" for name in strange]
    errors = [
        str(api.refused("not_found", "note.add", kind="episodic", text="x", sources=[source], **pub))
        for source in (
            {"conversation": "tea", "id": "hush", "quote": "heron"},
            {"conversation": "tea", "id": "hush", "quote": "nothing of it"},
            {"conversation": "tea", "id": "no such"},
        )
    ]
    unheard = {"conversation": "bar", "id": "hush"}
    missing = str(api.refused("not_found", "note.add", kind="episodic", text="x", sources=[unheard], **pub))
    assert set(errors) == {missing.replace("bar", "tea")}


@scoped_in_each_language
def test_bo_is_answered_as_if_ann_had_never_spoken(house: House, language: str, sharing: str) -> None:
    case = CASES[language]
    answers: list[list[Any]] = []
    for told in (True, False):
        mind = house.mind(sharing, profile="assistant")
        for line in case.small_talk:
            house.api.say(mind, line, speaker=case.other, conversation="pub")
        house.api.note(mind, case.common)
        if told:
            for line in case.secret.lines:
                house.api.say(mind, line, speaker=case.secret.speaker, conversation="tea", at="2026-03-02T07:00:00Z")
        house.api.settle(mind)
        found = []
        for query in (*case.questions, *case.secret.lines, case.secret.mark, case.secret.speaker):
            items = house.api.found(mind, query, conversation="pub", explain=True)
            found.append([(item["text"], item["score"], item["why"]) for item in items])
        answers.append(found)
    assert answers[0] == answers[1]
    assert any(answers[0])


def test_what_two_people_say_alike_stays_with_each(house: House) -> None:
    """A fact that is told twice must not become one note: it would be taken from both, and so tell of the other."""
    for sharing in SCOPED:
        mind = house.mind(sharing)
        for speaker, conversation in (("Ann", "tea"), ("Bo", "pub")):
            for line in ("I love herring with beetroot.", "我喜欢吃火锅。", "I work as a vet in Bergen."):
                house.api.say(mind, line, speaker=speaker, conversation=conversation)
            house.api.call("idle.run", mind=mind)
        everything = house.api.notes(mind)
        for conversation in ("tea", "pub"):
            mine = house.api.notes(mind, conversation=conversation)
            assert mine
            assert {each["conversation"] for note in mine for each in note["sources"]} == {conversation}
        assert len(everything) == sum(len(house.api.notes(mind, conversation=name)) for name in ("tea", "pub"))


@scoped_in_each_language
def test_bo_s_notes_are_those_of_a_mind_that_never_heard_ann(house: House, language: str, sharing: str) -> None:
    """Words that Ann said first, recalled in the background, were not handed out to Bo: his own stay his."""
    case = CASES[language]
    made: list[list[tuple[str, str]]] = []
    for told in (True, False):
        mind = house.mind(sharing)
        if told:
            for line in (*case.small_talk, *case.secret.lines):
                house.api.say(mind, line, speaker=case.secret.speaker, conversation="tea")
            house.api.call("idle.run", mind=mind)
            for line in case.small_talk:
                house.api.note(mind, line, pinned=True, conversation="tea")
            house.api.settle(mind)
        house.api.call("clock.advance", seconds=5)  # what was there before may have been handed out
        for line in (*case.questions, *case.small_talk):
            house.api.say(mind, line, speaker=case.other, conversation="pub", recall=line in case.questions)
        house.api.call("idle.run", mind=mind)
        noted = house.api.notes(mind, conversation="pub")
        made.append([(note["kind"], note["text"]) for note in noted])
    assert made[0] == made[1]
    assert len(made[0]) >= len(case.small_talk)


# -- participants --------------------------------------------------------------------------------------------


def texts(house: House, mind: str, here: str) -> set[str]:
    return {item["text"].rpartition(": ")[2] for item in house.api.found(mind, "heron 白鹭", conversation=here)}


def test_participants_share_what_all_of_them_heard(house: House) -> None:
    mind = house.mind("participants")

    def say(conversation: str, speaker: str | None) -> str:
        text = f"{speaker} saw a heron 白鹭 in {conversation}"
        house.api.say(mind, text, conversation=conversation, **({"speaker": speaker} if speaker else {}))
        return text

    tea, walk, pub = say("tea", "Ann"), say("walk", " ANN "), say("pub", "Bo")
    party = say("party", "Ann")
    assert texts(house, mind, "tea") == {tea, walk, party}
    assert texts(house, mind, "pub") == {pub}
    party_bo = say("party", "Bo")  # from now on Bo hears what is said there
    assert texts(house, mind, "party") == {party, party_bo}
    assert texts(house, mind, "tea") == {tea, walk, party, party_bo}
    assert texts(house, mind, "pub") == {pub, party, party_bo}
    joined = say("tea", "Bo")
    assert texts(house, mind, "tea") == {tea, joined, party, party_bo}
    house.api.say(mind, "A heron 白鹭 as well", role="assistant", speaker="Ann", conversation="pub")
    assert texts(house, mind, "walk") == {walk, tea, joined, party, party_bo}, "only who speaks as a user takes part"
    assert texts(house, mind, "attic") == set()
    house.api.say(mind, "Herons 白鹭?", role="assistant", conversation="attic")
    assert texts(house, mind, "attic") == {"Herons 白鹭?"}


def test_who_gives_no_name_is_nobody_else(house: House) -> None:
    mind = house.mind("participants")
    for conversation in ("one", "two"):
        house.api.say(mind, f"A heron 白鹭 in {conversation}", conversation=conversation)
    assert texts(house, mind, "one") == {"A heron 白鹭 in one"}
    assert texts(house, mind, "two") == {"A heron 白鹭 in two"}


def test_the_rule_holds_when_the_mind_is_opened_again(tmp_path: Path) -> None:
    for _ in range(2):
        with daemon_process(tmp_path, "--simulated-clock", START) as daemon:
            api = checking(daemon)
            if not any(line["mind"] == "m" for line in api.call("system.status")["minds"]):
                api.call("mind.create", mind="m", settings={"recall.sharing": "participants"})
                for name, conversation in (("Ann", "tea"), ("Ann", "walk"), ("小明", "pub")):
                    api.say("m", f"{name} saw a heron 白鹭", speaker=name, conversation=conversation)
                api.note("m", "A heron 白鹭 of both", sources=[{"conversation": c, "id": "m1"} for c in ("tea", "pub")])
                api.note("m", "A heron 白鹭 of Ann", sources=[{"conversation": c, "id": "m1"} for c in ("tea", "walk")])
            house = House(daemon)  # what it digested when it was closed says who spoke
            assert texts(house, "m", "tea") == {"Ann saw a heron 白鹭", "A heron 白鹭 of Ann"}
            assert texts(house, "m", "pub") == {"小明 saw a heron 白鹭"}


def _row(house: House, mind: str, note: str) -> int:
    return int(ids_of(house.daemon, mind).plain(note)[1:])


def test_talk_brings_to_mind_only_what_may_surface_where_it_is_talked(house: House) -> None:
    """Also where nobody sees it: what is brought to mind is strengthened, and that shows."""
    mind = house.mind("conversation")
    secret = house.api.note(mind, "Ann hid the heron 白鹭 key", conversation="tea")
    known = house.api.note(mind, "Bo lost the heron 白鹭 key", conversation="pub")
    house.api.say(mind, "Where is the heron 白鹭 key?", speaker="Bo", conversation="pub")
    found = "SELECT count(*) FROM recall_hit WHERE kind = 'note' AND item = ?"
    house.api.until(
        lambda: rows(house.daemon, mind, found, _row(house, mind, known))[0][0], "the recall of the message"
    )
    assert not rows(house.daemon, mind, found, _row(house, mind, secret))[0][0]
    for form in (secret, ids_of(house.daemon, mind).plain(secret)):
        house.api.refused("not_found", "note.get", mind=mind, id=form, conversation="pub")
