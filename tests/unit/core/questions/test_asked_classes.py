"""Of which class the things are that a question asks all of: members are told in words that the question has not."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.questions.asked.asked_classes import class_terms
from soulmem.core.text.tokens import text_hashes

TELLS = [
    ("What instruments does Ana play?", "Practised the cello all evening."),
    ("What activities has Ana done with her family?", "We took the kids bowling."),
    ("Which events has Leo participated in?", "Ran the charity marathon on Sunday."),
    ("What has Ana cooked?", "A risotto with mushrooms tonight."),
    ("What are Leo's hobbies?", "Evenings are for origami."),
    ("Where has Leo camped?", "By the lake under the stars."),
    ("小雅会哪些乐器？", "昨晚练了一会儿古筝。"),
    ("她都参加过什么活动？", "周日去了义卖。"),
    ("阿哲有哪些爱好？", "晚上在家做陶艺。"),
    ("我都做过哪些菜？", "今天炖了排骨。"),
    ("What instruments 小雅 plays", "昨晚练了一会儿古筝。"),
]


def shared(question: str, text: str) -> frozenset[int]:
    return class_terms(question).intersection(text_hashes(text).tolist())


@every_row(TELLS, unpack=True)
def test_a_member_is_told_without_a_word_of_the_question(question: str, text: str) -> None:
    assert shared(question, text)


@every_row(
    [
        ("What instruments does Ana play?", "The bus was late again."),
        ("What has Ana cooked?", "Evenings are for origami."),
        ("小雅会哪些乐器？", "今天公交又晚点了。"),
        ("我都做过哪些菜？", "晚上在家做陶艺。"),
    ],
    unpack=True,
)
def test_what_is_of_another_class_is_no_member(question: str, text: str) -> None:
    assert not shared(question, text)


@every_row(["", "???", "When does it end?", "几点了？"])
def test_a_question_of_no_known_class_has_no_words(question: str) -> None:
    assert class_terms(question) == frozenset()
