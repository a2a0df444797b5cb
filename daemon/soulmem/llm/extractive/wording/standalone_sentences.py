"""Saying a speaker's sentence so that it stands alone: who, when, and no relative dates.

Where it is safe, first person becomes the speaker's name ("I went …" by Caroline: "Caroline went …"); anywhere
else the words stay as they were said, behind the speaker's name and the day ("Caroline (8 May 2023): My kids …").
Nothing is ever added but names, dates and the question an answer belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence

from soulmem.core.dates.adjacent_dates import is_denied
from soulmem.core.dates.date_parser import Wording, find_dates_after, render_day, resolve_dates
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.tense.english_verb_forms import IRREGULAR_PAST
from soulmem.llm.extractive.language.content_words import lexicon_for
from soulmem.llm.extractive.language.sentence_splitter import CJK, language_of

_LATIN = 0x2000  # code points below are those of letters and marks with blanks between them

# Labels that name a role instead of a person.
_ROLES = {
    "": ("", ""),
    "self": ("", ""),
    "user": ("User", "用户"),
    "human": ("User", "用户"),
    "assistant": ("Assistant", "助手"),
    "ai": ("Assistant", "助手"),
    "bot": ("Assistant", "助手"),
}
_ADVERBS = (
    r"(?:(?:just|really|also|always|recently|finally|even|actually|still|never|already|usually|sometimes|often|once|totally|absolutely|"
    r"currently|truly|only|then|almost|ever|probably|definitely|both|now|mostly|kinda|sorta) )*"
)
_SUBJECT = LazyPattern(rf"^I(?P<short>['’](?:m|ve|ll))? ?(?P<adverbs>{_ADVERBS})(?P<verb>[\w'’]+)?")
_MODAL = frozenset(
    """
    can can't can’t could couldn't couldn’t will won't won’t would wouldn't wouldn’t should
    shouldn't shouldn’t may might must cannot did didn't didn’t had hadn't hadn’t was wasn't wasn’t
    """.split()
)
_PAST = IRREGULAR_PAST | {"lived", "used", "loved", "hated"}
_BASE = frozenset(
    """
    love like enjoy hate prefer live work study want need think know feel play collect own speak
    teach run write believe hope plan remember miss adore wish bake cook paint draw sing dance swim
    hike drink eat wear drive walk travel volunteer practice practise mean keep make take get give
    see help trust agree understand suppose guess appreciate admire raise grow train coach meet
    visit start look dream try tend manage lead sell buy build design
    """.split()
)
_IRREGULAR_THIRD = {"have": "has", "do": "does", "go": "goes", "am": "is", "haven't": "hasn't", "don't": "doesn't"}
_RECURRING = CaselessPattern(r"\b(?:every|each)\b|days\b|(?:morning|evening|afternoon|night|weekend)s\b|每")
_TIMED = CaselessPattern(
    r"\b(?:days?|nights?|weeks?|weekends?|months?|years?|decades?|mornings?|evenings?|christmas|easter|new year"
    r"|january|february|march|april|june|july|august|september|october|november|december|\w+day)\b"
    r"|\d[/.]\d|'\d\d\b|[年月号节]|天(?![气才真生])|星期|礼拜|[上下]周|时候|[之以][前后]"
)
_COORDINATED = LazyPattern(r"\b(?:and|but|or|then) (?:\w+ly |also |just |really |still |always |never )?([\w'’]+)")
_OWN = CaselessPattern(r"my (?=[a-z])")
_SPEECH = LazyPattern('["“”]')
_OWN_CHINESE = LazyPattern(
    r"我(?=(?:大|小|二|亲|前|新|好|表|堂|双胞胎)*(?:妈|爸|父|母|姐|妹|哥|弟|老公|老婆|丈夫|妻子|媳妇|女儿|儿子|女朋友|男朋友|女友|男友|室友|闺蜜|"
    r"爷爷|奶奶|外公|外婆|姥|同桌|朋友|同事|同学|老板|领导|邻居|房东|叔|阿姨|舅|姑|姨|公公|婆婆|岳|嫂|发小|导师|老师|教练|孩子|手机|电话|生日|工作|老家))"
)
_FIRST_CHINESE = LazyPattern(r"我(?![们国校院司俩仨])")
_UNSAFE_CHINESE = LazyPattern(r"我[们俩仨]|咱|你|您|自我|本人")
# What somebody else says in his own words, without quotation marks: 念念出来第一句话，妈，我要吃火锅.
_SPOKEN_CHINESE = LazyPattern(
    r"(?:说|问|喊|叫|嚷|嘟囔|一句|句话)(?:的是|是|道)?[，,：:].*?我"
    r"|(?:^|[，,：:说喊叫问])老?(?:[妈爸姐哥]{1,2}|爹|娘|奶奶?|爷爷?|外[公婆]|姥[姥爷]|叔叔?|阿姨|老师|老板|师傅)[，,！!].*?我"
)


def display_name(speaker: str, language: str) -> str:
    """The name to write for a speaker; empty where the label says nothing ("self")."""
    english, chinese = _ROLES.get(speaker.strip().lower(), (speaker.strip(), speaker.strip()))
    return chinese if language == "zh" else english


def trimmed(text: str) -> str:
    """The sentence without its opening courtesy ("Oh, thanks! By the way, …"), if anything is left."""
    match = lexicon_for(language_of(text)).openers.match(text)
    if match is None:
        return text
    rest = text[match.end() :]
    if sum(1 for char in rest if char.isalnum()) < (3 if CJK.search(rest) else 8):
        return text
    return rest if CJK.match(rest) else rest[:1].upper() + rest[1:]


def day_tag(at_ms: int, language: str) -> str:
    return f"（{render_day(at_ms, 'zh')}）" if language == "zh" else f" ({render_day(at_ms, 'en')})"


def said(
    speaker: str, at_ms: int, sentences: tuple[str, ...], *, question: str = "", language: str, before: str = ""
) -> str:
    """Sentences of one speaker as one self-contained text with name and absolute date.

    `before`: what their message says before them, in which a month may be named that a day is of.
    """
    name = display_name(speaker, language)
    heard = [f"{before} {' '.join(sentences[:place])}".strip() for place in range(len(sentences))]
    dates = [
        span
        for own, each in zip(heard, sentences, strict=True)
        for span in find_dates_after(own, each, at_ms)
        if not is_denied(each, span)
    ]
    # What may be either of two days ("next Saturday") keeps its words. The day of saying it then stands in front, as it
    # does where something recurs, or where words tell a time that nobody can reckon ("the week before Christmas"):
    # behind these it would pass for the day that is meant.
    unsure = not all(span.certain for span in dates)
    dated = not unsure and any(span.wording is not Wording.COMPLETE for span in dates)
    recurring = any(_RECURRING.search(sentence) for sentence in sentences)
    spoken = [
        resolve_dates(sentence if question else trimmed(sentence), at_ms, before=own)
        for own, sentence in zip(heard, sentences, strict=True)
    ]
    tag = day_tag(at_ms, language)
    timed = not dated and any(_TIMED.search(sentence) for sentence in sentences)
    if name and not question and not unsure and not timed and (dated or not recurring):
        narrated = [narrate(sentence, name) for sentence in spoken]
        if all(narrated):
            joined = in_a_row([text for text in narrated if text])
            return joined if dated else _tagged(joined, tag)
    body = in_a_row(spoken)
    head = f"{name}{'' if dated and not question else tag}" if name else ("" if dated else render_day(at_ms, language))
    if language == "zh":
        return f"{head}被问“{question}”：{body}" if question else f"{head}：{body}".lstrip("：")
    if question:
        return f'{head}, asked "{question}": {body}'.lstrip(" ,")
    return f"{head}: {body}".removeprefix(": ")


def in_a_row(texts: Sequence[str]) -> str:
    """Sentences one after the other: Chinese ones without a blank, others with one."""
    text = ""
    for each in texts:
        apart = text and not (CJK.match(each[:1]) and ord(text[-1]) > _LATIN)
        text += f" {each}" if apart else each
    return text


def _tagged(text: str, tag: str) -> str:
    """The day put before the closing full stop."""
    body = text.rstrip(".!。！ ")
    return f"{body}{tag}{text[len(body) :].rstrip()}"


def untagged(text: str, at_ms: int) -> str:
    """The text without its own day, for a place that shows the day already."""
    for language in ("zh", "en"):
        tag = day_tag(at_ms, language)
        if tag in text:
            return text.replace(tag, "", 1)
        day = render_day(at_ms, language)
        if text.startswith((f"{day}：", f"{day}: ")):
            return text[len(day) + 1 :].lstrip()
    return text


def narrate(sentence: str, name: str) -> str | None:
    """The sentence in third person, or None where that would need more than exchanging its subject."""
    if language_of(sentence) == "zh":
        mixed = lexicon_for("en").first_person.search(sentence) is not None
        if sentence.startswith(f"{name}的") and not _FIRST_CHINESE.search(sentence):
            return sentence  # somebody of the speaker's: his name stands there already
        if mixed or name in sentence or _UNSAFE_CHINESE.search(sentence) or len(_FIRST_CHINESE.findall(sentence)) != 1:
            return None
        if _SPOKEN_CHINESE.search(sentence):
            return None
        return _FIRST_CHINESE.sub(name, _OWN_CHINESE.sub("我的", sentence, count=1), count=1)
    lexicon = lexicon_for("en")
    own = _OWN.match(sentence)
    if own is not None or sentence.startswith((f"{name}'s ", f"{name}’s ")):
        rest = sentence[own.end() :] if own is not None else sentence[len(name) + 3 :]
        if lexicon.first_person.search(rest) or lexicon.second_person.search(rest) or _SPEECH.search(rest):
            return None
        return f"{name}'s {rest}"
    match = _SUBJECT.match(sentence)
    if match is None:
        return None
    rest = sentence[match.end() :]
    if lexicon.first_person.search(rest) or lexicon.second_person.search(sentence):
        return None
    verb, adverbs, short = (match["verb"] or "").lower(), match["adverbs"], match["short"]
    if short:
        linked = {"m": "is", "ve": "has", "ll": "will"}[short[1:].lower()]
        return (
            None if short[1:] == "m" and _second_verb(rest) else f"{name} {linked} {adverbs}{match['verb'] or ''}{rest}"
        )
    if verb in _MODAL or verb in _PAST or (verb.endswith("ed") and verb not in {"need", "feed", "speed"}):
        return f"{name} {adverbs}{match['verb']}{rest}"
    third = _third_person(verb.replace("’", "'"))
    if third is None or _second_verb(rest):
        return None
    return f"{name} {adverbs}{third}{rest}"


def _third_person(verb: str) -> str | None:
    if verb in _IRREGULAR_THIRD:
        return _IRREGULAR_THIRD[verb]
    if verb not in _BASE:
        return None
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s")


def _second_verb(rest: str) -> bool:
    """Whether a second verb would need changing too ("I love it and hate that")."""
    return any(
        word.lower() in _BASE or word.lower() in _IRREGULAR_THIRD or word.lower() in {"i", "i'm"}
        for word in _COORDINATED.findall(rest)
    )
