"""Of whom a question asks, at recall: who is named, what is the asker's, and his kin by the names he gave.

Read by `validity_at_recall`: "what does Joss do" is answered by "my partner's a paramedic", where the asker once said
that Joss is that partner. Read-only. Invariants: only what this call may see tells who somebody is; a question that
names nobody costs one look.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from soulmem.core.facts.clause_reader import OWN
from soulmem.core.facts.fact_reader import subject_key
from soulmem.core.facts.relations import attribute
from soulmem.core.names.name_recogniser import find_names
from soulmem.core.reranking.validity_ranking import subjects_asked
from soulmem.core.text.tokens import fold
from soulmem.store.conversation_state.audience import Scope
from soulmem.store.notes import note_validity
from soulmem.store.sqlite.driver import Connection
from soulmem.store.views import undigested_talk

_MOST_KIN = 12


def asked_subjects(
    connection: Connection, query: str, relations: Collection[str], conversation: str | None, scope: Scope
) -> list[str]:
    """Those of whom a question asks something of these relations, as claims name them."""
    asker = subject_key(undigested_talk.speaker(connection, conversation))
    known = note_validity.subjects(connection, sorted(relations))
    return [*_kin_by_name(connection, query, known, asker, scope), *subjects_asked(query, known, asker)]


def _kin_by_name(connection: Connection, query: str, known: Sequence[str], asker: str, scope: Scope) -> list[str]:
    """The asker's kin of whom something is known, and whom he called by a name that the question has."""
    kin = [each for each in known if asker and each.startswith(f"{asker}{OWN}")][:_MOST_KIN]
    names = {fold(span.name) for span in find_names(query[:300])} - {asker} if kin else set()
    found = []
    for subject in kin if names else ():
        notes = note_validity.claiming(connection, asker, [attribute(subject.rpartition(OWN)[2])], scope)
        told = undigested_talk.notes(connection, notes).values()
        if any(name in fold(each.text) for each in told for name in names):
            found.append(subject)
    return found
