"""Mentioned people: whom a sentence speaks of that a later "she" may mean, and a pronoun put into words.

Read by `reading.pronoun_antecedents`. People are found as names (`core.names`) and as words for kin: the speaker's own
("my sister Ruth", 我老公建国, "Mum"), and those of whoever the sentence names ("Dave told me his wife …", "Callum has a
girlfriend"). What a word tells of somebody's sex is kept with him; of a bare name nothing is known. Invariant: only
what stands in the sentence is found; linear in the text. Pure, Chinese and English.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from soulmem.core.names.name_recogniser import NameKind, NameSpan, find_names
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.wordlists.important_events import CARED, CARED_ZH
from soulmem.fast_dataclasses import dataclass
from soulmem.llm.extractive.facts.third_person_facts import ANY, HE, SHE, Person, pronouns_of, subject_at
from soulmem.llm.extractive.language.english_lexicon import ENGLISH

_LONGEST = 240
_KIN = (
    rf"(?:best |good |old |close |new )?(?:friend|mate|boss|teacher|flat ?mate|room ?mate|neighbou?r|colleague|{CARED})"
)
_ROLE_ZH = rf"(?:{CARED_ZH}|细佬|大佬|老母|老豆|阿妈|阿爸|家姐|朋友|室友|舍友|同学|同事|老板|领导|组长|邻居|房东)"
_OWNED = CaselessPattern(
    rf"\b(?:(?P<my>my|our)|(?P<his>his|her)|(?P<whose>(?-i:[A-ZÀ-Þ])[\w-]+)['’]s|(?P<has>has|had|['’]s got|have got|got|met|there['’]?s) an?)"
    rf" (?:(?:late|older|younger|elder|little|lil|big|twin|baby|step|half|new|ex|former|dear)[- ])*(?P<kin>{_KIN})\b(?!['’]s {_KIN}\b)"
    r"|\b(?P<bare>mum|mom|dad|grandma|grandpa|granny|nan)\b(?!['’]s (?:mum|mom|dad))"
)
_OWNED_ZH = LazyPattern(
    rf"(?:(?P<my>(?:我们|咱们|我|俺|咱)的?家?的?)|(?P<his>[他她]的?))?(?P<kin>(?:大|小|二|三|亲|前|新)?{_ROLE_ZH})(?![\u4e00-\u9fff]?们)"
)
# Who is spoken of by a profession alone: "Doctor's nurse rang".
BY_PROFESSION = "nurse|doctor|surgeon|vet|landlord|manager|driver|consultant|receptionist"
# Somebody who is not named.
_SOMEBODY = CaselessPattern(
    r"\b(?:some(?:one|body)|(?:a|an|this|the|some|another) (?:\w+ )?(?:(?P<he>guy|boy|man|bloke|dude|lad|fell(?:a|ow)|chap)|(?P<she>girl|woman|lady|lass)))\b"
    rf"|\b(?:the|an?|this|that|some|another|my|our) (?:\w+ ){{0,2}}(?:{BY_PROFESSION}|cleaner|builder|plumber|waiter|trainer|coach|vicar|priest|dentist|postman|milkman|gardener|hairdresser|barber|solicitor"
    r"|lawyer|accountant|policeman|officer|specialist|electrician|mechanic|decorator|roofer|joiner|carpenter|butcher|caretaker|headmaster|headteacher|tutor|lecturer|professor|stranger|lodger|customer|client"
    r"|patient|student|baker|farmer|chef|agent|seller|buyer)\b(?!['’]s)"
    r"|(?:个|位|有)(?:(?P<he2>男朋友|男友|男生|男孩|男人|小伙子?|大叔|老头|男的|帅哥)|(?P<she2>女朋友|女友|女生|女孩|女人|姑娘|阿姨|老太太|大妈|女的|女仔)|人(?!家|们))"
)
_NAMED_AS = CaselessPattern(r"\bname(?:['’]?s| is) |\b(?:called|named) |叫")  # "a guy called Emeka"
_PLACE_CALLED = CaselessPattern(  # "a place called Timaru" is nobody
    r"\b(?:place|town|village|city|suburb|pub|bar|caf[eé]|farm|street|road|school|hotel|shop|company|firm|film|book|song"
    r"|game|app|band|club|boat|ship|island|lake|river|estate) (?:that['’]?s |which is )?(?:called|named) $"
)
_TELLS_NAME = CaselessPattern(
    r"\W*(?:(?:his|her)(?: \w+)? name(?:['’]?s| is)|(?:he|she)(?:['’]s| is) (?:called|named)|[他她](?:的名字)?(?:叫|名))"
)
_HE_SHE = CaselessPattern(r"\b(he|she|him|her|his)\b(?!['’]?(?:s[e]lf))|(?<![其吉])([他她])(?![们人乡])")
_BEGINS = CaselessPattern(
    r"(?:(?:(?:and|but|so|also|oh|well|anyway|plus|yes|yeah|no|hey|omg|lol|ha(?:ha)*|btw|ps|turns out|apparently"
    r"|(?:guess|you know|know) what|(?:(?:big|good|bad|great|more) )?news|update)(?: ?[,:!?.…-]+ ?| )){0,3}"
    r"|(?:(?:而且|但是?|不过|所以|另外|对了|哎呀?|唉|哦|噢|嗯|啊|哈{1,6}|天哪|好家伙|[你您]猜怎么[着样]|我?跟[你您]说|告诉[你您]"
    r"|[你您]知道吗|(?:有?个?[好坏大])?消息|听说|没想到|结果)[，,！!。：:…～~]*){0,3})"
    r"(he|she|his(?= \w)|her(?= \w)|[他她](?!们))(?![a-z])"
)
_SEX = {"he": HE, "his": HE, "him": HE, "他": HE, "she": SHE, "her": SHE, "她": SHE}
_OWNS = LazyPattern(r"['’]s (?!(?:called|named)\b)(?=[A-ZÀ-Þ])")
_CLAUSE_BEGINS = CaselessPattern(r"(?:^|[,.;:!?—–-])\s*(?:(?:and|but|so|oh|well|my|our) )*$")
_CLAUSE_ENDS = CaselessPattern(r"\s*(?:$|[,.;:!?()—–-]|(?:and|but|who)\b)")
# "he'd already posted it" and "he'd rather go", where a name stands in his place.
_HAD = CaselessPattern(
    r"['’]d(?= (?:(?:already|just|never|always|only|even|not|also) )*(?:better|been|gone|put|got|had|made|said|told|left|lost|found|bought"
    r"|brought|sold|kept|run|come|met|read|sent|cut|hit|let|set|shut|paid|thought|taught|caught|built|felt|held|heard|led|meant|slept"
    r"|spent|stood|won|begun|drunk|rung|sung|\w{2,}(?:ed|en|wn|ne))\b)"
)
_WOULD = CaselessPattern(r"['’]d\b")
_HIS_KIN = CaselessPattern(rf"\b(?P<his>his|her) {_KIN}\b")
# Between the word for what somebody is and his name: "my wife's name is Ines", 我室友叫欧阳雪.
_CALLED = CaselessPattern(
    r"(?:['’]s name(?:['’]s| is)| ?(?:\(|,|who(?:['’]s| is)|is|['’]s)?(?: called| named)?| his name is| her name is) ?"
    r"|(?:的?名字)?(?:叫做?|名叫|是)?[，,]?"
)
_IS = LazyPattern(r"(?:\w['’]s|\b(?:is|was)) $")
_QUOTED = LazyPattern(r"[\"“”「」《]")
_I = CaselessPattern(r"\bi\b")
_LAST_CLAUSE = LazyPattern(r"[,，、;；:：.!?。！？]\s*")
_TITLE = LazyPattern(rf"mr|mrs|ms|miss|dr|{_KIN}")
_TITLED = CaselessPattern(r"\b(?:(?P<he>mr|sir|uncle)|(?P<she>mrs|ms|miss|lady|aunt(?:y|ie)?))\.? $")
_TITLED_ZH = LazyPattern(
    r"(?:(?P<he>先生|叔|伯|哥|大爷|爷爷|舅)|(?P<she>女士|小姐|太太|阿姨|姐|姨|婶|嫂|奶奶|大妈|妹))$"
)
_COMPOUND_AHEAD = LazyPattern(r"\b([A-ZÀ-Þ][\w'’-]+) $")  # "Town Hall", "Big Trev"
# Who else is the subject before a pronoun can nobody be whom that means: "I think he …", "they found out when he …".
_OWN_SUBJECT = CaselessPattern(
    r"\W*(?:(?:and|but|so|also|oh|well|then|because|if|when|yesterday|today|now) )*"
    r"(?:(?:i|we|they|it|you|says?|said|thinks?|i?['’]?m|ive)\b|$)"
    r"|\W*(?:not [\w' ]{2,30}|不是[^，,。]{1,12})[，,]?\s*$"
    r"|\W*(?:[昨今明前后]天|今晚|昨晚|刚才?|上周|最近|其实|所以|但是?|不过|然后|要是|如果|还|也|就|结果)*(?:我|咱|俺|你|$)(?!的)"
)
_HER_OBJECT = CaselessPattern(r"her\b(?:\W*$|[,.!?;:]| (?:(\w+)))")


@dataclass(frozen=True, slots=True)
class Mention:
    """Somebody spoken of, at `start` of the sentence."""

    person: Person
    start: int


def people_in(
    text: str, speaker: str, known: tuple[Person, ...] = (), talking: frozenset[str] = frozenset(), *, chinese: bool
) -> tuple[Mention, ...]:
    """Who is spoken of in a sentence, in order, each once.

    `speaker`: the name of whoever says it, whose kin "my sister" is; `known`: people spoken of before; of them more is
    known than a bare name tells; `talking`: the names of who takes part, who are called and not spoken of.
    """
    if len(text) > _LONGEST:
        return ()
    talking = talking | {speaker.casefold()}
    found: dict[str, Mention] = {}
    taken: list[tuple[int, int]] = []
    names = _names(text, talking, _given(known))
    for mention, end, name in _kin(text, speaker, names, chinese=chinese):
        earlier = next((each for each in known if each.name in (mention.person.name, mention.person.shown)), None)
        found.setdefault(
            mention.person.shown, Mention(earlier or mention.person, mention.start) if not name else mention
        )
        taken.append((mention.start, end))
    is_called = bool(names) and _NAMED_AS.search(text) is not None
    somebody = {match.start(): _sex_said(match) for match in _SOMEBODY.finditer(text)}
    for start, sex in () if is_called else somebody.items():
        found.setdefault("", Mention(Person("", "", sex), start))
    for start, name in names:
        if any(first <= start < last for first, last in taken):
            continue
        sex = next((somebody[at] for at in reversed(somebody) if at < start), ANY) if is_called else ANY
        if sex == ANY:
            others = (*(at for at, _ in names), *somebody, *(at for at, _ in taken))
            until = min((at for at in others if at > start), default=len(text)) if start == min(others) else start
            sex = _sex_of(text, start, name, len(names) + len(found), until)
        earlier = next((each for each in known if name in (each.name, each.name[-2:])), Person(name, name, sex))
        person = replace(earlier, pronouns=sex) if earlier.pronouns == ANY else earlier
        found.setdefault(name, Mention(person, start))
    return tuple(sorted(found.values(), key=lambda each: each.start))


def _given(known: tuple[Person, ...]) -> list[str]:
    """The names of people, and by which part of them they are called: 周子轩 is 子轩 to his own."""
    return [part for each in known for part in (each.name, each.name[-2:] if len(each.name) == 3 else "") if part]


def _is_part(text: str, each: NameSpan) -> bool:
    """Whether a word with a capital may be part of another name, or no name at all: Town Hall, "Double-decker went"."""
    ahead = _COMPOUND_AHEAD.search(text[: each.start])
    if ahead is not None:
        word = ahead[1].lower()
        is_whose = word.endswith(("'s", "’s")) or _TITLE.fullmatch(word) is not None
        return word not in ENGLISH.stop and not is_whose
    return each.start == 0 and re.fullmatch(r"\w+-[a-z]+", each.name) is not None


def _names(text: str, talking: frozenset[str], known: list[str]) -> list[tuple[int, str]]:
    quoted = [match.start() for match in _QUOTED.finditer(text)]
    return [
        (each.start, each.name)
        for each in find_names(text, known)
        if each.kind is NameKind.PERSON and each.name.casefold() not in talking
        and sum(place < each.start for place in quoted) % 2 == 0
        and (each.name in known or not _is_part(text, each))
        and _PLACE_CALLED.search(text, max(0, each.start - 40), each.start) is None
    ]  # fmt: skip


def _kin(text: str, speaker: str, names: list[tuple[int, str]], *, chinese: bool) -> Iterator[tuple[Mention, int, str]]:
    """The kin a sentence speaks of: whom, where the words for him end, and the name that stands with them."""
    pattern = _OWNED_ZH if chinese else _OWNED
    own: list[str] = []
    for match in pattern.finditer(text):
        groups = match.groupdict()
        word = groups.get("bare") or match["kin"]
        owner = speaker
        if groups.get("whose"):
            owner = groups["whose"] or ""
        elif match["his"] or groups.get("has"):
            before = [
                name for start, name in names if start < match.start() and not _is_named(text, start, match)
            ] + own
            if not before and not match["his"] and _I.search(text, 0, match.start()):
                before = [speaker]
            owner = before[0] if len(before) == 1 else ""
        elif chinese and not match["my"] and re.search(r"[的他她人个位名]$", text[: match.start()]):
            owner = next((name for start, name in names if start + len(name) + 1 == match.start()), "")
            if text[match.start() - 1] != "的" or not owner:
                continue
            taken_from = match.start() - len(owner) - 1
            person = Person(f"{owner}的{word}", f"{owner}的{word}", pronouns_of(word, chinese=chinese))
            yield Mention(person, taken_from), match.end(), ""
            continue
        behind = ((start, name) for start, name in names if start >= match.end())
        at, called = next(behind, (0, ""))
        if called and (not _CALLED.fullmatch(text, match.end(), at) or _is_owned(text, match, at + len(called))):
            at, called = 0, ""
        word = word if chinese else word.lower()
        if match["my"] and not called:
            subject = subject_at(text, match.start(), speaker, chinese=chinese)
            at = match.end()
            if subject is not None and text.startswith(subject.name, at):
                called = subject.name
        if not owner:  # somebody else's: who he is, is not said
            end = at + len(called) if called else match.end()
            yield Mention(Person(called, called, pronouns_of(word, chinese=chinese)), match.start()), end, called
            continue
        shown = f"{owner}的{word}" if chinese else f"{owner}'s {word}"
        full = f"{shown}{'' if chinese else ' '}{called}" if called else shown
        end = at + len(called) if called else match.end()
        own = [*own, full] if owner == speaker else own
        yield Mention(Person(called or shown, full, pronouns_of(word, chinese=chinese)), match.start()), end, called


def _is_owned(text: str, kin: re.Match[str], end: int) -> bool:
    """Whether what stands behind "dad's" and ends at `end` is his: "they took dad's Rover", not "Dad's Mick, 79"."""
    if _OWNS.match(text, kin.end()) is None:
        return False
    begins = _CLAUSE_BEGINS.search(text[: kin.start()]) is not None
    return not (begins and _CLAUSE_ENDS.match(text, end) is not None)


def _is_named(text: str, start: int, kin: re.Match[str]) -> bool:
    """Whether the name at `start` is that of the kin: "Sam is her boyfriend"."""
    return _IS.search(text, start, kin.start()) is not None


def _sex_said(somebody: re.Match[str]) -> frozenset[str]:
    return {"he": HE, "sh": SHE}.get((somebody.lastgroup or "")[:2], ANY)


def _sex_of(text: str, start: int, name: str, people: int, until: int) -> frozenset[str]:
    """What a sentence tells of the sex of somebody it names: "Mrs Odum", "Callum … when he was three".

    `until`: where it speaks of another, where he is the first of whom it speaks.
    """
    titled = _TITLED.search(text[:start]) or _TITLED_ZH.search(name)
    if titled is not None and titled.lastgroup:
        return HE if titled.lastgroup == "he" else SHE
    if people > 1:
        if (first := _HE_SHE.search(text, start, until)) is not None:
            return _SEX[first[0].lower()]
        match = _HIS_KIN.search(text, start)
        return _SEX[match["his"].lower()] if match is not None and people == 2 else ANY
    sexes = {_SEX[match[0].lower()] for match in _HE_SHE.finditer(text, start)}
    return next(iter(sexes)) if len(sexes) == 1 else ANY  # "Lucia covered for him because he asked her to"


def pronoun_in(text: str) -> tuple[int, int, str, bool] | None:
    """The first "he", "she", "her" … of a sentence: its span, the pronoun, and whether the sentence begins with it.

    Within a clause that has a subject of its own it may mean that, or whom the clause before speaks of: none is given.
    """
    match = _BEGINS.match(text)
    if match is not None:
        return match.start(1), match.end(1), match[1].lower(), True
    match = _HE_SHE.search(text) if len(text) <= _LONGEST else None
    if match is None or sum(place.start() < match.start() for place in _QUOTED.finditer(text)) % 2:
        return None
    ahead = text[: match.start()]
    clause = _LAST_CLAUSE.split(ahead)[-1]
    if not (_OWN_SUBJECT.match(clause) and (clause.strip() or _OWN_SUBJECT.match(ahead))):
        return None
    return match.start(), match.end(), match[0].lower(), False


def pronoun_begins(text: str) -> bool:
    """Whether a sentence begins with "he", "she", 他 or 她."""
    return _BEGINS.match(text) is not None


def is_nameless(person: Person) -> bool:
    """Whether he is known by a word for kin alone."""
    return person.name == person.shown and ("'s " in person.name or "的" in person.name)


def tells_name(text: str) -> bool:
    """Whether a sentence that begins with a pronoun tells the name of whom it means, who has none yet, then."""
    return _TELLS_NAME.match(text) is not None


def pronouns_in(text: str) -> frozenset[str]:
    """For whom the first "he" or "she" of a sentence may stand, wherever that is; empty where it has none."""
    match = _HE_SHE.search(text)
    return _SEX[match[0].lower()] if match is not None else frozenset()


def sexes_in(text: str) -> set[frozenset[str]]:
    """The sexes of all whom the pronouns of a sentence stand for."""
    return {_SEX[match[0].lower()] for match in _HE_SHE.finditer(text[:_LONGEST])}


def in_words(text: str, at: tuple[int, int, str, bool], person: Person, *, chinese: bool) -> str:
    """The sentence with the person named: in place of the pronoun it begins with, else behind the pronoun."""
    start, end, pronoun, begins = at
    if not begins:
        own = "'s" if not chinese and (pronoun == "his" or (pronoun == "her" and _is_possessive(text, start))) else ""
        named = f"（{person.shown}）" if chinese else f" ({person.shown}{own})"
        return f"{text[:end]}{named}{text[end:]}"
    own = "'s" if pronoun in {"his", "her"} else ""
    for short, full in ((_HAD, " had"), (_WOULD, " would")):
        if (match := short.match(text, end)) is not None:
            return f"{text[:start]}{person.shown}{full}{text[match.end() :]}"
    return f"{text[:start]}{person.shown}{own}{text[end:]}"


def _is_possessive(text: str, start: int) -> bool:
    """Whether the "her" that stands there is followed by what is hers."""
    match = _HER_OBJECT.match(text, start)
    return match is not None and match[1] is not None and match[1].lower() not in ENGLISH.stop
