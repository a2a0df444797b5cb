"""Endings: what a later statement says to be over of what an earlier one tells, in both languages.

Called by `change_detection`. Something ended ("quit", 不…了, "was sold"), or a plan was given up ("changed her mind",
改主意). What is over must be named in the earlier statement by more than somebody's name. Or a figure that was told is
named with the one in its place, which is the same matter without another word in common: "9.80 became 10.40",
两千四涨到两千六, "Wait, I said '91. It was '90.", 刚才说九四年，其实是九五年. Pure. Invariants: what happened once stays so; what holds
of today alone ends nothing that goes on; a figure of one digit is none, and what somebody else said is no correction.
"""

# ruff: noqa: E501 (patterns stand on long lines)

from __future__ import annotations

import re
from collections.abc import Sequence

from soulmem.core.changes import change_words as words
from soulmem.core.changes.change_clauses import Clause
from soulmem.core.changes.change_owners import OTHER, SELF, is_one, may_be_one
from soulmem.core.changes.change_values import ValueKind
from soulmem.core.facts.topic_terms import Terms, match, terms_in, weight
from soulmem.core.regex.lazy_regex import KeptCaseless, KeptPattern

_FIGURE = r"(?:[$€£¥]?\d{1,3}(?:,\d{3})+|[$€£¥]?\d{1,6}(?:[.:]\d{1,2})?|['’]\d\d)(?![\d%])"
_DIGITS = r"[〇零一二两三四五六七八九十百千万\d.]"
_HAN = _DIGITS + "{2,9}"
_BECAME = KeptCaseless(
    rf"(?<![\w.'’])(?P<was>{_FIGURE}) (?:became|(?:has )?turned into|(?:has )?gone? (?:up|down) to|went (?:up |down )?to|is now|(?:rose|fell|dropped|jumped) to) (?P<is>{_FIGURE})"
    rf"|\b(?:from|not) (?P<was2>{_FIGURE}),? (?:up |down )?(?:to|but|it['’]?s) (?P<is2>{_FIGURE})"
    rf"|(?P<was3>{_HAN})(?:块|元|斤|年|号)?(?:变成?|涨到?|降到?|改成?)了?(?P<is3>{_HAN})"
)
_NOT_BUT = KeptCaseless(rf"(?<![\w.'’])(?P<is>{_FIGURE})(?: now)?,? (?:and )?(?:not|instead of) (?P<was>{_FIGURE})")
_NOT = KeptCaseless(rf"not (?P<was>{_FIGURE})$")
_LAST = KeptCaseless(rf"(?<![\w.'’])(?P<is>{_FIGURE})(?: (?:now|then|actually))?$")
_YEAR = r"(?:['’]\d\d|(?:1[89]|20)\d\d)"
# Of a year alone: other figures that were told wrong are put right where they stand (`spoken_corrections`).
_I_SAID = KeptCaseless(
    rf"^(?:(?:wait|sorry|no|oh|hang on|hold on|well|actually|correction|my mistake|and|but)\b[,.!: ]*){{0,3}}i (?:just |had |think i )?(?:said|wrote|put|told you|typed|gave you) (?P<was>{_YEAR})[\s.,!]*$"
    rf"|^(?:等等|不对|哎|哦|慢着|且慢)?我?(?:刚才|刚刚|上回|上次|前面|之前)?我?(?:说|讲|写|打)(?:的是|的|成|成了|了)?(?P<was3>[〇零一二三四五六七八九\d]{{2,4}})年$"
)
_I_TOLD = KeptCaseless(
    r"^(?:(?:sorry|no|oh|wait|and|but)[, ]+){0,2}i (?:just |had )?(?:said|wrote|put|told you|typed) (?:it was )?(?P<w>[a-z][\w'’ -]{2,24}?)(?: too| before| earlier| the other day)?[.!]?$"
    r"|^我?(?:上次|之前|那天|前面|刚才)?我?(?:说|写|填|告诉你)(?:的是|的|成)了?(?P<w2>[\u4e00-\u9fff]{2,6})$"
)
_I_TOLD_OF = KeptCaseless(
    r"^(?:(?:sorry|no|oh|oops|wait|and|but|actually)[, ]+){0,3}i (?:just |had |think i )?(?:said|wrote|told you)\b(?! (?:so|goodbye|hello)\b)"
    r"|^(?:不对|抱歉|哎呀)?[，,]?我?(?:上次|之前|那天|前面|刚才)?我?(?:跟你)?(?:说|写)(?:的是|成了?|过)?(?=[^，。]*[\d一二三四五六七八九十])"
)
_IT_IS = KeptCaseless(
    r"^(?:no,? |but |actually,? )?(?:it['’]?s|it is|i meant|should be|that['’]s)(?: actually| really)? (?P<w>[a-z][\w'’ -]{2,24}?)[.!]?$"
    r"|^(?:不对)?(?:其实|应该|实际上?)(?:应该)?是(?P<w2>[\u4e00-\u9fff]{2,6})$"
)
_IT_WAS = KeptCaseless(
    rf"^(?:no,? |but |actually,? )?(?:it was|it['’]?s|it is|i mean[t]?|make that|should be|that['’]s)(?: actually| really)? (?P<is>{_FIGURE})"
    rf"|^(?:其实|应该|实际上?|明明)?(?:应该)?是(?P<is3>{_HAN})"
)


