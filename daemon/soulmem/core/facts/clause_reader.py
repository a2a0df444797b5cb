"""Clause reader: what one clause says is so, and of whom; the reader that `fact_reader` uses for each clause of a text.

Remembers of whom, and of which appointment, the last clause was, for those that leave it out or say "he" and "it".
Invariant: where it is not known of whom a clause is, it says nothing.
"""

# ruff: noqa: E501 (word lists stand on long lines, as tables)

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

from soulmem.core.facts import chinese_fact_patterns, english_fact_patterns
from soulmem.core.facts.relations import ANY, DOES, EVENT, PARTNERS, Mode, Reading, attribute
from soulmem.core.regex.lazy_regex import HAN_WIDE, CaselessPattern, LazyPattern, begin_of_tail
from soulmem.core.regex.regex_prefilter import may_hold, signs_of
from soulmem.core.text.tokens import fold

OWN = "›"  # between somebody and what is somebody's: "tom›sister"
_LATIN = LazyPattern("[A-Za-zÀ-ɏ]+")
_NOT = LazyPattern(
    r"(?:\b(?:not|never|n['’]t|no longer|don['’]t|doesn['’]t|isn['’]t|ain['’]t)|不|没|没有|从来不|从不)\s?(?:\w{1,40} )?$"
)
_PLACES = LazyPattern(
    r"(?:.{0,6}(?:市|省|县|镇|村|区)|北京|上海|广州|深圳|杭州|成都|南京|武汉|西安|重庆|苏州|天津|长沙|厦门|青岛|大连|香港|台北|东京|纽约|伦敦|"
    r"巴黎|新加坡|老家|家|家里|国外|外地|本地|海外)"
)  # fmt: skip
NAMED_AFTER = frozenset({"pet", "partner", "kin", "child"})
_NO_NAME = CaselessPattern(rf"(?:an?|the|my|from|\d)\b|{chinese_fact_patterns.JOB}$")
_NO_ATTRIBUTE = CaselessPattern(
    r"(?:\b(?:thing|problem|point|question|plan|idea|guess|bad|fault|life|day|week|head|heart|god|goodness|mood|back|feeling|favou?rite)|"
    r"今天|昨天|明天|心情|意思|问题|确|目的|时候|感觉|说法|错|的话|说话|最近|刚|刚刚|正|正好|现在|已经|一直|今早|今晚|晚上|早上|下午|上午|中午|后天|周末|真|有|是|都|就|还|也|不|没|人|事|样|最)$|^(?:the|a|an|only|own|whole|first|last|next|other|best|worst)$"
)
_NO_VALUE = CaselessPattern(
    r"(?:(?:so|very|really|too|pretty|quite|always|just|still|not|going|coming|getting|being|trying|doing|having|feeling|\w+ing|good|great|bad|fine|ok|okay|nice|cute|sick|ill|tired|"
    r"here|there|near|with|away|asleep|awake|home|back|late|early|happy|sad|angry|gone|dead|broken|lovely|beautiful|amazing|awesome|terrible|awful|better|worse|that|because|when|why|how|what|if|like|due|off|over|up|down|out|on|at|in)\b"
    r"|很|真|太|挺|最|非常|特别|说|觉得|因为|不|没|在(?!于)|要|会|能|想|好|坏|病|有|被|让|把|多|怎么|什么|这|那)"
)


def grammar_of(text: str) -> ModuleType:
    """The grammar of a clause, which may be in another language than what stands around it."""
    chinese = len(HAN_WIDE.findall(text))
    return chinese_fact_patterns if chinese and chinese >= len(_LATIN.findall(text)) else english_fact_patterns


