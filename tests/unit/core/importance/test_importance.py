"""Importance by the words of a text, Chinese, English and mixed; how long what matters is kept."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import datetime as dt
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.calendar_math import DAY_MS
from soulmem.core.decay.anchors import new_trace
from soulmem.core.decay.decay_policy import Fading, UnfitFadingError, moved_to
from soulmem.core.decay.traces import Curve
from soulmem.core.details.elements import born, fitting
from soulmem.core.details.rehearsal import rehearsed, retold
from soulmem.core.importance.importance_rating import LOOKED_AT, Reason, corrected, keeping, weigh
from soulmem.core.importance.retention_periods import Factors, Keeping, Level, level_of
from soulmem.core.schema.note_requests import Anchor, ElementDraft, NoteKind

AT = round(dt.datetime(2026, 1, 7, 19, tzinfo=dt.UTC).timestamp() * 1000)
DAYS = Fading(fact_days=1_095.0, factors=Factors(0.4, 7.5, 40.0))

VITAL = {
    Reason.ALLERGY: ["Penicillin nearly killed me once, I'm allergic", "bee stings make my throat close up", "我对芒果过敏，会喘不上气", "一吃虾嘴就肿"],
    Reason.MEDICINE: ["I take levothyroxine for life", "she's on 20mg of atorvastatin", "my inhaler's the blue one", "我天天得吃降压药", "包里必须放硝酸甘油"],
    Reason.HEALTH: ["turns out I have lupus", "Dad had a stroke in spring", "got diagnosed with MS... multiple sclerosis", "我妈刚查出来乳腺癌", "我有癫痫，别让我熬夜", "他是色盲"],
    Reason.DEATH: ["My grandad passed away in May", "we lost our daughter at birth", "我奶奶去年走了", "老伴去世三年了"],
    Reason.BIRTH: ["I'm pregnant, twelve weeks", "we're expecting twins", "我怀孕了，刚六周", "预产期在九月"],
    Reason.PARTNERSHIP: ["We got engaged on the beach", "my divorce came through", "我俩下个月领证", "我和他离婚两年了"],
    Reason.NAME: ["my name's Odalys but everyone says Ody", "please call me Kit", "our dog is called Biscuit", "我叫唐果，糖果的同音", "我儿子叫小满"],
    Reason.BIRTHDAY: ["My birthday is 2 August", "mum's birthday is on the 14th", "我生日是腊月初八", "老婆的生日在三月"],
    Reason.PROMISE: ["I promised Leo I'd teach him to swim", "I swore to pay her back", "我答应过爸爸考完研就回家", "我跟他约定每年见一面"],
    Reason.FEAR: ["I'm petrified of needles", "spiders, I have a proper phobia", "我特别怕打雷", "我晕血，看到就倒"],
    Reason.DISLIKE: ["can't stand people whistling", "I don't like being hugged", "我最讨厌迟到的人", "我不喜欢别人摸我头"],
    Reason.DIET: ["I'm vegan", "we keep halal at home", "I don't eat pork", "我吃素", "我从小不吃羊肉"],
    Reason.SECRET: ["don't tell Ana about the ring", "nobody knows I dropped out", "别告诉我妈我辞职了", "这是我的秘密，只跟你说"],
    Reason.FAMILY: ["my sister is a midwife in Cork", "I have three brothers", "我姐在成都当护士", "我有两个孩子", "我跟我哥五年没说话了"],
    Reason.IDENTITY: ["I work at the dye works in Leek", "I'm a bookbinder by trade", "I teach woodwork", "我在苏州当裱画师", "我在一家修表铺上班", "我是一名中学老师", "my blood group is AB", "the alarm code is 7731", "我血型是AB", "紧急联系人写我表姐"],
}  # fmt: skip
TRIFLES = [
    "it's tipping down again", "had toast", "the tram was packed", "put the bins out", "ugh my wifi", "so sleepy", "nothing on tv",
    "grabbed a sandwich between meetings", "外面好冷", "中午吃了米线", "刚拖完地", "堵车堵得心烦", "好困", "手机没电了", "刷了会儿视频", "今天太阳真好",
    "雾浓得很，对岸的塔都看不到", "雨大得听不清广播", "the fog's so thick I can't see the gate",
]  # fmt: skip
ORDINARY = [
    "I've joined a choir with my friend Nell", "We went to a glass museum on Sunday with Theo", "I always walk home along the river",
    "Our rent went up to 870 a month", "I'm on forty-four thousand now", "she owes the bank 9,000", "爸的退休金一个月三千二",
    "飞度今天卖了，两万一，以后坐地铁", "把车卖了，以后坐公交", "房租涨到两千八", "我最近在学吉他", "跟同事去爬了黄山", "我每天坐轮渡上班", "my colleague Iris started a podcast about bridges",
]  # fmt: skip


@every_row([(reason, text) for reason, texts in VITAL.items() for text in texts], unpack=True)
def test_what_a_friend_does_not_forget_is_vital(reason: Reason, text: str) -> None:
    found = weigh(text, AT)
    assert found.level is Level.VITAL
    assert reason in found.reasons
    assert found.sense


@every_row(TRIFLES)
def test_trifles_are_trivial(text: str) -> None:
    assert weigh(text, AT).level is Level.TRIVIAL


@every_row(ORDINARY)
def test_a_life_that_goes_on_is_ordinary(text: str) -> None:
    assert weigh(text, AT).level is Level.ORDINARY


@every_row([
        "Olga beat me by 12 points", "my nephew beat me at draughts", "有事打我电话", "说到一半被打断了",
        "I work in the garden when it's dry", "I'm a bit of a pessimist", "今天我在家上班", "where I work in the evenings it rains",
        "I'm not allergic to anything", "Are you allergic to nuts?", "my phone died", "The Volvo died on the bypass.", "Watched some quiz thing.", "in the film his wife has cancer", "I promise I'll remember that",
        "I won't forget, I promise to remember", "我不过敏", "你对什么过敏吗？", "笑死我了", "电影里他妈妈得了癌症", "我保证一定会记住", "我会记住的", "如果我怀孕了怎么办",
    ])  # fmt: skip
def test_words_of_what_is_vital_where_nothing_is(text: str) -> None:
    assert weigh(text, AT).level is not Level.VITAL


@pytest.mark.parametrize(
    ("plain", "stressed"),
    [
        ("The boiler man comes by the back gate", "Please remember: the boiler man comes by the back gate"),
        ("My seat is always by the aisle", "This is really important: my seat is always by the aisle"),
        ("备用伞在门后面", "一定要记住，备用伞在门后面"),
        ("我喜欢靠窗的位子", "千万别忘了，我喜欢靠窗的位子"),
    ],
)
def test_emphasis_raises(plain: str, stressed: str) -> None:
    assert weigh(stressed, AT).value > weigh(plain, AT).value
    assert Reason.EMPHASIS in weigh(stressed, AT).reasons
    assert weigh(plain, AT, said=f"{plain}. {stressed}").value > weigh(plain, AT).value, (
        "emphasis laid beside it counts"
    )
    assert weigh(stressed, AT, by_companion=True).value <= weigh(stressed, AT).value


def test_it_is_not_emphasis_to_deny_it() -> None:
    assert Reason.EMPHASIS not in weigh("it's not really important what colour it is", AT).reasons
    assert Reason.EMPHASIS not in weigh("I can't remember the name of that street", AT).reasons


def test_what_the_words_show_corrects_what_a_model_rated() -> None:
    insulin, soup, choir = (weigh(text, AT) for text in ("I take insulin", "had leek soup for lunch", ORDINARY[0]))
    assert level_of(corrected(0.2, insulin)) is Level.VITAL
    assert level_of(corrected(0.6, soup)) is Level.TRIVIAL
    assert level_of(corrected(0.8, choir)) is Level.ORDINARY
    assert corrected(0.95, choir) == 0.95, "of what no word shows, only a high rating is believed"
    assert corrected(None, choir) == choir.value


@settings(deadline=None)
@given(st.text(max_size=300), st.one_of(st.none(), st.floats(0, 1)))
def test_any_text_has_an_importance(text: str, given_: float | None) -> None:
    found = weigh(text, AT)
    assert 0.0 <= found.value <= 1.0
    assert found == weigh(text, AT)
    assert 0.0 <= corrected(given_, found) <= 1.0
    assert all(0 <= start < end <= len(text) for start, end in found.sense)
    assert weigh(f"Please remember this. {text}", AT).value >= found.value or found.level is Level.TRIVIAL


@pytest.mark.parametrize("unit", ["my name is ", "我对 ", "(((", "don't don't ", "吃了吃了", "I'm not I'm not "])
def test_a_wall_of_text_is_weighed_in_time(unit: str) -> None:
    began = time.process_time()
    weigh(unit * (20_000 // len(unit)), AT)
    assert time.process_time() - began < 2.0
    assert weigh("x" * LOOKED_AT + " I take insulin", AT).level is not Level.VITAL


# -- retention ------------------------------------------------------------------------------------------------


@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from([NoteKind.EPISODIC, NoteKind.SEMANTIC]))
def test_what_weighs_more_never_keeps_shorter(one: float, other: float, kind: NoteKind) -> None:
    low, high = sorted((one, other))
    days = [DAYS.days_of(0, each, Keeping(kind), is_sense=True) for each in (low, high)]
    assert days[0] <= days[1] * (1 + 1e-9)


@given(st.floats(0, 1), st.sampled_from([1, 2]))
def test_colour_never_outlasts_sense(importance: float, level: int) -> None:
    colour, sense = (DAYS.days_of(level, importance, Keeping(), is_sense=each) for each in (False, True))
    assert colour <= sense


def test_middling_importance_keeps_by_the_plain_formula() -> None:
    for level in (0, 1, 2):
        assert new_trace(level, Anchor.NONE, AT, DAYS) == new_trace(level, Anchor.NONE, AT, Fading())


def test_a_vital_fact_is_clear_for_years_and_a_trifle_is_gone_in_a_fortnight() -> None:
    vital = new_trace(0, Anchor.NONE, 0, DAYS, importance=0.9, keeping=Keeping(NoteKind.SEMANTIC))
    assert DAYS.dues(vital).blur_ms > 5 * 365 * DAY_MS
    ordinary = new_trace(0, Anchor.NONE, 0, DAYS, importance=0.5, keeping=Keeping(NoteKind.SEMANTIC))
    assert DAYS.dues(ordinary).blur_ms > 365 * DAY_MS
    trifle = new_trace(0, Anchor.NONE, 0, DAYS, importance=0.15, keeping=Keeping(NoteKind.SEMANTIC))
    assert DAYS.dues(trifle).blank_ms < 14 * DAY_MS


def test_sense_outlives_colour() -> None:
    text = "I'm allergic to walnuts. Pat told me the bakery on Elm Row had some that day."
    found = weigh(text, AT)
    drafts = [ElementDraft(16, 23, 2, "some food"), ElementDraft(25, 28, 2, "someone")]
    kept = keeping(found, found.value, NoteKind.EPISODIC, text, AT)
    spans = born(fitting(text, NoteKind.EPISODIC, drafts).elements, 0, DAYS, importance=found.value, keeping=kept)
    blurs = {text[each.start : each.end]: DAYS.dues(each.trace).blur_ms for each in spans}
    assert blurs["walnuts"] == blurs[text] > 365 * DAY_MS
    assert 20 * DAY_MS < blurs["Pat"] < 100 * DAY_MS


@every_row([
        ("Our wedding is on 20 June", 160, 180), ("my hip operation is on the 3rd of February", 27, 40), ("我们六月六号结婚", 148, 165),
        ("下个月八号我要面试", 30, 45), ("we're having lunch with Ada tomorrow", 1, 10), ("明天跟阿泽去看展", 1, 10),
    ], unpack=True)  # fmt: skip
def test_nothing_fades_before_its_day_has_come(text: str, least: int, most: int) -> None:
    found = weigh(text, AT)
    kept = keeping(found, found.value, NoteKind.EPISODIC, text, AT)
    assert least * DAY_MS <= kept.ahead_ms <= most * DAY_MS
    for curve in Curve:
        rules = replace(DAYS, curve=curve)
        trace = new_trace(2, Anchor.NONE, 1_000, rules, importance=found.value, keeping=kept)
        assert rules.dues(trace).blur_ms > 1_000 + kept.ahead_ms
        assert trace.strength(1_000 + kept.ahead_ms) == trace.a0
        other = next(each for each in Curve if each is not curve)
        assert moved_to(trace, other, 5_000).strength(1_000 + kept.ahead_ms) == pytest.approx(trace.a0)


def test_what_is_over_holds_nothing_back() -> None:
    assert weigh("Our wedding was on 20 June 2024", AT).until_ms is None
    assert weigh("我们2024年结的婚", AT).until_ms is None


@given(st.integers(0, 400), st.sampled_from([0.3, 1.0]))
def test_what_is_told_again_comes_back_stronger(days: int, weight: float) -> None:
    text = "Ann lives in Lisbon"
    [whole] = born(fitting(text, NoteKind.SEMANTIC).elements, 0, Fading())
    now = days * DAY_MS
    again = retold(whole, now)
    assert again.opacity(now) >= max(0.9 - 1e-9, rehearsed(whole, now, weight).opacity(now))
    assert again.trace.stability_ms >= whole.trace.stability_ms
    assert retold(whole, now, least_stability_ms=10**12).trace.stability_ms >= 10**12


def test_factors_that_make_no_sense_are_refused() -> None:
    for factors in (Factors(2.0, 3.0, 4.0), Factors(0.5, 0.9, 4.0), Factors(0.5, 5.0, 4.0), Factors(0.0, 1.0, 1.0)):
        with pytest.raises(UnfitFadingError):
            Fading(factors=factors)
    with pytest.raises(UnfitFadingError):
        Fading(fact_days=1.0)


@pytest.mark.parametrize("text", ["On 7 May I fly to Perth for the conference", "五月七号我要去珀斯开会"])
def test_what_was_of_weight_until_its_day_is_ordinary_after_it(text: str) -> None:
    found = weigh(text, AT)
    kept = keeping(found, found.value, NoteKind.EPISODIC, text, AT)
    assert found.level is Level.VITAL
    assert kept.ahead_ms > 100 * DAY_MS
    trace = new_trace(0, Anchor.NONE, 0, DAYS, importance=found.value, keeping=kept)
    assert kept.ahead_ms + 60 * DAY_MS < DAYS.dues(trace).blur_ms < kept.ahead_ms + 400 * DAY_MS
    lasting = weigh("We get married on 20 June", AT)
    assert keeping(lasting, lasting.value, NoteKind.EPISODIC, "", AT).most == 1.0


@pytest.mark.parametrize(
    "text",
    ["Robin's grandson is called Anselm", "小满的孙女叫果果", "我外孙女叫安琪", "my godson is called Per",
     "Marcia is the eldest, she teaches maths in Coventry. Then Errol.", "老大叫沈岩，在成都画图"],
)  # fmt: skip
def test_the_names_of_ones_family_are_vital(text: str) -> None:
    assert weigh(text, AT).level is Level.VITAL
    assert weigh("The church is the oldest in town", AT).level is not Level.VITAL


@pytest.mark.parametrize(
    ("text", "name"), [("took our grandson Anselm to the aquarium", "Anselm"), ("带我孙子豆豆去公园玩了", "豆豆")]
)
def test_the_name_of_a_relative_keeps_as_long_as_the_note(text: str, name: str) -> None:
    found = weigh(text, AT)
    keeps = keeping(found, 0.5, NoteKind.EPISODIC, text, AT)
    at = text.index(name)
    drafts = [ElementDraft(0, len(text), 0), ElementDraft(at, at + len(name), 2)]
    whole, named = born(drafts, AT, DAYS, importance=0.5, keeping=keeps)
    assert named.trace.stability_ms == whole.trace.stability_ms
    plain = born(drafts, AT, DAYS, importance=0.5, keeping=replace(keeps, sense=()))[1]
    assert named.trace.stability_ms > plain.trace.stability_ms


def test_what_matters_is_not_crammed() -> None:
    """Whoever must remember the daughter's name does not lose it as what was learnt for an exam."""
    crammed, stressed = (new_trace(2, Anchor.FORCED, 0, DAYS, importance=0.95, is_sense=each) for each in (False, True))
    assert DAYS.dues(crammed).blank_ms < 3 * DAY_MS
    assert DAYS.dues(stressed).blur_ms > 365 * DAY_MS


