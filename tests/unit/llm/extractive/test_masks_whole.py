"""A mask never begins or ends inside a word or a name, whatever sentence it lies in; English, Chinese and mixed."""

from __future__ import annotations

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from soulmem.core.names.name_recogniser import find_names
from soulmem.core.text.chinese_segmenter import word_spans
from soulmem.llm.extractive.details.note_details import details

AT = 1_775_070_000_000
_LETTER = re.compile(r"[A-Za-zÀ-ɏ0-9]")
_NUMERAL = re.compile(r"[零一二三四五六七八九十百千万两几半第]")  # a number before what it counts is whole

NAMES = ("Leila", "Gareth Pugh", "Otto van der Heide", "Mei-Ling O'Connor", "Will", "Hope", "niamh", "Dr. de Souza")
NAMES_ZH = ("欧阳建国", "何苗", "阿芬", "小贺", "老魏", "白雪", "高兴", "司徒雅婷", "江屿", "石磊")
ENGLISH = (
    "{a} plays the trombone in a ska band with {b}", "I drive a green Škoda that {a}'s dad sold me for 1,200 euros",
    "we saw My Octopus Teacher at the inn's little cinema on Friday", "{a} carries an EpiPen because of peanuts",
    "my sister {a} moved to Stoke-on-Trent in May 2021", "{a} cooked a lamb stew for {b} and didn't sleep",
    "the code is 58-21-77 and the dog's called {b}", "{a}'s got twenty-two records by Marvin Gaye",
)  # fmt: skip
CHINESE = (
    "{a}在海边捡了几块小石头，送给了{b}", "我昨天和{a}在学校门口吃了一碗花生糊", "{a}休过学，后来考上了川大",
    "今天的晚霞是紫色的，{a}拍了三张照片", "今天早饭{a}吃了豆浆油条，昨晚饭后散步",
    "新买的拖鞋走路吱吱响，{b}说难听", "{a}开了一家叫安记的裁缝铺，十五年了",
    "周五晚上我和{a}看了《千与千寻》，带了四个小朋友", "{a}的妈妈对芒果过敏，随身带着肾上腺素笔",
)  # fmt: skip
MIXED = (
    "{b} 在 Vancouver 读 master，周六在 Kafka's 打工", "{a} 把 iPhone 换成了 Pixel 9，花了两千四",
    "我 roommate {a} 会做 dosa，{b} 只会泡面",
)  # fmt: skip


def _cut(text: str, at: int) -> str:
    """The word or name that a place lies in; empty where it lies between two."""
    if not 0 < at < len(text):
        return ""
    if _LETTER.match(text[at - 1]) and _LETTER.match(text[at]):
        return text[max(0, at - 8) : at + 8]
    for name in find_names(text):
        if name.start < at < name.end:
            return name.name
    for start, end in word_spans(text):
        if start < at < end and not _NUMERAL.match(text[start]) and not any(
            name.start in (start, at) or name.end in (end, at) for name in find_names(text)
        ):  # fmt: skip
            return text[start:end]
    return ""


@st.composite
def _sentences(draw: st.DrawFn) -> str:
    parts = draw(st.lists(st.sampled_from((*ENGLISH, *CHINESE, *MIXED)), min_size=1, max_size=4))
    names = st.sampled_from((*NAMES, *NAMES_ZH))
    joiner = draw(st.sampled_from((". ", "。", "，", "; ", " and ", "!")))
    return joiner.join(part.format(a=draw(names), b=draw(names)) for part in parts)


@settings(max_examples=150, deadline=None)
@example("我跟上官婉儿同名不同姓，她爱吃花生。")
@example("新买的拖鞋走路吱吱响")
@given(_sentences())
def test_a_mask_covers_whole_words_and_names(text: str) -> None:
    found = [each for each in details(text, AT, speaker="Mia") if each.level]
    assert all(0 <= each.start < each.end <= len(text) for each in found)
    assert [
        (text[each.start : each.end], cut) for each in found for at in (each.start, each.end) if (cut := _cut(text, at))
    ] == []


def test_the_sentences_have_something_to_mask() -> None:
    for part in (*ENGLISH, *CHINESE, *MIXED):
        assert any(each.level for each in details(part.format(a="Leila", b="何苗"), AT)), part