class ClauseReader:
    """Reads one text; remembers of whom the last clause was, for those that leave it out."""

    def __init__(self, speaker: str) -> None:
        self._grammar: ModuleType = english_fact_patterns
        self._speaker = speaker
        self._last = speaker  # whom "he" and "she" mean
        self._unsaid = speaker  # of whom a clause without a subject is
        self._event = ""
        self._named = ""  # the name of the relative a clause is about
        self._of_other = False  # the last clause with a subject was told of somebody by a pronoun
        self._held: Reading | None = None  # somebody or something the speaker has, whose name may follow

    def read(self, clause: str) -> Iterator[Reading]:
        if len(clause) < 2:
            return
        self._grammar = grammar_of(clause)
        self._of_other = _OTHER_FIRST.match(clause) is not None or (self._of_other and not _SELF_FIRST.match(clause))
        named = self._grammar.ITS_NAME.fullmatch(clause)
        if named is not None:
            if self._held is not None:
                held, self._held = self._held, None
                for each in (named["o"] or named["p"], named.groupdict().get("q")):
                    if each:
                        yield replace(held, object=f"{held.object} {fold(each)}", said=f"{held.said} {clause}")
            return
        matches = list(self._matches(clause))
        found = False
        over = [match.span() for pattern, match in matches if pattern.mode is Mode.ENDED]
        for pattern, match in matches:
            inside = any(start < match.end() and match.start() < end for start, end in over)
            if inside and pattern.mode is not Mode.ENDED:
                continue
            if self._grammar.UNREAL.search(clause[: match.end()]):
                continue
            reading = self._reading(pattern, match, clause)
            if reading is not None:
                if reading.relation in NAMED_AFTER:
                    self._held = reading
                found = True
                yield reading
                yield from self._by_name(reading)
        if not found and not matches:
            yield from self._plainly(clause)

    def subject_before(self, before: str, clause: str) -> str | None:
        """Of whom it is said, by what stands before it in a clause; None where that is not known."""
        self._grammar = grammar_of(clause)
        subject = self._subject(before)
        if subject is not None:
            self._remember(subject)
        return subject

    def follow(self, clause: str) -> None:
        """Remember of whom a clause is that says nothing else of interest."""
        for _ in self.read(clause):
            pass

    def _plainly(self, clause: str) -> Iterator[Reading]:
        """What the speaker is or does as a rule, in whatever words: enough to be seen to be over."""
        if self._grammar is chinese_fact_patterns and (kin := _KIN_FIRST.match(clause)) is not None:
            self._remember(f"{self._speaker}{OWN}{_kind_of(kin['thing'])}")  # 我妈姓沈，今年六十一: the age is hers
            return
        self._notice(clause)
        match = self._grammar.PLAIN.match(self._grammar.LEAD.sub("", clause))
        if match is not None and not self._grammar.UNREAL.search(clause):
            yield Reading(self._speaker, DOES, self._trimmed(match["o"]), Mode.HOLDS, clause)

    def _notice(self, clause: str) -> None:
        """Remember of whom a clause is that says nothing else: "abi's older, lives in Cardiff", 房东姓梁，住一楼."""
        if self._grammar is english_fact_patterns and english_fact_patterns.I_FIRST.match(clause) is not None:
            self._unsaid = self._speaker
        elif (other := self._grammar.OTHER_HEAD.match(clause)) is not None:
            told = {key: value for key, value in other.groupdict().items() if value}
            if "thing" in told:
                self._remember(f"{self._speaker}{OWN}{told['thing']}")
            else:
                self._remember(fold(told["name"]) if "name" in told else self._subject(told["who"]) or self._last)

    def _remember(self, subject: str) -> None:
        self._last = self._unsaid = subject

    def _by_name(self, reading: Reading) -> Iterator[Reading]:
        """The same of a relative under the name that was given: "my husband Karl works at …" is said of Karl too."""
        if self._named and OWN in reading.subject:
            yield replace(reading, subject=self._named)

    def _matches(
        self, clause: str
    ) -> Iterator[tuple[english_fact_patterns.Pattern | chinese_fact_patterns.Pattern, re.Match[str]]]:
        if self._grammar is chinese_fact_patterns:
            held = frozenset(clause)
            chosen = [each for each in chinese_fact_patterns.PATTERNS if each.needs & held]
            for chinese in chosen:
                if match := chinese.pattern.search(clause):
                    yield chinese, match
            return
        signs = signs_of(clause)
        for english in english_fact_patterns.PATTERNS:
            if may_hold(signs, english.needs) and (match := english.pattern.search(clause)):
                yield english, match

    def _reading(
        self, pattern: english_fact_patterns.Pattern | chinese_fact_patterns.Pattern, match: re.Match[str], clause: str
    ) -> Reading | None:
        groups, relation, mode = match.groupdict(), pattern.relation, pattern.mode
        before = groups.get("s") if "s" in groups else clause[: match.start()]
        before = before or ""
        value = self._trimmed(groups.get("o") or "")
        if relation == EVENT:
            return self._of_event(groups, before, value, mode, clause)
        if relation in {"wedding", "visit"}:
            return self._of_occasion(relation, before, value, mode, clause)
        if relation == "life":
            return self._of_death(groups.get("n") or "", before, clause)
        if relation.startswith("of"):
            return self._of_attribute(groups, relation, before, value, mode, clause)
        if not value and "o" in groups and groups["o"]:
            return None
        if relation == ANY and _OTHERS.match(value):
            return None
        if self._unsaid == self._speaker and _OF_THIRD.match(clause) is not None and not self._bare(before):
            return None  # "My dad's in Whitby. Lives on his own": it is not who speaks
        if relation == "age" and (self._held is not None or self._of_other) and not self._bare(before):
            return None  # we have a cat, two years old; 她姓冯，今年六十五: not the speaker's age
        is_couple = relation == "couple"
        relation = "partner" if is_couple else relation
        couple = self._grammar.COUPLE.fullmatch(self._bare(before)) if relation == "partner" else None
        if is_couple and couple is None:
            return None
        if couple is not None:
            value, subject = value or fold(couple["n"] or couple["m"] or ""), self._speaker
        elif "s" in groups and not groups["s"]:
            subject = self._speaker
        else:
            subject = self._subject(before) or ""
        if not subject:
            return None
        if mode is not Mode.ENDED and _NOT.search(before):
            mode = Mode.ENDED
        if mode is Mode.HOLDS and self._grammar.BEFORE.search(clause[: match.end()]):
            mode = Mode.PAST
        if relation == "home" and mode is not Mode.ENDED and self._grammar.PASSING.search(clause):
            return None
        if relation == "work" and _PLACES.fullmatch(value):
            relation = "of:workplace"
        self._remember(subject)
        also = self._grammar.ALSO.search(clause) is not None
        return Reading(subject, relation, value, mode, clause, also)

    def _of_event(
        self, groups: dict[str, str | None], before: str, value: str, mode: Mode, clause: str
    ) -> Reading | None:
        named = _event_of(groups.get("n") or self._bare(before)) or self._event
        if not named:
            return None
        if named in {"birthday", "生日"}:
            return None
        self._event = named
        return Reading(named, EVENT, value, mode, clause)

    def _of_occasion(self, kind: str, before: str, value: str, mode: Mode, clause: str) -> Reading | None:
        """A wedding or a visit, by whose it is."""
        subject = self._subject(before)
        if subject is None:
            return None
        whose = self._named or subject.rpartition(OWN)[2]
        return Reading(kind if subject == self._speaker else f"{whose}'s {kind}", EVENT, value, mode, clause)

    def _of_death(self, named: str, before: str, clause: str) -> Reading | None:
        bare = named or self._bare(before)
        owned = self._grammar.POSSESSED.fullmatch(bare)
        who = fold(owned["thing"]) if owned else fold(bare)
        if not who or self._grammar.SPEAKER.fullmatch(bare) or _NO_ONE.search(who):
            return None
        of, has, one = who.replace("’", "'").partition("'s ")
        if not has and not who.startswith(("我", "咱", "家")):
            of, has, one = who.partition("的")
        if has:  # somebody else's
            return Reading(f"{self._speaker}{OWN}{of}", "life", one, Mode.ENDED, clause)
        if self._grammar.PRONOUN.fullmatch(bare):
            who = self._last.rpartition(OWN)[2]
            if self._last == self._speaker:
                return None
        else:
            self._remember(f"{self._speaker}{OWN}{who}")  # what follows is told of the dead: 奶奶走了，九十一岁
        return Reading(self._speaker, "life", who, Mode.ENDED, clause)

    def _of_attribute(
        self, groups: dict[str, str | None], relation: str, before: str, value: str, mode: Mode, clause: str
    ) -> Reading | None:
        thing = re.sub("^(?:我们?|咱们?)的?", "", (groups.get("k") or "").strip())
        if not thing or not value or _NO_ATTRIBUTE.search(thing) or _NO_VALUE.match(value):
            return None
        if thing.split()[0].lower() in PARTNERS and " " in thing:  # "my boyfriend Jonas is a nurse"
            return None
        if _KIN_BY_NAME.fullmatch(thing) is not None or chinese_fact_patterns.name_behind_kin(thing):
            return None  # "my mother May is seventy" tells of her, and not what she is
        subject = fold(groups.get("n") or "") or self._speaker
        if before.strip():
            found = self._subject(before)
            if found is None:
                return None
            subject = found
        named = attribute(thing.removeprefix("new ").removeprefix("新").removeprefix("的"))
        if named == "partner" and _NO_NAME.match((groups.get("o") or "").strip()):
            return None
        changed = (
            relation == "of+"
            or bool(groups.get("c"))
            or "now" in (groups.get("v") or "")
            or "to" in (groups.get("v") or "")
        )
        return Reading(subject, named, value, Mode.CHANGED if changed else mode, clause)

    def _trimmed(self, value: str) -> str:
        plain = value.strip(" ,，'\"“”「」")
        for _ in range(2):
            plain = self._grammar.TAIL.sub("", self._grammar.COUNTED.sub("", plain)).strip(" ,，'\"“”「」")
        return " ".join(fold(plain).split())

    def _bare(self, before: str) -> str:
        """What stands before a predicate, without what leads in and what fills."""
        plain = self._grammar.LEAD.sub("", before.strip()).strip()
        return str(plain[: begin_of_tail(self._grammar.FILLING, plain)]).strip(" ,，'’")

    def _subject(self, before: str) -> str | None:
        """Of whom it is said; None where that is not known."""
        plain = self._bare(before)
        grammar = self._grammar
        self._named = ""
        if grammar is chinese_fact_patterns and (reported := chinese_fact_patterns.REPORTED.match(plain)) is not None:
            plain = self._bare(plain[reported.end() :])
        if not plain:
            return self._unsaid
        if grammar.SPEAKER.fullmatch(plain):
            return self._speaker
        if grammar.PRONOUN.fullmatch(plain):
            return self._last if self._last != self._speaker else None
        owned = grammar.POSSESSED.fullmatch(plain)
        if owned is None and grammar is chinese_fact_patterns:
            owned = chinese_fact_patterns.named_relative(plain)
        if owned is not None:
            self._named = _name_in(owned["thing"])
            kind = _kind_of(owned["thing"])
            if self._named and kind in _SEVERAL_KIN:  # her cousin Ada is not her cousin Rosa
                return self._named
            return f"{self._speaker}{OWN}{kind}"
        named = grammar.NAME.fullmatch(plain)
        if named is None:
            return None
        of = f"{OWN}{_kind_of(named['thing'])}" if named["thing"] else ""
        return fold(named["name"]) + of


