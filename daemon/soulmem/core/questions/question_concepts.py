"""Question concepts: what a question asks for, as units that an answer may say in other words than the question.

Called by `core.search.relevance_scoring` when a question is read; `core.search.question_coverage` measures how much of
a question an item covers. A unit is one content word of the question with every term by which an answer may say it: its
own forms, words that mean the same, words that are a case of it (`core.questions.concept_table`). Chinese has no
spaces, so its runs are cut at the words of the table, at grammar and at words that say little; what is left stands as
pairs. Invariants: pure; the units depend on the text alone; a text without a content word has the units of the words
that it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soulmem.core.names import chinese_names, english_names, other_script
from soulmem.core.names.name_spans import NameSpan
from soulmem.core.questions.concept_table import CASES, IRREGULAR, TABLE
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.text import tokens
from soulmem.core.text.chinese_segmenter import Stretch, cut, is_word
from soulmem.core.wordlists.important_events import KIN, KIN_ZH
from soulmem.fast_dataclasses import dataclass

Hashes = NDArray[np.uint32]

# How well a word answers for the one that was asked with.
_SAME = 0.9  # means the same
_CASE = 0.75  # is a case of it, or goes with it
_PART = 0.35  # one character of a pair

# How much a unit weighs before its rarity counts.
_GENERAL = 0.3  # says what kind of answer is wanted, and seldom stands in it
_KNOWN = 1.3  # a word of the table: what is asked about whoever is named
_LONE = 0.7  # a single character that is no known word
_KIND = 0.5  # of what kind the answer is, beside what is asked
TELLING = 0.6  # what weighs so much says something
ASKED = _KIND  # what weighs so much is asked for, if nothing else is
_ENOUGH = 2  # words that say little, and together something
_MOST_UNITS = 24
_PAIR = 2
_LONGEST_WORD = 4
_OFFERED_BITS = 14.0  # as common as words of talk are
# Who is spoken of, and that something is asked: never a part of what is asked for.
_NO_CONTENT = LazyPattern(
    "[我你您他她它咱俺]们?|为?什么样?|为?啥|怎么[样了]?|怎样|哪[里儿个些位种天年]?|为何|多少|几(?!岁)[个位次]?|谁|是不是|有没有"
    "|[吗呢吧嘛呀啊了着过的得]+(?=$|[^\u4e00-\u9fff])"
)

_GENERAL_EN = frozenset(
    """name call kind type sort thing stuff people person someone anyone many much lot bit way event activity idea
    do go get have make take give say tell know think come put see look find keep let happen try mean feel use need
    good bad best new last first next recent recently current currently ever still usual usually always often
    time date day week month year morning afternoon evening night today tonight yesterday tomorrow now ago later
    ask talk mention describe help called named name's full share something anything everything else same different
    mr mrs ms dr please remember remind actually really specific particular one two three big small place
    hello hi hey thanks thank bye
    mustnt shouldnt mightnt
    like love enjoy favourite favorite prefer get got getting been going mine hers""".split()
)
_GENERAL_ZH = frozenset(
    """名字 名称 叫做 什么 东西 事情 时候 时间 地方 样子 知道 觉得 记得 最近 现在 今天 昨天 明天 平时 经常 可以 应该
    告诉 打算 之前 以前 后来 原来 一起 一个 有没 没有 还是 有些 一些 有点 今年 去年 明年 星期 礼拜 周末 上午 下午
    晚上 早上 自己 大家 我们 他们 她们 你们 咱们 咱 叫 做 去 来 说 想 看 用 给 会 要 能 到 过 得 被 最 家 人 事 年 月
    日 天 周 几 多 少 大 小 里 上 下 前 后 新 好 出 样 点 些 每 次 种 谁 哪 怎 么 完 嘛 呗 哦 啦 哈 呃 嗯 请 问 让 使
    当 因 起 打 如 只 干 再 才 又 没 跟 同 向 刚 正 太 真 比 更 喜欢 爱 最爱 爱吃 以前 曾经 那个 这个
    家里 那边 这边 那里 这里 面前 大名 小名 全名 名叫""".split()
)
# What follows says of what kind the answer is, which seldom calls itself so: "which city", "how high", 什么颜色.
_KIND_ASKED = CaselessPattern(r"\b(?:(?:what|which)(?:['’]s)? (?:(?:kind|sort|type|breed) of )?|how )([a-z]+)\b")
_KIND_ASKED_ZH = LazyPattern(r"(?:什么样?的?|哪[一个种座家位类些款本部首条门所]{0,2})([\u4e00-\u9fff]{2})")
# Whoever owns, and kin: of him something is asked, so what says nothing but him answers nothing.
_OWNERS = CaselessPattern(rf"\b(\w+)(?:['’]s|(?<=s)['’])(?=\s+\w)|\b(?:my|our|your|his|her) ({KIN})(?= \w)")
# What one does with it says little beside what it is: 开什么车, 弹哪种琴.
_LIGHT_VERB = LazyPattern("[\u4e00-\u9fff](?=[了过着]?(?:什么样?的?|哪[一]?[种门款])[\u4e00-\u9fff])")
_OWNERS_ZH = LazyPattern(rf"({KIN_ZH})(?=[\u4e00-\u9fff])")
# What legs do for fear: 见了啥就走不动道, 迈不开腿.
_PICTURED_FEAR = LazyPattern("(?:走不动道|迈不开腿|腿就?(?:发)?软|绕着走|绕道走|躲着走|不敢动弹)")
_GIVEN_UP = CaselessPattern(r"\b(?:giv(?:e|en|es|ing)|gave) (?:it |them )?up\b")
_GIVING = frozenset(("give", "given", "gives", "giving", "gave", "giv"))
# "What does he do for a living" asks for work; "where do I live", of the same stem, for none.
_FOR_A_LIVING = CaselessPattern(r"\b(?:for|earns?|earning|makes?|making|made) (?:an?|my|your|his|her|their) living\b")
_LIVING = tokens.stemmed("living")
_HAN = LazyPattern("[\u3400-\u4dbf\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a question: terms by unit, each with how well it answers for it.

    Parallel arrays; `unit[i]` says whose term `terms[i]` is, the first of each is its own; `weights` are by unit,
    `names` as well: whether it names somebody or something, of whom the rest is asked.
    """

    terms: Hashes = field(default_factory=lambda: np.zeros(0, dtype=np.uint32))
    strengths: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, dtype=np.float32))
    unit: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    weights: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, dtype=np.float32))
    names: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def tells(self) -> bool:
        """Whether any says more than what kind of answer is wanted."""
        return bool(len(self.weights)) and float(self.weights.max()) >= TELLING


