"""Facts of everyday talk, both languages: with and without a subject, in small letters, about oneself and others."""

# What is said stands on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import pytest

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.schema.note_requests import NoteDraft, NoteKind, Role, SplitRequest, Summary, Turn
from soulmem.llm.extractive.tasks import split

AT = calendar_math.day_number(2026, 5, 13) * calendar_math.DAY_MS + 19 * calendar_math.HOUR_MS

OWN = [
    ("im a nurse", "occupation", "nurse"),
    ("allergic to walnuts btw", "allergic_to", "walnuts"),
    ("moved to Turin last week", "lives_in", "Turin"),
    ("i live in leeds", "lives_in", "leeds"),
    ("hate coriander", "dislikes", "coriander"),
    ("I take metformin twice a day", "medicine", "metformin"),
    ("I have asthma", "illness", "asthma"),
    ("I was diagnosed with lupus in March", "illness", "lupus"),
    ("I speak Dutch and Thai", "languages", "Dutch and Thai"),
    ("everyone calls me Bex", "nickname", "Bex"),
    ("my phone number is 0176 5543", "phone", "0176 5543"),
    ("I live at 12 Elm Street", "address", "12 Elm Street"),
    ("I drive an old Volvo", "owns", "an old Volvo"),
    ("I'm dating a guy called Piotr", "partner", "Piotr"),
    ("I go climbing every thursday", "habit", "go climbing every thursday"),
    ("I work nights", "schedule", "nights"),
    ("not a fan of jazz", "dislikes", "jazz"),
    ("grew up in a village near Metz", "from", "a village near Metz"),
    ("can't have dairy", "diet", "dairy"),
    ("搬到苏州了", "lives_in", "苏州"),
    ("对青霉素过敏", "allergic_to", "青霉素"),
    ("讨厌香菜", "dislikes", "香菜"),
    ("我去年确诊了哮喘", "illness", "哮喘"),
    ("我会说粤语和日语", "languages", "粤语和日语"),
    ("大家都叫我小默", "nickname", "小默"),
    ("我的手机号是13800001111", "phone", "13800001111"),
    ("我家在文一路88号", "address", "文一路88号"),
    ("我开一辆二手丰田", "owns", "一辆二手丰田"),
    ("我每周四去攀岩", "habit", "每周四去攀岩"),
    ("我上夜班", "schedule", "上夜班"),
    ("我是独生子", "status", "是独生子"),
    ("我在一家银行上班", "works_at", "一家银行"),
    ("从小在海边长大", "from", "海边"),
    ("我不吃猪肉", "diet", "猪肉"),
]  # fmt: skip
OTHERS = [
    ("my sister Petra lives in Graz with her two kids", "Petra", "lives_in", "Graz"),
    ("my dad has parkinson's", "Jo's dad", "illness", "parkinson's"),
    ("Mum has diabetes", "Jo's mum", "illness", "diabetes"),
    ("my best friend Kofi is moving to Ghana", "Kofi", "moving_to", "Ghana"),
    ("my ex Nora is pregnant", "Nora", "status", "pregnant"),
    ("our dog Rollo died on Sunday", "Rollo", "status", "died"),
    ("Kofi works for Bosch", "Kofi", "works_at", "Bosch"),
    ("my wife's name is Ines. She works at the harbour.", "Ines", "works_at", "the harbour"),
    ("my best friend Kofi came by. He is 31.", "Kofi", "age", "31"),
    ("my uncle Ravi lives in Pune, speaks Marathi and is allergic to bees", "Ravi", "allergic_to", "bees"),
    ("我妈有高血压", "Jo的妈", "illness", "高血压"),
    ("我妹妹陈曦在上海读研", "陈曦", "studies", "上海"),
    ("我妹妹陈曦在上海。她今年三十一岁。", "陈曦", "age", "三十一"),
    ("我女朋友是四川人", "Jo的女朋友", "from", "四川"),
    ("我家的狗豆豆上周死了", "豆豆", "status", "死"),
    ("小丽在医院当护士", "小丽", "occupation", "护士"),
    ("我儿子六岁了", "Jo的儿子", "age", "六"),
]  # fmt: skip
NONE = [
    "If I lived in Rome I'd eat pizza daily.", "I wish my sister lived in Graz.", 'My boss said "I\'m from Texas".', "Is my dad a baker?",
    "Maybe Kofi works for Bosch.", "I went running this morning.", "My doctor says I should take aspirin every day.", "My dad doesn't live in Hull.",
    "要是我住在海边就好了", "我妹妹可能搬去上海", "我梦见我得了哮喘", "我爸以前住在武汉", "我昨天去跑步了",
]  # fmt: skip


