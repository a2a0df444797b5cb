"""How well an item answers: what it covers of a question, in other words too, and what that is worth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from invented_lives import Life, asked, lives
from soulmem.core.questions.concept_table import IRREGULAR, TABLE
from soulmem.core.questions.question_concepts import TELLING, read_units
from soulmem.core.search import score_calibration
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.search.question_coverage import Covered, coverage, in_other_words, rarity, standing
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.text.tokens import query_terms, term_hashes, text_hashes
from soulmem.ops.settings.setting_sections import RecallSettings

FLOOR = 0.2


def share(question: str, *texts: str, others: int = 20) -> list[float]:
    """What each of these notes covers of a question, beside as many others."""
    index = SearchIndex()
    for key, text in enumerate([*texts, *(f"filler{n} 杂项{n}" for n in range(others))], start=1):
        index.add(ItemKind.NOTE, key, terms=text_hashes(text))
    units = read_units(question, query_terms(question))
    rows = np.arange(1, len(texts) + 1)
    asked_for = standing(units, index._data.postings, None, index.row_count)
    found: list[float] = coverage(asked_for, rows, index._data.rows).share.tolist()
    return found


@every_row(
    [
        ("what instrument do I play?", "I took up the trumpet", "I took up pottery"),
        ("who is my wife?", "married Ingrid in June", "sold the tractor in June"),
        ("what pet do I have", "our hamster escaped again", "our tenant escaped again"),
        ("did I sell the piano?", "the piano was sold", "the piano was tuned"),
        ("where do I work?", "hired by the post office", "passed by the duck pond"),
        ("what surgery did I have?", "the hip replacement went well", "the hip hop class went well"),
        ("我做什么工作？", "我在邮局上班", "我在河边散步"),
        ("我养了什么宠物", "家里那只仓鼠又跑了", "家里那扇窗户又坏了"),
        ("我妈妈多大年纪了？", "母亲刚过六十岁生日", "母亲刚买了一台缝纫机"),
        ("爷爷什么时候去世的", "爷爷三年前走了", "爷爷三年前种了树"),
        ("我对象是做什么的？", "我老公是厨师", "我的邻居是厨师"),
        ("my dog 叫什么", "小狗叫豆豆", "小船叫豆豆"),
    ],
    unpack=True,
)
def test_other_words_for_it_cover_a_question(question: str, says_it: str, does_not: str) -> None:
    covered, not_covered = share(question, says_it, does_not)
    assert covered > not_covered + 0.15


def test_who_asks_for_a_pet_is_told_of_a_cat_and_who_asks_for_a_cat_not_of_a_dog() -> None:
    assert share("which pet?", "the cat is ill", "the dog is ill")[0] == share("which pet?", "x", "the dog is ill")[1]
    assert share("my cat?", "the dog is ill") == [0.0]
    assert share("我的猫？", "小狗病了") == [0.0]


@every_row(["and hers?", "那她呢？", "what did you do?", "hello there", "你好呀", "呢？", "?", ""])
def test_what_says_nothing_asks_for_nothing_that_could_be_covered(text: str) -> None:
    assert not read_units(text, query_terms(text)).tells


@given(st.text(max_size=300))
def test_any_text_has_units_that_fit_together(text: str) -> None:
    units = read_units(text, query_terms(text))
    assert len(units.terms) == len(units.strengths) == len(units.unit)
    assert set(units.unit.tolist()) == set(range(len(units)))
    assert np.all((units.strengths > 0) & (units.strengths <= 1))
    assert np.all(units.weights > 0)


@given(
    st.lists(
        st.sampled_from(["ferry", "honey", "dog", "cat", "work", "狗", "工作", "老婆", "mum", "rent"]), max_size=6
    ),
    st.text(max_size=60),
)
def test_more_of_a_question_never_covers_less(words: list[str], text: str) -> None:
    less, more = share("which ferry has honey, mum's dog or work? 狗 工作", text, f"{text} {' '.join(words)}")
    assert 0.0 <= less <= more + 1e-6
    assert more <= 1.0 + 1e-6


@given(st.integers(1, 10**6), st.data())
def test_a_word_that_stands_nowhere_weighs_the_same_in_every_mind(rows: int, data: st.DataObject) -> None:
    found = data.draw(st.integers(0, rows))
    nowhere, some = rarity(rows, np.array([0, found])).tolist()
    assert nowhere == pytest.approx(1.0)
    assert 0.0 <= some <= nowhere


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 2.5)), max_size=30))
def test_scores_fall_along_a_ranking_and_tell_what_they_were_made_of(items: list[tuple[float, float]]) -> None:
    ranked = sorted((score for score, _ in items), reverse=True)
    told = score_calibration.scores(ranked, [fit for _, fit in items])
    assert told == sorted(told, reverse=True)
    assert all(0.0 <= each <= 1.0 for each in told)
    if told and ranked[0] > 1e-3 and told[0] > 1e-3:
        assert told[0] == pytest.approx(score_calibration.certainty([fit for _, fit in items]), abs=1e-6)
        shares = [score_calibration.rank_share(each, told[0]) for each in told]
        assert shares == pytest.approx([each / ranked[0] for each in ranked], abs=1e-2)


def test_the_table_is_written_in_terms_of_the_index() -> None:
    for line in TABLE.strip().splitlines():
        assert line.count(">") <= 1, line
        for word in line.replace(">", " ").split():
            assert word == word.lower()
            assert word.isascii() or len(word) <= 4, word
    forms = [form for group in IRREGULAR.replace("\n", "|").split("|") for form in group.split()]
    assert all(form.isascii() and form.isalpha() for form in forms)


def test_cosines_count_by_how_far_they_rise() -> None:
    assert score_calibration.rises(np.array([0.2, 0.6, -0.3], dtype=np.float32), 0.2).tolist() == pytest.approx(
        [0, 0.5, 0]
    )
    assert score_calibration.rises(np.array([1.0], dtype=np.float32), 1.0).tolist() == [0.0]


# -- invented lives, by words alone -----------------------------------------------------------------------------


def known(language: str, numbers: str) -> list[tuple[Life, str, bool, bool, float]]:
    """(life, question, whether there is an answer, whether it is among the first ten, how sure it is)."""
    found = []
    for life in lives():
        if life.language == language and life.name[2:] in numbers:
            index = life.index()
            for text, answers in life.questions:
                keys, sure = asked(life, index, text)
                found.append((life, text, bool(answers), bool(set(keys) & set(answers)), sure))
    return found


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("numbers", "silent", "kept"), [("1234", 0.65, 0.96), ("56", 0.75, 0.94)])
def test_what_was_told_is_known_and_what_never_was_is_not(
    language: str, numbers: str, silent: float, kept: float
) -> None:
    questions = known(language, numbers)
    unanswerable = [sure < FLOOR for _, _, has_answer, _, sure in questions if not has_answer]
    answered = [sure >= FLOOR for _, _, _, is_found, sure in questions if is_found]
    assert len(unanswerable) >= 16
    assert len(answered) >= 20
    assert np.mean(unanswerable) >= silent
    assert np.mean(answered) >= kept


def test_the_floor_of_the_settings_is_the_one_measured_here() -> None:
    assert RecallSettings().min_score == FLOOR


def test_chinese_questions_are_read_word_by_word() -> None:
    index_terms = {
        "我家猫叫什么": {"猫"}, "我的牙医姓什么": {"牙医"}, "欧阳琳是哪里人": {"阳琳"},
        "爸爸的新爱好是什么": {"爸爸", "爱好"}, "我今天哪里不舒服": {"舒服"},
    }  # fmt: skip
    for question, words in index_terms.items():
        units = read_units(question, query_terms(question))
        own = units.terms[np.searchsorted(units.unit, np.arange(len(units)))]
        telling = set(own[units.weights >= TELLING].tolist())
        assert set(term_hashes(sorted(words)).tolist()) <= telling, question


@pytest.mark.parametrize(
    ("question", "answers", "names_only"),
    [
        ("what is Oona's job?", "Oona got hired by the post office", "Oona was born in Cork"),
        ("where does Ivo live?", "Ivo's flat is above the bakery", "Ivo laughed a lot"),
        ("阿岚做什么工作？", "阿岚在邮局上班", "阿岚昨天来了"),
        ("陈默住在哪里？", "陈默住城西，一个人", "陈默爱笑"),
    ],
)
def test_whoever_is_only_named_is_not_told_of(question: str, answers: str, names_only: str) -> None:
    index = SearchIndex()
    for key, text in enumerate([answers, names_only, *(f"filler{n} 杂项{n}" for n in range(20))], start=1):
        index.add(ItemKind.NOTE, key, terms=text_hashes(text))
    query = Query(read_question(question), k=5, legible=0.0)
    fits = index.fits_of(query, ItemKind.NOTE, [1, 2])
    assert score_calibration.known(fits[1]) >= FLOOR > score_calibration.known(fits[2])
    assert index.search(query)[0].key == 1


def test_hashes_of_units_are_those_of_the_index() -> None:
    units = read_units("where is the ferry?", query_terms("where is the ferry?"))
    assert term_hashes(["ferri"])[0] in units.terms


@pytest.mark.parametrize(
    ("question", "answer", "named_in"),
    [
        ("What did Rosalind order at the bakery?", "ordered a rye loaf at the bakery", "Rosalind {}"),
        ("雷明轩在面包店订了什么？", "在面包店订了黑麦面包", "雷明轩：第{}件"),
    ],
)
def test_whoever_is_heard_everywhere_is_meant_without_being_named(question: str, answer: str, named_in: str) -> None:
    def names_covered(of_him: int) -> float:
        index = SearchIndex()
        others = [named_in.format(n) for n in range(of_him)] + [f"filler{n} 杂项{n}" for n in range(200 - of_him)]
        for key, text in enumerate([answer, *others], start=1):
            index.add(ItemKind.NOTE, key, terms=text_hashes(text))
        asked_for = standing(read_units(question, query_terms(question)), index._data.postings, None, index.row_count)
        return float(coverage(asked_for, np.array([1]), index._data.rows).names[0])

    assert names_covered(2) < 0.4 < names_covered(190)


def test_a_likeness_far_beyond_all_others_counts_for_more() -> None:
    spread = np.random.default_rng(7).normal(0.1, 0.07, 400).astype(np.float32)
    mean, deviation = float(spread.mean()), float(spread.std())
    cosines = np.array([mean + deviation * each for each in (-1, 3, 5, 9)], dtype=np.float32)
    beyond = score_calibration.far(cosines, mean, deviation).round(3).tolist()
    assert beyond == [0.0, 0.0, 1.25, score_calibration.FAR_MOST]
    assert score_calibration.far(cosines, mean, 0.0).tolist() == [0.0] * 4
    nothing = np.zeros(4, dtype=np.float32)
    covered = Covered(nothing, nothing, nothing, unheard=False, either=nothing)
    fits = score_calibration.fits(covered, score_calibration.rises(cosines, mean), np.array(beyond, dtype=np.float32))
    assert fits[2] - fits[1] > score_calibration.LIKE * (cosines[2] - cosines[1]) / (1 - mean) + 0.5


@pytest.mark.parametrize(
    ("question", "own", "other"),
    [
        ("Who is my boss?", "my boss is away", "the manager rang"),
        ("我领导是谁？", "我领导出差了", "经理来电话了"),
    ],
)
def test_other_words_speak_alone_only_for_what_nobody_said(question: str, own: str, other: str) -> None:
    units = read_units(question, query_terms(question))
    for told, expected in (([own, other], False), ([other], True)):
        index = SearchIndex()
        for key, text in enumerate(told, 1):
            index.add(ItemKind.MESSAGE, key, terms=text_hashes(text))
        asked = standing(units, index._data.postings, None, index.row_count)
        count = index._data.rows.count
        every, unsaid = in_other_words(asked, count)
        assert every.any(), "in other words it is said either way"
        assert bool(unsaid.any()) is expected


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8), st.booleans())
def test_of_a_comparison_what_tells_of_either_counts_half_and_what_names_nobody_stays(
    rows: list[tuple[float, float]], unheard: bool
) -> None:
    content, either = (np.array(column, dtype=np.float32) for column in zip(*rows, strict=True))
    found = Covered(content, content, either / 2, unheard, either).of_either()
    assert found.content == pytest.approx(np.maximum(content, either / 2))
    assert found.unheard == (unheard and not either.any())
