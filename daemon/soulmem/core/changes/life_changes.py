"""Changes of a life told in other words than what they change: the keys to a house in Margate, after a flat in Peckham.

Called by `change_detection` beside the forms of change: also for states that exclude each other (`turned_opposite`). The table `core.wordlists.life_matters` knows the matters of which people
have one at a time, and how it is said that one of them turned. Pure. Invariants: both statements tell of the same
person; what is told of one day, of somebody else's, beside, or of the very same place changes nothing.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re

from soulmem.core.changes import change_words as words
from soulmem.core.changes.change_clauses import Clause
from soulmem.core.changes.change_features import OF_ANOTHER, QUOTED
from soulmem.core.changes.change_owners import NOBODY, OTHER, SELF, Owner, is_one
from soulmem.core.changes.change_values import ValueKind
from soulmem.core.facts.topic_terms import match, terms_in, weight
from soulmem.core.regex.lazy_regex import KeptCaseless, KeptPattern
from soulmem.core.wordlists.fictional_events import IDIOM
from soulmem.core.wordlists.life_matters import Matter, Tie
from soulmem.text_memo import text_memo

_PARTNER: Owner = frozenset({"partner", SELF})
_NEAR = 24  # characters beside a word of a state
ANEW = "anew"  # the relation of a finding of a change in whatever words
_SPEAKER = KeptCaseless(r"\b(?:i|we|me|us|my|our|mine|i['’](?:m|ve|d|ll)|we['’](?:re|ve|ll|d))\b|[我俺咱]")
# Who speaks is left out, and the clause begins with what was done: "Took early retirement", "Finally got the keys".
_BEGINS_DOING = KeptCaseless(
    r"^(?:(?:and|so|but|then|finally|just|well|anyway|ok|okay|yes|right|now|also|at last|in the end|only|already|even|never|officially|apparently|long story short)[\s,]+){0,3}"
    r"(?:(?!indeed|hundred|red|bed|shed|need|speed|feed)[a-z]{2,}ed|got|had|took|been|hung|gave|made|went|gone|left|quit|sold|bought|met|lost|won|found|began|ran|fell|broke|split|put|cut|let|kept|set|chose|wrote|flew|no|not|all|haven['’]?t|don['’]?t|off|back|day|single|on the|better|swam|handed|fetched|brought|taught|passed|down to|up to|sober|clean)\b|^(?:\w+ ){1,2}(?:days?|weeks?|months?|years?) (?:without|off|clean|sober|smoke)\b|^born\b"
)
_OF_SOMEBODY = KeptPattern(
    r"^(?!我|咱|俺|自己|家里|新|旧)[\u4e00-\u9fff]{1,5}(?<![真是好挺])的(?!$)|^(?:隔壁|楼[上下]|对门|人家|别人|邻居|同事|同学|有人|(?:那对?)?[小老][两俩]口|那[家户对])"
)
_PAST_ONCE = KeptCaseless(
    r"\b(?:years ago|as a (?:kid|child|student)|back then|when i was|in (?:19|20)\d\d|last (?:spring|summer|autumn|winter|year|christmas))\b|以前|小时候|那年|当年|去年|前年|曾经|上学的时候|(?:19|20)\d\d年"
)

_AHEAD = KeptCaseless(
    r"\b(?:want(?:s|ed)? to|going to|plan(?:s|ning)? to|thinking|need(?:s)? to|try(?:ing)? to|hop(?:e|ing) to|about to|'d like|’d like|may|before i|when i)\b|(?:想|打算|准备|计划|考虑|要不要|商量)(?:要|再|着|去)?(?=搬|换|辞|离|分|剪|买|租|转|改|退|戒|再)|能不能"
)
_ADDRESSED = KeptCaseless(r"\b(?:you|your|you['’](?:re|ve|d|ll))\b|[你您]")
_PLACES = frozenset({"home", "schooling"})  # told of again by the name of the same place, nothing turned
_OF_KIN = frozenset(
    {"schooling", "age", "unwell", "injury", "expecting", "eyesight", "hair"}
)  # of which everybody has one
_PART = KeptCaseless(
    r"(?:科目|第)([一二三四五六七八九十\d]+)(?!个|次)|\b(?:part|paper|round|module|stage|level|volume|season) (\d+|one|two|three|four|five)\b"
)
_OPENING = 24  # characters in which it is said of whom a clause is
_OTHERS = KeptPattern(
    r"(?:隔壁|楼[上下]|对门|人家|别人|邻居|同事|同学|同桌|公司的|单位的|[小老][两俩]口|^那[家户对])|(?:奶奶|爷爷|外婆|外公|姥姥|朋友|闺蜜|舅舅|姑姑)(?:家?的|家)(?=.{1,6}[了])",
)
_NEXT_DOOR = KeptCaseless(r"\b(?:next door|down the road|over the road|across the (?:road|street|hall))\b(?! to)")
_AGENTS = frozenset({"landlord", "doctor", "boss"})  # they do something with us
# What nobody tells of a stranger without saying so.
_SAYS_WHOSE = KeptCaseless(
    r"^(?:cast|plaster|stitches|sling|boot|brace)\b|\bfailed (?:its|the) mot\b|^fell off|^(?:leg|arm|wrist|ankle|foot|knee|hip|back|shoulder|elbow|hand)(?:['’]s| is)\b"
)


# "No running until December" tells of who speaks; the trip that is off is not a home there; money lost was no finding.
_NO_DOING = KeptCaseless(r"^\W*no \w+ing\b")
_PLAN_OFF = KeptCaseless(
    r"\b(?P<en>trip|flight|holiday|visit|journey|meeting|party|wedding|interview|appointment|exam|lesson|course|dinner|lunch|date|concert|match|game|cruise|tour|weekend)\b[^.!?]{0,40}\b(?:is|are|was|been|got|now) (?:off|cancelled|canceled|called off|postponed|scrapped)\b"
)
_LOST_MONEY = KeptCaseless(r"\blost (?:\w+ )?(?:[£$€]?\d|\w+ (?:hundred|thousand|quid|pounds|euros|dollars))")
_CALLED = KeptCaseless(
    r"(?:叫|姓)[\u4e00-\u9fff]{1,4}$|\b(?:is|was|['’]s) (?:called|named) [\w'’-]+(?: [\w'’-]+)?$|\bname(?:['’]s| is) [\w'’-]+$"
)
_FOR_LIFE = KeptCaseless(
    r"狗|猫|犬|兔|鸟|龟|鱼|鼠|柯基|女儿|儿子|闺女|[妈爸姐妹哥弟爷奶]|\b(?:dog|cat|rabbit|hamster|parrot|budgie|tortoise|horse|daughter|son|mum|mom|dad|mother|father|sister|brother)\b"
)
_ENDS_A_NAME = KeptCaseless(
    r"[叫姓名死分吹掰离]|没了|去世|走了(?!$)|过世|送[人走给]|\b(?:called|names?|named|died|dead|passed|put (?:him|her|it) down|rehomed|broke|split|divorced?|dumped|done|over)\b"
)
_PLANNED = KeptPattern(r"想|打算|准备|计划|答应|约")
_GENERAL_VERB = KeptPattern(r"不(?:再|想)?([走去来看说做吃喝要想动行跑坐睡玩])了")


# Whose name somebody has who teaches or treats us; it stays, whoever learns there no more.
_OF_TRADE = KeptCaseless(
    r"老师|教练|医生|大夫|师傅|老板|经理|\b(?:teacher|tutor|coach|doctor|dentist|nurse|boss|manager|landlord|landlady)\b"
)
_TRADE_CHANGES = KeptCaseless(
    r"换|改|新|退休|离职|辞|走了|调|不[教干做]|\b(?:new|another|different|left|retired|resigned|quit|replaced|changed|now)\b"
)
# 不想学了: the wish is over, and neither the price nor a name. 干到月底就没了: until then it is as it was.
_NO_WISH = KeptCaseless(
    r"不想(?:再)?[^，。]{1,6}了|\b(?:doesn['’]?t|don['’]?t|no longer) wants? to\b|\bsick of\b|\bfed up\b"
)
_FLOOR = KeptCaseless(
    r"^\W*(?:on )?(?:the )?(?:first|second|third|\w+th|ground|top) floor\W*$|^[一二三四五六七八九十\d]+[楼层]$"
)
_LIMB = KeptCaseless(
    r"\b(?:knee|shoulder|ankle|wrist|elbow|hip|hand|foot|leg|arm|neck|toe|thumb)\b|膝盖|肩膀|脚踝|手腕|胳膊|脖子|肘|腰|腿"
)
_UNTIL_THEN = KeptCaseless(
    r"[到至](?:这|本|下)?个?(?:月底|年底|周末|月末|学期末|[\d一二三四五六七八九十]{1,3}[号月])[^，。]{0,3}(?:就|为止|没)"
    r"|\b(?:last|final) (?:shift|day|week|lesson)(?: is|['’]s|s are)\b"
)


def spares(new: Clause, old: Clause) -> bool:
    """Whether a word of change cannot reach a statement, whatever words both have in common."""
    named = _CALLED.search(old.said) is not None
    if named and _OF_TRADE.search(old.said) is not None and _TRADE_CHANGES.search(new.said) is None:
        return True
    if _FLOOR.search(old.said) is not None and _FLOOR.search(new.said) is None:
        return True
    limbs = [{each[0].casefold() for each in _LIMB.finditer(clause.said)} for clause in (old, new)]
    if all(limbs) and not limbs[0] & limbs[1]:  # the shoulder is better, the knee is not
        return True
    numbers = [any(value.kind is ValueKind.NUMBER for value in each.values) for each in (old, new)]
    prices = numbers[0] and not numbers[1]
    if prices and (_NO_WISH.search(new.said) is not None or _UNTIL_THEN.search(new.said) is not None):
        return True
    if _NO_DOING.search(new.said) is not None and old.owner - {SELF}:
        return True
    plan = _PLAN_OFF.search(new.said)
    if plan is not None and plan["en"].casefold() not in old.said.casefold() and not words.AHEAD.search(old.said):
        return not old.values
    if _LOST_MONEY.search(new.said) is not None and re.search(r"\bfound\b", old.said):
        return True
    for_life = _CALLED.search(old.said) is not None and _FOR_LIFE.search(old.said) is not None
    if for_life and _ENDS_A_NAME.search(new.said) is None:
        return True
    verb = _GENERAL_VERB.search(new.said)
    if verb is None or not (new.every & old.every) <= {verb[1]} or _PLANNED.search(old.said) is not None:
        return False
    ahead = new.said[: verb.start()]
    return not any(ahead[at : at + 2] in old.said for at in range(len(ahead) - 1))  # 国庆不来了: who was to come then


def turns_matter(new: Clause, old: Clause) -> bool:
    """Whether a clause tells that a matter of somebody's life, of which the earlier one tells, is another now."""
    found = [each for each in new.turned if each.holds.search(old.said) and (each.lasting or not old.past)]
    if not found or old.over or _is_set_apart(new, old) or IDIOM.search(new.said):  # a gearbox that died is no cat
        return False
    today = words.TODAY.search(new.said) is not None and words.STRONG.search(new.said) is None
    return any(
        not (each.rule and today)
        and not (each.name in _PLACES and _is_the_same(new, old))
        and _is_meant(each, new, old)
        for each in found
    )


