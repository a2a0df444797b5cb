"""Asked pairs: which new and known notes are laid before an engine, to say whether the one leaves the other outdated.

Called by the step `reconcile`, away from the event loop. What code can read of a pair it decides; of the others an
engine is asked. People seldom name what changed ("handed the keys back"), so a language model is shown, for as many new
notes as a call has room for, the few known ones of the same person that share most words with them or mean most nearly
the same: on invented lives the note that a statement outdates is among these three nine times in ten. Pure. Invariants:
no pair of one message is asked about; a call shows at most `MOST_LINES` full lines of notes.
"""

from __future__ import annotations

# ruff: noqa: E501 (word lists stand on long lines, as tables)
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import IntEnum

from soulmem.core.changes.change_probability import is_likely
from soulmem.core.changes.contradiction import Told, concern, of_one_person, ruled
from soulmem.core.facts.topic_terms import terms_in, weight
from soulmem.core.regex.lazy_regex import KeptCaseless
from soulmem.core.schema.engine_tasks import FactEvent
from soulmem.core.text.tokens import estimate_tokens, wording_language
from soulmem.fast_dataclasses import dataclass
from soulmem.idle.steps.similar_notes import ASKED, Near

MOST_LINES = 16  # of notes, new and known, that a model is shown in one call; a short note takes a part of one
_LINE_TOKENS = {"en": 36, "zh": 48}  # of a full line, to which a longer note is shortened
_LABEL = 0.1  # of a line
MOST_ASKED = 3  # known notes that it is asked about for one new note
_LEAST = 0.6  # of what a pair weighs: one word of the topic, or nearly the same meaning
_OF_BEST = 0.4  # of what the plainest pair of a note weighs
_ALIKE_WEIGHS = 0.7  # of the two nearest by meaning
_MOST_ALIKE = 2
_LIKELY_WEIGHS = 1.0  # where code thinks it likely that one replaces the other
_NAMED_WEIGHS = 0.5  # somebody is named in both
_FEW_NOTES, _MANY_NOTES = 4, 0.08  # notes, or the share of those that are compared, that a word may stand in
_TURN = 4  # pairs after which others have theirs
_ALL_OF_ONE = 3  # pairs of one new note, all of which a model may not end
_FEW_PAIRS = 3  # of which a model may not end all without being thought careless
_MOST_ENDED = 0.6  # of more pairs than that

Unsure = dict[Told, list[tuple[float, int]]]


@dataclass(slots=True)
class Compared:
    """What code reads of pairs of notes, (event, known note) by the new one, and those it is unsure of, weighed."""

    read: dict[int, list[tuple[FactEvent, int]]] = field(default_factory=dict)
    unsure: Unsure = field(default_factory=dict)


def compared(batch: Sequence[Told], near: Near, *, is_model: bool, people: frozenset[str]) -> Compared:
    """Read each pair of a new note and a neighbour; a pair costs a third of a millisecond.

    `people`: who takes part in the talk, whom everybody names.
    """
    found = Compared()
    common = _common([*batch, *near.told.values()])
    empty = common.union(*(terms_in(each, ()) for each in people))
    for told in batch:
        for place, note in enumerate(near.of.get(told.note, ())):
            if place % _TURN == 0:
                time.sleep(0)  # whoever waits for the interpreter has his turn
            known = near.told[note]
            event = ruled(told, known)
            if event is not None and not (is_model and event is FactEvent.ADD):  # a model may see what rules do not
                found.read.setdefault(told.note, []).append((event, note))
                continue
            if is_model:
                weighs = _weight(told, known, near.alike.get(told.note, ()), people, empty)
            else:
                weighs = concern(told, known, people, common) if place < ASKED else 0.0
            if weighs > 0:
                found.unsure.setdefault(told, []).append((weighs, note))
    return found


def worth_asking(unsure: Unsure, known: Mapping[int, Told]) -> dict[Told, list[int]]:
    """The pairs that a model is asked about, in the order of telling, as many as have room.

    Those new notes come first that speak of a change, then those that have most in common with a known one.
    """
    plain: Unsure = {}
    for told, pairs in unsure.items():
        mine = [(weighs, note) for weighs, note in pairs if weighs >= _LEAST and told.order != known[note].order]
        if mine:
            mine.sort(key=lambda each: -each[0])
            plain[told] = [(weighs, note) for weighs, note in mine[:MOST_ASKED] if weighs >= _OF_BEST * mine[0][0]]
    shown: dict[int, float] = {}
    chosen: set[int] = set()
    for told in sorted(plain, key=lambda each: (-change_in(each.text), -plain[each][0][0])):
        lines = {told.note: _size(told)} | {note: _size(known[note]) for _, note in plain[told]}
        if sum((shown | lines).values()) <= MOST_LINES:
            shown |= lines
            chosen.add(told.note)
    return {told: [note for _, note in pairs] for told, pairs in plain.items() if told.note in chosen}


def _size(told: Told) -> float:
    """What a note takes of a full line, with its label."""
    return min(1.0, estimate_tokens(told.text) / _LINE_TOKENS[wording_language(told.text)]) + _LABEL


