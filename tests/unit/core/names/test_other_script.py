"""Names and numbers in the other script: what a question written in one finds in texts written in the other."""

from __future__ import annotations

import time

import numpy as np
import pytest

from soulmem.core.names.other_script import name_terms, number_terms, said_in, spellings
from soulmem.core.questions.question_concepts import Units, read_units
from soulmem.core.search.answer_type import read_calls
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.text.tokens import query_terms, segment, text_hashes

# A question, and a text in the other language that says each name and number of it in its own script.
SAID = (
    ("Where does Wang Li work?", "王丽在银行上班"),
    ("Where does Li Wang work?", "王丽在银行上班"),
    ("What is Xiaoming allergic to?", "小明对虾过敏"),
    ("When did Zhang Xiaoming call?", "张晓明昨天打电话了"),
    ("Is Xiao Chen coming?", "小陈要来"),
    ("Where does Ouyang Na live?", "欧阳娜住在苏州"),
    ("Who lives in London?", "我同事住在伦敦"),
    ("Who went to New York?", "我姑姑去了纽约"),
    ("Who is from Xian?", "他是西安人"),
    ("What does Jack play?", "杰克会弹琴"),
    ("Who owes 3 euros?", "三块钱他欠着"),
    ("Who pays 1800?", "房租一千八百元"),
    ("Which flat has twelve rooms?", "那套有十二间房"),
    ("王丽在哪里工作？", "My sister Wang Li works at a bank"),
    ("小明对什么过敏？", "Xiaoming can't eat shrimp"),
    ("小明对什么过敏？", "Xiao Ming can't eat shrimp"),
    ("张晓明什么时候打的电话？", "Zhang Xiaoming called yesterday"),
    ("欧阳娜住在哪里？", "Ouyang Na lives in Suzhou"),
    ("谁住在伦敦？", "my colleague lives in London"),
    ("谁去了纽约？", "my aunt flew to New York"),
    ("杰克会什么乐器？", "Jack plays the piano"),
    ("谁欠三块钱？", "he owes me 3 euros"),
    ("一千八百是什么？", "the rent is 1800"),
    ("谁有十二间房？", "the flat has twelve rooms"),
)
# What looks like it, and is not.
UNSAID = (
    ("Where does Wang Li work?", "张伟在银行上班"),
    ("Who lives in London?", "我同事住在巴黎"),
    ("What does Jack play?", "汤姆会弹琴"),
    ("What does Dana play?", "大娜会弹琴"),
    ("Who owes 3 euros?", "五块钱他欠着"),
    ("王丽在哪里工作？", "my sister Chen Jing works at a bank"),
    ("谁住在伦敦？", "my colleague lives in Paris"),
    ("杰克会什么乐器？", "Tom plays the piano"),
    ("谁有十二间房？", "the flat has two rooms"),
)


def best(question: str, text: str) -> float:
    """How well a text says the best-said name or number of a question, from the terms of the other script alone."""
    units = read_units(question, query_terms(question))
    held = np.isin(units.terms, text_hashes(text))
    return max(float(units.strengths[held & (units.unit == unit)].max(initial=0)) for unit in asked_of(question, units))


def asked_of(question: str, units: Units) -> list[int]:
    """The units that are names and numbers."""
    named = np.flatnonzero(units.names).tolist()
    numbers = [term for term in segment(question) if number_terms(term)] + ["三块", "八百", "十二"]
    marked = set(text_hashes(" ".join(numbers)).tolist())
    return named + [unit for unit in range(len(units)) if set(units.terms[units.unit == unit][:1].tolist()) & marked]


@pytest.mark.parametrize(("question", "text"), SAID)
def test_a_name_or_number_is_found_in_the_other_script(question: str, text: str) -> None:
    assert best(question, text) >= 0.5


@pytest.mark.parametrize(("question", "text"), UNSAID)
def test_another_name_or_number_is_not(question: str, text: str) -> None:
    assert best(question, text) < 0.5


def test_a_name_has_its_spellings() -> None:
    assert {"wang li", "li wang", "wangli"} <= set(spellings("王丽"))
    assert "王丽" in spellings("Wang Li")
    assert spellings("伦敦") == ("london",)
    assert spellings("London") == ("伦敦",)
    assert spellings("Caroline") == ()
    assert spellings("🙂") == spellings("") == ()


def test_a_speaker_is_named_in_the_other_script() -> None:
    assert read_question("What did Xiaomei say?", ["小梅", "Tom"]).named == {"小梅"}
    assert read_question("汤姆说了什么？", ["小梅", "Tom"]).named == {"tom"}
    assert read_question("王丽说了什么？", ["Wang Li", "Tom"]).named == {"wang li"}
    assert read_question("张伟说了什么？", ["Wang Li", "Tom"]).named == frozenset()
    assert said_in("What did Xiaomei say?", segment("What did Xiaomei say?"), "小梅") == "xiaomei"
    assert said_in("小梅说了什么？", segment("小梅说了什么？"), "小梅") == ""


def test_the_name_that_was_asked_with_is_no_answer_in_either_script() -> None:
    assert "wang li" in read_calls("王丽是谁？").known
    assert "王丽" in read_calls("Who is Wang Li?").known


def test_numbers_are_said_in_words_signs_and_digits() -> None:
    assert number_terms("3") == {"三": 0.9, "three": 0.9}
    assert {"2", "二", "两"} <= number_terms("two").keys()
    assert "八百" in number_terms("1800")
    assert "零五" in number_terms("30005")
    assert number_terms("lamp") == {}
    assert number_terms("9" * 40) == {}


@pytest.mark.parametrize("name", ["Wang " * 20_000, "Li" * 50_000, "王" * 100_000, "Yi Yi Yi Yi Yi Yi", "Ni" * 3])
def test_hostile_names_cost_little(name: str) -> None:
    started = time.process_time()
    assert len(spellings(name)) <= 256
    assert len(name_terms(name)) <= 256
    assert time.process_time() - started < 0.5