def _is_meant(matter: Matter, new: Clause, old: Clause) -> bool:
    if matter.tie is Tie.NEAR:
        return _is_tied(new, old) or weight(new.near & old.every) >= words.LEAST or _is_of_one(new, old, matter)
    if not _is_of_one(new, old, matter):
        return False
    known = bool(new.owner and old.owner) or _SPEAKER.search(old.said) is not None or old.said.isascii()
    known = known or (matter.name == "expecting" and not new.owner and not old.owner)  # 预产期五月三号
    return (matter.tie is Tie.MATTER and (known or matter.name not in _OF_KIN)) or _is_tied(new, old)


@text_memo(1_024)
def _parts_in(said: str) -> frozenset[str]:
    return frozenset(match[1] or match[2] for match in _PART.finditer(said))


# A fear and an allergy stay, whatever else becomes of what they are of: taking the tube from now on cures no fear of lifts.
_STAYS = KeptCaseless(
    r"不敢|怕(?!是)|恐惧|过敏|\b(?:afraid (?:of|to)|terrified|scared of|frightened of|phobi\w+|allerg\w+)\b"
)
_CURED = KeptCaseless(
    r"[敢怕怵慌]|过敏|脱敏|恐惧|克服|治好|[吃喝]了|能[吃喝]|爱上|喜欢上|离不开|不是|没事|一点事|经常"
    r"|\b(?:afraid|terrified|scared?|scares|frighten\w*|fear\w*|phobi\w+|allerg\w+|cured|outgr\w+|grow[ns]?|grew|over (?:it|my)"
    r"|mind|bothers?|(?:actually|really|quite|rather) like|love|adore|enjoy|fine with|used to|can (?:now )?(?:eat|have|drink)|not)\b"
)