class _Answers(NamedTuple):
    """The terms by which an answer may say a word, its own first, and how well each answers for it."""

    terms: Hashes
    strengths: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """`answers`: by term that asks; `offered`: Chinese words that ask or say little and stand in no other table."""

    answers: Mapping[str, _Answers]
    offered: frozenset[str]


@cache
def _lexicon() -> _Lexicon:
    terms = _TableTerms()
    answers: dict[str, dict[str, float]] = {}
    words = set(_GENERAL_ZH)
    for line in chain(TABLE.strip().splitlines(), CASES.strip().splitlines()):
        heads, _, cases = line.partition(">")
        asked, said = heads.split(), cases.split()
        words.update(word for word in asked if not word.isascii())
        alike = {terms[each]: _SAME for each in asked}
        others = alike | {term: _CASE for each in said if (term := terms[each]) not in alike}
        for term in alike:
            _allow(answers.setdefault(term, {}), others)
    groups = [group.split() for group in IRREGULAR.replace("\n", "|").split("|")]
    for forms in groups:
        same = {terms[form]: 1.0 for form in forms}
        for term in same:
            _allow(answers.setdefault(term, {}), same)
    for forms in groups:  # what one form asks for, each does
        shared: dict[str, float] = {}
        for form in forms:
            _allow(shared, answers[terms[form]])
        answers |= dict.fromkeys([terms[form] for form in forms], shared)
    offered = frozenset(word for word in words if len(word) > 1 and not is_word(word) and not tokens.is_grammar(word))
    return _Lexicon({term: _answers(term, others) for term, others in answers.items()}, offered)


