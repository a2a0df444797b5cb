"""Change detection: what a later statement makes of an earlier one, told by their form and not by what they are about.

Beside `supersession`, which knows the relations that people have, this reads any statement: of whom it is, the words of
its topic, and the values in it (`change_clauses`). These forms of change are known, in both languages: a value is
another now ("the rent went up to", 改到), something is over ("quit", 不…了), a plan was given up ("changed her mind",
改主意), a state turned into its opposite (failed and passed), somebody went elsewhere, a word was wrong. Called by
`contradiction` and at recall. Pure. Invariants: nothing ends because it merely differs, there is a word of change; what
is asked, wished or supposed changes nothing; what happened once stays so; what is told of one person changes nothing of
another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from soulmem.core.changes import change_words as words
from soulmem.core.changes.change_clauses import Clause, Statement, is_of_another
from soulmem.core.changes.change_endings import (
    at_another_pace,
    comes_no_more,
    does_no_more,
    ends,
    gives_up,
    is_held_elsewhere,
    is_paid_in_part,
    is_paused,
    names_before_and_after,
    names_figures,
)
from soulmem.core.changes.change_owners import OTHER, SELF, is_one, may_be_one
from soulmem.core.changes.change_values import EXACT, SPANS, WHEN, Value, ValueKind, counts_otherwise, is_day_of
from soulmem.core.changes.life_changes import (
    ANEW,
    is_of_others,
    left_or_paid,
    outlasts,
    parted_from,
    spares,
    turned_opposite,
    turns_matter,
)
from soulmem.core.changes.restated_predicates import leaves_behind, may_restate, restates
from soulmem.core.changes.single_valued_matters import (
    GUESSED,
    MY,
    denies,
    follows,
    goes_elsewhere,
    is_another_matter,
    is_guessed,
    is_of_another_place,
    is_of_one_exam,
    is_replaced,
    is_shifted,
    may_raise_rent,
    raises_rent,
)
from soulmem.core.changes.supersession import Effect, Finding
from soulmem.core.facts.relations import EVENT, Mode, Reading
from soulmem.core.facts.topic_terms import Terms, match, terms_in, weight
from soulmem.core.regex.lazy_regex import KeptCaseless, KeptPattern

_AFTER = 2  # clauses after a word of change that may say the value


@cache
def _weighing() -> Terms:
    return terms_in("weigh weight height 体重 身高", ())


_BUYING = frozenset(("bought", "buy", "got", "sent", "买"))  # of anything
_IS_MOVED = KeptPattern(r"([\u4e00-\u9fff]{2,6}?)(?:又|也|要|被|得)?(?:推迟|延期|提前|改[到在期]|挪|顺延|延后|推后)")
_DWELLS = KeptCaseless(r"\b(?:stay(?:s|ing)?|liv(?:e|es|ing)|lodg\w+)\b|[住待]到")
_A_SUM = 100  # from which a number without a unit may be money
_DIGIT = KeptPattern(r"\d")
_ABOUT_BEFORE = KeptCaseless(r"\b(?:it|its|it['’]s|they|them|that|this|those|one)\b|^(?:now|and|so|but)\b|[它这那]")


def changes(later: Statement, earlier: Statement) -> tuple[Finding, ...]:
    """What a later statement makes of an earlier one: at most one finding for each clause of the earlier one."""
    found: list[Finding] = []
    told = [each for each in earlier.clauses if not each.asks]
    for place, new in enumerate(later.clauses):
        if new.asks or new.unreal or not told:
            continue
        may = new.is_change or _says_another(later.clauses, place) or may_restate(new) or names_figures(new)
        if not (may or may_raise_rent(later.clauses, new)):
            continue
        effects = [(old, effect) for old in told if (effect := _effect(later.clauses, place, old)) is not None]
        guessed = not effects
        if guessed:
            effects = [(old, Effect.SUPERSEDE) for old in told if is_guessed(new, old) and not is_of_others(new, old)]
        plainly = any(_is_plainly(later.clauses, place, old) for old, _ in effects)
        for old, effect in effects:
            if any(each.old.said == old.said for each in found):
                continue
            if not (plainly and effect is Effect.SUPERSEDE and not _is_plainly(later.clauses, place, old)):
                when = bool(new.values) and any(value.kind in WHEN for value in new.values)
                relation = EVENT if when and any(value.kind is ValueKind.DAY for value in old.values) else ANEW
                relation = GUESSED if guessed else relation
                subject = min(new.owner or old.owner or frozenset({SELF}))
                mode = Mode.ENDED if effect is Effect.INVALIDATE else Mode.CHANGED
                found.append(
                    Finding(
                        effect,
                        Reading(subject, relation, "", mode, new.said),
                        Reading(subject, relation, "", Mode.HOLDS, old.said),
                    )
                )
    return tuple(found)


def _is_plainly(clauses: Sequence[Clause], place: int, old: Clause) -> bool:
    """Whether two clauses say themselves that they are about the same: what stands around them is not needed."""
    return any(not each.terms.isdisjoint(old.terms) for each in clauses[place : place + 1 + _AFTER])


def _effect(clauses: Sequence[Clause], place: int, old: Clause) -> Effect | None:
    new = clauses[place]
    if does_no_more(new, old) and may_be_one(new.owner, old.whose):
        return Effect.INVALIDATE
    if names_before_and_after(clauses, place, old) or is_paid_in_part(clauses, place, old):
        return Effect.SUPERSEDE
    if is_of_others(new, old) or outlasts(new, old) or spares(new, old):
        return None
    if _gives_another(clauses, place, old) or raises_rent(clauses, new, old):
        return Effect.SUPERSEDE
    if parted_from(new, old) or left_or_paid(new, old) or comes_no_more(new, old) or gives_up(new, old):
        return Effect.INVALIDATE
    if at_another_pace(new, old):
        return Effect.SUPERSEDE
    if turns_matter(new, old) or (
        follows(new, old) and not words.BESIDE.search(new.said) and not old.past and words.IS_ONE.search(old.said)
    ):
        return Effect.SUPERSEDE
    if is_replaced(new, old) and (_is_mine(new, old) or may_be_one(new.owner, old.whose)):
        return Effect.SUPERSEDE
    if restates(new, old) or leaves_behind(new, old) or is_held_elsewhere(new, old):
        return Effect.SUPERSEDE
    if is_paused(new, old):
        return Effect.SUPERSEDE
    if not may_be_one(new.owner, old.whose):
        return None
    if turned_opposite(new, old) or goes_elsewhere(new, old) or _was_wrong(clauses, place, old) or is_shifted(new, old):
        return Effect.SUPERSEDE
    if ends(new, old):
        return Effect.INVALIDATE
    return Effect.SUPERSEDE if is_another_matter(new, old, *clauses[place + 1 : place + 2]) else None


def _is_mine(new: Clause, old: Clause) -> bool:
    """Whether what is told of nobody else is of what who speaks calls his."""
    return new.owner <= {SELF} and MY.search(old.said) is not None


# -- another value ------------------------------------------------------------------------------------------------


def _gives_another(clauses: Sequence[Clause], place: int, old: Clause) -> bool:
    new = clauses[place]
    if not old.values or not _says_another(clauses, place) or words.BESIDE.search(new.said) or old.past:
        return False
    if is_of_another_place(new, old) or (words.TODAY.search(new.said) and words.RULE.search(old.said)):
        return False
    if words.THEN.search(new.said) and any(value.kind is ValueKind.WEEKDAY for value in old.values):
        return False  # what happened last Friday gives a habit no other day
    meant, not_meant, giving = _new_values(clauses, place)
    pairs = [(value, known) for value in meant for known in old.values if value.is_of(known)]
    alike = [pair for pair in pairs if pair[0].kind is pair[1].kind or is_day_of(*pair)]
    if not pairs or (any(value.same(known) for value, known in alike) and not counts_otherwise(alike)):
        return False
    if words.REST.search(giving.said):
        is_owed, is_taken = words.OWED.search(old.said) is not None, _takes_from(clauses, place, old)
        if is_owed and is_taken and may_be_one(new.owner, old.whose):
            return True  # 表哥那两万，转了一万过去，还剩一万: of 还欠表哥两万
        is_sum = all({value.unit, known.unit} <= {"", "money"} and known.low >= _A_SUM for value, known in pairs)
        if is_sum and not (is_owed or is_taken):
            return False  # what is left is left of a debt, and of no price
    turned = words.REVERSED.search(new.said) and new.people and is_one(new.people, old.people)
    weighed = any(value.unit in EXACT for value, _ in pairs) and is_one(new.owner, old.people)
    if (
        not turned
        and not weighed
        and not old.goes_on_of(new.owner)
        and not (may_be_one(new.owner, old.whose) and may_be_one(giving.owner, old.whose))
    ):
        return False
    if weighed and words.STRONG.search(new.said):
        return True
    said_not = [value for value in not_meant if any(value.is_of(known) for known in old.values)]
    dated = [new.said[each.start : each.end] for each in meant if each.kind is ValueKind.DAY]
    if words.RULE.search(old.said) and not words.RULE.search(new.said) and _DIGIT.search(" ".join(dated)):
        return False  # "Thursday is off, it's the 12th now": no habit of Thursdays
    if any(denies(value, known, new) for value in said_not for known in old.values if value.is_of(known)):
        return True
    if said_not:
        if not any(value.may_be(known) for value in said_not for known in old.values if value.is_of(known)):
            return False  # another meeting: "the one on Wednesday was moved"
        if is_one(giving.owner or new.owner, old.owner) or match(new.terms | new.before, old.near):
            return True
    if _is_of_somebody_else(new, old):
        return False
    strong = words.STRONG.search(new.said) is not None
    if strong and is_of_one_exam(new, old):
        return True
    if giving is not new and weight(new.terms) >= 1 and new.terms.isdisjoint(old.every):
        return match(giving.terms, old.terms)  # it says itself of what it is
    return _same_topic(new, old, strong=strong) or (giving is not new and _same_topic(giving, old, strong=strong))


def _takes_from(clauses: Sequence[Clause], place: int, old: Clause) -> bool:
    """Whether what is said of a rest names the amount before, which the earlier one told: "of the 800, 300 is left"."""
    around = [value for each in clauses[max(0, place - 2) : place + 1] for value in each.values]
    return any(value.same(known) for value in around for known in old.values if value.is_of(known))


def _is_of_somebody_else(new: Clause, old: Clause) -> bool:
    """Whether a clause says nothing but what somebody does, of whom the other does not speak."""
    named = (new.owner | new.people) - {SELF, OTHER}
    if not named or weight(new.terms) >= 1 or new.values:
        return False
    around = " ".join((old.said, *old.beside)).casefold()
    return not is_one(named, old.owner | old.people) and not any(each in around for each in named)


def _says_another(clauses: Sequence[Clause], place: int) -> bool:
    """Whether there is a word of change: in the clause, or in one behind it that says only that."""
    behind = clauses[place + 1 : place + 2]
    if any(each.values and words.NOT_VALUE.search(each.said[: each.values[0].start]) for each in behind):
        return True
    return words.VALUE.search(clauses[place].said) is not None or any(
        not each.values and not each.terms and words.STRONG.search(each.said) for each in behind
    )


def _new_values(clauses: Sequence[Clause], place: int) -> tuple[list[Value], list[Value], Clause]:
    """The values a clause of change gives, those that it says are meant no more, and the clause that gives them."""
    new = giving = clauses[place]
    meant, not_meant = _parted(new)
    for after in clauses[place + 1 : place + 1 + _AFTER]:
        if meant or after.asks or after.unreal:
            break
        more, less = _parted(after)
        meant, not_meant, giving = more, not_meant + less, after
    last = next((at for at, each in enumerate(clauses) if each is giving), place)
    back = 2 if weight(new.terms) < 1 else 1
    for beside in clauses[max(0, place - back) : last + 2]:
        if beside is not new and beside is not giving:
            not_meant = not_meant + (list(beside.values) if beside.stops else _parted(beside)[1])
    return meant, not_meant, giving


def _parted(clause: Clause) -> tuple[list[Value], list[Value]]:
    meant: list[Value] = []
    not_meant: list[Value] = []
    cue = re.search(words.MOVED, clause.said)
    for value in clause.values:
        denied = words.NOT_VALUE.search(clause.said[: value.start]) is not None
        behind = cue is not None and value.end <= cue.start()
        denied = denied or (behind and any(other.start >= cue.end() for other in clause.values if cue is not None))
        (not_meant if denied else meant).append(value)
    return meant, not_meant


def _same_topic(new: Clause, old: Clause, *, strong: bool) -> bool:
    """Whether two clauses tell of the same thing; of one that only says "it", what stands before it counts."""
    if new.proper and old.proper and new.proper.isdisjoint(old.proper) and words.MOVED.search(new.said) is None:
        return False  # to Rome in May, to Madrid in October
    if match(new.terms, old.terms) or (strong and _counts_the_same(new, old)):
        return True
    if words.DAY_MOVED.search(new.said) and is_one((new.owner | new.people) - {SELF, OTHER}, old.owner | old.people):
        return any(value.kind is ValueKind.DAY for value in old.values)  # 秀兰说日子改了
    if weight(new.terms) < 1 and _same_frame(new, old):
        return True
    alone = weight(new.terms) < 1
    is_about_before = (alone or _ABOUT_BEFORE.search(new.said)) and not new.opens_topic
    topic = new.terms | new.before if is_about_before else new.terms
    if topic is not new.terms and is_of_another(new, old):
        return False
    if match(topic, old.terms) or (strong and _is_one_appointment(topic, new, old)):
        return True
    if _DWELLS.search(old.said) is not None:
        return False  # 她说住到年底, beside a wedding that is another day
    bare = weight(old.terms) < 1 or _ABOUT_BEFORE.search(old.said) is not None
    if bare and match(topic, old.terms | old.before):
        return True
    # "They've moved my knee": the clause with the day only says that they want to replace it.
    moved = _IS_MOVED.match(new.said) if strong else None
    if moved is not None and set(moved[1]) <= set(old.said) and weight(new.terms & old.terms) >= words.LEAST:
        return True  # 送检推迟了: of 样机周五要送检
    if new.terms.isdisjoint(old.every) and weight(old.terms) >= 2:  # a topic of its own
        return False  # the washing machine ate a sock: no rent, for all that was said just before
    shared = (new.terms & old.near) - _BUYING
    return strong and bool(new.terms) and 2 * weight(shared) >= weight(new.terms) >= 1


def _is_one_appointment(topic: Terms, new: Clause, old: Clause) -> bool:
    """Whether both give a time of what both name, however much else is said: 滑冰课周三, 滑冰那边…并到周六."""
    timed = all(any(value.kind in WHEN for value in each.values) for each in (new, old))
    shared = weight(topic & old.terms)
    return timed and shared >= 1 and 3 * shared >= weight(old.terms)


def _counts_the_same(new: Clause, old: Clause) -> bool:
    """Whether both count one thing, which is no money and no time: six shifts, five shifts."""
    counted = {each.unit for each in new.values} & {each.unit for each in old.values}
    return any(len(unit) > 1 and unit != "money" and unit not in SPANS for unit in counted)


def _same_frame(new: Clause, old: Clause) -> bool:
    """Whether two clauses count the same though they do not say what: twice a day, in kilos, of one person's hours."""
    units = {each.unit for each in new.values} & {each.unit for each in old.values} & EXACT
    rates = [{found["zh"] or found["en"].lower() for found in words.RATES.finditer(each.said)} for each in (new, old)]
    if units and (weight(old.terms - _weighing()) < 1 or rates[0] & rates[1]):
        return True
    hours = all(any(value.kind in WHEN for value in each.values) for each in (new, old))
    return hours and weight(old.terms) < 1 and bool(new.verbs & old.verbs or new.people & old.people)


def _was_wrong(clauses: Sequence[Clause], place: int, old: Clause) -> bool:
    """Whether a word of the earlier statement is said to be wrong: "not Berta", 不是秀兰."""
    new = clauses[place]
    denied = words.NOT_WORD.search(new.said)
    around = clauses[max(0, place - 2) : place + 2]
    if denied is None or words.NOT_WORD.search(old.said) or not any(words.WRONG.search(each.said) for each in around):
        return False
    word = (denied["o"] or denied["z"]).casefold()
    named = re.compile(rf"(?<![a-z]){re.escape(word)}(?![a-z])")
    if len(word) < 2 or named.search(old.said.casefold()) is None or words.WISHES_NAME.search(clauses[place - 1].said):
        return False
    if any(named.search(each.said.casefold()) and words.STILL.search(each.said) for each in clauses if each is not new):
        return False  # "not Milo. At home he's still Milo."
    return any(
        match(each.terms, old.terms) or (bool(each.owner - {SELF}) and is_one(each.owner - {SELF}, old.owner))
        for each in around
    )