@every_row([
        "I live in Otley with my husband", "we moved to Lisbon", "our address is 14 Mill Lane, Otley", "my number plate is LV19 KJX",
        "Our new house number is 0113 496 0182", "my dad lives in Constanta with his new wife", "It's a torn meniscus. They want to operate.",
        "His mother doesn't know about us, so please never bring that up", "i promised mom to clean every saturday if i get the phone back", "房子租在霍营，和一个室友合租", "屋企住在万江，自己起的楼",
        "我在北京做UI设计", "车牌粤S·7K318", "我手机号换了，新的是138 0055 7261", "医生加了一种药，早上一粒", "空腹血糖八点二，比上次高",
    ])  # fmt: skip
def test_where_somebody_lives_and_works_and_how_he_is_reached_is_vital(text: str) -> None:
    assert weigh(text, AT).level is Level.VITAL


@every_row([
        "There's a busker who plays film themes", "以前在绵阳待过两年，租在菜市场楼上", "隔壁搬来一对唱戏的夫妻",
        "tried spicy ramen today and almost died lol", "it cost 1,200 kronor", "花了三千八",
    ])  # fmt: skip
def test_homes_and_works_of_strangers_and_of_long_ago_are_not(text: str) -> None:
    assert weigh(text, AT).level is not Level.VITAL