def outlasts(new: Clause, old: Clause) -> bool:
    """Whether an earlier clause tells of a fear or an allergy, and the later one says nothing of that."""
    return _STAYS.search(old.said) is not None and _CURED.search(new.said) is None


def is_of_others(new: Clause, old: Clause) -> bool:
    """Whether a clause tells of a neighbour's or a colleague's, of whom the earlier one says nothing, or of another part."""
    part = _parts_in(new.said)
    if part and (other := _parts_in(old.said)) and part.isdisjoint(other):
        return True  # the second test is not the third
    if _NEXT_DOOR.search(new.said) and not _NEXT_DOOR.search(old.said):
        return True
    found = _OTHERS.match(new.said)
    if found is None:
        found = OF_ANOTHER.search(new.said, 0, _OPENING)
        return found is not None and OF_ANOTHER.search(old.said) is None and found[0] not in old.said
    return found[0].rstrip("家的") not in old.said


def _is_set_apart(new: Clause, old: Clause) -> bool:
    gone = words.SOMEBODY_LEFT.search(new.said)
    if gone is not None and gone["who"] not in old.said:
        return True
    of_another = OF_ANOTHER.search(new.said) or _OF_SOMEBODY.search(new.said)
    if of_another and not (OF_ANOTHER.search(old.said) or _OF_SOMEBODY.search(old.said)):
        return True
    return any(each.search(new.said) for each in (words.BESIDE, QUOTED, _PAST_ONCE, _AHEAD, _ADDRESSED))


