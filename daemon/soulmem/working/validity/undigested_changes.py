"""What the talk that is not digested yet changes of what is remembered, in whatever words
(`core.changes.change_detection`).

Called by `validity_at_recall` at recall, for what the relations it knows do not tell. Nothing is stored. Invariants:
only what was said later changes an item; items that share neither a word nor a matter of a life with a message of
change are not read.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.changes.change_clauses import Statement, is_changing, statement_of
from soulmem.core.changes.change_detection import changes
from soulmem.core.changes.change_owners import SELF, kin_in
from soulmem.core.changes.supersession import Finding
from soulmem.core.facts.fact_reader import clauses_of
from soulmem.core.facts.topic_terms import Terms, terms_in
from soulmem.core.facts.validity_intervals import Ending
from soulmem.core.search.index_columns import ItemKind, ItemRef
from soulmem.core.wordlists.life_matters import Matter
from soulmem.fast_dataclasses import dataclass
from soulmem.store.views.undigested_talk import Said
from soulmem.text_memo import text_memo


@dataclass(frozen=True, slots=True)
class UndigestedChanges:
    """A message that tells of a change, as it is compared."""

    said: Said
    statement: Statement
    words: Terms
    turned: tuple[Matter, ...] = ()

    def may_change(self, words: Terms, text: str) -> bool:
        """Whether it may be about an item: they share a word, or the item tells of a matter that it says turned."""
        return not words.isdisjoint(self.words) or any(each.holds.search(text) for each in self.turned)


_MOST_NEAR = 3  # messages of change that an item is held against: those that share most words with it, the latest first
_Read = tuple[str, str, int, str]  # what a statement is read from: text, speaker, when it was told, what stands before


def changing_talk(talk: Sequence[Said]) -> tuple[UndigestedChanges, ...]:
    """Those messages that tell of a change."""
    told = ((each, _changing(*_read_from(each))) for each in talk)
    return tuple(UndigestedChanges(each, *found) for each, found in told if found is not None)


@text_memo(512)
def _changing(text: str, speaker: str, at: int, before: str) -> tuple[Statement, Terms, tuple[Matter, ...]] | None:
    """A message that tells of a change; kept, because a window is looked at recall after recall."""
    statement = statement_of(text, speaker, at, before)
    if not is_changing(statement):
        return None
    turned = {each.name: each for clause in statement.clauses for each in clause.turned}
    return statement, _words_in(f"{before}\n{text}"), tuple(turned.values())


def ended_by_changes(ref: ItemRef, item: Said, talk: Sequence[UndigestedChanges]) -> list[tuple[Ending, ItemRef]]:
    """What these messages make of an item."""
    words = _words(item)
    near = [
        each
        for each in talk
        if each.said.told > item.told and (ItemKind.MESSAGE, each.said.row) != ref and each.may_change(words, item.text)
    ]
    if not near:
        return []
    near = sorted(near, key=lambda each: (len(words & each.words), each.said.told), reverse=True)[:_MOST_NEAR]
    found = [(finding, each.said) for each in near for finding in _compared(_read_from(each.said), _read_from(item))]
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


@text_memo(2_048)
def _words_in(text: str) -> Terms:
    return terms_in(text, ()) | kin_in(text)


def is_about_ended(asked: Terms, text: str, endings: Sequence[Ending]) -> bool:
    """Whether a question is about what of an item is over, and not rather about what is left of it."""
    over = {each.said for each in endings if each.said}
    if not over or not asked:
        return True
    ended = rest = 0
    before: Terms = frozenset()
    for clause in (each for sentence in clauses_of(text) for each in sentence if each):
        words = terms_in(clause, ())
        if any(clause in each or each in clause for each in over):
            ended = max(ended, len(asked & (words | before)))  # "the rent. it's 1,150 now": what it is of stands before
        else:
            rest = max(rest, len(asked & words))
        before = words
    return ended > 0 and ended >= rest  # of what it does not name, the mark in the text is enough
