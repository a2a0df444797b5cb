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
