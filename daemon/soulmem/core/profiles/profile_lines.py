"""Profile lines: a profile in words, for prompts and people, the same words as long as the facts do not change.

Pure. Days are told as days, never as how long ago; what is known longest comes first. Invariant: a line that does not
fit is left out whole, with all after it of its list counted.
"""

# ruff: noqa: E501 (patterns and words stand on long lines, as tables)

from __future__ import annotations

from collections.abc import Iterator, Sequence

from soulmem.core.calendar.iso8601 import to_iso
from soulmem.core.facts.relations import ATTRIBUTE
from soulmem.core.profiles.profile import Attribute, Profile
from soulmem.core.profiles.timelines import Held
from soulmem.core.text import tokens

_DAY = len("2026-05-09")
_MOST_SHOWN = 12
_NAMES_ZH = {
    "home": "住处", "work": "工作单位", "job": "职业", "age": "年龄", "birthday": "生日", "school": "学校", "diet": "饮食",
    "status": "状况", "likes": "喜欢", "habit": "习惯", "owns": "拥有", "language": "语言", "studies": "学习", "allergy": "过敏",
    "fear": "害怕", "origin": "来自", "gifts": "收到的礼物", "trips": "去过的地方", "pets": "宠物", "books": "读过的书",
    "films": "看过的电影", "courses": "课程", "illnesses": "生过的病", "homes": "住过的地方", "partner": "伴侣",
    "activities": "爱好和运动", "instruments": "乐器", "events": "参加过的活动", "made": "做的东西", "dishes": "做过的菜", "concerts": "看过的演出",
    "causes": "公益", "games": "玩过的游戏", "collections": "收藏", "purchases": "买过的东西", "goals": "目标",
}  # fmt: skip
_NAMES = {
    "gifts": "gifts received", "trips": "been to", "books": "books read", "films": "films seen", "homes": "places lived",
    "events": "took part in", "dishes": "cooked", "concerts": "heard live", "purchases": "bought",
}  # fmt: skip


def wording(profile: Profile, budget: int) -> str:
    """The profile as lines of at most `budget` tokens."""
    chinese = tokens.wording_language(_sample(profile)) == "zh"
    kept: list[str] = []
    for line in _lines(profile, chinese=chinese):
        budget -= tokens.estimate_tokens(line) + 1
        if budget < 0:
            break
        kept.append(line)
    return "\n".join(kept) if len(kept) > 1 or profile.who.kin else ""


def label(name: str, *, chinese: bool) -> str:
    """A relation or a list as people call it."""
    plain = name.removeprefix(ATTRIBUTE)
    return _NAMES_ZH.get(plain, plain) if chinese else _NAMES.get(plain, plain)


def _sample(profile: Profile) -> str:
    for attribute in profile.attributes:
        for held in (*attribute.now, *attribute.earlier):
            return held.evidence[0].text
    for relationship in profile.relationships:
        return relationship.evidence[0].text
    for items in profile.lists.values():
        return items[0].evidence[0].text
    return profile.who.name


def _lines(profile: Profile, *, chinese: bool) -> Iterator[str]:
    colon, comma = ("：", "、") if chinese else (": ", ", ")
    who = profile.who
    others = [name for name in who.names if name != who.name]
    head = comma.join(dict.fromkeys([who.name, *([who.called] if who.called != who.name else []), *others]))
    yield f"【{head}】" if chinese else f"[{head}]"
    for attribute in profile.attributes:
        told = _attribute(attribute, chinese=chinese)
        if told:
            yield f"{label(attribute.name, chinese=chinese)}{colon}{told}"
    for each in profile.relationships:
        name = each.name or ("（名字不详）" if chinese else "(name not known)")
        ended = _until(each.until, chinese=chinese) if each.until is not None else ""
        yield f"{label(each.relation, chinese=chinese)}{colon}{name}{ended}"
    for kind, items in profile.lists.items():
        shown = [
            f"{each.what} ({to_iso(each.at)[:_DAY]})" if not chinese else f"{each.what}（{to_iso(each.at)[:_DAY]}）"
            for each in items[-_MOST_SHOWN:]
        ]
        more = len(items) - len(shown)
        rest = (f"，另有{more}项" if chinese else f", and {more} more") if more else ""
        yield f"{label(kind, chinese=chinese)}{colon}{comma.join(shown)}{rest}"


def _attribute(attribute: Attribute, *, chinese: bool) -> str:
    now = ("、" if chinese else ", ").join(_held(each, chinese=chinese) for each in attribute.now)
    over = ("、" if chinese else ", ").join(
        f"{each.value}{_until(each.until, chinese=chinese)}" for each in attribute.earlier
    )
    if not over:
        return now
    before = f"以前{over}" if chinese else f"before: {over}"
    return f"{now}；{before}" if now and chinese else f"{now}; {before}" if now else before


def _held(held: Held, *, chinese: bool) -> str:
    if held.since is None:
        return held.value
    day = to_iso(held.since)[:_DAY]
    return f"{held.value}（{day}起）" if chinese else f"{held.value} (since {day})"


def _until(until: int | None, *, chinese: bool) -> str:
    if until is None:
        return ""
    day = to_iso(until)[:_DAY]
    return f"（到{day}为止）" if chinese else f" (until {day})"


def joined(blocks: Sequence[str]) -> str:
    """Several profiles, one after another."""
    return "\n".join(block for block in blocks if block)
