"""Any text a task may be handed: arbitrary characters, and talk put together from words its rules look for."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

from hypothesis import strategies as st

from soulmem.core.schema.engine_tasks import Labelled

_WORDS = [
    "Anna", "Bob's", "I", "we", "lives in", "moved to", "Paris", "Rome", "no longer", "used to", "likes", "doesn't like",
    "died", "married", "not", "never", "yesterday", "in May 2023", "last week", "two", "10", "why", "where", "what", "and",
    "?", "!", ".", ",", "…", "\n", "exactly", "wrong", "thanks", "but", "(8 May 2023)", "works at", "a nurse", "her",
    "小红", "小明", "我", "住在", "搬到", "北京", "上海", "不再", "以前", "喜欢", "不喜欢", "去世", "结婚", "没", "昨天", "去年夏天",
    "三只", "为什么", "哪里", "什么", "还有", "？", "！", "。", "，", "对", "不对", "谢谢", "但是", "（2023年5月8日）", "在", "工作", "了",
    "的", "猫", "cat", "«", "😀", "[", "(", "）", "\\", "{s}", "%s", "\0",
]  # fmt: skip

talk = st.lists(st.sampled_from(_WORDS), max_size=14).map(" ".join)
dense = st.lists(st.sampled_from(_WORDS), max_size=14).map("".join)
texts = st.one_of(talk, dense, st.text(max_size=80))
moments = st.one_of(st.just(0), st.integers(min_value=0, max_value=4_102_444_800_000))


def labelled(least: int = 0, most: int = 6) -> st.SearchStrategy[tuple[Labelled, ...]]:
    """Notes with distinct labels."""
    return st.lists(st.tuples(texts, moments), min_size=least, max_size=most).map(
        lambda rows: tuple(Labelled(f"N{index}", text, at_ms) for index, (text, at_ms) in enumerate(rows, 1))
    )
