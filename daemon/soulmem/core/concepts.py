"""Concepts: what a question asks for, as units that an answer may say in other words than the question.

Called by `core.ranking` when a question is read; `core.coverage` measures how much of a question an item covers.
A unit is one content word of the question with every term by which an answer may say it: its own forms, words that mean
the same, words that are a case of it (`core.concept_table`). Chinese has no spaces, so its runs are cut at the words of
the table, at grammar and at words that say little; what is left stands as pairs. Invariants: pure; the units depend on
the text alone; a text without a content word has the units of the words that it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from soulmem.core import tokens
from soulmem.core.concept_cases import CASES
from soulmem.core.concept_table import IRREGULAR, TABLE
from soulmem.core.patterns import LazyPattern
from soulmem.records import dataclass

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
_ENOUGH = 2  # words that say little, and together something
_MOST_UNITS = 24
_LONGEST_WORD = 4

_GENERAL_EN = frozenset(
    """name call kind type sort thing stuff people person someone anyone many much lot bit way event activity idea
    do go get have make take give say tell know think come put see look find keep let happen try mean feel use need
    good bad best new last first next recent recently current currently ever still usual usually always often
    time date day week month year morning afternoon evening night today tonight yesterday tomorrow now ago later
    ask talk mention describe help called named name's full share something anything everything else same different
    please remember remind actually really specific particular one two three big small place
    hello hi hey thanks thank bye
    like love enjoy favourite favorite prefer get got getting been going mine hers""".split()  # noqa: SIM905
)
_GENERAL_ZH = frozenset(
    """名字 名称 叫做 什么 东西 事情 时候 时间 地方 样子 知道 觉得 记得 最近 现在 今天 昨天 明天 平时 经常 可以 应该
    告诉 打算 之前 以前 后来 原来 一起 一个 有没 没有 还是 有些 一些 有点 今年 去年 明年 星期 礼拜 周末 上午 下午
    晚上 早上 自己 大家 我们 他们 她们 你们 咱们 咱 叫 做 去 来 说 想 看 用 给 会 要 能 到 过 得 被 最 家 人 事 年 月
    日 天 周 几 多 少 大 小 里 上 下 前 后 新 好 出 样 点 些 每 次 种 谁 哪 怎 么 完 嘛 呗 哦 啦 哈 呃 嗯 请 问 让 使
    当 因 起 打 如 只 再 才 又 没 跟 同 向 刚 正 太 真 比 更 喜欢 爱 最爱 爱吃 以前 曾经 那个 这个""".split()  # noqa: SIM905
)
# What follows says of what kind the answer is, which seldom calls itself so: "which city", 什么颜色.
_KIND_ASKED = LazyPattern(r"\b(?:what|which)(?:['’]s)? (?:(?:kind|sort|type|breed) of )?([a-z]+)\b", re.IGNORECASE)
_KIND_ASKED_ZH = LazyPattern(r"(?:什么样?的?|哪[一个种座家位类些款本部首条门所]{0,2})([\u4e00-\u9fff]{2})")
_HAN = LazyPattern("[\u3400-\u4dbf\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a question: terms by unit, each with how well it answers for it.

    Parallel arrays; `unit[i]` says whose term `terms[i]` is, the first of each is its own; `weights` are by unit.
    """

    terms: Hashes = field(default_factory=lambda: np.zeros(0, dtype=np.uint32))
    strengths: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, dtype=np.float32))
    unit: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    weights: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, dtype=np.float32))

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
    """`answers`: by term that asks; `words`: every Chinese word that is known, and whether it says anything.

    `longer`: the first two characters of those that have more.
    """

    answers: Mapping[str, _Answers]
    words: Mapping[str, bool]
    longer: frozenset[str]


