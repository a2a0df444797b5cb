"""Which of the handed-out items a reply was made of, told by its words, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from soulmem.core.grounding.reply_overlap import is_recital, used_of

EN = ("Ann: Marta keeps bees on the roof.", "Ann: Marta sells lavender honey on Saturdays.",
      "Ann (2 March 2026): The wifi code is 4471-KP.", "Ann: Tom moved to Bergen with his cousin.")  # fmt: skip
ZH = (
    "Ann：玛塔在屋顶上养蜜蜂。",
    "Ann：玛塔星期六卖薰衣草蜂蜜。",
    "Ann：小屋的wifi密码是4471-KP。",
    "Ann：王磊跟表弟搬到了卑尔根。",
)


@pytest.mark.parametrize(
    ("items", "question", "reply", "used"),
    [
        (EN, "What does Marta do?", "She keeps her bees up on the roof, doesn't she?", (0,)),
        (EN, "What does Marta do?", "Bees on the roof, and lavender honey on Saturdays.", (0, 1)),
        (EN, "What was the code?", "That's 4471, I believe.", (2,)),
        (EN, "Where did Tom go?", "Off to Bergen!", (3,)),
        (EN, "What does Marta do?", "Oh, I see.", ()),
        (EN, "Does Marta keep bees on the roof?", "You asked whether Marta keeps bees on the roof.", ()),
        (EN, "What was the code?", "Was it 9982?", ()),
        (ZH, "玛塔在做什么？", "她在屋顶上养蜜蜂呀。", (0,)),
        (ZH, "玛塔在做什么？", "养蜜蜂，星期六还卖薰衣草蜂蜜。", (0, 1)),
        (ZH, "密码是多少？", "好像是4471。", (2,)),
        (ZH, "玛塔在做什么？", "嗯嗯，好的。", ()),
        (ZH, "密码是多少？", "是9982吗？", ()),
    ],
)
def test_what_a_reply_used_is_told_by_its_words(
    items: tuple[str, ...], question: str, reply: str, used: tuple[int, ...]
) -> None:
    assert used_of(reply, question, items, ("Ann", "Pell")) == used


@pytest.mark.parametrize("items", [EN, ZH])
def test_who_says_everything_again_recites(items: tuple[str, ...]) -> None:
    used = used_of(" ".join(items), "?", items, ("Ann",))
    assert is_recital(used, items)
    assert not is_recital(used[:2], items)
    assert not is_recital((0,), items[:1])


@given(st.text(max_size=80), st.text(max_size=40), st.lists(st.text(max_size=60), max_size=6))
def test_any_words_are_read(reply: str, question: str, items: list[str]) -> None:
    used = used_of(reply, question, items)
    assert list(used) == sorted(set(used))
    assert all(0 <= place < len(items) for place in used)
    assert used_of("", question, items) == ()
