"""Whether all of something is asked for, or one answer."""

from __future__ import annotations

from pathlib import Path

from every_row import every_row
from soulmem.core.questions.list_questions import asks_all
from soulmem.core.search.relevance_scoring import read_question

CORPUS = Path(__file__).resolve().parents[3] / "corpora" / "lists.tsv"
ASKED = [
    line.split("\t")[2] for line in CORPUS.read_text(encoding="utf-8").splitlines() if "\task-" in line
]  # fmt: skip


@every_row(
    [
        *ASKED,
        "What gifts did she get?",
        "which cities has Jon visited",
        "What kinds of books does Ana read?",
        "How many pets do I have?",
        "What LGBTQ+ events has Ana attended?",
        "What are Ana's hobbies?",
        "What has Ana cooked?",
        "Where have Ana and Leo camped?",
        "In what ways does she help?",
        "Tell me everything about my allergies.",
        "Who all came to the party?",
        "她都去过哪些地方？",
        "我一共养过几只猫？",
        "小苇有哪些爱好？",
        "都有谁来了？",
        "小苇去过什么地方？",
        "她参加过什么活动？",
        "小苇会什么乐器？",
        "阿哲平时喜欢做什么？",
        "我买过哪些 gadgets？",
        "Can you give me a comprehensive summary of how my garden has developed?",
        "Could you summarize what I told you about the trip?",
        "summarise our talks about the flat",
        "I'd like a quick recap of the week",
        "请帮我总结这几个月装修的进展",
        "总结一下我跟你说过的旅行",
        "给我做个搬家的小结",
        "能不能回顾下我们聊的 project？",
    ]
)
def test_all_of_something_is_asked_for(text: str) -> None:
    assert asks_all(text)


@every_row(
    [
        "When does my first sprint end?",
        "What is Mara allergic to?",
        "Which bus do I take?",
        "What does Tilda play?",
        "What's my address?",
        "How many years have we been married?",
        "What do I do every day?",
        "Where have I parked?",
        "Where has she moved to?",
        "What has happened to the car?",
        "Who has lived here since May?",
        "What is Ana's hobby?",
        "What prints the harbour journal?",
        "What motivates Ana?",
        "Which song cheers her up?",
        "我的生日是哪天？",
        "小苇对什么过敏？",
        "我几点下班？",
        "她住在哪里？",
        "她搬到什么地方了？",
        "我的 birthday 是什么时候？",
        "When is the summary due?",
        "Who wrote the summary of the report?",
        "Where did I put the recap?",
        "工作总结什么时候交？",
        "谁写的年终总结？",
    ]
)
def test_one_answer_is_asked_for(text: str) -> None:
    assert not asks_all(text)


def test_who_wants_something_summed_up_wants_what_was_answered_too() -> None:
    for text in ("Summarise our talks about the flat", "帮我总结一下装修的事"):
        assert read_question(text).wants_replies
    for text in ("Which cities have I visited?", "我都去过哪些城市？"):
        assert not read_question(text).wants_replies
