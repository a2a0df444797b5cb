"""What details are taken for without a model: first vaguer, then wrong, and nothing that was never heard of."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.core.schema.detail_tasks import FadedDetail, Misremembered, MisrememberRequest
from soulmem.core.text.tokens import fold
from soulmem.llm.extractive import ExtractiveEngine
from soulmem.llm.extractive.tasks.misremember import misremember
from spoken_texts import texts

AT = parse_iso("2026-05-09T12:00:00Z")
NAMES = ("Olga", "Olaf", "Porto", "London", "Tom", "小王", "小李", "杭州", "苏州河")

CASES: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
    # (detail, among the vaguer, among the wrong)
    ("Tuesday", ("one day that week",), ("Wednesday", "Monday")),
    ("last Friday", ("one day that week", "in May 2026"), ("last Saturday",)),
    ("on 12 May 2023", ("in May 2023", "in 2023"), ("on 13 May 2023", "on 11 May 2023")),
    ("2026-05-08", ("in May 2026",), ("2026-05-09", "2026-05-07")),
    ("yesterday (8 May 2026)", ("in May 2026",), ()),
    ("43", ("about forty", "dozens"), ("44", "42")),
    ("forty-three", ("about forty",), ("forty-four", "forty-two")),
    ("1,200", ("about a thousand",), ()),
    ("749113", (), ("749131",)),
    ("a hissing black cat", ("a cat", "some animal"), ()),
    ("Olga", ("someone",), ("Olaf", "Tom")),
    ("Lisbon", ("somewhere",), ("London", "Porto")),
    ("周二", ("那周的一天",), ("周三", "周一")),
    ("上周五", ("那周的一天",), ("上周六", "上周四")),
    ("2026年5月8日", ("2026年5月", "2026年"), ("2026年5月9日", "2026年5月7日")),
    ("四十二", ("四十左右", "几十"), ("四十三", "四十一")),
    ("红色的围巾", ("围巾",), ()),
    ("小林", ("某个人",), ("小李", "小王")),
    ("苏州", ("某个地方",), ("杭州",)),
]


def wordings(text: str, before: str = "and then ", known: tuple[str, ...] = NAMES, at: int = AT) -> tuple[str, ...]:
    found = misremember(MisrememberRequest((FadedDetail("D1", text, "something", before, " again", at, known),)))
    return found[0].wordings if found else ()


@every_row(CASES, unpack=True)
def test_what_a_detail_is_taken_for(text: str, vaguer: tuple[str, ...], wrong: tuple[str, ...]) -> None:
    found = wordings(text)
    assert set(vaguer) | set(wrong) <= set(found), found
    places = [[found.index(each) for each in row] for row in (vaguer, wrong)]
    assert all(a < b for a in places[0] for b in places[1]), "from slightly vaguer to wrong"


def test_only_names_of_the_same_kind_are_taken_for_one_another() -> None:
    assert not {"Lisbon", "Porto", "杭州"} & set(wordings("Olga", known=("Lisbon", "Porto", "杭州", "Olga Petrova")))
    assert "Olga Petrova" not in wordings("Olga", known=("Olga Petrova",)), "a fuller name is no mistake"
    assert set(wordings("Olga", known=())) == {"someone", "a person"}, "and nobody is invented"


def test_a_wording_stands_in_its_sentence() -> None:
    assert "May 2023" in wordings("12 May 2023", "not until ")
    assert "in May 2023" in wordings("on 12 May 2023", "we met ")
    assert "One day that week" in wordings("Last Tuesday", "")
    assert "one day that week" in wordings("last Tuesday", "so ")


@settings(max_examples=150)
@given(texts, texts, st.lists(st.one_of(texts, st.sampled_from(NAMES)), max_size=5), st.integers(0, 7))
def test_any_detail_gets_few_short_answers_none_of_them_itself(
    text: str, before: str, known: list[str], count: int
) -> None:
    request = MisrememberRequest((FadedDetail("D1", text, "x", before, "", AT, tuple(known)),), count)
    found = misremember(request)
    assert found == misremember(request)
    for each in found:
        assert 0 < len(each.wordings) <= count
        assert len({fold(wording) for wording in each.wordings}) == len(each.wordings)
        assert all(wording.strip() and fold(wording) != fold(text.strip()) for wording in each.wordings)


async def test_the_engine_answers_for_each_detail_that_it_knows_anything_of() -> None:
    request = MisrememberRequest(
        (FadedDetail("D1", "Tuesday", ""), FadedDetail("D2", "  ", ""), FadedDetail("D3", "43", ""))
    )
    found = await ExtractiveEngine().misremember(request)
    assert [each.label for each in found] == ["D1", "D3"]
    assert all(isinstance(each, Misremembered) for each in found)
