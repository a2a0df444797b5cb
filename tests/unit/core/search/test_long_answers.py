"""Long answers do not drown short facts: a page is read alone and weighs less, a turn as if there were no pages."""

# ruff: noqa: E501 (turns stand on one line)
from __future__ import annotations

import numpy as np
import pytest

from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit, SearchIndex
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.text import passage_weights
from soulmem.core.text.passage_weights import BESIDE, PAGE, lends, stands_alone
from soulmem.core.text.tokens import text_hashes

PAGE_EN = (
    "Your first sprint needs a plan. List the tasks of the sprint and say when each begins and when each should end. "
    "Then hold a review of the sprint, write the notes of the review, and move what was not done. "
    + "".join(
        f"Step {number}: open board {number}, name an owner, estimate hours, colour the card. " for number in range(60)
    )
)
PAGE_ZH = (
    "第一个冲刺要先有计划。先列出冲刺里的任务，说好每一项什么时候开始，什么时候结束。然后开评审会，写好记录，没做完的往后挪。"
    + "".join(f"第{number}步：打开看板，写上负责人，估好工时，给卡片涂上颜色。" for number in range(60))
)
TALKS = {
    "en": (
        "My first sprint ends on March 29, I work on it in the evenings. Can you plan it?",
        PAGE_EN,
        "When does my first sprint end?",
    ),
    "zh": ("我的第一个冲刺三月二十九号结束，你帮我排一下？", PAGE_ZH, "我的第一个冲刺什么时候结束？"),
    "mixed": (
        "我的 first sprint 三月二十九号结束，平时晚上做。Can you plan it?",
        PAGE_EN + PAGE_ZH,
        "我的 first sprint 什么时候结束？",
    ),
}
FILLER = ("The bread was good today.", "今天的面包不错。", "We walked by the river.", "下午去河边走了走。")


def told(turns: list[str]) -> SearchIndex:
    index = SearchIndex()
    for number, text in enumerate(turns, 1):
        index.add(
            ItemKind.MESSAGE,
            number,
            conversation=1,
            seq=number,
            speaker="user" if number % 2 else "assistant",
            at_ms=number * 1000,
            terms=text_hashes(text),
            replies=number % 2 == 0,
        )
    return index


def found(index: SearchIndex, question: str) -> list[Hit]:
    return index.search(Query(question=read_question(question, index.speakers_within(None)), k=10))


@pytest.mark.parametrize("talk", TALKS.values(), ids=TALKS)
def test_a_short_fact_comes_before_the_pages_around_it(talk: tuple[str, str, str]) -> None:
    fact, page, question = talk
    index = told([*FILLER, FILLER[0], page, fact, page, *FILLER])
    first = found(index, question)[0]
    assert first.key == 7


@pytest.mark.parametrize("talk", TALKS.values(), ids=TALKS)
def test_a_page_lends_its_neighbours_no_more_than_a_turn_would(talk: tuple[str, str, str]) -> None:
    _, page, question = talk
    turn = page[: len(page) // 20]
    by_page, by_turn = (found(told([FILLER[2], said, FILLER[0], *FILLER]), question) for said in (page, turn))
    lent = {hit.key: hit.channels["lexical"] for hit in by_page}[3] / max(hit.channels["lexical"] for hit in by_page)
    usual = {hit.key: hit.channels["lexical"] for hit in by_turn}[3] / max(hit.channels["lexical"] for hit in by_turn)
    assert lent <= 1.5 * usual


def test_a_turn_beside_turns_is_read_with_them() -> None:
    index = told(["Where did you put the violin?", "In the attic, behind the door.", *FILLER])
    assert [hit.key for hit in found(index, "where is the violin")][:2] == [1, 2]


@pytest.mark.parametrize(
    ("telling", "asking"),
    [
        ("I write my budget tracker in Python with Flask, the deadline is in June and I work on it alone in the evenings "
         "after the children are in bed, mostly on Tuesdays. Can you help me with the budget tracker?",
         "What about the budget tracker?"),
        ("我的记账软件是用 Python 写的，六月要交，平时都是孩子睡了以后一个人晚上写，多半在周二，进度有点慢。你能帮我看看记账软件吗？",
         "记账软件怎么了？"),
    ],
)  # fmt: skip
def test_what_tells_and_then_asks_is_no_mere_question(telling: str, asking: str) -> None:
    lengths = np.array([len(text_hashes(telling)), len(text_hashes(asking))], dtype=np.float32)
    told_share, asked_share = passage_weights.asking_share(lengths).tolist()
    assert told_share < 0.5
    assert asked_share == 1


def test_a_text_of_a_turns_length_has_its_full_weight_and_a_longer_one_ever_less() -> None:
    lengths = np.array([0, 1, passage_weights.TURN, 2 * passage_weights.TURN, 1e6], dtype=np.float32)
    said = np.ones(5, dtype=np.bool_)
    for weights in (passage_weights.turn_share(lengths), passage_weights.worth(lengths, said)):
        assert weights[:3].tolist() == [1, 1, 1]
        assert 1 > weights[3] > weights[4] > 0
    assert passage_weights.worth(lengths, ~said).tolist() == [1] * 5, "a page of whom it is about"
    assert passage_weights.worth(lengths, said, wants_replies=True).tolist() == [1] * 5


@pytest.mark.parametrize(
    ("of_the_reply", "of_the_user"),
    [
        ("What did you suggest for the review of the sprint?", "What did I suggest for the review of the sprint?"),
        ("你之前建议过冲刺的评审会怎么开？", "我之前建议过冲刺的评审会怎么开？"),
        ("你推荐的 review of the sprint 是什么？", "我推荐的 review of the sprint 是什么？"),
    ],
)
def test_who_said_it_weighs_by_what_is_asked(of_the_reply: str, of_the_user: str) -> None:
    index = told([*FILLER, "The review of the sprint 冲刺的评审会, I am not sure.", PAGE_EN + PAGE_ZH, *FILLER])

    def share_of_the_page(question: str) -> float:
        scores = {hit.key: hit.score for hit in found(index, question)}
        return scores[6] / scores[5]

    assert share_of_the_page(of_the_reply) > 1.5 * share_of_the_page(of_the_user)


def test_a_page_lends_its_surroundings_as_much_as_one_turn_of_it() -> None:
    assert lends(0) == lends(BESIDE) == 1
    assert lends(10 * BESIDE) == pytest.approx(0.1)
    assert not stands_alone(PAGE)
    assert stands_alone(PAGE + 1)
