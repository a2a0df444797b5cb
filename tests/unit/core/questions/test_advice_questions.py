"""A request is told from a question about the past, and what the assistant said from what its user did."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.questions.advice_questions import applies, asks_advice, asks_reply, wish_terms
from soulmem.core.text.tokens import segment


@every_row(
    [
        "Could you show me how to implement a login feature?",
        "How should I organize the different parts of a webpage?",
        "Can you recommend a restaurant for Friday?",
        "What are some common responses when something goes wrong?",
        "Explain how photosynthesis works.",
        "Please write me a birthday card.",
        "帮我写一封请假邮件",
        "解释一下光合作用。",
        "写一篇演讲稿",
        "这个接口怎么写？",
        "周末吃什么，推荐几家？",
        "能给我解释一下递归吗？",
        "帮我 review 一下这段 code",
    ]
)
def test_what_is_to_be_done_or_advised_now_is_a_request(text: str) -> None:
    assert asks_advice(text)
    assert not asks_reply(text)


@every_row(
    [
        "When does my first sprint end?",
        "What did Caroline do on Sunday?",
        "Have I told you how to reach my mother?",
        "Can you give me a summary of my project?",
        "我第一个冲刺什么时候结束？",
        "小苇对什么过敏？",
        "我去过哪些地方？",
        "我的 deadline 是哪天？",
    ]
)
def test_what_was_is_no_request(text: str) -> None:
    assert not asks_advice(text)
    assert not asks_reply(text)


@every_row(
    [
        "What did you suggest for the sprint?",
        "How did you recommend managing the flow of requests?",
        "Which book had you mentioned?",
        "What was your advice about the visa?",
        "你推荐过哪本书？",
        "你上次跟我说的那家店叫什么？",
        "你的建议是什么来着？",
        "你之前 suggest 的，就是你说过的 library 叫什么？",
    ]
)
def test_what_was_said_to_the_asker_is_asked_for(text: str) -> None:
    assert asks_reply(text)
    assert not asks_advice(text)


@every_row(
    [
        "Always include version numbers when I ask about libraries.",
        "I prefer step-by-step explanations.",
        "Never use emojis in an email for me.",
        "以后都用表格回答我。",
        "我喜欢你先说结论。",
        "每次写代码都要加注释。",
        "以后 code 都要带 type hints。",
    ]
)
def test_a_standing_wish_is_told_by_a_word_that_it_needs(text: str) -> None:
    assert set(segment(text)) & set(wish_terms())


@every_row(
    [
        ("Explain how photosynthesis works.", "Always keep your answers short, please."),
        ("Write me a birthday card.", "Never use emojis when you write to me."),
        ("Show me how to sort a list.", "When I ask about code, include the version numbers."),
        ("Can you recommend a book?", "I prefer short books."),
        ("Can you suggest a dinner?", "I'm vegetarian, so no meat for me."),
        ("Any ideas for a snack?", "Please don't suggest anything with nuts, I'm allergic."),
        ("解释一下光合作用。", "以后回答都写短一点。"),
        ("帮我写一张贺卡。", "给我写东西千万别用表情符号。"),
        ("怎么排序？", "每次写代码都要加注释。"),
        ("今晚吃什么，推荐一下？", "我吃素，不吃肉。"),
        ("有什么零食推荐吗？", "别给我推荐带坚果的，我过敏。"),
        ("帮我 review 一下 code", "以后 code 都要带 type hints。"),
    ],
    unpack=True,
)
def test_a_standing_wish_applies(request_: str, wish: str) -> None:
    assert applies(request_, wish)


@every_row(
    [
        ("Write me a birthday card.", "I'm vegetarian, so no meat for me."),
        ("Explain how photosynthesis works.", "I'm allergic to peanuts."),
        ("Can you suggest a dinner?", "I never slept so badly."),
        ("Can you suggest a dinner?", "He has always been late."),
        ("Write me a card.", "I went to the market."),
        ("帮我写一张贺卡。", "我对花生过敏。"),
        ("今晚吃什么，推荐一下？", "他总是迟到。"),
        ("今晚吃什么，推荐一下？", "我以后想去云南。"),
        ("解释一下光合作用。", "我喜欢下雨天。"),
    ],
    unpack=True,
)
def test_what_is_no_wish_or_of_another_matter_does_not(request_: str, text: str) -> None:
    assert not applies(request_, text)