def _is_of_one(new: Clause, old: Clause, matter: Matter) -> bool:
    """Whether both tell of one person: by name, or who speaks of both; a subject that is no person is of nobody."""
    held = (old.owner | old.people) - {OTHER, SELF}
    mine = SELF in old.owner or not held
    others = (new.owner | new.people) - {SELF, OTHER} - _AGENTS
    if others and held and is_one(others, held):
        return matter.between or not mine or SELF in new.owner or is_one(others, old.owner)
    if OTHER in new.owner:
        return not mine or (matter.between and bool(held))
    if others:
        return mine and SELF in new.owner
    if not mine:
        if not new.owner and not any(each in " ".join(new.beside).casefold() for each in held):
            return False  # 要去一家公司, "still working": what has no subject is of who speaks
        return SELF not in new.owner and new.said.isascii() is old.said.isascii() and not _SPEAKER.search(new.said)
    return (
        bool(new.people & _AGENTS)
        or not new.said.isascii()
        or _SPEAKER.search(new.said) is not None
        or _BEGINS_DOING.search(new.said) is not None
        or _SAYS_WHOSE.search(new.said) is not None
    )


def _is_tied(new: Clause, old: Clause) -> bool:
    """Whether both have a word or a name in common, of what stands beside them the names."""
    shared = (new.every | new.before) & old.every
    named = (new.owner | new.people) - {SELF, OTHER}
    held = (old.owner | old.people) - {SELF, OTHER}
    if weight(shared) >= words.LEAST or (bool(named) and is_one(named, held)):
        return True
    around, before = " ".join(new.beside).casefold(), " ".join(old.beside).casefold()
    return any(len(each) > 1 and each in before for each in named) or any(
        len(each) > 1 and each in around for each in held
    )


def _is_the_same(new: Clause, old: Clause) -> bool:
    """Whether both name one place and nothing says that it is over: the keys of the flat that somebody has."""
    return bool(new.proper & old.proper - old.people) and not new.over


_FOR_NOW = KeptCaseless(
    r"\b(?:cover(?:ed|ing)?|swapped|this week|for a (?:day|week)|temporar\w+)\b|临时|顶|替|代|这周|这几天|这两天"
)
_ABOUT_IT = KeptCaseless(r"\b(?:it|him|her|them)\b|它|(?:修|弄|搞|治)好的?了?$")
_THING_FIRST = KeptPattern(
    r"^(?:[我咱俺](?:们|家)?的?|那|这)?(?:辆|台|把|只|条)?(?P<o>[车门窗灯表鞋猫狗锅床伞包琴])(?![子票位贴牌把夹])"
)
_DEMANDED = KeptPattern(r"先把[^，。]{1,8}了|先.{1,8}再说")  # 先把高数过了: nobody has passed