@cache
def _lexicon() -> _Lexicon:
    answers: dict[str, dict[str, float]] = {}
    words: set[str] = set()
    for line in chain(TABLE.strip().splitlines(), CASES.strip().splitlines()):
        heads, _, cases = line.partition(">")
        asked, said = heads.split(), cases.split()
        words.update(word for word in (*asked, *said) if not word.isascii())
        for word in asked:
            for other, strength in (*((each, _SAME) for each in asked), *((each, _CASE) for each in said)):
                _allow(answers.setdefault(_term(word), {}), other, strength)
    groups = [group.split() for group in IRREGULAR.replace("\n", "|").split("|")]
    for forms in groups:
        for form in forms:
            for other in forms:
                _allow(answers.setdefault(_term(form), {}), other, 1.0)
    for forms in groups:  # what one form asks for, each does
        shared: dict[str, float] = {}
        for form in forms:
            shared |= {term: max(much, shared.get(term, 0.0)) for term, much in answers[_term(form)].items()}
        answers |= dict.fromkeys(map(_term, forms), shared)
    held = dict.fromkeys(words, True) | {word: False for word in _GENERAL_ZH if word not in words}
    longer = frozenset(word[:2] for word in held if len(word) > 2)
    return _Lexicon({term: _answers(term, others) for term, others in answers.items()}, held, longer)


def prepare() -> None:
    """Read the table, for which a calm moment serves better than the first question."""
    _lexicon()


def _answers(own: str, others: Mapping[str, float]) -> _Answers:
    said = {own: 1.0, **{term: much for term, much in others.items() if term != own}}
    return _Answers(tokens.term_hashes(said), np.array(list(said.values()), dtype=np.float32))


def _allow(known: dict[str, float], word: str, strength: float) -> None:
    term = _term(word)
    known[term] = max(strength, known.get(term, 0.0))


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
    names, known, general = frozenset(leaving_out), _lexicon().answers, _general_english()
    found: _Found = {}
    for term in terms:
        if term in names or term in found or _HAN.match(term):
            continue
        others = known.get(term)
        weight = _GENERAL if term in general or tokens.is_grammar(term) else _KNOWN if others is not None else 1.0
        found[term] = weight, others or _answers(term, {})
    if not text.isascii():
        for word, weight, others in _chinese(tokens.fold(text), names):
            found.setdefault(word, (weight, others))
    return _packed(_kinds_lightened(text, found))


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


def _chinese(text: str, names: frozenset[str]) -> Iterator[tuple[str, float, _Answers]]:
    """The units of what is Chinese: words that are known, the longest first, and what stands between them."""
    lexicon = _lexicon()
    for run in _HAN.findall(text):
        rest, at = 0, 0
        while at < len(run):
            word = _known_word(run, at, lexicon)
            if not word:
                at += 1
                continue
            if rest < at:
                yield from _plain(run[rest:at], names)
            at += len(word)
            rest = at
            if word in names:
                continue
            if lexicon.words.get(word):
                term = _term(word)
                yield term, _KNOWN, lexicon.answers.get(term) or _answers(term, {})
            elif not tokens.is_grammar(word):
                yield word, _GENERAL, _answers(word, {})
        if rest < at:
            yield from _plain(run[rest:at], names)


def _known_word(run: str, at: int, lexicon: _Lexicon) -> str:
    """The longest known word that begins here; "" where none does."""
    pair = run[at : at + 2]
    if pair in lexicon.longer:
        for size in range(_LONGEST_WORD, 2, -1):
            if run[at : at + size] in lexicon.words:
                return run[at : at + size]
    if len(pair) == 2 and pair in lexicon.words:
        return pair
    return pair[0] if pair[0] in lexicon.words or tokens.is_grammar(pair[0]) else ""


def _plain(run: str, names: frozenset[str]) -> Iterator[tuple[str, float, _Answers]]:
    """What no list knows: a name, a rare word. Its pairs stand for it."""
    if len(run) == 1 and run not in names:
        yield run, _LONE, _answers(run, {})
    for pair in map(str.__add__, run, run[1:]):
        if pair not in names:
            yield pair, 1.0 if len(run) == 2 else _LONE, _answers(pair, dict.fromkeys(pair, _PART))


def _packed(found: _Found) -> Units:
    kept = sorted(found.values(), key=lambda each: -each[0])[:_MOST_UNITS]
    if not kept:
        return Units()
    sizes = [len(others.terms) for _, others in kept]
    return Units(
        np.concatenate([others.terms for _, others in kept]),
        np.concatenate([others.strengths for _, others in kept]),
        np.repeat(np.arange(len(kept)), sizes),
        np.array([weight for weight, _ in kept], dtype=np.float32),
    )
