"""The details the extractive engine finds: what fades, under which gist, what is anchored; Chinese, English, mixed."""

from __future__ import annotations

import os
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.decay_policy import Fading
from soulmem.core.details.elements import MOST_ELEMENTS, born, checked
from soulmem.core.details.gists import leaks
from soulmem.core.details.masking import render
from soulmem.core.schema.note_requests import Anchor, ElementDraft
from soulmem.core.text.chinese_segmenter import word_spans
from soulmem.llm.extractive.details.note_details import MOST_DETAILS, arousal_of, details
from soulmem.llm.extractive.language.sentence_splitter import language_of

EXAMPLES = 5_000 if os.environ.get("SOULMEM_TORTURE") else 300
AT = calendar_math.day_number(2023, 5, 8) * calendar_math.DAY_MS + 14 * calendar_math.HOUR_MS


def breaks_word(text: str, start: int, end: int) -> bool:
    """Whether a span begins or ends within a Chinese word."""
    return any(s < start < e or s < end < e for s, e in word_spans(text))


def found(text: str, **options: object) -> dict[str, str]:
    """Quote -> gist of the details and clauses of a text."""
    return {text[d.start : d.end]: d.gist for d in details(text, AT, **options)}  # type: ignore[arg-type]


def anchored(text: str, anchor: Anchor, **options: object) -> list[str]:
    return [text[d.start : d.end] for d in details(text, AT, **options) if d.anchor is anchor]  # type: ignore[arg-type]


def shown_after(text: str, days: float, drafts: tuple[ElementDraft, ...]) -> str:
    elements = born(checked(text, drafts, language=language_of(text)).elements, 0, Fading())
    return render(text, [each.mask(round(days * DAY_MS)) for each in elements]).text


# -- what fades -------------------------------------------------------------------------------------------------


@every_row(
    [
        ("Caroline had lunch with Melanie.", "Melanie", "someone"),
        ("Caroline moved to Lisbon for good.", "Lisbon", "somewhere"),
        ("They met at Central Park to talk.", "Central Park", "somewhere"),
        ("Ann saw it on 7 May 2023 herself.", "on 7 May 2023", "in May 2023"),
        ("Ann saw it yesterday (7 May 2023) herself.", "yesterday (7 May 2023)", "in May 2023"),
        ("Ann saw it last Fri (6 October 2022) herself.", "last Fri (6 October 2022)", "in October 2022"),
        ("小林周末（2025年1月4日至5日）休息。", "周末（2025年1月4日至5日）", "2025年1月"),
        ("Ann kept the vintage 1998 bottle.", "1998", "in the 1990s"),
        ("Ann was born in May 1998 at home.", "in May 1998", "in 1998"),
        ("Ann invited 42 people to it.", "42", "about forty"),
        ("Ann invited forty people to it.", "forty", "dozens"),
        ('Clara smiled and she said "I will never leave".', '"I will never leave"', "something she said"),
        ('Bob asked "where have you been all day?" again.', '"where have you been all day?"', "something asked"),
        ("Ann adopted a grey cat today.", "grey cat", "some animal"),
        ("Ann's sister sent a parcel.", "sister", "someone in the family"),
        ("Bob is allergic to hazelnuts.", "hazelnuts", "something to eat or drink"),
        ("Bob told me the door code is 4821.", "4821", "some digits"),
        ("Call 13800138000 at once.", "13800138000", "some digits"),
        ("小林搬到杭州了。", "杭州", "某个地方"),
        ("小林2023年5月7日搬了家。", "2023年5月7日", "2023年5月"),
        ("小林昨天（2023年5月7日）搬了家。", "昨天（2023年5月7日）", "2023年5月"),
        ("她请了四十二个人吃饭。", "四十二", "四十左右"),
        ("她花了40块。", "40", "几十"),
        ("外婆说：“孩子，别怕，我一直都在。”", "“孩子，别怕，我一直都在。”", "某句话"),
        ("他养了一只橘猫。", "橘猫", "某种动物"),
        ("他的门牌密码是8842。", "8842", "某串数字"),
        ("Caroline去了北京，见到了Melanie。", "Melanie", "某个人"),
        ("他们一起看了《千与千寻》。", "《千与千寻》", "某部影视"),
    ],
    unpack=True,
)
def test_each_kind_of_detail_gets_its_gist(text: str, quote: str, gist: str) -> None:
    assert found(text).get(quote) == gist


