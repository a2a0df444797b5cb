"""Changes in any words: pairs of talk in both languages, and laws that hold for any text."""

# Cases stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from soulmem.core.change_clauses import MOST, statement_of
from soulmem.core.changes import changes
from soulmem.core.civil import DAY_MS
from soulmem.core.contradiction import Told, ruled
from soulmem.core.supersession import Effect
from soulmem.core.tasks import FactEvent
from soulmem.core.topic_terms import match, weight
from spoken_texts import texts

CORPUS = Path(__file__).parent.parent / "corpora" / "changes.tsv"
PAIRS = [line.split("\t") for line in CORPUS.read_text(encoding="utf-8").splitlines()]
TOPICS = ("meet", "appoint", "dentist", "rent", "房租", "考试", "猫")
START = 1_772_442_000_000  # a Monday


def is_over(old: str, new: str, *, before: str = "", context: str = "", speaker: str = "Ana") -> bool:
    """Whether what was told nine days later ends what was told; `before` and `context`: what was said before each."""
    earlier = Told(1, old, speaker, (START, 1), before=before)
    later = Told(2, new, speaker, (START + 9 * DAY_MS, 2), before=context)
    return ruled(later, earlier) in {FactEvent.SUPERSEDE, FactEvent.INVALIDATE}


def test_the_corpus_has_both_languages_and_both_verdicts() -> None:
    for chinese in (False, True):
        mine = [verdict for verdict, _, new in PAIRS if any(char >= "\u4e00" for char in new) is chinese]
        assert mine.count("over") >= 50
        assert mine.count("both") >= 35


@pytest.mark.parametrize(("verdict", "old", "new"), PAIRS)
def test_a_word_of_change_about_the_same_ends_it_and_nothing_else_does(verdict: str, old: str, new: str) -> None:
    assert is_over(old, new) is (verdict == "over")


@pytest.mark.parametrize(("verdict", "old", "new"), PAIRS)
def test_what_was_told_before_is_never_ended_by_itself_told_again(verdict: str, old: str, new: str) -> None:
    assert not [each for each in changes(statement_of(old, "Ana", START), statement_of(old, "Ana", START))
                if each.effect is Effect.SUPERSEDE]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "before", "new", "context"),
    [
        ("They want to operate on the third of May.", "I have a bad shoulder.", "They've moved my shoulder to the ninth of May.", ""),
        ("He takes iron tablets every morning.", "My uncle Piet is anaemic.", "He came off the iron tablets.", "I rang uncle Piet."),
        ("他在南京做会计。", "我表弟叫李航。", "他下个月要调到武汉去了。", "李航今天来了"),
        ("她想学法律。", "我妹妹今年高考。", "我妹妹不想学法律了，想学护理", ""),
    ],
)  # fmt: skip
def test_who_he_is_and_what_it_is_stands_before(old: str, before: str, new: str, context: str) -> None:
    assert is_over(old, new, before=before, context=context)


@pytest.mark.parametrize(
    ("old", "before", "new", "context"),
    [
        ("He takes iron tablets every morning.", "My uncle Piet is anaemic.", "He came off the iron tablets.", "I rang my son Max."),
        ("他在南京做会计。", "我表弟叫李航。", "他下个月要调到武汉去了。", "王伟今天来了"),
    ],
)  # fmt: skip
def test_another_he_changes_nothing(old: str, before: str, new: str, context: str) -> None:
    assert not is_over(old, new, before=before, context=context)


def test_what_is_told_later_is_never_ended_by_what_was_told_before() -> None:
    rent = Told(1, "My rent went down to 800 now.", "Ana", (START, 1))
    assert ruled(Told(2, "My rent is 900.", "Ana", (START + DAY_MS, 2)), rent) is not FactEvent.SUPERSEDE


@settings(deadline=None)
@given(texts, texts)
def test_of_any_two_texts_only_what_was_said_is_found_and_each_clause_once(new: str, old: str) -> None:
    later, earlier = statement_of(new, "Ana", START), statement_of(old, "Ana", START)
    assert len(later.clauses) <= MOST
    found = changes(later, earlier)
    assert len({each.old.said for each in found}) == len(found)
    assert all(each.old.said in {one.said for one in earlier.clauses} for each in found)
    assert all(each.new.said in {one.said for one in later.clauses} for each in found)


@pytest.mark.parametrize(
    ("old", "new"), [pair[1:] for pair in PAIRS if not set(".!?。！？…:") & set(pair[2].rstrip(".!。！"))]
)
def test_a_question_changes_nothing(old: str, new: str) -> None:
    asked = statement_of(new.rstrip(".!。！") + "?", "Ana", START + DAY_MS)
    assert changes(asked, statement_of(old, "Ana", START)) == ()


@given(
    st.frozensets(st.sampled_from(TOPICS)),
    st.frozensets(st.sampled_from(TOPICS)),
)
def test_topics_are_the_same_whichever_comes_first(one: frozenset[str], other: frozenset[str]) -> None:
    assert match(one, other) is match(other, one)
    assert not (match(one, other) and not weight(one & other))


def test_a_wall_of_text_is_read_to_its_bound() -> None:
    for wall in ("the rent went up to 900 and " * 20_000, "房租涨到三千了，" * 50_000, "not " * 50_000, "改" * 100_000):
        assert len(statement_of(wall, "Ana", START).clauses) <= MOST
