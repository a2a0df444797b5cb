"""Endings: what a later statement says to be over of what an earlier one tells, in both languages.

Called by `change_detection`. Something ended ("quit", 不…了, "was sold"), or a plan was given up ("changed her mind",
改主意). What is over must be named in the earlier statement by more than somebody's name. Pure. Invariants: what
happened once stays so; what holds of today alone ends nothing that goes on.
"""

from __future__ import annotations

from soulmem.core.changes import change_words as words
from soulmem.core.changes.change_clauses import Clause
from soulmem.core.changes.change_owners import OTHER, SELF, is_one, may_be_one
from soulmem.core.facts.topic_terms import match, terms_in, weight


def ends(new: Clause, old: Clause) -> bool:
    """Whether a clause says to be over what an earlier one tells."""
    if not new.over or old.past or old.over or words.LONG_AGO.search(new.said) or _somebody_left(new, old):
        return False
    if any(kept.search(old.said) and not over.search(new.said) for kept, over in words.OVER_ONLY_BY):
        return False
    if (new.of_today or words.NOT_GOING.search(new.said)) and not words.AHEAD.search(old.said):
        return False
    if words.TAKEN.search(new.said) and not words.HAS.search(old.said):
        return False
    if (dealt := words.DEALS_NO_MORE.search(new.said)) is not None and dealt["verb"] not in old.said:
        return False
    named = SELF not in new.owner and bool(new.owner) and is_one(new.owner, old.owner)
    # Of "Mali's cornet" the cornet is gone; of 程磊说三亚不去了 the journey.
    whose = terms_in(" ".join(sorted((new.owner | new.people) - {SELF, OTHER})), ())
    known = terms_in(" ".join(sorted((old.owner | old.people) - {SELF, OTHER})), ())
    for over in new.over:
        thing = over - whose or over
        if not (named or new.said.isascii() or thing - known - whose or words.COUPLE.search(old.said)):
            continue  # 不找建国了 ends nothing that he is
        shared = weight(thing & old.every)
        if (2 * shared >= weight(thing) and shared >= words.LEAST) or (named and over and over <= old.every):
            return True
    return False


def does_no_more(new: Clause, old: Clause) -> bool:
    """Whether somebody does no more what he was said to do still: 五十了还跑, 说不跑了."""
    stopped = words.DOES_NO_MORE.search(new.said)
    return stopped is not None and any(
        stopped["verb"] == still["verb"] for still in words.DOES_STILL.finditer(old.said)
    )


def _somebody_left(new: Clause, old: Clause) -> bool:
    """Whether somebody or a firm that the earlier one does not name gave up: "Google pulled out of the fair"."""
    found = words.LEAVER.match(new.said)
    return found is not None and found["who"].casefold() not in old.said.casefold() and not (new.owner & old.owner)


def gives_up(new: Clause, old: Clause) -> bool:
    """Whether a plan was given up: by somebody who is named, or by words of the plan."""
    if words.REVERSED.search(new.said) is None or words.AHEAD.search(old.said) is None or old.past:
        return False
    if match(new.terms, old.terms) and may_be_one(new.owner, old.whose):
        return True
    named = (new.owner | new.people) - {SELF, OTHER}
    # "I told Declan after all" gives up nothing of his.
    return SELF not in new.owner and bool(named) and is_one(named, old.owner | old.people)
