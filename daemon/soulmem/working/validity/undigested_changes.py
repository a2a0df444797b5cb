"""What the talk that is not digested yet changes of what is remembered, in whatever words
(`core.changes.change_detection`).

Called by `validity_at_recall` at recall, for what the relations it knows do not tell. Nothing is stored. Invariants:
only what was said later changes an item; items that share neither a word nor a matter of a life with a message of
change are not read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from heapq import nlargest
from itertools import chain
from typing import NamedTuple

from soulmem.core.changes.change_clauses import is_changing, statement_of
from soulmem.core.changes.change_detection import changes
from soulmem.core.changes.change_owners import SELF, kin_in
from soulmem.core.changes.supersession import Finding
from soulmem.core.facts.fact_reader import clauses_of, in_first_person
from soulmem.core.facts.topic_terms import Terms, terms_in
from soulmem.core.facts.validity_intervals import Ending
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.wordlists.life_matters import Matter
from soulmem.fast_dataclasses import dataclass
from soulmem.store.views.undigested_talk import Said
from soulmem.text_memo import text_memo

_MOST_NEAR = 3  # messages of change that an item is held against: those that share most words with it, the latest first
_Read = tuple[str, str, int, str]  # what a statement is read from: text, speaker, when it was told, what stands before


@dataclass(frozen=True, slots=True)
class UndigestedChanges:
    """The messages that tell of a change, by the words that an item may share with them.

    `turned`: by the matters that they say turned, who says it; an item that tells how such a matter stands may be
    meant though it shares no word.
    """

    talk: tuple[Said, ...]
    by_word: Mapping[str, Sequence[int]]
    turned: Mapping[Matter, Sequence[int]]

    def near(self, ref: ItemRef, item: Said) -> list[Said]:
        """The few that may be about an item, those that share most with it first."""
        common = self.by_word.keys() & _words(item)
        shared = Counter(chain.from_iterable(map(self.by_word.__getitem__, common)))
        for matter, places in self.turned.items():
            unknown = [place for place in places if place not in shared]
            if unknown and matter.holds.search(item.text):
                shared.update(dict.fromkeys(unknown, 0))
        found = [
            (count, each.told, place)
            for place, count in shared.items()
            for each in (self.talk[place],)
            if each.told > item.told and (ItemKind.MESSAGE, each.row) != ref
        ]
        return [self.talk[place] for _, _, place in nlargest(_MOST_NEAR, found)]


def tells_of_change(said: Said) -> bool:
    """Whether a message tells of a change, which its own words say, whatever stands before it."""
    return _tells_of_change(said.text, said.speaker, said.told[0])


@text_memo(512)
def _tells_of_change(text: str, speaker: str, at: int) -> bool:
    return is_changing(statement_of(text, speaker, at))


def changing_talk(talk: Sequence[Said]) -> UndigestedChanges:
    """Those messages that tell of a change."""
    return _changing_talk(tuple(talk))


@text_memo(4)
def _changing_talk(talk: tuple[Said, ...]) -> UndigestedChanges:
    """Kept, because a window is looked at recall after recall."""
    told = [(each, found) for each in talk if (found := _changing(*_read_from(each))) is not None]
    by_word: dict[str, list[int]] = {}
    turned: dict[Matter, list[int]] = {}
    for place, (_, (words, matters)) in enumerate(told):
        for word in words:
            by_word.setdefault(word, []).append(place)
        for matter in matters:
            turned.setdefault(matter, []).append(place)
    return UndigestedChanges(tuple(each for each, _ in told), by_word, turned)


@text_memo(512)
def _changing(text: str, speaker: str, at: int, before: str) -> tuple[Terms, tuple[Matter, ...]] | None:
    """The words of a message that tells of a change, and the matters that it says turned."""
    statement = statement_of(text, speaker, at, before)
    if not is_changing(statement):
        return None
    turned = {each.name: each for clause in statement.clauses for each in clause.turned}
    return _words_in(f"{before}\n{text}"), tuple(turned.values())


def ended_by_changes(ref: ItemRef, item: Said, changed: UndigestedChanges) -> list[tuple[Ending, ItemRef]]:
    """What these messages make of an item."""
    near = changed.near(ref, item)
    if not near:
        return []
    found = [(finding, each) for each in near for finding in _compared(_read_from(each), _read_from(item))]
    if not found:
        return []
    over = {finding.old.said for finding, _ in found}
    whole = over >= {each.said for each in statement_of(*_read_from(item)).clauses}
    return [
        (
            Ending(by.row, finding.effect.value, by.told[0], by.told[0], finding.old.relation, finding.old.said, whole),
            (ItemKind.MESSAGE, by.row),
        )
        for finding, by in sorted(found, key=lambda each: each[1].told)
    ]


def _read_from(said: Said) -> _Read:
    return said.text, said.speaker, said.told[0], said.before


@text_memo(8_192)
def _compared(later: _Read, earlier: _Read) -> tuple[Finding, ...]:
    """What one makes of the other; kept, because a window is compared with the same items recall after recall."""
    new, known = statement_of(*later), statement_of(*earlier)
    is_same = later[1] == earlier[1]
    return tuple(each for each in changes(new, known) if is_same or each.old.subject != SELF)


def _words(said: Said) -> Terms:
    """All that two texts may have in common, people among it."""
    return _words_in(f"{said.before}\n{said.text}")


def _words_in(text: str) -> Terms:
    """Line by line: what was said is also what stands before the next that is said. A mask may hold several lines."""
    lines = [text] if _MASKED in text else text.split("\n")
    return _NOTHING.union(*map(_words_of_line, lines))


_MASKED = "xxx("
_NOTHING: Terms = frozenset()


@text_memo(4_096)
def _words_of_line(line: str) -> Terms:
    return terms_in(line, ()) | kin_in(line)


class AboutEnded(NamedTuple):
    """Whether a question is about what of an item is over, and not rather about what is left of it; `surely`: it shares
    words with the one, and none with the other."""

    is_so: bool
    surely: bool


def about_ended(asked: Terms, text: str, endings: Sequence[Ending], speaker: str = "") -> AboutEnded:
    """Which part of an item a question is about. A note may say "Nell drives" for the words "I drive" of `speaker`."""
    text = in_first_person(text, speaker) if speaker else text
    over = {each.said for each in endings if each.said}
    if not over or not asked:
        return AboutEnded(True, False)
    ended = told_before = rest = rich = 0
    before: Terms = frozenset()
    for clause in (each for sentence in clauses_of(text) for each in sentence if each):
        words = terms_in(clause, ())
        own = len(asked & words)
        if any(clause in each or each in clause for each in over):
            ended = max(ended, own)
            told_before = max(told_before, len(asked & (words | before)))  # "the rent. it's 1,150 now"
        else:
            rest = max(rest, own)
            rich = max(rich, own * bool(words - asked))
        before = words
    if ended > 0 and ended >= rest:
        return AboutEnded(True, rest == 0)
    # "My wife is a midwife, she works nights": what stands before says more of her than that it is she. Of what it does
    # not name, the mark in the text is enough.
    return AboutEnded(told_before > rich and told_before >= rest, False)
