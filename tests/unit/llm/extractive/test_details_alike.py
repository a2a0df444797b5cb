"""Details beside one another: neighbouring masks, one thing twice, idioms, days behind names."""

from __future__ import annotations

import pytest
from test_details import AT, shown_after

from soulmem.core.schema.note_requests import Anchor
from soulmem.core.schema.note_topics import Topic
from soulmem.llm.extractive.details.note_details import details
from soulmem.llm.extractive.language.content_words import lexicon_for


@pytest.mark.parametrize(
    "text",
    [
        "小苇昨晚和爸爸看了《我的章鱼老师》，哭了",
        "陈默的妹妹陈曦在城东的面包店上班",
        "Tom's sister Ines works at the bakery on Mill Street in Leeds",
        "Mara watched My Octopus Teacher with her dad last night and cried",
    ],
)
def test_neighbouring_masks_are_one(text: str) -> None:
    shown = shown_after(text, 6, details(text, AT))
    assert "xxx(" in shown
    assert ")xxx" not in shown
    assert ") xxx" not in shown


def test_one_thing_twice_has_one_gist_and_fades_at_once() -> None:
    text = "Priya adopted a cat called Miso; Miso sleeps on Priya's pillow, and the cat snores."
    drafts = details(text, AT)
    for wording in ("Priya", "Miso", "cat"):
        same = [draft for draft in drafts if text[draft.start : draft.end] == wording]
        assert len(same) == 2
        assert len({(draft.gist, draft.level, draft.anchor) for draft in same}) == 1
    shown = shown_after(text, 6, drafts)
    assert not any(wording in shown for wording in ("Priya", "Miso", "cat"))


@pytest.mark.parametrize(
    "text",
    ["Robin (7 January 2026): my laptop died, I was devastated", "小满（2026年1月7日）：我的电脑居然坏了，气死我了"],
)
def test_what_strikes_is_not_the_day_behind_the_name(text: str) -> None:
    anchored = [text[d.start : d.end] for d in details(text, AT) if d.anchor is Anchor.SPONTANEOUS]
    assert not any("2026" in wording for wording in anchored)
    assert anchored


@pytest.mark.parametrize(
    ("idiom", "said", "topic"),
    [
        ("这个水壶烧水慢死了", "我奶奶上个月去世了", Topic.DEATH),
        ("周一太多，吃不消", "中午吃了两碗面", Topic.FOOD),
        ("my phone died again", "my nan died in May", Topic.DEATH),
    ],
)
def test_an_idiom_is_not_about_what_its_words_say(idiom: str, said: str, topic: Topic) -> None:
    lexicon = lexicon_for("en" if idiom.isascii() else "zh")
    assert topic not in lexicon.topics_of(idiom)
    assert topic in lexicon.topics_of(said)