def told(*lines: str, speaker: str = "Jo") -> tuple[NoteDraft, ...]:
    turns = tuple(Turn(seq, Role.USER, speaker, text, AT + seq) for seq, text in enumerate(lines, 1))
    return split.split(SplitRequest(Summary(""), turns))


@every_row(OWN, unpack=True)
def test_a_fact_about_oneself(said: str, relation: str, value: str) -> None:
    facts = [note.attributes for note in told(said)]
    assert {"subject": "Jo", "relation": relation, "object": value} in facts
    assert len(facts) == 1, "told once"


@every_row(OTHERS, unpack=True)
def test_a_fact_about_somebody_else(said: str, subject: str, relation: str, value: str) -> None:
    made = told(said)
    assert {"subject": subject, "relation": relation, "object": value} in [note.attributes for note in made]
    assert all(note.sources for note in made)


@every_row(NONE)
def test_what_is_not_so_is_no_fact_but_told(said: str) -> None:
    made = told(said)
    assert not [note for note in made if note.attributes]
    assert made or said.endswith("?")


def test_several_facts_of_one_sentence_are_notes_of_their_own() -> None:
    english = {note.text for note in told("i'm 29, vegan, allergic to soy and hate mondays")}
    assert english == {"Jo is 29 years old", "Jo is vegan", "Jo is allergic to soy", "Jo dislikes mondays"}
    chinese = {note.text for note in told("我叫林晓，来自成都，在腾讯上班。", speaker="林晓")}
    assert chinese == {"林晓来自成都", "林晓在腾讯工作"}, "the name that stands on the messages is no news"
    assert {note.text for note in told("我叫林晓，来自成都。", speaker="小林")} == {"小林名叫林晓", "小林来自成都"}


@pytest.mark.parametrize(
    "said",
    [
        "养了条狗叫旺财，黄色土狗，今年七岁",
        "养了只橘猫叫年糕，三岁，十四斤",
        "我弟捡了只龟，叫阿慢",
        "家里有个妹妹叫小满，九岁",
    ],
)
def test_the_name_and_age_of_whom_somebody_keeps_are_not_his_own(said: str) -> None:
    made = [(note.attributes["subject"], note.attributes["relation"]) for note in told(said) if note.attributes]
    assert not {("Jo", "age"), ("Jo", "name"), ("Jo的弟", "name")} & set(made)


def test_a_pronoun_is_named_only_where_its_person_is_certain() -> None:
    certain = [note.text for note in told("My aunt Ilse moved in. She snores.")]
    assert any("Ilse snores" in text for text in certain)
    unsure = [note.text for note in told("Sara and Nell had a fight. She left.")]
    assert not any("Sara left" in text or "Nell left" in text for text in unsure)
    assert any("She left." in text and "fight" in text for text in unsure), "told with what it leans on"
    assert any("阿珍要去留学" in note.text for note in told("我闺蜜阿珍辞职了。她要去留学。"))


def test_the_companion_speaks_for_itself_and_advice_is_no_habit() -> None:
    turns = (
        Turn(1, Role.USER, "Jo", "I sleep badly.", AT),
        Turn(2, Role.ASSISTANT, "Mira", "I love stormy nights. You should drink chamomile tea every evening.", AT + 1),
    )
    made = split.split(SplitRequest(Summary(""), turns))
    assert [note.attributes["subject"] for note in made if note.attributes] == ["Mira"]
    advice = next(note for note in made if "chamomile" in note.text)
    assert advice.text.startswith("Mira (")
    assert advice.kind is NoteKind.EPISODIC


def test_a_short_answer_is_told_with_what_was_asked() -> None:
    turns = tuple(
        Turn(seq, Role.USER, speaker, text, AT + seq)
        for seq, (speaker, text) in enumerate(
            [("Mira", "What do you do for work?"), ("Jo", "plumber"), ("小雅", "我喜欢下雨。你呢？"), ("陈默", "晴天")],
            1,
        )
    )
    texts = [note.text for note in split.split(SplitRequest(Summary(""), turns))]
    assert any('asked "What do you do for work?": plumber' in text for text in texts)
    assert any("被问“我喜欢下雨。你呢？”：晴天" in text for text in texts)
