"""Changes that no word of change tells: of matters of which there is one, another value or another thing is enough.

Called by `change_detection` beside the forms of change. The rent, the salary, the weight, an age are held one at a time; so are a
telephone, a car, a school for most people. Also: what somebody gave up and does again, whom another
follows in a place, a thing that lies elsewhere. Pure. Invariants: both tell of the same person; neither is of the past;
what is told beside ("too", 也) replaces nothing.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.changes import change_words as words
from soulmem.core.changes.change_clauses import Clause
from soulmem.core.changes.change_owners import OTHER, SELF, is_one, may_be_one
from soulmem.core.changes.change_values import EXACT, SPANS, WHEN, Value, ValueKind
from soulmem.core.facts.relations import attribute
from soulmem.core.facts.relations import is_one as is_one_of_a_kind
from soulmem.core.facts.topic_terms import Terms, match, terms_in, weight
from soulmem.core.regex.lazy_regex import CaselessPattern, KeptCaseless

_AMOUNTS = frozenset("=rent =size =pay =weight =height =dose =loan =fare =fee =plan".split())
_THINGS = frozenset("=phone =car =therapy =screen =boiler =cooler =glasses =mail =captain".split())


# Whoever lets us know, and words of regret: they say nothing of the topic.
@cache
def _messengers() -> Terms:
    return terms_in(
        "receptionist secretary nurse office agent agency clinic surgery hospital salon bank airline garage school landlord manager "
        "rang phoned texted emailed wrote sorry oops read misread mixed checked looked remembered news weirdly honestly knocked bumped pushed push shot "
        "前台 护士 秘书 中介 航空公司 公司 医院 银行 来电 打电话 通知 抱歉 不好意思 看错 记错 磨了 半天 总算 终于 便宜",
        (),
    )  # fmt: skip


_AGE = KeptCaseless(
    r"(?:\b(?:am|is|are|was|turn(?:s|ed|ing)?|just|now)|['’](?:m|s|re)) $|[满岁]|(?:^|[妈爸爷奶婆公哥姐弟妹子女儿我])(?:今年|刚|都|快|已经)?(?:是)?$"
)
_MY_AGE = KeptCaseless(
    r"^(?:and |so |well )?(?:i['’]m|i am|i turn|i turned|turned|i just turned|i['’]ve turned) \w|^[我俺](?:今年|刚|都|快|已经|过完年){0,2}(?:是|满)?[\d一二三四五六七八九十]"
)
_IS_SAID = KeptCaseless(
    r"\b(?:is|are|costs?|closes|opens|starts|leaves|goes|takes?|has|have|weighs?|at|only|just)\b|['’]s\b|[是有要]|只|才|一"
)
_ANOTHER = KeptCaseless(
    r"\b(?:an?|some|another|different from|paid|bought|spent|ate|ran|walked|slept)\b(?! (?:month|week|day|year|hour|night|time))"
)
_OTHER_TIME = KeptCaseless(r"\b(?:last|next|this) (?:week|month|year|term|time)|[上下这](?:个?月|周|星期|学期|次)")
_SOME = KeptCaseless(r"\b(?:my|our) (?:other|second|first)|\bother\b|另|别的")
_GOT = KeptCaseless(
    r"\b(?:switched|swapped|replaced?|picked up|traded|upgraded|bought|got|went for|changed|taken over|took over|new|these days|dead|died|broke|gave up the ghost|finally)\b|换|买了|顶上|报废|开不了|入手|让给|接任|接手|改用|改开|如今|升级"
)
_HELD = KeptCaseless(r"\b(?:use|drive|have|own|my|our|is|am|are|got)\b|['’](?:s|m|ve)\b|用|开|有|是|姓|叫|跟|找|正|那")
_RESUMED = KeptCaseless(
    r"\bagain\b|\bback (?:to|on|at|in)\b|\b(?:started|took up|taken up|relapsed|hooked on|addicted to|can['’]t get enough of)\b|又.{0,4}(?:起|上|开始|吃|喝|抽|回|练|跑|弹|学)|重新|复吸|捡起来|没忍住|隔三差五|顿顿|上瘾|真香"
)
_STOPPED = KeptCaseless(
    r"\b(?:stopped|quit|gave up|given up|never|not|no(?! matter)|vegetarian|vegan|veggie|sober|teetotal|off)\b|n['’]t\b|戒|不|没|素|忌"
)
_SAYS_AGAIN = KeptCaseless(
    r"\b(?:said|says|asked|asks|told|tells|mentioned|mentions|warned|wrote|talked|talks|went on)\b.{0,30}\bagain\b|又(?:说|提|问|讲|念叨|叮嘱|提醒|警告)"
)
_POST = KeptCaseless(
    r"\bshares? (?:an? |the )?(?:office|desk|room|bench|car)\b|\b(?:lessons?|teach(?:es|er)?|physio|gp|nurse|vet|cleaner|barber|tutor|coach|boss|manager|lead|flatmate|housemate|roommate|lodger|therapist|doctor|dentist|hairdresser|cleaner|nanny|captain|trainer|instructor|runs?|owns?|works?|shop|store|business)\b|一个办公室|同一?(?:个|间)|搭班|咨询师|师傅|护工|保姆|钟点工|房东|老师|教练|组长|领导|老板|主管|医生|阿姨|队长|导师|经理|开了?家|大夫|主任|室友|房客|同屋|店|铺|上班|工作|跟(?:着)?.{1,5}[学练]"
)
_RUNS = KeptCaseless(r"\b(?:runs?|owns?|has a|shop|store|business|caf[eé]|restaurant|salon|pub)\b|店|铺|馆|厂|摊")
_SCHOOL = KeptCaseless(r"\bchanged schools?|\bnew school\b|\blast school\b|\bmoved schools?\b|转学|转校|换学校")
_AT_SCHOOL = KeptCaseless(
    r"\b(?:school|primary|academy|college|nursery|goes to)\b|小学|中学|学校|幼儿园|高中|初中|上学|读.{0,2}年级"
)
_PUT = KeptCaseless(
    r"\b(?:moved|put|hid|hung|keep|left|stashed|lives)\b.{1,50}\b(?:in|into|on|onto|under|behind|above|with|to)\b|挪到|放到|搬到|移到|藏到|拿给|改放|换到|放在了|收到|收进|塞到"
)
_LIES = KeptCaseless(
    r"\b(?:is|are|keep|hangs?|stays?|lives?)\b.{0,40}\b(?:in|on|under|behind|by|above)\b|['’]s (?:in|on|under|behind|by)\b|放在|藏在|挂在|搁在|摆在|在.{1,6}[里上下旁]"
)
_ITS_NUMBER = KeptCaseless(r"号码?是|尾号|[手电]机号|电话号|\bnumber (?:is|ends)\b|\bnumber['’]s\b")
GUESSED = "anew?"  # of a finding that has no topic of its own: of all before, only the last may be meant
_A_LOSS = 30  # kilos, or what is less than a body weighs
_WEIGHED = frozenset({"斤", "公", "kg", "kilo", "stone"})
_DECIDERS = frozenset({"landlord", "doctor", "boss"})  # they change what is ours
_PLAIN_NUMBER = 13  # from which a number denied is the one that was told, and not any


def is_another_matter(new: Clause, old: Clause, behind: Clause | None = None) -> bool:
    """Whether a statement says anew, without a word of change, what holds one at a time."""
    if (
        new.asks
        or new.unreal
        or any(words.BESIDE.search(each) or _SOME.search(each) for each in (new.said, *new.beside))
    ):
        return False
    if not may_be_one(new.owner, old.whose) and not (new.owner <= {SELF} and MY.search(old.said)):
        return False
    if _does_again(new, old):
        return True
    if is_of_another_place(new, old):
        return False
    if behind is not None and not new.values and not behind.marks and not behind.asks:
        new = replace(new, values=behind.values)
    marks = new.marks & old.marks
    is_another = (
        _counts_anew(new, old, marks)
        or _holds_another(new, old, marks)
        or follows(new, old)
        or _lies_elsewhere(new, old)
    )
    return is_another and not old.past


def is_guessed(new: Clause, old: Clause) -> bool:
    """Whether a statement that says no topic gives another value of the kind: "they knocked it down to 1,280"."""
    if not new.values or not old.values or new.asks or new.unreal or words.BESIDE.search(new.said):
        return False
    if old.past or not may_be_one(new.owner, old.whose):
        return False
    if weight((new.terms | new.before) - _messengers()) >= 1 or new.people - old.people - _DECIDERS:
        return False
    moved = words.MOVED.search(new.said)
    if moved is not None and any(value.end <= moved.start() for value in new.values if value.kind in WHEN):
        return False  # "the one on Wednesday was moved": it says which
    if words.STRONG.search(new.said) is None and words.REVERSED.search(new.said) is None:
        return False
    return any(_may_follow(value, known, new, old) for value in new.values for known in old.values)


def is_of_one_exam(new: Clause, old: Clause) -> bool:
    """Whether both speak of an exam: "exam people emailed, I'm bumped to 11 June" of "big exam is booked, 14 May"."""
    if weight(new.terms) < 1 and "exam" in new.before and "exam" in (old.terms | old.before):
        return True  # it does not say itself which
    return "考试" in new.said and words.SITS.search(old.said) is not None  # 考试推到27号: of 20号考科目三


_RENTED = CaselessPattern(
    r"\b(?:flat|apartment|house|cottage|bungalow|studio|bedsit|shop|workshop|garage|office|stall|allotment|storage|caravan)\b"
    r"|公寓|别墅|平房|店面|店铺|铺子|门面|车库|车位|工作室|办公室|仓库|摊位|单间"
)


def is_of_another_place(new: Clause, old: Clause) -> bool:
    """Whether both name a place, and not the same: the rent of the cottage is not that of the flat."""
    ours, theirs = ({each.casefold() for each in _RENTED.findall(clause.said)} for clause in (new, old))
    return bool(ours and theirs) and ours.isdisjoint(theirs)


MY = re.compile(r"\b(?:my|our)\b|我[的们]", re.IGNORECASE)


def denies(value: Value, known: Value, new: Clause) -> bool:
    """Whether "not 840" can only mean the 840 that was told: no topic of its own says otherwise."""
    told = value.kind is not ValueKind.NUMBER or value.low >= _PLAIN_NUMBER or bool(value.unit or known.unit)
    if value.kind is ValueKind.WEEKDAY and known.kind is ValueKind.DAY and known.high - known.low > DAY_MS:
        return False  # a Wednesday is in every August
    if value.kind is ValueKind.DAY and value.high - value.low > 31 * DAY_MS >= known.high - known.low:
        return False  # "not this year" is of no Saturday in it
    # 不是三十号晚上: so plain a time is that which was told, whatever it is of.
    plain = value.kind is ValueKind.DAY and (value.low, value.high) == (known.low, known.high)
    if plain and value.high - value.low < DAY_MS:
        return True
    return told and value.may_be(known) and weight(new.terms - _messengers()) < 1


# Whoever lets a home to us says what it costs from now on, and hardly ever that it is the rent.
_LETS = KeptCaseless(r"\b(?:landlord|landlady|letting agents?)\b|房东|[续退]租")
_FROM_THEN = KeptCaseless(
    r"\b(?:from|as of|starting|(?:a|per) month|monthly)\b|起|开始|往后|以后|下个?月|明年|年后|一个?月|每月|[收涨]"
)
_LIVED_IN = KeptCaseless(
    r"\b(?:rents?|landlord|landlady)\b|\b(?:a|per) month\b.{0,30}\b(?:house|flat|room|place|basement|apartment|studio)\b"
    r"|\b(?:house|flat|room|place|basement|apartment|studio)\b.{0,30}\b(?:a|per) month\b|房[租东]|租金|月租"
)
_LEAST_RENT, _MOST_RISE, _USUAL_RISE = 100, 1.6, 1.25


def may_raise_rent(told: Sequence[Clause], new: Clause) -> bool:
    """Whether a clause gives an amount from some time on, and whoever lets a home is spoken of beside it."""
    return _FROM_THEN.search(new.said) is not None and any(_LETS.search(each.said) for each in told)


def raises_rent(told: Sequence[Clause], new: Clause, old: Clause) -> bool:
    """Whether whoever lets the home of an earlier clause says what it costs from now on: 房东微信来了，二月起一千四百五."""
    if not may_raise_rent(told, new):
        return False
    around = (new.people | old.people).union(*(each.people for each in told)) - _DECIDERS - {SELF}
    if around or not may_be_one(new.owner, old.whose):
        return False
    is_rent = any(_LIVED_IN.search(each) for each in (old.said, *old.beside)) or "=rent" in old.marks_around
    if not is_rent and (weight(old.terms) >= 1 or _FROM_THEN.search(old.said) is None):
        return False
    most = _MOST_RISE if is_rent else _USUAL_RISE
    return any(
        value.kind is known.kind is ValueKind.NUMBER
        and {value.unit, known.unit} <= {"money", ""}
        and min(value.low, known.low) >= _LEAST_RENT
        and 1 < max(value.low, known.low) / min(value.low, known.low) <= most
        for value in new.values
        for known in old.values
    )


def _may_follow(value: Value, known: Value, new: Clause, old: Clause) -> bool:
    if value.kind is not known.kind or value.kind is not ValueKind.NUMBER or value.low == known.low:
        return False
    if value.unit == known.unit and value.unit and value.unit not in SPANS and value.unit != "money":
        return True
    money = {value.unit, known.unit} <= {"money", ""} and min(value.low, known.low) >= _PLAIN_NUMBER
    return (
        money
        and any(0.4 <= times * value.low / known.low <= 2.5 for times in (0.001, 1, 1_000))
        and bool(old.marks & _AMOUNTS)
    )


def _counts_anew(new: Clause, old: Clause, marks: Terms) -> bool:
    """Another amount of what there is one amount of; or of the very same thing, told as what it is."""
    pairs = [(value, known) for value in new.values for known in old.values if value.kind is known.kind]
    pairs = [
        (value, known)
        for value, known in pairs
        if value.kind in {ValueKind.NUMBER, ValueKind.CODE} or value.kind in WHEN
    ]
    numbers = [(v, k) for v, k in pairs if v.kind is ValueKind.NUMBER and v.is_of(k)]
    if any(value.same(known) for value, known in pairs):
        return False
    if numbers and marks & _AMOUNTS and (not new.past or "=weight" in marks or "=pay" in marks or "=loan" in marks):
        return True
    if numbers and _is_age(new, numbers[0][0]) and _is_age(old, numbers[0][1]):
        return (new.people == old.people == frozenset()) or is_one(new.people, old.people)
    if "=weight" in new.marks and any(k.unit in _WEIGHED and min(v.low, k.low) > _A_LOSS for v, k in numbers):
        return True
    if new.past or _OTHER_TIME.search(new.said) or _OTHER_TIME.search(old.said) or words.TODAY.search(new.said):
        return False
    units = {v.unit for v, _ in numbers} & {k.unit for _, k in numbers} & EXACT
    if "kilo" in units or "kg" in units or "斤" in units:
        return weight(new.terms | old.terms) < 1 or "=weight" in new.marks | old.marks
    same = weight(new.terms) >= 0.7 and weight(new.terms & old.terms) >= 0.75 * max(
        weight(new.terms), weight(old.terms)
    )
    when = any(value.kind in WHEN for value, _ in pairs)
    if same and pairs and not _ANOTHER.search(new.said) and not when and new.proper == old.proper:
        # "boat 1" after "boat 0" is another boat: how many or how much is said, by both.
        said = all(
            _IS_SAID.search(new.said, 0, value.start) and _IS_SAID.search(old.said, 0, known.start)
            for value, known in numbers
        )
        return said and bool(numbers or any(value.kind is ValueKind.CODE for value, _ in pairs))
    opens = re.search(r"\b(?:closes|opens|starts at|closing|opening)\b|关门|开门", new.said)
    return bool(same and when and opens)


def _is_age(clause: Clause, value: Value) -> bool:
    if value.kind is not ValueKind.NUMBER or not 0 < value.low < 120 or weight(clause.terms - _messengers()) >= 2:
        return False
    if not clause.people and _MY_AGE.search(clause.said) is None:
        return False  # of whom it is must stand beside it: lists of ages are of many
    behind = clause.said[value.end :].lstrip(" ,，")
    alone = (
        not behind or re.match(r"(?:years? old|now|already|yesterday|today|on|next|and|in|了|岁)", behind) is not None
    )
    return alone and _AGE.search(clause.said[: value.start]) is not None


def _holds_another(new: Clause, old: Clause, marks: Terms) -> bool:
    is_thing = bool(marks & _THINGS) and _GOT.search(new.said) is not None
    if not is_thing and not _SCHOOL.search(new.said):
        return False
    if not new.values and _ITS_NUMBER.search(old.said):
        return False  # another telephone, the same number
    if is_thing and _HELD.search(old.said):
        return not ((new.people - old.people) - {OTHER}) or is_one(new.owner, old.whose)
    if _SCHOOL.search(new.said) and _AT_SCHOOL.search(old.said):
        return is_one(new.owner or frozenset({SELF}), old.whose)
    return False


def _does_again(new: Clause, old: Clause) -> bool:
    """What somebody had given up, or did not do, and does."""
    if _RESUMED.search(new.said) is None or _STOPPED.search(old.said) is None or _STOPPED.search(new.said):
        return False
    if _SAYS_AGAIN.search(new.said):  # "she said buns again": nobody eats them
        return False
    return weight(new.terms & old.terms) >= words.LEAST


def follows(new: Clause, old: Clause) -> bool:
    """Whether whoever did something for us, or runs something, does it no more."""
    people = (new.owner | new.people) - {SELF, OTHER}
    if not people or not is_one(people, old.owner | old.people):
        return False
    if words.SOLD_UP.search(new.said) and _RUNS.search(old.said):
        return True
    return words.STEPS_DOWN.search(new.said) is not None and _POST.search(old.said) is not None and not new.values


def _lies_elsewhere(new: Clause, old: Clause) -> bool:
    """Whether a thing that lay somewhere was put somewhere else."""
    if _PUT.search(new.said) is None or _LIES.search(old.said) is None or new.values:
        return False
    return match(new.terms, old.terms) and new.said.casefold() != old.said.casefold()


def goes_elsewhere(new: Clause, old: Clause) -> bool:
    """Whether somebody who was at one place goes to another, or what was planned there is held elsewhere."""
    to = words.GOES_TO.search(new.said)
    at = words.IS_AT.search(old.said) if to is not None else None
    if to is None or at is None or old.past:
        return False
    there, here = to["to"] or to["in"] or to["over"] or to["han"], at["to"] or at["han"]
    if here in there or there in here:
        return False
    if match(new.terms - terms_in(there, ()), old.terms - terms_in(here, ())):
        return True
    named = new.owner - {SELF}
    dwells = words.DWELLS if words.SENT.search(new.said) else words.LIVES
    return bool(named) and is_one(named, old.owner) and dwells.search(old.said) is not None


def is_replaced(new: Clause, old: Clause) -> bool:
    """Whether there is another of what somebody has one of: "a different tutor", 换导师了."""
    found = words.REPLACED.search(new.said)
    if found is None or old.past or words.IS_ONE.search(old.said) is None or words.BESIDE.search(new.said):
        return False
    thing = next(filter(None, (found["o"], found["p"], found["q"], found["r"])), "")
    kind = terms_in(thing, ())
    return weight(kind) >= words.LEAST and kind <= old.every and is_one_of_a_kind(attribute(thing.removesuffix("s")))


def is_shifted(new: Clause, old: Clause) -> bool:
    """Whether a plan of a day or an hour is told to be so much earlier or later."""
    if words.SHIFTED.search(new.said) is None or old.past or not any(value.kind in WHEN for value in old.values):
        return False
    people = (new.owner | new.people) - {SELF, OTHER}
    return is_one(people, old.owner | old.people) or match(new.terms, old.terms)