def test_the_speaker_is_the_frame_of_the_note_and_no_detail() -> None:
    text = "Caroline went to the concert with Melanie."
    assert "Caroline" not in found(text, speaker="Caroline")
    assert found(text, speaker="Melanie", names=["Caroline"])["Caroline"] == "someone"
    typed = "it's the middle of the night in nagpur. hi. priyanka"
    assert "priyanka" not in found(typed, speaker="Priyanka", names=["Priyanka"])
    assert "xxx(某件事物)" not in shown_after(
        "来了个小伙子试工，葱花切得比我还细。", 30, details("来了个小伙子试工，葱花切得比我还细。", AT)
    )


def test_every_occurrence_fades_or_none_would() -> None:
    text = "Ann met Clara in Rome, and Clara brought plums because Clara loves plums."
    drafts = details(text, AT, speaker="Ann")
    assert [text[d.start : d.end] for d in drafts].count("Clara") == 3
    assert "Clara" not in shown_after(text, 6, drafts)


def test_clauses_fade_after_their_details_and_before_the_note() -> None:
    text = "Ann went home early because her sister Clara was getting married in Rome."
    drafts = details(text, AT, speaker="Ann")
    clauses = [text[d.start : d.end] for d in drafts if d.level == 1]
    assert clauses == ["because her sister Clara was getting married in Rome"]
    assert shown_after(text, 0, drafts) == text
    assert "getting married" in shown_after(text, 6, drafts)
    assert "getting married" not in shown_after(text, 9, drafts)
    assert shown_after(text, 9, drafts).startswith("Ann went home early xxx(")
    assert "Ann" not in shown_after(text, 20, drafts)


def test_a_text_without_details_has_none() -> None:
    assert details("It rained.", AT) == ()
    assert details("", AT) == ()
    assert details("……", AT) == ()


# -- what stays ---------------------------------------------------------------------------------------------------


@every_row(
    [
        ('Clara burst into tears and said "you were always my home".', '"you were always my home"'),
        ('His exact words were "do not wait for me".', '"do not wait for me"'),
        ("Bob suddenly saw a grey fox behind the house.", "grey fox"),
        ("外婆的原话是：“我一直都在等你回来。”", "“我一直都在等你回来。”"),
        ("小林突然看见一只狐狸。", "狐狸"),
        ("I couldn't believe how still it was", "I couldn't believe how still it was"),
    ],
    unpack=True,
)
def test_what_struck_is_anchored(text: str, quote: str) -> None:
    assert quote in anchored(text, Anchor.SPONTANEOUS)


def test_an_anchored_line_outlives_its_note() -> None:
    text = 'It rained all day, and Clara cried when she said "I never thought I would see this day".'
    shown = shown_after(text, 60, details(text, AT))
    assert '"I never thought I would see this day"' in shown
    assert "rained" not in shown


@every_row(
    [
        ("Bob must remember that the door code is 4821.", ["4821"]),
        ("Bob kept saying 4821, 4821, 4821 to himself.", ["4821, 4821, 4821"]),
        ("He memorised the line “sleep no more, my friend, sleep”.", ["“sleep no more, my friend, sleep”"]),
        ("他反复默念密码8842。", ["8842"]),
        ("她把“春眠不觉晓”背下来了。", ["“春眠不觉晓”"]),
    ],
    unpack=True,
)
def test_what_is_repeated_on_purpose_is_anchored_by_force(text: str, quotes: list[str]) -> None:
    assert anchored(text, Anchor.FORCED) == quotes
    fresh, later = shown_after(text, 0.4, details(text, AT)), shown_after(text, 1.3, details(text, AT))
    assert quotes[0] in fresh
    assert quotes[0] not in later


def test_a_manner_of_speaking_is_no_learning() -> None:
    for text in ("Bob was very, very tired.", "Bye bye, see you!", "哈哈哈哈，好的好的。", "It was so so good."):
        assert not anchored(text, Anchor.FORCED)


