"""What a model is asked: to answer a question from a context alone, and whether an answer is right.

Both in the language of the question. The context is told between two lines, so that what stands in it is not taken for
instructions. Tokens are counted as the product counts them.
"""

from __future__ import annotations

import re

_ANSWER = {
    "en": (
        "Between the lines is what you remember. Answer the question from it alone, in as few words as will do, "
        "without a sentence around them. Give dates as day, month and year where they can be told, and work out from "
        'when something was said what "yesterday" or "last week" meant in it. If it is not there, answer '
        '"Not mentioned".'
    ),
    "zh": (
        "两条线之间是你记得的内容。只根据这些内容回答问题，用最少的字，不要完整的句子。"
        "能算出日期的，写明年月日；“昨天”“上周”等要按说话那天推算。内容里没有的，就回答“没有提到”。"
    ),
}
_JUDGE = {
    "en": (
        "A question, its right answer and somebody's answer follow. Is his answer right? Be generous: it is right if "
        "it speaks of the same thing, whatever the wording, the length or the form of a date; a time is right if it "
        "means the same day, week or period. Answer with one word: CORRECT or WRONG."
    ),
    "zh": (
        "下面是一个问题、正确答案和某人的回答。他的回答对吗？请宽松判断：说的是同一件事就算对，"
        "措辞、长短、日期写法不同没关系；时间指同一天、同一周或同一时段就算对。只回答一个词：CORRECT 或 WRONG。"
    ),
}
_LINE = "-----"
_QUESTION = {"en": "Question", "zh": "问题"}
_RIGHT = {"en": "Right answer", "zh": "正确答案"}
_VERDICT = re.compile(r"\b(?:IN)?CORRECT\b|\bWRONG\b")
_SAID = {"en": "His answer", "zh": "他的回答"}


def answer_prompt(context: str, question: str, language: str) -> str:
    """What a model is asked to answer."""
    tongue = language if language in _ANSWER else "en"
    return f"{_ANSWER[tongue]}\n\n{_LINE}\n{context.strip()}\n{_LINE}\n\n{_QUESTION[tongue]}: {question}"


def verdict_prompt(question: str, right: str, answer: str, language: str) -> str:
    """What a model is asked of an answer."""
    tongue = language if language in _JUDGE else "en"
    told = ((_QUESTION, question), (_RIGHT, right), (_SAID, answer or "-"))
    return "\n".join([_JUDGE[tongue], "", *(f"{name[tongue]}: {text}" for name, text in told)])


def is_right(verdict: str) -> bool:
    """What a model said of an answer: the first of both words counts."""
    found = _VERDICT.search(verdict.upper())
    return found is not None and found[0] == "CORRECT"