def prepare() -> None:
    """Read the tables, for which a calm moment serves better than the first question."""
    _lexicon()
    other_script.prepare()


def is_prepared() -> bool:
    return _lexicon.cache_info().currsize > 0


def _answers(own: str, others: Mapping[str, float]) -> _Answers:
    said = {own: 1.0, **{term: much for term, much in others.items() if term != own}}
    return _Answers(tokens.term_hashes(said), np.array(list(said.values()), dtype=np.float32))


def _allow(known: dict[str, float], others: Mapping[str, float]) -> None:
    for term, strength in others.items():
        known[term] = max(strength, known.get(term, 0.0))


class _TableTerms(dict[str, str]):
    """By each word of the table its term, which is asked for again and again while the table is read."""

    def __missing__(self, word: str) -> str:
        found = self[word] = _term(word)
        return found


def _term(word: str) -> str:
    """The term of the index by which a word of the table is found: a long Chinese one by its end."""
    return tokens.stemmed(word) if word.isascii() else word[-2:]


@cache
def _general_english() -> frozenset[str]:
    return frozenset(map(tokens.stemmed, _GENERAL_EN))


_Found = dict[str, tuple[float, _Answers]]  # by its own term: the weight of a unit, and what answers for it


def read_units(text: str, terms: Sequence[str], leaving_out: Iterable[str] = ()) -> Units:
    """The units of a question.

    Args:
        terms: the terms it is searched by, `tokens.query_terms`.
        leaving_out: terms that name who is asked about, and are no words of the question.
    """
    text = text if text.isascii() else _PICTURED_FEAR.sub("害怕", text)
    names, known, general = frozenset(leaving_out), _lexicon().answers, _general_english()
    found: _Found = {}
    if _GIVEN_UP.search(text):
        found["quit"] = _KNOWN, known["quit"]
        terms = [term for term in terms if term not in _GIVING]
    if _FOR_A_LIVING.search(text):
        found["job"] = _KNOWN, known["job"]
        terms = [term for term in terms if term != _LIVING]
    for term in terms:
        if term in names or term in found or _HAN.match(term):
            continue
        others = known.get(term)
        weight = _GENERAL if term in general or tokens.is_grammar(term) else _KNOWN if others is not None else 1.0
        found[term] = weight, others or _answers(term, {})
    if not text.isascii():
        folded = tokens.fold(text)
        for word, weight, others in _chinese(folded, names, chinese_names.find(folded)):
            found.setdefault(word, (weight, others))
    _add_other_script(text, found)
    return _packed(_kinds_lightened(text, found), _of_whom(text) if found else frozenset())


def _add_other_script(text: str, found: _Found) -> None:
    """Let the names and numbers of a question be answered in the other script and in other signs too."""
    others: list[tuple[str, Mapping[str, float]]] = [(term, other_script.number_terms(term)) for term in found]
    for name in english_names.find(text):
        others += [(term, other_script.name_terms(name.name)) for term in tokens.segment(name.name)]
    folded = tokens.fold(text)
    others += other_script.named_in_words(folded)
    if not text.isascii():
        others += [(_pairs(name.name)[-1], other_script.name_terms(name.name)) for name in chinese_names.find(folded)]
        others += other_script.chinese_numbers(folded)
    for term, said in others:
        if said and term in found:
            weight, answers = found[term]
            known = dict(zip(answers.terms.tolist(), answers.strengths.tolist(), strict=True))
            for each, strength in said.items():
                known.setdefault(tokens.hash_of(each), strength)
            found[term] = weight, _Answers(np.array(list(known), np.uint32), np.array(list(known.values()), np.float32))


def _of_whom(text: str) -> frozenset[str]:
    """The terms of the units that say of whom or what something is asked: names, kin, and whatever owns."""
    folded = tokens.fold(text)
    latin = [name.name for name in english_names.find(text)] + [
        each for pair in _OWNERS.findall(folded) for each in pair if each
    ]
    found = set(chain.from_iterable(map(tokens.segment, latin)))
    if not text.isascii():
        han = [name.name for name in chinese_names.find(folded)] + _OWNERS_ZH.findall(folded)
        found.update(_pairs(word)[-1] for word in han)
    return frozenset(found)