def is_careless(asked: Mapping[Told, Sequence[int]], over: Counter[Told]) -> bool:
    """Whether an answer ends whatever it was shown: all that one new note was held against, all of two or three pairs,
    or most of everything."""
    if any(over[told] >= _ALL_OF_ONE for told in asked):
        return True
    new = {told.note for told in asked}  # a new note among what another is held against is seldom named
    pairs = sum(note not in new for notes in asked.values() for note in notes) or sum(map(len, asked.values()))
    if pairs <= _FEW_PAIRS:
        return 1 < pairs <= over.total()
    return over.total() > _MOST_ENDED * pairs


def _weight(told: Told, known: Told, alike: Sequence[int], people: frozenset[str], empty: frozenset[str]) -> float:
    """How much a pair has in common: the words of its topic, its meaning, somebody who is named in both.

    `empty`: words that say nothing of a topic here.
    """
    if (named := of_one_person(told, known, people)) is None:
        return 0.0
    shared = terms_in(told.text, ()) & terms_in(known.text, ())
    weighs = weight(shared - empty) + _NAMED_WEIGHS * named + _ALIKE_WEIGHS * (known.note in alike[:_MOST_ALIKE])
    return weighs + _LIKELY_WEIGHS * _seems_to_follow(told, known) if weighs > 0 else 0.0


def _seems_to_follow(told: Told, known: Told) -> bool:
    """Whether of two notes of one speaker the later one seems to leave the other outdated, though not for certain."""
    later, earlier = (told, known) if told.order >= known.order else (known, told)
    moments = (later.at_ms, earlier.at_ms)
    return later.speaker == earlier.speaker and is_likely(later.statement, earlier.statement, moments)


def _common(told: Sequence[Told]) -> frozenset[str]:
    """The words that many of these notes share."""
    held = Counter(term for each in {each.note: each for each in told}.values() for term in each.matter)
    most = max(_FEW_NOTES, _MANY_NOTES * len(told))
    return frozenset(term for term, count in held.items() if count > most)


_PLAIN = KeptCaseless(
    r"\b(?:no longer|not any ?more|any ?more|any longer|instead|after all|turned out|from now on|update|"
    r"change[ds]?|moved|switch(?:ed|es)|swap(?:ped|s)|replaced|renamed|quits?|left (?:the|my|h[ie][sr]|their|home|school)|stopped|g[ai]ve up|dropp?(?:ed|ing) out|resign(?:ed|s)|retire[ds]|"
    r"fired|laid off|sacked|promoted|sold|stolen|died|dead|passed away|fell through|broke up|broken up|split up|divorc\w*|separated|dumped|back together|"
    r"cancel\w*|called (?:it )?off|postponed|rescheduled|push(?:ed|es) back|put off|brought forward|delayed|staying put|selling up|"
    r"bumped|shifted|ghosted|evicted|(?:closed|shut) down|kicked out|not happening|(?:is|are|was|it's) off(?! to)|can't make it|fell out|on a break|"
    r"didn't (?:work|pan) out|went bust|(?:backed|pulled) out|turned (?:it|me|him|her|them|us) down|took over|back from|"
    r"isn't|isnt|won't|wont|never again|not (?:going|coming|moving|the)|wrong|mistaken|i meant|correction)\b|, not \w+"
    r"|不再|再也|改[到成为期了去签口名]|换[到成了个工手]|搬[到去家走了]|挪到|调[到去职]|转[到学行专]|[升降涨跌]到|[升降涨跌]了|辞|离职|离婚|退[休学租]|跳槽|开除|裁员"
    r"|不干了|[去来做办]不[成了]|没成|闹翻|拉黑|关门|倒闭|落选|录取|谈了个|在一起了|拆线|定[在了到]"
    r"|[说记搞打写弄]错|分手|吹了|掰了|复合|没了|去世|过世|死了|卖[了掉]|戒[了掉]|取消|推迟|延[期后]|泡汤|黄了|变卦|反悔|也改了|过了|不是[^，。！？]{1,10}[，,]?\s*是"
    r"|不[^，。！？]{0,8}了(?![^，。！？]*[吗呢])|不去"
)
_FAINT = KeptCaseless(
    r"\b(?:used to|actually|in fact|back to|by now|new|now|yet|already|finally|over|ended|ends|finished|completed|passed|failed|lost|hired|raise|pregnant|engaged|married|"
    r"start(?:s|ed|ing)?|join\w*|signed|adopted|bought|got|booked|confirmed|going with|settled on|chose|picked|these days|"
    r"agreed|decided|mind|healed|recovered|grown|earlier than|later than|don't|dont|doesn't|doesnt|aren't|can't|cannot)\b"
    r"|开始|签了|买了|拿到|到了|加入|[改换搬挪调转升降涨]|走了|丢了|坏了|停了|放弃|提前|算了|变|成了|通过|挂了|考[上过]|好了|痊愈|出院|住院|结束|入职|结婚|订婚|怀孕|出生|现在|如今|已经|终于|其实|原来|没想到|结果|还是|重新|新|没[^，。！？]{0,6}了|不来|不想|不会"
)


class Change(IntEnum):
    """How plainly a statement speaks of a change."""

    NONE = 0
    FAINT = 1
    PLAIN = 2


def change_in(text: str) -> Change:
    """How plainly a statement says that something has changed, has ended or will not be."""
    text = text.replace("’", "'")
    if _PLAIN.search(text):
        return Change.PLAIN
    return Change.FAINT if _FAINT.search(text) else Change.NONE
