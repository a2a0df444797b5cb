"""Whom "she" and 他 mean in notes: somebody who fits and is the only one, else the word stays as it was said."""

# What is said stands on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.schema.note_requests import Role, SplitRequest, Summary, Turn
from soulmem.llm.extractive.tasks import split

AT = calendar_math.day_number(2026, 3, 4) * calendar_math.DAY_MS + 19 * calendar_math.HOUR_MS

# (who speaks, what is said one after the other, what a note says, what none may say)
MEANT = [
    ("Nell", ["Mrs Adeyemi says he's reading two years ahead.", "But he bit a boy called Oscar."], "But he bit a boy", "Adeyemi bit"),
    ("Nell", ["Sunday with Bronagh, lovely. She's pregnant! Pierce is over the moon.", "She wants me to be there at the birth."], "She wants me to be there", "Pierce wants"),
    ("Nell", ["Rhodri's wedding is off. She left him for a dentist from Swansea."], "She left him", "Rhodri left"),
    ("Nell", ["My sister Ruth came to stay. Sam is her boyfriend.", "He plays the oboe on Sundays."], "plays the oboe on Sundays", "boyfriend plays"),
    ("Nell", ["My sister Ruth is coming with her new fella, some guy called Piers.", "He's a roofer from Derry."], "Piers's a roofer", "Ruth's a roofer"),
    ("Nell", ["I've a son, Teddy, he's six.", "My ex, Marcus, has him every other weekend.", "He pays £320 a month, usually late."], "ex Marcus pays £320", "Teddy pays"),
    ("Nell", ["My brother Dov got married. Kim made the cake.", "He cried the whole time at the party."], "Dov cried", "Kim cried"),
    ("小夏", ["秦姐要调去北京了。", "周五晚上和大学室友果果吃火锅，她刚离婚。", "不过她不吃辣，只能鸳鸯锅。"], "果果不吃辣", "秦姐不吃辣"),
    ("小夏", ["鲸鱼那本又活了！邵岩说换个封面就能上。", "不是三十出头，他四十二了，看着年轻而已。"], "他（邵岩）四十二了", "鲸鱼四十二"),
    ("Nell", ["Marcia rang before school. She and her husband Paul are expecting.", "She does not want it told yet."], "Marcia does not want it told", "Paul does not"),
    ("Nell", ["Bridget rang. She's thrown Neil out. Him and his coffee machine.", "He once asked me what sheep were for."], "asked me what sheep were for", "Him once"),
    ("沈老师", ["原想再养一只，老伴说你试试看。", "楼下老许劝我去拍片子。", "我们住五楼，没有电梯。她那条腿，你想想。"], "她那条腿", "老许那条腿"),
    ("佩兰", ["念念今天考完了。", "念念考完出来第一句话，妈，我要吃火锅。"], "妈，我要吃火锅", "佩兰要吃火锅"),
    ("佩兰", ["小周昨天请假了。", "小周早上来一句，我才不想回自贡。"], "我才不想回自贡", "佩兰才不想"),
    ("佩兰", ["昨天去体检了。", "医生说我血压高。"], "医生说佩兰血压高", "医生说他血压高"),
]  # fmt: skip
# (who asks what, what is answered, what a note says, what none may say)
ANSWERED = [
    ("And I'll be with Mom.", "Who did you tell first?", "Almaz. She was on the porch.", "Almaz. She was on the porch", "mom was on the porch"),
    ("我妹昨天来了。", "你最先告诉谁的？", "阿迪娜。她在门口。", "在门口", "妹在门口"),
]  # fmt: skip


@every_row(ANSWERED, unpack=True)
def test_who_was_just_named_is_meant_though_nobody_knows_the_name(
    before: str, asked: str, said: str, told: str, never: str
) -> None:
    turns = (
        Turn(1, Role.USER, "Nell", before, AT),
        Turn(2, Role.ASSISTANT, "Pip", asked, AT + 20_000),
        Turn(3, Role.USER, "Nell", said, AT + 40_000),
    )
    notes = [note.text for note in split.split(SplitRequest(Summary(""), turns))]
    assert any(told in note for note in notes), notes
    assert not any(never in note for note in notes), notes


@every_row(MEANT, unpack=True)
def test_a_pronoun_is_put_into_words_where_it_is_certain(who: str, said: list[str], told: str, never: str) -> None:
    turns = tuple(Turn(place, Role.USER, who, text, AT + place * 40_000) for place, text in enumerate(said, 1))
    notes = [note.text for note in split.split(SplitRequest(Summary(""), turns))]
    assert any(told in note for note in notes), notes
    assert not any(never in note for note in notes), notes