_KEEPS_NO_MORE = KeptPattern(r"不(?:再|想再|打算再)?(?P<verb>[养喂种骑弹])(?P<o>[\u4e00-\u9fff]{1,2})了")
_PLACED = KeptCaseless(
    r"^(?P<what>[^.,;!?]{2,40}?)(?:['’]s|\b(?:is|are|meets?|will be|are doing|is being))\b(?:\s(?:now|being|held|going to be|always|usually|every|on|\w+days?|mornings?|evenings?))*\s(?:at|in|round) (?P<at>[^.,;!?]{2,40})"
    r"|\b(?:having|doing|holding) (?P<what3>(?:the|my|our|his|her) [\w'’ ]{2,24}?) (?:at|in|round) (?P<at3>[^.,;!?]{2,40})"
    r"|^(?P<what2>[^，。]{2,14}?)(?:以后|现在|这次|都|改|还是|就|换|挪|定|放)*(?:(?<!现)在|到|去)(?P<zh>[^，。]{2,10})"
)
_ELSEWHERE = KeptCaseless(
    r"\b(?:now|from now on|going to be|instead|this time|these days|will be|has to be|moved|having|doing|holding)\b|以后|现在|改|这次|换|挪"
)
_HOLIDAY = KeptCaseless(
    r"\b(?:christmas|xmas|easter|new year(?:['’]s)?|thanksgiving|half[- ]term|diwali|eid|passover|hanukkah)\b|过年|春节|国庆|五一|中秋|端午|元旦|清明|除夕|暑假|寒假"
)
_GOES = KeptCaseless(
    r"\b(?:going (?:to|away)|go to|(?:be|staying|stay|spending .{1,20}) (?:at|in|with|here|home)|(?:heading|off|flying|driving|travelling) (?:to|away)|at home)\b|去|回|在.{1,10}过|留"
)
_WE = KeptCaseless(
    r"^(?:and |so |but )?(?:we|i)\b|^(?:今年|这个?|那)?(?:过年|春节|国庆|五一|中秋|端午|元旦|清明|除夕|暑假|寒假)"
)
_NOT_GOING = KeptCaseless(r"n['’]t\b|\bnot\b|\bnever\b|不|没")
_ABOUT_IT = KeptCaseless(r"\b(?:then|before|after|and then)\b|先|然后|之前|之后|顺便")


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


def is_paused(new: Clause, old: Clause) -> bool:
    """Whether what somebody does regularly is off for a while, whoever of those that do it is the reason: "Tariq's hurt,
    so climbing's off till May", 苏晴怀孕了，瑜伽先停了."""
    paused = words.PAUSED.search(new.said)
    if paused is None or words.RULE.search(old.said) is None:
        return False
    around = " ".join((old.said, *old.beside)).casefold()
    if not may_be_one(new.owner, old.whose) and not any(name in around for name in new.owner):
        return False
    return not terms_in(paused["o"] or paused["z"], ()).isdisjoint(old.terms)


