"""Who asks of a deed is answered by nothing else, who asks of none by whatever was told; both languages."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.questions.event_times import tells_deed

DENTIST, DENTIST_ZH = "I had a tooth out at Dr Hale's.", "我去拔了颗牙。"
ROWS = [
    ("What did I paint on Tuesday?", DENTIST, False),
    ("What did I paint on Tuesday?", "I finished a watercolour of the harbour.", True),
    ("What did we eat on Sunday?", DENTIST, False),
    ("What did we eat on Sunday?", "We had lamb and mint sauce.", True),
    ("What did I buy yesterday?", "I paid forty pounds for a lamp.", True),
    ("What did I read on Friday?", DENTIST, False),
    ("What befell me on Tuesday?", DENTIST, True),
    ("Where was I on Tuesday?", DENTIST, True),
    ("What did I find on my step on Sunday?", "A jar of quince jelly stood there.", True),
    ("What were we up to on Saturday?", DENTIST, True),
    ("What did I wear on Saturday?", DENTIST, False),
    ("What did I sell on Saturday?", DENTIST, False),
    ("昨天公司组织了什么活动？", DENTIST_ZH, True),
    ("我昨天在学校出了什么事？", DENTIST_ZH, True),
    ("周二我画了什么？", DENTIST_ZH, False),
    ("周二我画了什么？", "我临摹了一张水彩。", True),
    ("昨天我们吃的什么？", DENTIST_ZH, False),
    ("昨天我们吃的什么？", "蒸了一锅糖三角。", True),
    ("昨天我给媳妇花钱买什么了？", "给秀芬换了个戒指，两千六。", True),
    ("前天都出了些什么事？", DENTIST_ZH, True),
    ("下周二我要去办什么？", "得去车管所审车。", True),
]


@every_row(ROWS, unpack=True)
def test_a_deed_is_told_by_words_of_it(question: str, text: str, tells: bool) -> None:
    assert tells_deed(question, text) is tells