@pytest.mark.parametrize(
    "text",
    [
        "子轩今年二十四了，在深圳送外卖，不肯回家住",
        "Ben does the bins for my aunt since May",
        "女仔叫诸葛晴，四川人，做美甲的",
    ],
)
def test_what_is_told_of_somebody_by_name_is_no_trifle(text: str) -> None:
    assert weigh(text, AT).level is Level.ORDINARY


@pytest.mark.parametrize(
    "text",
    [
        "昨天晚上楼道灯不亮，我下楼倒垃圾把脚给崴了",
        "今儿早上老魏端了碗炸酱面上来，说给孩子补补，完了我俩一块儿下楼遛了个弯儿",
        "Tom brought soup round, said it was for the boy, and then we walked down to the sea together",
        "she sprained her ankle taking the bins out",
    ],
)
def test_a_trifle_in_a_sentence_does_not_make_the_rest_of_it_one(text: str) -> None:
    assert weigh(text, AT).level is Level.ORDINARY


@pytest.mark.parametrize(
    "text", ["今天吃了面，下雨了，好困", "昨晚看电视，吃了碗面，然后睡了", "had soup, watched telly, slept"]
)
def test_trifles_one_after_another_stay_trifles(text: str) -> None:
    assert weigh(text, AT).level is Level.TRIVIAL