def test_anchors_stay_few() -> None:
    lines = [f'Suddenly Clara cried "line number {word} of ours".' for word in ("a", "b", "c", "d", "e")]
    text = " ".join([*lines, "Remember this: 4821, 4822, 4823, 4824, 4825."])
    assert len(anchored(text, Anchor.SPONTANEOUS)) == 2
    assert len(anchored(text, Anchor.FORCED)) == 3


def test_arousal_is_heard_in_both_languages() -> None:
    assert arousal_of("It rained.") == 0.0
    assert 0 < arousal_of("She burst into tears!!") <= 1
    assert 0 < arousal_of("他突然崩溃大哭！！") <= 1


# -- planted secrets -----------------------------------------------------------------------------------------------

SECRETS = [
    ("Ann hid the spare key under the pot and the vault code is K7-4821.", "K7-4821"),
    ("Ann told Bob that Margarethe pays the rent, and Margarethe must not know.", "Margarethe"),
    ('Ann whispered "the orchid blooms at midnight" to Bob.', "orchid blooms"),
    ("阿杰的银行卡密码是884210，别告诉别人。", "884210"),
    ("阿杰悄悄告诉小林：“兰花在午夜才会开的。”", "午夜"),
    ("阿杰下个月（2023年6月）要搬去厦门住。", "厦门"),
]


@every_row(SECRETS, unpack=True)
def test_a_planted_secret_is_gone_within_a_fortnight(text: str, secret: str) -> None:
    drafts = details(text, AT)
    assert secret in shown_after(text, 0, drafts)
    for days in (8, 14, 20, 100):
        assert secret not in shown_after(text, days, drafts)


# -- laws ------------------------------------------------------------------------------------------------------------

ENGLISH = (
    'Caroline|Melanie|Lisbon|went to|met|said|"I love you so very much"|yesterday|(7 May 2023)|42|forty|four hundred|'
    "4821,|4821|suddenly|remember|because|and she|grey cat|.|,|!|in May 2023|someone|somewhere|cafe\u0301"
)
CHINESE = (
    "小林|搬到|杭州|了|，|。|“我一直都在”|橘猫|四十二个|去年夏天|突然|反复|密码是|"
    "《千与千寻》|某个人|几十|𠮷野家|🍜|👩\u200d👧"
)
words = st.sampled_from([*ENGLISH.split("|"), *CHINESE.split("|"), "x" * 30])
texts = st.one_of(st.lists(words, min_size=1, max_size=30).map(" ".join), st.text(max_size=80))


@settings(max_examples=EXAMPLES, deadline=None)
@given(texts, st.sampled_from(["", "Caroline", "小林"]))
def test_whatever_is_said_the_details_are_sound(text: str, speaker: str) -> None:
    drafts = details(text, AT, speaker=speaker)
    assert drafts == details(text, AT, speaker=speaker)
    spans = [(d.start, d.end) for d in drafts]
    assert len(spans) == len(set(spans)) <= MOST_DETAILS
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert sum(d.anchor is Anchor.SPONTANEOUS for d in drafts) <= 2
    assert sum(d.anchor is Anchor.FORCED for d in drafts) <= 3
    quotes = [text[start:end] for start, end in spans]
    for draft in drafts:
        assert not draft.gist or not leaks(draft.gist, quotes)
        assert not any(quote.strip() and quote.strip() in draft.gist for quote in quotes)
    details_only = sorted(span for span, d in zip(spans, drafts, strict=True) if d.level == 2)
    assert all(left[1] <= right[0] for left, right in pairwise(details_only))
    done = checked(text, drafts)
    assert len(done.elements) <= MOST_ELEMENTS


def test_long_notes_are_read_in_time() -> None:
    text = "Ann met Clara in Rome on 7 May 2023 and paid 42 euros, 小林 also came to 杭州 suddenly. " * 3_000
    started = time.thread_time()
    assert len(details(text, AT)) <= MOST_DETAILS
    assert time.thread_time() - started < 5


# -- masks that read well --------------------------------------------------------------------------------------------