def turned_opposite(new: Clause, old: Clause) -> bool:
    is_free = words.MAY.search(new.said) and words.AGAIN.search(new.said) and not words.MAY_NOT.search(new.said)
    if is_free and words.MAY_NOT.search(old.said) and new.terms & old.terms:
        return True
    if words.BESIDE.search(new.said) is not None:
        return _attained(new, old)
    same = bool(new.sides) and (
        match(new.terms, old.terms)
        or (_ABOUT_IT.search(new.said) is not None and match(new.before, old.terms))
        or bool(new.marks_around & old.marks)
        or _is_of_one_thing(new, old)
    )
    apart = new.owner != NOBODY and SELF not in new.owner and is_one(new.owner, old.owner)
    for kind, one, other, is_first in new.sides:
        turned = other.search(old.said) if is_first else one.search(old.said) and not other.search(old.said)
        if (
            turned
            and not _DEMANDED.search(old.said)
            and (
                same
                or _meets_beside(new, old, one, other)
                or (kind == words.PERSONAL and apart)
                or (kind == words.SHIFT and _works_otherwise(new, old, is_apart=apart))
            )
        ):
            return True
    return _attained(new, old)


def _is_of_one_thing(new: Clause, old: Clause) -> bool:
    """Whether two Chinese clauses open with one thing of a single character: 车在修理厂, 车取回来了."""
    first, then = (_THING_FIRST.match(clause.said) for clause in (old, new))
    return first is not None and then is not None and first["o"] == then["o"]


def _works_otherwise(new: Clause, old: Clause, *, is_apart: bool) -> bool:
    """Whether one person's shift is told, and not of today alone: who speaks of nobody speaks of himself."""
    if any(each.search(new.said) for each in (words.TODAY, words.BESIDE, _FOR_NOW)):
        return False
    return is_apart or (new.owner <= {SELF} and not new.people and old.whose == {SELF})


def _meets_beside(new: Clause, old: Clause, one: KeptPattern, other: KeptPattern) -> bool:
    """Whether a word of both stands near the word of each that turned: "lost my keys", "found the keys"."""
    near = [
        terms_in(each.said[max(0, found.start() - _NEAR) : found.end() + _NEAR], ())
        for each in (new, old)
        if (found := one.search(each.said) or other.search(each.said)) is not None
    ]
    return len(near) == 2 and not near[0].isdisjoint(near[1]) and bool(new.every & old.every)


def _attained(new: Clause, old: Clause) -> bool:
    """What somebody had not got yet is got."""
    if words.ATTAINED.search(new.said) is None or words.NOT_YET.search(new.said):
        return False
    missing = words.NOT_YET.search(old.said)
    if missing is None:
        return False
    wanted = terms_in(missing["o"] or missing["z"] or "", ())
    return weight(wanted) >= words.LEAST and 2 * weight(wanted & new.terms) >= weight(wanted)


def left_or_paid(new: Clause, old: Clause) -> bool:
    """Whether somebody lives no more where they did, paid what they owed, or does not do what they were to do."""
    if old.past:
        return False
    people = (new.owner | new.people) - {SELF, OTHER}
    gone = words.SOMEBODY_LEFT.search(new.said)
    same = (bool(people) and is_one(people, old.owner | old.people)) or (gone is not None and gone["who"] in old.said)
    if (
        not any(value.kind is ValueKind.NUMBER and value.unit == "money" for value in new.values)
        and words.PAID.search(new.said)
        and words.OWES.search(old.said)
        and (same or match(new.every, old.every))
    ):
        return True
    moved = words.MOVED_OUT.search(new.said) and words.AHEAD.search(new.said) is None  # who is to move lives there yet
    around = (old.said, *(old.beside if len(old.people) == 1 else ()))  # of two flatmates one stays
    if moved and same and any(map(words.LODGES.search, around)):
        return True
    undone, mine = words.NOT_DOING.search(new.said), not people and not (old.owner - {SELF})
    is_ahead = words.AHEAD.search(old.said) is not None or any(value.kind is ValueKind.DAY for value in old.values)
    return bool(undone and undone["v"] in old.said and is_ahead and same and not mine)


def parted_from(new: Clause, old: Clause) -> bool:
    """Whether two who were a couple are one no more: by the name of the other, where one is told."""
    couple = old.said if new.owner - {SELF} else words.ANOTHERS_PARTNER.sub("", old.said)  # hers, not the speaker's
    if words.PARTED.search(new.said) is None or words.COUPLE.search(couple) is None:
        return False
    named, known = new.people - _PARTNER, old.people - _PARTNER
    return is_one(named, known) if named and known else not named