@pytest.mark.parametrize(
    "text", ["bonnie came off the swing saturday. broken wrist. purple cast", "mack turned six last friday"]
)
def test_who_writes_in_small_letters_and_fragments_loses_no_birthday_and_no_broken_wrist(text: str) -> None:
    assert weigh(text, AT).level is not Level.TRIVIAL


@every_row(
    [
        ("我的结果昨天来了。布病，阳性。", Level.VITAL),
        ("多西环素，利福平。六周。", Level.VITAL),
        ("I'm on doxycycline for six weeks", Level.VITAL),
        ("到家的第二天父亲摔了。灶台边。没断。", Level.ORDINARY),
        ("杯子摔了", Level.ORDINARY),
    ],
    unpack=True,
)
def test_an_illness_and_a_medicine_are_vital_however_few_words_tell_them(text: str, level: Level) -> None:
    assert weigh(text, 0).level is level


@pytest.mark.parametrize(
    ("text", "is_vital"),
    [
        ('Wren (7 January 2026), asked "Do I need a hat or will the funeral one do?": The funeral one with a ribbon.', False),
        ('Wren, asked "which coat shall I wear to the funeral?": I\'d wear the funeral coat.', False),
        ("阿柚（2026年3月3日）被问“我穿葬礼那套行吗？”：我看葬礼那套就行。", False),
        ('Wren, asked "are you allergic to anything?": I am allergic to cats', True),
    ],
)  # fmt: skip
def test_what_a_companion_takes_up_of_a_question_is_not_vital(text: str, is_vital: bool) -> None:
    assert (weigh(text, AT, by_companion=True).level is Level.VITAL) == is_vital


@every_row(["大雾天我左眼睛看不见了", "雨声里奶奶耳朵听不清了"])
def test_eyes_and_ears_that_fail_are_not_the_weather(text: str) -> None:
    assert weigh(text, AT).level is Level.VITAL