# Of a verb without a subject the form tells that it is somebody else's.
_OF_THIRD = LazyPattern(
    r"\s*(?:Still |Now |Just |Also )?(?:Lives|Works|Rents|Owns|Drives|Plays|Studies|Teaches|Goes|Has|Likes|Loves|Hates|Is)\b"
)
_OTHER_FIRST = LazyPattern(r"\W*[他她](?!们?家?的)")
_SELF_FIRST = LazyPattern(r"\W*(?:我|咱|俺|本人)")
_KIN_BY_NAME = LazyPattern(
    r"(?:mother|mum|mom|father|dad|sister|brother|son|daughter|aunt(?:ie)?|uncle|cousin|nan|gran|grandma|grandpa|niece|nephew) [A-ZÀ-Þ][\w'’-]*"
)
_KIN_FIRST = LazyPattern(rf"(?:我们?|咱们?)(?:家的?|的)?(?P<thing>{chinese_fact_patterns.KIN})(?!家|们|[和跟与])")
_NO_ONE = LazyPattern(r"[把将被]|^.{9,}$(?<=[\u4e00-\u9fff])")  # 大黄把鞋叼走了: nobody died
_SEVERAL_KIN = frozenset(
    "cousin friend colleague neighbour neighbor uncle aunt nephew niece 朋友 同事 邻居 同学 叔叔 舅舅 姑姑 阿姨 侄子 侄女 外甥 "
    "表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹".split()
)
_OTHERS = LazyPattern(r"(?!我|那|这|旧|老|新|自己|家里)[\u4e00-\u9fff]{1,4}的|(?:his|her|their|[\w-]+['’]s)\b")


