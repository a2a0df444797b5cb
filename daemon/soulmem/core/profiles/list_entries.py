"""List entries: what a text says that somebody got, read, saw, visited, was ill with, learnt, and who that is.

Called for the lists of a profile and for questions that ask for all of something ("what gifts did she get", 我都去过哪些
地方). A text is cut into clauses as facts are (`core/facts/fact_reader`), and whose an entry is is told by what stands
before it. What is asked, wished or supposed is no entry. Pure, and linear in the question. Invariants: at most 24
entries of a text; a clause is looked at once by each pattern whose words it has; the same for the same text; what
belongs to somebody's relative is no entry of his own list.
"""

# ruff: noqa: E501 (patterns and words stand on long lines, as tables)

from __future__ import annotations

import re
from collections.abc import Iterator

from soulmem.core.facts.clause_reader import ClauseReader, grammar_of
from soulmem.core.facts.fact_reader import sentences_of, subject_key
from soulmem.core.names.name_recogniser import NameKind, find_names
from soulmem.core.profiles.telling import LOOKED_AT, SOCIAL_ZH
from soulmem.core.regex.lazy_regex import HAN_WIDE, CaselessPattern, LazyPattern
from soulmem.core.regex.regex_prefilter import Needs, may_hold, needs_of, signs_of
from soulmem.core.text.tokens import fold
from soulmem.core.text.word_file import read_rows, read_sections
from soulmem.core.wordlists.important_events import CARED, CARED_ZH
from soulmem.fast_dataclasses import dataclass
from soulmem.text_memo import text_memo

KINDS = (
    "gifts", "trips", "pets", "books", "films", "courses", "illnesses", "homes", "activities", "instruments", "events",
    "made", "dishes", "concerts", "causes", "games", "collections", "purchases", "goals",
)  # fmt: skip
_MOST = 24
_CAPITAL = r"(?-i:[A-ZÀ-Þ])[\w'’&-]*"
NAMES = {
    "NAMED": _CAPITAL,
    "RECEIVER": rf"(?:me|us|him|her|them|(?:my|our) (?:\w+ )?{CARED}(?: {_CAPITAL})?|{_CAPITAL})",
    "RECEIVER_ZH": rf"(?:我们?|咱|他|她|(?:我们?|咱)?(?:家)?(?:的)?(?:{CARED_ZH}|同事|朋友|老师|室友)|[\u4e00-\u9fff]{{2,3}}(?=一))",
    "COUNTED_ZH": r"(?:一|两|二|三|几)?(?:条|块|本|台|束|只|个|件|双|套|支|把|张|部|盒|副|顶|瓶|幅|辆|对|枚|串|副|份|架|盆|包)(?!礼物)[\u4e00-\u9fffA-Za-z]{1,10}?(?=当|作为|做|，|。|！|,|送|谢|了|给|$)",
    "STUFF": r"[\w'’-]+(?: (?!for\b|from\b|as\b|when\b|because\b|on\b|last\b|this\b|at\b|yesterday\b|to\b)[\w'’-]+){0,5}",
    "STUFF_TO": r"[\w'’-]+(?: (?!for\b|from\b|as\b|when\b|because\b|on\b|last\b|this\b|at\b|yesterday\b|to\b)[\w'’-]+){0,5}",
    "NO_GIFT": r"(?!(?:an?|the|some|two|three|his|her|their|our) (?:(?:big|quick|little|lot|long|great|good|huge|ton|few|second|bit|lots|real|whole) ?(?:of )?)?(?:call|hug|hand|lift|ride|advice|chance|hope|feeling|sense|idea|boost|kiss|smile|look|tour|message|text|email|e-mail|letter|ring|break|push|reason|sign|tip|tips|shout|job|cold|flu|time|word|answer|warning|talk|lot|courage|strength|support|feedback|permission|answers|opportunity|day|days|hard)\b)",
    "THIS": r"(?:this|the|that|my|these|it) ?",
    "PLACE": rf"{_CAPITAL}(?: (?:(?:of|de|la|and the) )?{_CAPITAL}){{0,3}}",
    "PLACE_ZH": r"(?!我|他|她|你|了|过|不|公|医|超|学|上|那|这|哪|一|家|爸|妈|外面|单位)[\u4e00-\u9fff]{2,5}?",
    "LATIN_PLACE": r"(?-i:[A-ZÀ-Þ])[A-Za-zÀ-ÿ]+(?: (?-i:[A-Z])[A-Za-z]+)?",
    "TITLE": rf"(?:[\"“‘][^\"”’]{{2,60}}[\"”’]|{_CAPITAL}(?:,? (?:(?:of|the|a|an|and|in|to|for|on|from|with|at|de) ){{0,2}}{_CAPITAL}){{0,6}})",
    "ILLNESS": r"(?:flu|cold|covid|influenza|migraines?|pneumonia|bronchitis|tonsillitis|angina|asthma|diabetes|(?:\w+ )?cancer|arthritis|gastritis|stomach (?:bug|flu)|fever|measles|chickenpox|mumps|food poisoning|concussion|an(?:a)?emia|depression|anxiety|shingles|sinusitis|(?:ear |chest |throat |bladder |kidney )?infection|sciatica|hay ?fever|tinnitus|vertigo|hepatitis|appendicitis|scarlet fever|eczema|psoriasis|hernia|stroke|heart attack|slipped disc|kidney stones?|high blood pressure|osteoporosis|epilepsy|gout|insomnia|burnout)",
}  # fmt: skip
_WORDS = {
    name: "".join(words.split("\n")) for name, words in read_sections("core/profiles/list_words.txt").items()
}  # fmt: skip
_HOPED = frozenset({"goals"})  # lists of what is not so yet
_OF_ONE_KIND = frozenset(KINDS[:8])  # what is in one of these is in no other of them


