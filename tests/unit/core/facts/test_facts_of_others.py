"""Of whom a fact is, where somebody is named behind a relative or told of by another: both languages."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.changes.change_clauses import statement_of
from soulmem.core.changes.change_detection import changes
from soulmem.core.facts.fact_reader import readings_of

DAY_MS = 86_400_000


@every_row(
    [
        ("My brother Felix works at Siemens.", "felix", "work", "siemens"),
        ("Mum says Colin has moved to Perth.", "colin", "home", "perth"),
        ("我姐姐雅琴在国航上班。", "雅琴", "work", "国航"),
        ("我朋友阿伟住在广州。", "阿伟", "home", "广州"),
        ("听说阿伟又搬回广州了。", "阿伟", "home", "广州"),
        ("爸爸说浩然搬回珠海了。", "浩然", "home", "珠海"),
        ("老王告诉我振华搬到温州了。", "振华", "home", "温州"),
        ("雅琴又回国航上班了。", "雅琴", "work", "国航"),
        ("子轩现在在兰州读书。", "子轩", "school", "兰州"),
    ],
    unpack=True,
)
def test_it_is_of_who_is_named(text: str, who: str, relation: str, value: str) -> None:
    found = {
        (each.subject, each.relation, each.object) for each in readings_of(text, "Ann" if text.isascii() else "小安")
    }
    assert (who, relation, value) in found, found


@every_row(["我女儿学校在北京。", "我妈妈同事在医院上班。", "我又回公司上班了。", "妈妈说要搬到上海。"])
def test_what_is_no_name_is_nobody(text: str) -> None:
    subjects = {each.subject for each in readings_of(text, "小安")}
    assert subjects.isdisjoint({"学校", "同事", "公司", "说"}), subjects
    assert not any(each.relation == "work" and each.object.startswith("公司") for each in readings_of(text, "小安"))


@every_row(
    [
        ("Thea studies in York now.", "Milan went back to Vienna to study."),
        ("Thea lives in York.", "Florence moved back to Leeds."),
        ("婷婷在济南读书。", "子轩又回西安读书了。"),
    ],
    unpack=True,
)
def test_somebody_who_is_called_like_a_town_changes_nothing_for_others(old: str, new: str) -> None:
    speaker = "Ann" if old.isascii() else "小安"
    assert changes(statement_of(new, speaker, 300 * DAY_MS), statement_of(old, speaker, DAY_MS)) == ()


@every_row(
    [
        ("我妈六十七了，身体挺好", "小安›妈"),
        ("我儿子快十五了", "小安›儿子"),
        ("我都四十了", "小安"),
    ],
    unpack=True,
)
def test_an_age_needs_no_word_for_years(text: str, who: str) -> None:
    assert who in {each.subject for each in readings_of(text, "小安") if each.relation == "age"}


@every_row(
    [
        "有条老狗，叫大黄，十二了",
        "我爸在家，七十三了，还下地",
        "公交车都坐到二十了",
        "我考了八十了",
        "排队排到三十了",
        "菜一共五十了",
    ]
)
def test_a_number_that_counts_something_else_is_no_age(text: str) -> None:
    assert not [each for each in readings_of(text, "小安") if each.relation == "age"]


@every_row(
    [
        ("Abi's older, lives in Cardiff with her husband Marcus.", "abi"),
        ("abi's older, lives in cardiff", "abi"),
        ("My brother Ray, who's seventy-four, still lives by himself in Bemidji.", "ann›brother"),
        ("Beth, our older girl, lives down in Madison.", "ann›older girl"),
        ("My mum's a nurse. I'm settled, live in Leeds.", "ann"),
        ("Anyway, moved to Leeds.", "ann"),
        ("My sister's a nurse. I miss her. She lives in Hull.", "ann›sister"),
        ("Ann moved to Lisbon, lives in Alfama.", "ann"),
        ("两个弟弟。大的海东，住深圳龙华。", "海东"),
        ("房东姓梁，住一楼。", "小安›房东"),
        ("我姓梁，住一楼。", "小安"),
        ("老板姓陈，我住二楼。", "小安"),
    ],
    unpack=True,
)
def test_what_leaves_its_subject_out_is_of_who_was_named_before(text: str, who: str) -> None:
    homes = {each.subject for each in readings_of(text, "Ann" if text.isascii() else "小安") if each.relation == "home"}
    assert homes == {who}


@every_row(
    [
        ("I have parted ways with my contractor.", False),
        ("We have parted ways with our letting agency.", False),
        ("We have parted ways, my partner and I.", True),
        ("I have parted ways with my partner.", True),
    ],
    unpack=True,
)
def test_to_part_from_a_tradesman_ends_no_couple(text: str, ends: bool) -> None:
    readings = readings_of(text, "Ann")
    assert any(each.relation == "partner" for each in readings) is ends
    told, known = (
        statement_of(each, "Ann", at * DAY_MS) for at, each in ((20_500, text), (20_400, "My wife Efua sews."))
    )
    assert bool(changes(told, known)) is ends


def test_where_a_mother_is_says_not_who_she_is() -> None:
    assert not [each for each in readings_of("My mother is near him.", "Ann") if each.relation == "of:mother"]