def does_no_more(new: Clause, old: Clause) -> bool:
    """Whether somebody does no more what he was said to do still: 五十了还跑, 说不跑了; 不养鸡了 of 家里有六只鸡."""
    stopped = words.DOES_NO_MORE.search(new.said)
    if stopped is not None and any(stopped["verb"] == still["verb"] for still in words.DOES_STILL.finditer(old.said)):
        return True
    kept = _KEEPS_NO_MORE.search(new.said)
    return kept is not None and re.search(rf"[有{kept['verb']}][^，。]{{0,8}}{kept['o']}", old.said) is not None


def is_held_elsewhere(new: Clause, old: Clause) -> bool:
    """Whether the same event is told to be held at another place now, or the same holiday to be spent at another."""
    if words.BESIDE.search(new.said) or old.past or _NOT_GOING.search(old.said) or words.PAST_VERB.search(new.said):
        return False
    holidays = [frozenset(each[0].casefold() for each in _HOLIDAY.finditer(clause.said)) for clause in (new, old)]
    if holidays[0] & holidays[1] and all(_GOES.search(each.said) for each in (new, old)):
        spent = [each.terms - terms_in(" ".join(holidays[0]), ()) for each in (new, old)]
        ours = all(each.owner <= {SELF} or _WE.search(each.said) is not None for each in (new, old))
        return ours and spent[0].isdisjoint(spent[1]) and _ABOUT_IT.search(new.said) is None
    if _ELSEWHERE.search(new.said) is None:
        return False
    after, before = (_event_and_place(each) for each in (new, old))
    if after is None or before is None or not after[0] or not after[1]:
        return False
    held = before[0] if new.said.isascii() else before[0] | before[1]  # 周一去协和做核磁
    return after[0] <= held and after[1].isdisjoint(before[0] | before[1])


def _event_and_place(clause: Clause) -> tuple[Terms, Terms] | None:
    """The words of what is held, and of where; a month in the place of a place is none (生日在三月)."""
    found = _PLACED.search(clause.said)
    if found is None or any(value.start <= found.start("zh") < value.end for value in clause.values):
        return None
    what, place = found["what"] or found["what2"] or found["what3"], found["at"] or found["zh"] or found["at3"]
    return terms_in(what, ()), terms_in(place, ())


def comes_no_more(new: Clause, old: Clause) -> bool:
    """Whether they do not come who were to come on that day: "they aren't coming in August after all"."""
    if words.NOT_COMING.search(new.said) is None or words.COMES.search(old.said) is None or old.past:
        return False
    if words.NOT_COMING.search(old.said) is not None:
        return False
    days = [each for each in new.values if each.kind is ValueKind.DAY]
    same = any(each.same(known) for each in days for known in old.values if known.kind is ValueKind.DAY)
    one = SELF not in new.owner and SELF not in old.owner
    named, held = new.people - {SELF, OTHER}, old.people - {SELF, OTHER}
    return same and one and (not named or not held or is_one(named, held))


def at_another_pace(new: Clause, old: Clause) -> bool:
    """Whether it is done so often no more: "once a month instead of every fortnight"."""
    found = words.INSTEAD.search(new.said)
    if found is None or old.past or found["was"].casefold() not in old.said.casefold():
        return False
    return weight((new.terms | new.before) & old.every - terms_in(found["was"], ())) >= words.LEAST


_PAYS = KeptCaseless(r"\b(?:paid|gave|pressed|handed|sent|transferred|slipped|returned|coughed up|paying)\b|[转给还]")


def is_paid_in_part(clauses: Sequence[Clause], place: int, old: Clause) -> bool:
    """Whether it is told how much of a debt is left, behind what was paid of it: "three hundred and fifty to go"."""
    new = clauses[place]
    counts = all(any(value.kind is ValueKind.NUMBER for value in each.values) for each in (new, old))
    if not counts or words.REST.search(new.said) is None or words.OWES.search(old.said) is None:
        return False
    if any(value.same(known) for value in new.values for known in old.values) or old.said in {c.said for c in clauses}:
        return False  # it was told before
    named = (old.owner | old.people) - {SELF, OTHER}
    around = clauses[max(0, place - 3) : place + 1]
    meets = any(is_one(each.owner | each.people, named) for each in around)
    return bool(named) and meets and any(_PAYS.search(each.said) for each in around)


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


