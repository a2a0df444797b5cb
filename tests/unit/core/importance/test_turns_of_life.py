"""What turns in a life weighs more than what is so anyway: notices, break-ups, falls, deaths, a working life."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.importance.importance_rating import weigh

AT = calendar_math.day_number(2026, 9, 8) * calendar_math.DAY_MS
WEIGH_MORE = [
    "handed in my notice at the chippy", "me n tyler are done", "Martin's got an interview", "Frank resigned",
    "I've decided to sell the Jazz.", "rang nani, she fell in the bath but shes ok",
    "分了。陈默说要出国", "公司派他去金华管分公司", "猫咖老板要转让",
    "Mr Churchill was on the floor of his cage. I buried him under the hydrangea",
    "I drove the number 11 round the Outer Circle for thirty-four years", "Taught chemistry for 31 years",
    "初中语文，在扬州教了三十八年，退下来十一年了", "我在下沙跑了三年车",
]  # fmt: skip


@every_row(WEIGH_MORE)
def test_what_turns_in_a_life_weighs_more_than_what_is_so_anyway(text: str) -> None:
    assert weigh(text, AT).value >= 0.6
