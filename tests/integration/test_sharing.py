"""Sharing over the socket: what Ann told the mind alone, Bo gets by no call that is made in front of him."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from checking import Checking, Json, Wire, checking, rows
from daemon_fixture import Daemon, daemon_process
from soulmem.client import SoulmemRemoteError

START = "2026-03-01T08:00:00Z"
SCOPED = ["participants", "conversation"]
_ALSO = pytest.mark.torture  # on disk one language shows what the search there does; each is tried in torture
PLACES = [
    ("memory", "en"),
    ("memory", "zh"),
    ("memory", "mixed"),
    ("disk", "mixed"),
    pytest.param("disk", "en", marks=_ALSO),
    pytest.param("disk", "zh", marks=_ALSO),
]
in_each_language = pytest.mark.parametrize(("house", "language"), PLACES, indirect=["house"])


@dataclass(frozen=True)
class Told:
    """What one person tells in one conversation: `mark` stands in every line that must not get about."""

    mark: str
    speaker: str
    lines: tuple[str, ...]
    note: str
    pinned: str
    forgotten: str


@dataclass(frozen=True)
class Case:
    secret: Told
    other: str  # who must not hear it
    small_talk: tuple[str, ...]
    common: str
    questions: tuple[str, ...]


CASES = {
    "en": Case(
        Told(
            "Kestrel",
            "Ann",
            (
                "My name is Ann and my password for the safe is Kestrel-4417.",
                "Last Tuesday I hid the Kestrel key under the third step in Bergen.",
                "I love Kestrel tea, and I hate driving in snow.",
            ),
            "Ann keeps the Kestrel deed in the bank of Bergen.",
            "Ann must always be greeted with Kestrel.",
            "Ann once lost a Kestrel in Bergen.",
        ),
        "Bo",
        (
            "My name is Bo and I work in Bergen.",
            "I hate driving in snow, and I love tea.",
            "Last Tuesday I lost the key of my safe.",
        ),
        "The safe in Bergen stands in the hall.",
        ("What is the password for the safe?", "Where did Ann hide the key last Tuesday?", "What does Ann love?"),
    ),
    "zh": Case(
        Told(
            "翡翠",
            "小林",
            (
                "我叫小林，我保险箱的密码是翡翠四四一七。",
                "上周二我把翡翠钥匙藏在成都老家的第三级台阶下面。",
                "我喜欢喝翡翠茶，讨厌下雨。",
            ),
            "小林把翡翠地契放在成都的银行里。",
            "见到小林要先说翡翠。",
            "小林在成都丢过一块翡翠。",
        ),
        "小明",
        ("我叫小明，在成都上班。", "我讨厌下雨，喜欢喝茶。", "上周二我丢了保险箱的钥匙。"),
        "成都的保险箱放在走廊里。",
        ("保险箱的密码是什么？", "小林上周二把钥匙藏在哪里？", "小林喜欢什么？"),
    ),
    "mixed": Case(
        Told(
            "Zürichberg",
            "小王",
            (
                "我叫小王，我的 safe 密码是 Zürichberg-9。",
                "Last Tuesday 我把 Zürichberg 的钥匙藏在 Davos。",
                "我喜欢 Zürichberg 的咖啡，I hate snow.",
            ),
            "小王的 Zürichberg 合同放在 Davos 的银行。",
            "小王 must be greeted with Zürichberg.",
            "小王 lost a Zürichberg 手表 in Davos.",
        ),
        "Li Na",
        ("我叫 Li Na，I work in Davos.", "我喜欢咖啡，I hate snow.", "Last Tuesday 我丢了 safe 的钥匙。"),
        "Davos 的 safe 在走廊里。",
        ("safe 密码是什么？", "小王 last Tuesday 把钥匙藏在哪里？", "What does 小王 like?"),
    ),
}


class House:
    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.api = checking(daemon)
        self.made = 0
        self.herons: dict[str, tuple[str, str]] = {}

    def heron(self, sharing: str) -> tuple[str, str]:
        """A mind and its note that was heard in `tea`, for those who try to change that from elsewhere and cannot."""
        if sharing not in self.herons:
            mind = self.mind(sharing)
            self.api.note(mind, "Common to all 大家都知道")
            self.api.say(mind, "Ann's heron 小林的白鹭", speaker="Ann", conversation="tea")
            self.api.say(mind, "Bo is here 小明来了", speaker="Bo", conversation="pub")
            held = self.api.note(mind, "The heron 白鹭", sources=[{"conversation": "tea", "id": "m1"}])
            self.api.settle(mind)
            self.api.call("clock.advance", seconds=0)  # what the messages bring to mind is rehearsed by then
            self.herons[sharing] = mind, held
        return self.herons[sharing]

    def mind(self, sharing: str, **params: Any) -> str:
        self.made += 1
        chosen = {"recall": {"sharing": sharing}, "window": {"capacity": 2, "min_fresh": 1}}
        self.api.call("mind.create", mind=f"s{self.made}", settings=chosen, **params)
        return f"s{self.made}"


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


@dataclass
class Planted:
    """A mind in which a secret was told in `tea` alone, before and after a digestion."""

    mind: str
    case: Case
    common: str
    secret: list[str]  # the notes that must not surface elsewhere
    mixed: str  # a note of both conversations


def plant(house: House, case: Case, sharing: str, *, profile: str = "companion") -> Planted:
    api, told, mind = house.api, case.secret, house.mind(sharing, profile=profile)
    for place in range(2):  # the second time around stays undigested, so that there are raw messages and a summary
        for number, line in enumerate(told.lines):
            api.say(mind, line, speaker=told.speaker, conversation="tea", id=f"hush{place}{number}")
        for line in case.small_talk:
            api.say(mind, line, speaker=case.other, conversation="pub")
        if not place:
            assert api.call("idle.run", mind=mind)["state"] == "idle"
    source = [{"conversation": "tea", "id": "hush00"}]
    bar = [{"conversation": "pub", "id": "m1"}]
    common = api.note(mind, case.common, tags=["safe"])
    held = api.note(mind, told.note, kind="semantic", tags=["safe"], sources=source)
    pinned = api.note(mind, told.pinned, pinned=True, conversation="tea")
    gone = api.note(mind, told.forgotten, sources=source)
    mixed = api.note(mind, f"{told.mark} & {case.other}", sources=source + bar)
    api.call("link.add", mind=mind, src=common, dst=held, kind="semantic", verb=told.mark)
    api.call("link.add", mind=mind, src=common, dst=gone)
    api.call("note.forget", mind=mind, id=gone)
    api.call("note.update", mind=mind, id=held, importance=0.9)
    api.settle(mind)
    listed = api.notes(mind) + api.notes(mind, state="forgotten")
    secret = [note["id"] for note in listed if any(each["conversation"] == "tea" for each in note["sources"])]
    assert {held, gone, mixed} < set(secret), "digestion made notes of the secret"
    return Planted(mind, case, common, [*secret, pinned], mixed)


def attempts(planted: Planted, here: str) -> Iterator[tuple[str, Json]]:
    """Every call that the protocol offers in front of a conversation and that changes nothing."""
    case, where = planted.case, {"mind": planted.mind, "conversation": here}
    told = case.secret
    texts = [*case.questions, *told.lines, told.note, told.pinned, told.forgotten, told.mark, told.speaker, case.common]
    for query in texts:
        yield "recall", {**where, "query": query, "record": False, "explain": True, "k": 500}
        yield "context.get", {**where, "query": query, "max_tokens": 100_000}
    kinds = (
        "message",
        "summary",
        "note",
        "episodic",
        "semantic",
        "abstract",
        "lore",
        "reflection",
        "plan",
        "procedural",
    )
    for query in (told.mark, told.lines[1], case.questions[0]):
        for kind in kinds:
            yield "recall", {**where, "query": query, "kinds": [kind]}
        ids = [*planted.secret, "hush00", "s1", "m1", "n9999"]
        for narrowed in (
            {"speaker": told.speaker},
            {"speaker": case.other},
            {"tags": ["safe"]},
            {"from": "2020-01-01T00:00:00Z", "to": "2030-01-01T00:00:00Z"},
            {"depth": "deep", "explain": True},
            {"depth": "skim"},
            {"exclude": ids},
            {"exclude": [planted.common]},
        ):
            yield "recall", {**where, "query": query, **narrowed}
        yield "context.get", {**where, "query": query, "exclude": ids}
    yield "context.get", {**where, "max_tokens": 100_000}
    yield "message.list", where
    for state in ("active", "forgotten"):
        yield "note.list", {**where, "state": state}
        yield "note.list", {**where, "state": state, "limit": 1}
        for kind in (*kinds[3:], "trigger"):
            yield "note.list", {**where, "state": state, "kind": kind}
    yield "link.list", where
    yield "link.list", {**where, "limit": 1}
    yield "graph.get", where
    yield "graph.get", {**where, "limit": 1}
    for number in range(1, 60):
        for method in ("note.get", "note.history", "note.forecast"):
            yield method, {**where, "id": f"n{number}"}
        yield "link.list", {**where, "note": f"n{number}"}
        yield "graph.get", {**where, "around": f"n{number}", "depth": 6, "limit": 500}


def answered(api: Checking, method: str, params: Json) -> str:
    """The answer as it travels, but for what it repeats of the question itself."""
    try:
        result = api.client.call(method, params)
    except SoulmemRemoteError as error:
        told = (error.name, str(error), error.hint)
    else:
        for part in (result.get("analysis") or {}).get("subquestions", ()):
            part["text"] = part["text"].replace(params["query"], "")
            part["entities"] = [name for name in part["entities"] if name not in params["query"]]
        if method == "note.forecast":  # a detail may be called like a conversation
            for element in result["elements"]:
                element["quote"] = f"…{element['quote']}…"
        return json.dumps(result, ensure_ascii=False)
    assert told[0] == "not_found", f"{method} {params}: {told}"
    return str(told)


def leaks(planted: Planted, answer: str) -> list[str]:
    """What of the secret stands in an answer: its words, its notes, its messages, its conversation."""
    signs = [planted.case.secret.mark, '"hush', '"tea"', *(f'"{note}"' for note in planted.secret)]
    return [sign for sign in signs if sign in answer]


@pytest.mark.parametrize("sharing", SCOPED)
@in_each_language
def test_no_call_in_front_of_another_brings_the_secret(house: House, language: str, sharing: str) -> None:
    planted = plant(house, CASES[language], sharing)
    seen = 0
    for here in ("pub", "nowhere") if language == "mixed" else ("pub",):
        for method, params in attempts(planted, here):
            if here == "nowhere" and (method == "message.list" or (method == "context.get" and "query" not in params)):
                continue  # nobody spoke there yet: these say so
            answer = answered(house.api, method, params)
            assert not leaks(planted, answer), f"{method} {params}: {answer}"
            seen += planted.case.common in answer
    assert seen > 20, "what is common surfaces everywhere"


@pytest.mark.parametrize("sharing", SCOPED)
@in_each_language
def test_the_secret_is_there_for_who_told_it_and_for_the_owner(house: House, language: str, sharing: str) -> None:
    planted = plant(house, CASES[language], sharing)
    mine = [note for note in planted.secret if note != planted.mixed]
    for where in ({"conversation": "tea"}, {}):
        found = {"message", "summary", "note"}
        for kind in sorted(found):
            query = planted.case.secret.lines[1]
            items = house.api.found(planted.mind, query, kinds=[kind], **where)
            assert any(planted.case.secret.mark in item["text"] for item in items), (kind, where, items)
        for note in mine:
            house.api.call("note.get", mind=planted.mind, id=note, **where)
            house.api.call("note.history", mind=planted.mind, id=note, **where)
        verbs = [link["verb"] for link in house.api.links(planted.mind, note=planted.common, **where)]
        assert planted.case.secret.mark in verbs
        around = house.api.call("graph.get", mind=planted.mind, around=planted.common, **where)
        assert {note["id"] for note in around["notes"]} & set(mine)
    context = house.api.call("context.get", mind=planted.mind, conversation="tea", max_tokens=100_000)
    assert planted.case.secret.pinned in context["text"]
    # what was heard in both surfaces in neither alone, and in front of its owner
    house.api.refused("not_found", "note.get", mind=planted.mind, id=planted.mixed, conversation="tea")
    house.api.refused("not_found", "note.get", mind=planted.mind, id=planted.mixed, conversation="pub")
    assert house.api.call("note.get", mind=planted.mind, id=planted.mixed)["note"]["sources"]


@in_each_language
def test_in_an_open_mind_everybody_knows_everything(house: House, language: str) -> None:
    planted = plant(house, CASES[language], "open")
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


@pytest.mark.parametrize("sharing", SCOPED)
@in_each_language
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
    planted = plant(house, CASES[language], "open")
    asked = {"recall": True, "speaker": planted.case.other, "conversation": "pub", "id": "asked"}
    question = planted.case.questions[0]
    before = house.api.say(planted.mind, question, **asked)
    assert planted.case.secret.mark in before["context"]["text"]
    house.api.call("mind.update", mind=planted.mind, settings={"recall.sharing": "participants"})
    after = house.api.say(planted.mind, question, **asked)
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
    before = api.call("note.get", mind=mind, id=held)

    def refusal(note: str) -> tuple[str, int, str, str]:
        given = {name: note if value is None else value for name, value in params.items()}
        given |= {} if {"note", "around", "src"} & set(params) else {"id": note}
        error = api.refused("not_found", method, mind=mind, conversation="pub", **given)
        return error.name, error.code, str(error).replace(note, "?"), str(error.hint).replace(note, "?")

    assert refusal(held) == refusal("n777")
    assert api.call("note.get", mind=mind, id=held) == before, "nothing was changed"


@pytest.mark.parametrize("sharing", SCOPED)
def test_pages_counts_warnings_and_quotes_do_not_tell(house: House, sharing: str) -> None:
    api, mind = house.api, house.mind(sharing)
    api.say(mind, "The heron is called 白鹭.", speaker="Ann", conversation="tea", id="hush")
    api.say(mind, "Hello 你好", speaker="Bo", conversation="pub")
    source = [{"conversation": "tea", "id": "hush"}]
    common = [api.note(mind, f"Common {n} 公开") for n in range(2)]
    held = [api.note(mind, f"Hidden {n} 保密", sources=source, tags=["x"]) for n in range(6)]
    common.append(api.note(mind, "Common last 公开"))
    pub = {"mind": mind, "conversation": "pub"}
    assert [note["id"] for note in api.pages("note.list", limit=1, **pub)] == common
    assert api.call("note.list", limit=3, **pub)["next_cursor"] is None
    for near, far in zip(held, held[1:] + common[:1], strict=True):
        api.call("link.add", mind=mind, src=near, dst=far)
    shown = api.call("link.add", src=common[0], dst=common[2], **pub)["id"]
    assert [link["id"] for link in api.pages("link.list", limit=1, **pub)] == [shown]
    graph = api.call("graph.get", around=common[0], limit=2, depth=6, **pub)
    assert ([note["id"] for note in graph["notes"]], graph["truncated"]) == ([common[0], common[2]], False)
    assert api.call("graph.get", limit=3, **pub)["truncated"] is False
    warned = api.call("recall", query="heron", exclude=[held[0], "n777"], **pub)["warnings"]
    assert [text.replace(held[0], "?").replace("n777", "?") for text in warned] == [warned[0].replace(held[0], "?")] * 2
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


@pytest.mark.parametrize("sharing", SCOPED)
@in_each_language
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


@pytest.mark.parametrize("sharing", SCOPED)
@in_each_language
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


def test_recalls_that_nobody_sees_are_recorded_over_the_whole_mind(house: House) -> None:
    mind = house.mind("conversation")
    secret = house.api.note(mind, "Ann hid the heron 白鹭 key", conversation="tea")
    house.api.say(mind, "Where is the heron 白鹭 key?", speaker="Bo", conversation="pub")
    found = "SELECT count(*) FROM recall_hit WHERE kind = 'note' AND item = ?"
    house.api.until(lambda: rows(house.daemon, mind, found, int(secret[1:]))[0][0], "the recall of the message")
    house.api.refused("not_found", "note.get", mind=mind, id=secret, conversation="pub")


def test_a_mind_too_large_for_memory_finds_what_is_ours_behind_what_is_not(tmp_path: Path) -> None:
    """Hundreds of hidden messages fit better than the one that may surface; they must not crowd it out either."""
    env = {"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": "0"}
    lines = [("pub", "Bo", "a heron by the river, 河边有一只白鹭")]
    lines += [("tea", "Ann", f"heron heron {n} 白鹭白鹭") for n in range(400)]
    lines += [("attic", "Cy", f"nothing {n} 没什么") for n in range(3_800)]
    with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="m")
        with Wire(daemon, timeout=60.0) as wire:
            for first in range(0, len(lines), 30):
                part = lines[first : first + 30]
                for number, (conversation, speaker, text) in enumerate(part):
                    said = {"mind": "m", "role": "user", "content": text, "speaker": speaker}
                    call = {"jsonrpc": "2.0", "id": number, "method": "message.add"}
                    wire.send(json.dumps({**call, "params": {**said, "conversation": conversation}}).encode())
                assert all("result" in (wire.receive() or {}) for _ in part)
        secret = api.note("m", "Ann's heron 白鹭", conversation="tea")
        for sharing, query in product(SCOPED, ("heron", "白鹭", "heron 白鹭 river")):
            api.call("mind.update", mind="m", settings={"recall.sharing": sharing})
            found = api.found("m", query, conversation="pub", k=50)
            assert [item["text"] for item in found][:1] == [lines[0][2]]
            assert {item["sources"][0]["conversation"] for item in found} == {"pub"}
            ours = api.found("m", query, conversation="tea", k=500)
            assert any(item["id"] == secret for item in ours)
            assert {item["sources"][0]["conversation"] for item in ours if item["sources"]} == {"tea"}