@every_row(
    [
        ("Mara carries an EpiPen everywhere.", "EpiPen", "some medicine or medical device"),
        ("Ines takes metformin in the evening.", "metformin", "some medicine or medical device"),
        ("Mara watched My Octopus Teacher with dad.", "My Octopus Teacher", "some film or series"),
        ("Tom is reading The Left Hand of Darkness again.", "The Left Hand of Darkness", "some book"),
        ('We watched "Past Lives" at home.', '"Past Lives"', "some film or series"),
        ("Mara listened to Blue Train on repeat.", "Blue Train", "some music or band"),
        ("Tom plays Hollow Knight at night.", "Hollow Knight", "something one plays"),
        ("Leila is learning Welsh now.", "Welsh", "some language"),
        ("Tom got a job at Guy's Hospital.", "Guy's Hospital", "somewhere"),
        ("Tom drives a blue Skoda Fabia.", "Skoda Fabia", "some vehicle"),
        ("Mara is allergic to shellfish and latex.", "latex", "something"),
        ("Mara's favourite colour is teal.", "teal", "some colour"),
        ("Tom ran it in 3 hours 41 minutes.", "3 hours 41 minutes", "some time"),
        ("Mara was scared of dogs.", "dogs", "some animal"),
        ("Jonah's dog barked.", "dog", "some animal"),
        ("小苇的包里有肾上腺素笔。", "肾上腺素笔", "某种药物或器械"),
        ("Mara saw My Octopus Teacher with dad.", "My Octopus Teacher", "some film or series"),
        ("Mara's band is playing the Red Kettle on Monday.", "Red Kettle", "somewhere"),
        ("Tom took the night train to Penrith.", "Penrith", "somewhere"),
        ("陈默在学尤克里里。", "尤克里里", "某种文艺"),
        ("她在动物园看到了企鹅。", "企鹅", "某种动物"),
        ("他们下周要爬埃菲尔铁塔。", "埃菲尔铁塔", "某个地方"),
        ("陈默天天坐公交上班。", "公交", "某种车辆"),
        ("她每天打胰岛素。", "胰岛素", "某种药物或器械"),
        ("陈默读完了《边城》。", "《边城》", "某本书"),
        ("我们循环听《十年》。", "《十年》", "某种音乐"),
        ("陈默每天玩塞尔达。", "塞尔达", "某种玩的"),
        ("阿宁会说四川话。", "四川话", "某门语言"),
        ("我们喝了番茄汤。", "番茄汤", "某种吃喝的东西"),
        ("她最喜欢的颜色是墨绿色。", "墨绿色", "某种颜色"),
        ("他跑了三小时四十一分。", "三小时四十一分", "一段时间"),
        ("邻居的狼狗咬过她。", "狼狗", "某种动物"),
    ],
    unpack=True,
)
def test_a_mask_says_the_right_kind(text: str, quote: str, gist: str) -> None:
    assert found(text).get(quote) == gist


@every_row(
    [
        "小苇对花生过敏，严重的时候要打肾上腺素",
        "小石头高中休过学，后来在职校学了汽修",
        "陈默花四万五买了一辆二手丰田，停在养老院门口",
        "小苇讨厌香菜，也受不了鱼腥味，最爱榴莲酥",
        "外面一直下雨，老周帮隔壁王阿姨搬沙发闪了腰",
        "the inn's breakfast was lovely, Jonah's dog Pickle liked the inn",
        "Tom learned German from a German shepherd trainer in Germany",
        "Mara's mother has dementia and lives in a care home in York",
    ]
)
def test_no_mask_begins_or_ends_within_a_word(text: str) -> None:
    for draft in details(text, AT):
        assert not breaks_word(text, draft.start, draft.end), text[draft.start : draft.end]
        for at in (draft.start, draft.end):
            around = text[max(0, at - 1) : at + 1]
            assert not (len(around) == 2 and around.isascii() and around.isalnum()), text[draft.start : draft.end]


@pytest.mark.parametrize(
    ("text", "no_detail"),
    [
        ("Mara quit, too many Mondays.", "Mondays"),
        ("Mara's team lost three nil.", "three"),
        ("陈默的队三比零赢了。", "三"),
        ("小苇打了会儿牌。", "会儿"),
    ],
)
def test_what_is_no_thing_of_its_own_is_no_detail(text: str, no_detail: str) -> None:
    assert no_detail not in found(text)