def _kinds_lightened(text: str, found: _Found) -> _Found:
    """The units with less weight for what kind of answer is asked for, unless hardly anything else is said."""
    kinds = {tokens.stemmed(each.lower()) for each in _KIND_ASKED.findall(text)}
    kinds.update(_KIND_ASKED_ZH.findall(text) if not text.isascii() else ())
    if kinds.isdisjoint(found):
        return found
    rest = [weight for term, (weight, _) in found.items() if term not in kinds]
    if max(rest, default=0.0) < TELLING and len(rest) < _ENOUGH:
        return found
    return {
        term: (_KIND if term in kinds and weight >= TELLING else weight, others)
        for term, (weight, others) in found.items()
    }


def _chinese(text: str, names: frozenset[str], named: Sequence[NameSpan]) -> Iterator[tuple[str, float, _Answers]]:
    """The units of what is Chinese: who is named, and the words between the names."""
    light = {match.start() for match in _LIGHT_VERB.finditer(text)}
    for run in _HAN.finditer(_NO_CONTENT.sub(lambda match: " " * len(match[0]), text)):
        at = run.start()
        for name in (*(each for each in named if run.start() <= each.start and each.end <= run.end()), None):
            stretch = text[at : name.start if name is not None else run.end()]
            for start, end, _ in cut(stretch, _offered(stretch)):
                if (unit := _chinese_unit(stretch[start:end], names)) is not None:
                    term, weight, others = unit
                    lone = end - start == 1 and weight <= _LONE and at + start in light
                    yield term, _GENERAL if lone else weight, others
            if name is not None:
                at = name.end
                if not names.issuperset(_pairs(name.name)):
                    yield _said_in_part(name.name, 1.0)


def _offered(text: str) -> dict[int, list[Stretch]]:
    """Words of these lists that the table of words does not have."""
    words, found = _lexicon().offered, dict[int, list[Stretch]]()
    for at in range(len(text) - 1):
        for end in range(at + _PAIR, min(len(text), at + _LONGEST_WORD) + 1):
            if text[at:end] in words:
                found.setdefault(at, []).append(Stretch(end, _OFFERED_BITS, ""))
    return found


def _chinese_unit(word: str, names: frozenset[str]) -> tuple[str, float, _Answers] | None:
    """The unit of one word; None where it says nothing."""
    lexicon = _lexicon()
    term = _term(word)
    if tokens.is_stop_word(word) or names.issuperset(_pairs(word)):
        return None
    if word in _GENERAL_ZH:
        return term, _GENERAL, lexicon.answers.get(term) or _answers(term, {})
    if term in lexicon.answers:
        return term, _KNOWN, lexicon.answers[term]
    return (word, _LONE, _answers(word, {})) if len(word) == 1 else _said_in_part(word, 1.0)


def _said_in_part(word: str, weight: float) -> tuple[str, float, _Answers]:
    """The unit of a word or name that no list knows: whoever says its last two characters says it."""
    pairs = _pairs(word)
    parts = dict.fromkeys(pairs, _SAME) | ({} if len(word) > _PAIR else dict.fromkeys(word, _PART))
    return pairs[-1], weight, _answers(pairs[-1], parts)


def _pairs(word: str) -> list[str]:
    return [word[at : at + _PAIR] for at in range(max(1, len(word) - 1))]


def _packed(found: _Found, names: frozenset[str]) -> Units:
    kept = sorted(found.items(), key=lambda each: -each[1][0])[:_MOST_UNITS]
    if not kept:
        return Units()
    sizes = [len(others.terms) for _, (_, others) in kept]
    return Units(
        np.concatenate([others.terms for _, (_, others) in kept]),
        np.concatenate([others.strengths for _, (_, others) in kept]),
        np.repeat(np.arange(len(kept)), sizes),
        np.array([weight for _, (weight, _) in kept], dtype=np.float32),
        np.array([term in names for term, _ in kept], dtype=np.bool_),
    )