@dataclass(frozen=True, slots=True)
class _Row:
    kind: str
    owner: str
    needs: Needs
    signs: frozenset[str]  # of Chinese
    pattern: LazyPattern


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list. `owner`: of whom, as facts name their subjects; `what`: as it was written."""

    kind: str
    owner: str
    what: str
    said: str


_ROWS = tuple(
    _Row(
        kind, owner, needs_of(needs) if needs.isascii() else (), frozenset("" if needs.isascii() else needs),
        CaselessPattern(pattern),
    )
    for kind, owner, needs, pattern in read_rows("core/profiles/list_patterns.txt", NAMES | _WORDS)
)  # fmt: skip
# Of what stands in a closed list of words several are told at once: "the violin and the piano", 画画和摄影.
_MORE = {
    kind: CaselessPattern(
        rf"(?:,? and | & |, | or )(?:the |my |an? |some |doing |playing )?(?P<en>{english})\b|(?:和|跟|、|，|还有|以及|也){{1,2}}(?P<zh>{chinese})"
    )
    for kind, english, chinese in (
        ("activities", "|".join((_WORDS["PASTIME"], _WORDS["OUTING"], _WORDS["SPORT"])), "|".join((_WORDS["PASTIME_ZH"], _WORDS["OUTING_ZH"], _WORDS["SPORT_ZH"]))),
        ("instruments", _WORDS["INSTRUMENT"], _WORDS["INSTRUMENT_ZH"]),
        ("games", _WORDS["GAME"], _WORDS["GAME_ZH"]),
        ("dishes", rf"(?:[\w-]+ ){{0,2}}?(?:{_WORDS['DISH']})", _WORDS["DISH_ZH"]),
    )
}  # fmt: skip
_MOST_MORE = 6
_BESIDE = 10  # characters of commas and articles beside each
_UNREAL = CaselessPattern(
    r"\b(?:if|wish|would|might|maybe|perhaps|could|thinking (?:of|about)|considering|dream(?:t|ed|ing)? (?:of|about)|imagine|hope to|hoping to|want(?:s|ed)? to|wanna|plan(?:s|ning)? to|"
    r"planning|should|almost|nearly|supposed to|never|not|n['’]t|going to|gonna|will|can['’]t wait)\b"
    r"|想|要是|如果|打算|准备去|计划|希望|梦到|没|不|别|差点|可能|要去")  # fmt: skip
_NO_TITLE = CaselessPattern(r"(?:I|It|The|A|My|Me|We|He|She|They|You|This|That|God|Mom|Dad|Mum|Oh|No|Yes|On|In|At)$")
_NO_PLACE = LazyPattern(
    r"(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August"
    r"|September|October|November|December|Christmas|Easter|I|English|God|Mom|Dad|Mum|Grandma|Grandpa)s?\b"
)
_NO_PLACE_END = LazyPattern(r"(?:医院|公司|学校|超市|单位|办公室|面试|上班|上学|年底|这里|那里|哪里|家里|地方)$")
_NOUN = CaselessPattern(r"(?:back|trip|weekends?|days?|nights?|weeks?|holidays?|vacation|train|road|hop|the year)\b")
_OTHERS = CaselessPattern(
    r"\b(?:he|she|they|his|her|their|you|your|who)\b|['’]s\b|\b(?:my|our) (?!weekend|holiday|day|trip)"
)
_ME = frozenset({"me", "us", "我", "我们", "咱"})
_THIRD = frozenset({"him", "her", "them", "他", "她"})
_WHOSE_ZH = LazyPattern(r"^(?:我们?|咱)?(?:家)?的?")
# Who comes along does not make it his: 跟朋友小雅去了.
_ALONG_ZH = LazyPattern(r"(?:跟|和|与|带着?|陪着?|同)(?:我们?家?的?)?[\u4e00-\u9fff]{1,5}(?:一起|一块)?$")
_KIN_ZH = LazyPattern(rf"(?:我们?|咱)?家?的?(?P<kin>{CARED_ZH}|{SOCIAL_ZH})")
_SELF_ZH = LazyPattern(r"(?:我们?|咱们?|俺)[^他她]{0,6}$")


@text_memo(4096)
def entries_of(text: str, speaker: str = "") -> tuple[Entry, ...]:
    """The entries of lists that a text tells: a message in first person, or a note about its speaker."""
    found: dict[tuple[str, str, str], Entry] = {}
    reader = ClauseReader(subject_key(speaker))
    for _, clauses in sentences_of(text, speaker):
        open_ended: Entry | None = None  # "the violin" of "the violin, the cello and a flute"
        for clause in clauses:
            told = list(_in_clause(reader, clause, speaker))
            if not told and open_ended is not None:
                told = [
                    Entry(open_ended.kind, open_ended.owner, what, clause) for what in _lone(open_ended.kind, clause)
                ]
            open_ended = told[-1] if told and told[-1].kind in _MORE and clause.endswith(told[-1].what) else None
            for entry in told:
                found.setdefault((entry.kind, entry.owner, fold(entry.what)), entry)
            if len(found) >= _MOST:
                return tuple(found.values())[:_MOST]
    return tuple(found.values())


def _in_clause(reader: ClauseReader, clause: str, speaker: str) -> Iterator[Entry]:
    rows = list(_matches(clause))
    taken: set[str] = set()
    for row, match in rows:
        if row.kind not in _HOPED and _UNREAL.search(clause[: match.start("o")]):
            continue
        what = _entry(row, match["o"], clause)
        thing = fold(what) if row.kind in _OF_ONE_KIND else f"{row.kind} {fold(what)}"
        if not what or thing in taken:
            continue
        owner = _owner(reader, row, match, clause, speaker)
        if owner:
            taken.add(thing)
            yield Entry(row.kind, owner, what, clause)
            for more in _more(row.kind, clause, match.end("o")):
                yield Entry(row.kind, owner, more, clause)
    if not rows:
        reader.follow(clause)


def _lone(kind: str, clause: str) -> Iterator[str]:
    """What a clause names of a list, if it is nothing but that."""
    found = list(_more(kind, f" and {clause}" if clause.isascii() else f"和{clause}", 0))
    if found and clause.endswith(found[-1]) and len(clause) <= sum(map(len, found)) + _BESIDE * len(found):
        yield from found


def _more(kind: str, clause: str, at: int) -> Iterator[str]:
    """What else of the same list stands right behind an entry."""
    pattern = _MORE.get(kind)
    for _ in range(_MOST_MORE):
        found = pattern.match(clause, at) if pattern is not None else None
        if found is None:
            return
        yield (found["en"] or found["zh"]).strip()
        at = found.end()


def _owner_zh(reader: ClauseReader, before: str, clause: str, speaker: str) -> str:
    """Of whom a Chinese clause is, which often leaves that out: then of whoever speaks, or was spoken of last."""
    plain = _ALONG_ZH.sub("", before)
    kin = _KIN_ZH.search(plain)
    if kin is not None:
        return reader.subject_before(f"我{kin['kin']}", clause) or ""
    if _SELF_ZH.search(plain):
        return subject_key(speaker)
    named = [each for each in find_names(plain) if each.kind is NameKind.PERSON]
    if named:
        return fold(named[-1].name)
    return reader.subject_before("他" if "他" in plain or "她" in plain else "", clause) or ""


def _matches(clause: str) -> Iterator[tuple[_Row, re.Match[str]]]:
    signs, held = signs_of(clause), frozenset(clause)
    for row in _ROWS:
        if (row.signs & held) if row.signs else may_hold(signs, row.needs):
            if row.signs:
                for match in row.pattern.finditer(clause):
                    yield row, match
            elif (found := row.pattern.search(clause)) is not None:
                yield row, found


def _entry(row: _Row, words: str, clause: str) -> str:
    kind, is_sure = row.kind, row.owner == "sure"
    what = words.strip(" ,，.'\"“”‘’")
    if kind in {"books", "films"} and (_NO_TITLE.match(what) or (not is_sure and _is_person(what, clause))):
        return ""
    if kind == "trips":
        if _NO_PLACE.match(what) or _NO_PLACE_END.search(what) or (not is_sure and _is_person(what, clause)):
            return ""
        if HAN_WIDE.match(what) and not _is_place(what, clause):
            return ""
    return what


def _is_person(what: str, clause: str) -> bool:
    return any(each.kind is NameKind.PERSON and each.name == what for each in find_names(clause))


def _is_place(what: str, clause: str) -> bool:
    return any(each.kind is NameKind.PLACE and each.name == what for each in find_names(clause))


def _owner(reader: ClauseReader, row: _Row, match: re.Match[str], clause: str, speaker: str) -> str:
    """Whose an entry is, as facts name their subjects; empty where that is not known."""
    if row.owner == "me":
        return subject_key(speaker)
    if row.owner in {"who", "sure"}:
        before = clause[: match.start()]
        if row.signs:
            return _owner_zh(reader, before, clause, speaker)
        subject = reader.subject_before(before, clause)
        if subject is None and _NOUN.match(match[0]) and not _OTHERS.search(before) and not find_names(before):
            return subject_key(speaker)  # "A work trip to Warsaw", "took the night train to Vienna"
        return subject or ""
    receiver = match["r"].strip()
    plain = fold(receiver)
    if plain in _ME:
        return subject_key(speaker)
    if plain in _THIRD:
        return reader.subject_before(receiver, clause) or ""
    if grammar_of(clause) is not grammar_of("a") and not plain.startswith(("我", "咱")):
        named = [each for each in find_names(receiver) if each.kind is NameKind.PERSON]
        if not named:
            receiver = f"我{receiver}"
        else:
            return fold(named[0].name)
    return reader.subject_before(_WHOSE_ZH.sub("我", receiver) if not receiver.isascii() else receiver, clause) or ""


def may_tell(text: str, kind: str) -> bool:
    """Whether a text may tell an entry of a list at all: a look at its patterns, before anybody asks whose it is."""
    seen = text[:LOOKED_AT]
    signs, held = signs_of(seen), frozenset(seen)
    return any(
        row.kind == kind
        and ((row.signs & held) if row.signs else may_hold(signs, row.needs))
        and row.pattern.search(seen) is not None
        for row in _ROWS
    )
