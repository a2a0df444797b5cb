"""Which list of whom a question asks for, and that what tells an entry of it comes first."""

from __future__ import annotations

import pytest

from soulmem.core.profiles.asked_lists import asked_list, tells
from soulmem.core.reranking.list_ranking import AskedThings, Told, gathered
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import Hit

ASKED = [
    ("What gifts did I get?", "gifts", {"rina"}, ""),
    ("what gifts did my sister get", "gifts", set(), "sister"),
    ("Which cities has Jon visited?", "trips", {"jon"}, ""),
    ("What books has Melanie read?", "books", {"melanie"}, ""),
    ("What instruments does Ana play?", "instruments", {"ana"}, ""),
    ("What activities has Melanie done?", "activities", {"melanie"}, ""),
    ("What has Ana painted?", "made", {"ana"}, ""),
    ("Which recipes has my sister made?", "dishes", set(), "sister"),
    ("小雅会哪些乐器？", "instruments", {"小雅"}, ""),
    ("我都参加过什么活动？", "events", {"rina"}, ""),
    ("我有哪些爱好？", "activities", {"rina"}, ""),
    ("我都去过哪些地方？", "trips", {"rina"}, ""),
    ("我收到过哪些礼物？", "gifts", {"rina"}, ""),
    ("她都去过哪些地方", "trips", set(), ""),
    ("我妈都去过哪些城市", "trips", set(), "妈"),
]


@pytest.mark.parametrize(("question", "kind", "owners", "kin"), ASKED)
def test_which_list_of_whom(question: str, kind: str, owners: set[str], kin: str) -> None:
    asked = asked_list(question, "Rina")
    assert asked is not None
    assert (asked.kind, set(asked.owners), asked.kin) == (kind, owners, kin)


@pytest.mark.parametrize("question", ["What are all the rules?", "大家都说了什么？", "", "List my fears."])
def test_other_lists_change_nothing(question: str) -> None:
    assert asked_list(question, "Rina") is None


@pytest.mark.parametrize(
    ("question", "mine", "others"),
    [
        ("What gifts did I get?", "Ana gave me a scarf.", "I gave my sister a scarf."),
        ("What gifts did my sister get?", "I gave my sister a scarf.", "Ana gave me a scarf."),
        ("我收到过哪些礼物？", "阿哲送了我一条围巾。", "我送了我妈一条围巾。"),
        ("我妈收到过哪些礼物？", "我送了我妈一条围巾。", "阿哲送了我一条围巾。"),
    ],
)
def test_what_is_somebody_elses_is_no_entry(question: str, mine: str, others: str) -> None:
    asked = asked_list(question, "Rina")
    assert asked is not None
    assert tells(mine, "Rina", asked)
    assert not tells(others, "Rina", asked)


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("Which cities have I been to?", ["I love cities.", "We flew to Oslo on Friday.", "Cities are loud."]),
        ("我都去过哪些城市？", ["我喜欢城市。", "上周去了厦门，海边真舒服。", "城市太吵了。"]),
    ],
)
def test_entries_come_first_and_no_score_rises_above_the_best(question: str, texts: list[str]) -> None:
    asked = AskedThings(of_list=asked_list(question, "Rina"))
    hits = [Hit(ItemKind.MESSAGE, n, 1.0 - n / 10, (), 0.5) for n in range(3)]
    ranked = gathered(hits, [Told(text, "Rina") for text in texts], asked)
    assert [hit.key for hit in ranked] == [1, 0, 2]
    assert ranked[0].score == 1.0
    assert gathered(hits, [Told("", "")] * 3, asked) == hits


def test_an_entry_answers_in_whatever_words_it_is_told() -> None:
    for question, text in (
        ("What instruments does Rina play?", "I play the oboe."),
        ("Rina 会哪些乐器？", "我拉二胡。"),
    ):
        asked = AskedThings(of_list=asked_list(question, ""))
        found = gathered([Hit(ItemKind.MESSAGE, 1, 0.4)], [Told(text, "Rina")], asked)
        assert found[0].fit > 0