def _group(found: re.Match[str], name: str) -> str:
    return next((text for key, text in found.groupdict().items() if key.startswith(name) and text), "")


def _holds(said: str, figure: str) -> bool:
    bare = figure.lstrip("$€£¥")
    if sum(char.isalnum() for char in bare) < 2:
        return False
    before, behind = (r"[\w.,:]", r"\w|[.,:]\d") if bare.isascii() else (_DIGITS, _DIGITS)
    return re.search(rf"(?<!{before}){re.escape(bare)}(?!{behind})", said.replace("’", "'")) is not None


def names_figures(new: Clause) -> bool:
    """Whether a clause may say of a figure that it is another."""
    return any(pattern.search(new.said.strip()) for pattern in (_BECAME, _NOT_BUT, _NOT, _I_SAID, _I_TOLD))


def names_before_and_after(clauses: Sequence[Clause], place: int, old: Clause) -> bool:
    """Whether a clause, with the one beside it, says that a figure of the earlier one is another."""
    if clauses[place].asks or clauses[place].unreal:
        return False
    was, now, about = _figures(clauses, place, old)
    if was and was != now and len(was.strip("$€£¥")) >= 3 - (not was.isascii()) and _holds(old.said, was):
        named = (about.owner | about.people) - {SELF, OTHER}
        return not named or is_one(named, old.owner | old.people)
    if _told_a_wrong_word(clauses, place, old) or _told_a_wrong_value(clauses, place, old):
        return True
    said = _I_SAID.search(clauses[place].said.strip())
    behind = _IT_WAS.search(clauses[place + 1].said.strip()) if said and place + 1 < len(clauses) else None
    if said is None or behind is None:
        return False
    was = _group(said, "was")
    return was != _group(behind, "is") and _holds(old.said, was)


_QUALITY = KeptCaseless(
    r"(?:ly|ful|ous|ing|ed|able|ive|less)$|\b(?:good|great|fine|nice|true|ok|okay|bad|hot|cold|nothing|me|you|him|her|over|not|so|too|all|very)\b"
)


def _told_a_wrong_value(clauses: Sequence[Clause], place: int, old: Clause) -> bool:
    """Whether a clause says which value was told, and the next one another: "I told you mum will be 70, she'll be 71"."""
    if _I_TOLD_OF.match(clauses[place].said.strip()) is None or place + 1 >= len(clauses):
        return False
    was, now = clauses[place].values, clauses[place + 1].values
    pairs = [(each, known) for each in was for known in now if each.is_of(known) and not each.same(known)]
    if not any(each.same(known) for each, _ in pairs for known in old.values):
        return False
    around = old.every | old.before | old.people
    return not (clauses[place].every | clauses[place].people).isdisjoint(around)


def _told_a_wrong_word(clauses: Sequence[Clause], place: int, old: Clause) -> bool:
    """Whether a clause names a word that was told, and the next one another: "I told you peanuts, it's tree nuts"."""
    told = _I_TOLD.match(clauses[place].said.strip())
    behind = _IT_IS.match(clauses[place + 1].said.strip()) if told and place + 1 < len(clauses) else None
    if told is None or behind is None:
        return False
    was, now = (terms_in(_group(found, "w"), ()) for found in (told, behind))
    if _QUALITY.search(behind["w"] or "") is not None or _group(told, "w").endswith("s") > behind[0].rstrip(
        ".!"
    ).endswith("s"):
        return False
    return weight(was) >= words.LEAST and bool(now - was) and was <= old.every and not now <= old.every


def _figures(clauses: Sequence[Clause], place: int, old: Clause) -> tuple[str, str, Clause]:
    """The figure that was, the one that is, and the clause that says so; empty where none does."""
    new = clauses[place]
    found = (None if old.past else _BECAME.search(new.said)) or _NOT_BUT.search(new.said)
    if found is not None:
        return _group(found, "was"), _group(found, "is"), new
    denied = _NOT.match(new.said.strip()) if place else None
    before = _LAST.search(clauses[place - 1].said) if denied is not None else None
    if denied is None or before is None:
        return "", "", new
    return denied["was"], before["is"], clauses[place - 1]
