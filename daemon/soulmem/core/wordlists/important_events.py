"""Words of what a friend does not forget, by reason, Chinese and English (algorithms.md §8.2).

Read by `importance_rating` alone. Each row is a reason, how much what it tells of matters (0..1), English words and Chinese
ones; a row whose words are undone by a "not" before them says so. Patterns are flat: no repetition within another, so a
search is linear in the sentence.
"""

# ruff: noqa: E501 (a row stands on long lines, as a table)

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text.word_file import read_rows


class Reason(StrEnum):
    """What makes a text matter, or not."""

    EMPHASIS = "emphasis"
    ALLERGY = "allergy"
    MEDICINE = "medicine"
    HEALTH = "health"
    DEATH = "death"
    BIRTH = "birth"
    PARTNERSHIP = "partnership"
    FAMILY = "family"
    NAME = "name"
    BIRTHDAY = "birthday"
    PROMISE = "promise"
    FEAR = "fear"
    DISLIKE = "dislike"
    DIET = "diet"
    SECRET = "secret"  # noqa: S105 (a kind of matter)
    DANGER = "danger"
    IDENTITY = "identity"
    DATE_AHEAD = "date_ahead"
    TURN = "turn_of_life"
    MONEY = "money"
    LASTING = "lasting"
    PEOPLE = "people"
    FEELING = "feeling"
    EVENT = "event"
    PLAIN = "plain"
    WEATHER = "weather"
    MEAL = "meal"
    CHORE = "chore"
    TRANSIT = "transit"
    PASTIME = "pastime"
    MOMENT = "moment"
    THING = "small_thing"
    QUESTION = "question"
    UNREAL = "unreal"
    COURTESY = "courtesy"


class Row(NamedTuple):
    reason: Reason
    value: float
    pattern: LazyPattern
    undone: bool  # by a negation before it


def words_of(english: str, chinese: str) -> LazyPattern:
    """Words of English as whole words, of Chinese wherever they stand."""
    return CaselessPattern(rf"\b(?:{english})\b|{chinese}")


KIN = (
    r"(?:mum|mom|mama|mother|dad|papa|father|parents|sister|brother|twin|son|daughter|wife|husband|partner|fianc[eé]e?|girlfriend|boyfriend|"
    r"bf|gf|ex|kids?|child|children|baby|little (?:girl|boy|one)|grand\w+|nan|nana|gran|granny|grandma|grandpa|aunt\w*|uncle|cousin|niece|nephew|"
    r"step\w+|(?:mother|father|sister|brother|son|daughter)-in-law|god(?:son|daughter|child|mother|father)|kiddos?|hubby|missus|best friend|in-laws)"
)
KIN_ZH = (
    r"(?:妈妈?|爸爸?|母亲|父亲|老母|老豆|细佬|家姐|阿婆|阿公|爸妈|父母|姐姐?|妹妹?|哥哥?|弟弟?|老公|老婆|老伴儿?|老头子|那口子|丈夫|妻子|爱人|对象|媳妇|男朋友|女朋友|男友|女友|未婚夫|未婚妻|前夫|前妻|前任|"
    r"儿子|女儿|闺女|孩子们?|(?<!海绵)宝宝|娃|双胞胎|外孙女|外孙|孙子|孙女|重孙|继子|继女|养子|养女|干儿子|干女儿|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔?|姑姑?|舅舅?|姨妈?|婆婆|公公|岳父|岳母|丈母娘|嫂子|侄子|侄女|外甥女?|表[哥姐弟妹]|堂[哥姐弟妹]|闺蜜|发小)"
)
CARED = rf"(?:{KIN}|dog|cat|puppy|kitten|rabbit|parrot|horse|tortoise|hamster)"
CARED_ZH = rf"(?:{KIN_ZH}|狗|猫|兔子|鹦鹉|乌龟|仓鼠)"
# What people are afraid of, of which nobody says so by "I can't do spiders" of anything else.
_SHUNNED = (
    r"(?:spiders?|snakes?|moths?|wasps?|bees|mice|rats|birds|clowns?|heights|needles?|blood|lifts?|elevators?|flying|planes?|tunnels?|crowds"
    r"|the dark|deep water|open water|dogs|thunder|small spaces|tight spaces|dentists?|hospitals?|bridges|ladders)"
)

VITAL: tuple[Row, ...] = tuple(
    Row(Reason[reason.upper()], float(value), words_of(english, chinese), bool(undone))
    for reason, undone, value, english, chinese in read_rows("core/wordlists/important_events.txt", globals())
)
EMPHASIS = CaselessPattern(
    r"\b(?:(?:please|pls|plz|do|you must|make sure (?:you|to)|try to)(?: please| to)? remember|remember(?: this\b| that (?:i|my)\b|(?= ?[:,]))|(?:please )?(?:don['’]?t|do not|never)(?: (?:you|ever|let me))? forget|(?<!not )(?<!n['’]t )(?:really|very|so|super|extremely|most|quite|vitally) important|(?<!not )(?<!that )(?<!how )important(?:ly)?(?= ?[:!,—–-])|keep (?:this |that |it )?in mind|"
    r"(?:take|make a) note(?: of)?|note (?:this|that|it) down|write (?:this|it|that) down|mark my words|i need you to (?:know|remember)|you (?:need|have|ought) to (?:know|remember)|this matters|matters (?:a lot|so much)|just so you know|fyi|seriously,? (?:do|never|please)|crucial|vital(?:ly)?|this is no joke|i['’]?m serious)\b"
    r"|一定(?:要|得)?(?:给我)?(?:记|知道)|千万(?:要|得|别|不要|不能|记)|(?:别|不要|可别|不许|不能)(?:给我)?忘|(?:请|帮我|给我|你要|你得|你)(?:一定)?记(?:住|好|牢|着|一下|得)|记住(?:啊|了|哦|：|，|,|:|！|!|$)|牢记|切记|务必|(?:很|非常|特别|真的|超|超级|最|极其|相当)(?:的)?重要|重要的(?:是|事)|重点(?:是|来了)|划重点|认真(?:的|说)|记(?:下来|一下|到小本本)"
)
# A promise to keep something in mind is a manner of speaking.
TO_REMEMBER = CaselessPattern(
    r"\b(?:promise|swear|vow|promised)(?: (?:you|that|to|i['’]?ll|i will|i['’]?d|never|always|not|it)){0,4} (?:remember|forget|keep (?:it|that|this) in mind)|\bi(?:['’]ll| will)(?: always| never| not)? (?:remember|forget|keep (?:it|that|this) in mind)"
    r"|(?:保证|答应|发誓|承诺)(?:你)?[，,]?(?:我)?(?:一定|会|绝对|肯定|以后|绝|永远){0,3}(?:都)?(?:记|不会忘|不忘|忘不了)|我(?:会|一定|一定会|肯定会)(?:好好)?(?:记|不会忘)"
)
DENIED_AHEAD = CaselessPattern(
    r"(?:\b(?:not|never|no|nobody|without|no one|isn['’]?t|aren['’]?t|wasn['’]?t|don['’]?t|doesn['’]?t|haven['’]?t|hasn['’]?t)|n['’]t)(?: [\w'’]+){0,2} ?$|(?:不|没|没有|未|别|不会|没人|不是|并不)(?:对[^，。]{0,6})?$"
)