def _name_in(thing: str) -> str:
    if chinese := chinese_fact_patterns.name_behind_kin(thing):
        return chinese
    return fold(" ".join(word for word in thing.split()[1:] if word[:1].isupper()))


def _kind_of(thing: str) -> str:
    """A relative or a thing without the name that stands behind: "sister Anna" is "sister"; partners are all one."""
    words = thing.removesuffix(chinese_fact_patterns.name_behind_kin(thing)).split()
    plain = fold(" ".join(word for word in words if not word[:1].isupper()) or thing)
    return "partner" if plain in PARTNERS else plain


def _event_of(words: str) -> str:
    plain = re.sub(
        r"^(?:(?:my|our|the|that|this|a|an|i['’]m|we['’]re|i|we|have|got|to|so|and|but|is)\b\s*)+",
        "",
        words.strip(),
        flags=re.I,
    )
    plain = re.sub(r"^(?:我们?的?|咱们?的?|那个?|这个?|的)+", "", plain)
    folded = " ".join(fold(plain).split()).strip(" ,，")
    return "" if folded in _NO_EVENTS else folded


_NO_EVENTS = frozenset(
    "it that this he she they there what here everything i we today tomorrow now 它 这 那 他 她 我 今天 明天 现在 时间 都 就".split()
)
