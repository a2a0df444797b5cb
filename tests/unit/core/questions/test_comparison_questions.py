"""Who asks how two things compare wants what is known of each; who asks of one thing does not."""

from __future__ import annotations

import pytest

from soulmem.core.questions.comparison_questions import compares
from soulmem.core.search.relevance_scoring import read_question

COMPARISONS = (
    "Who is older, Mia or Tom?",
    "Which of the two is closer, the bakery or the chemist?",
    "Was grandma or grandpa born first?",
    "did Mia or Tom move to Leeds earlier",
    "Are Mia and Tom from the same town?",
    "Do both Mia and Tom like climbing?",
    "Which film came out first, Alien or Jaws?",
    "Who has lived here longer: me or Priya?",
    "米娅和汤姆谁大？",
    "林溪跟周宁谁先搬到杭州的？",
    "面包店和药店哪个更近？",
    "哪部电影先上映，《异形》还是《大白鲨》？",
    "我妈和我姑是同一年结婚的吗？",
    "林溪和周宁都喜欢爬山吗？",
    "Mia 和 Tom 谁更早搬到 Leeds？",
)
OTHERS = (
    "Where does Tom live?",
    "What did Mia and Tom do on Friday?",
    "When is my first appointment?",
    "Is the appointment on Monday or Tuesday?",
    "Who is Tom's older sister?",
    "Which days do I work at the moment?",
    "What do Mia and I do on Sundays?",
    "Do you want tea or coffee?",
    "汤姆住在哪里？",
    "米娅和汤姆星期五做了什么？",
    "我和周宁什么时候去爬山？",
    "我最大的担心是什么？",
    "谁先发现猫不见了？",
    "Tom 的 flat 在哪里？",
)


@pytest.mark.parametrize("text", COMPARISONS)
def test_a_comparison_is_told_by_its_words(text: str) -> None:
    assert compares(text)
    assert read_question(text).compares


@pytest.mark.parametrize("text", OTHERS)
def test_what_asks_for_one_thing_is_no_comparison(text: str) -> None:
    assert not compares(text)


@pytest.mark.parametrize("text", ["", "?" * 10_000, "和" * 10_000, "or " * 10_000 + "first?", "谁更早，" * 5_000])
def test_any_text_is_read_at_once(text: str) -> None:
    assert compares(text) in (True, False)
