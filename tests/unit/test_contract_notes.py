"""Summaries, notes and links from a model: what it may say, what code works out, what is left out."""

from __future__ import annotations

from typing import Any

import pytest

from goldens.answers_given import answer as good
from goldens.requests_sent import AT, DAY, request, turns
from soulmem.core.drafts import (
    Anchor,
    LinkDraft,
    LinkKind,
    NoteDraft,
    NoteKind,
    Role,
    SourceQuote,
    SplitRequest,
    SummariseRequest,
    Summary,
    SummaryPoint,
    Turn,
)
from soulmem.core.gists import leaks
from soulmem.core.instants import parse_iso
from soulmem.core.tasks import Task
from soulmem.core.tokens import estimate_tokens
from soulmem.llm.contracts import TABLE
from soulmem.llm.contracts.base import RejectedAnswerError

BOTH = pytest.mark.parametrize("lang", ["en", "zh"])


def read(task: Task, answer: Any, asked: Any) -> Any:
    contract = TABLE[task]
    return contract.read(contract.answer.model_validate(answer), asked)


def summarised(points: Any, asked: Any = None) -> Summary:
    found = read(Task.SUMMARISE, {"points": points}, asked or request(Task.SUMMARISE, "en"))
    assert isinstance(found, Summary)
    return found


@BOTH
def test_a_good_summary_keeps_sources_and_is_told_by_day(lang: str) -> None:
    asked = request(Task.SUMMARISE, lang)
    found = read(Task.SUMMARISE, good(Task.SUMMARISE, lang), asked)
    assert [[s.seq for s in point.sources] for point in found.points] == [[1], [2], [4]]
    assert found.points[0].sources == asked.previous.points[0].sources
    assert all(source.quote in turn.text for point in found.points for source in point.sources
               for turn in asked.turns if turn.seq == source.seq)  # fmt: skip
    days = ("8 May 2026", "9 May 2026") if lang == "en" else ("2026年5月8日", "2026年5月9日")
    assert found.text.splitlines()[::2][:2] == list(days)
    assert found.points[1].at_ms == AT + 2 * 60_000


def test_a_point_without_a_true_quote_is_dropped() -> None:
    kept = {"from": ["T4"], "quote": "allergic to  hazelnuts", "text": "Ann is allergic to hazelnuts."}
    found = summarised(
        [
            {"from": ["T2"], "quote": "I moved to Boston", "text": "Ann moved to Boston."},
            {"from": ["T9"], "quote": "allergic to hazelnuts", "text": "Somebody is allergic."},
            {"from": ["T2"], "quote": "allergic to hazelnuts", "text": "Ann is allergic, says the wrong line."},
            {"from": ["T2"], "quote": None, "text": "No quote."},
            {"from": [], "quote": None, "text": "No source."},
            {"from": ["T4"], "quote": "I", "text": "A letter proves nothing."},
            kept,
            kept,
        ]
    )
    assert [point.text for point in found.points] == ["Ann works as a nurse.", "Ann is allergic to hazelnuts."]
    assert found.points[1].sources == (SourceQuote(4, "allergic to hazelnuts"),)


def test_nothing_of_use_is_refused_with_the_reason() -> None:
    for points, reason in (
        ([], "points is empty"),
        (None, "points is empty"),
        ([{"from": ["T7"], "text": "x"}], "not among those shown (P1, T2, T3, T4)"),
        ([{"from": ["T2"], "quote": "never said", "text": "x"}], "word for word from line T2"),
        ([{"from": ["P1"], "text": " "}], "no text"),
        ([{"from": ["P1"], "text": "x" * 601}], "longer than 600"),
    ):
        with pytest.raises(RejectedAnswerError, match=r".") as refused:
            summarised(points)
        assert reason in str(refused.value)


def test_a_changed_point_inherits_and_a_spoilt_change_leaves_it_as_it_was() -> None:
    changed = {"from": "P1, T2", "quote": "I moved to Denver", "text": "Ann, a nurse, moved to Denver."}
    found = summarised([changed])
    assert [s.seq for s in found.points[0].sources] == [1, 2]
    assert len(found.points) == 1
    spoilt = changed | {"quote": "I moved to Boston"}
    fresh = {"from": ["T4"], "quote": "hazelnuts", "text": "Ann avoids hazelnuts."}
    found = summarised([spoilt, fresh])
    assert found.points[0] == request(Task.SUMMARISE, "en").previous.points[0]


def test_points_the_model_passes_over_stay_while_there_is_room_and_fade() -> None:
    points = tuple(
        SummaryPoint(f"Point {i} about something.", (SourceQuote(1, "x"),), AT - DAY + i, salience)
        for i, salience in enumerate((0.9, 0.5, 0.31))
    )
    asked = SummariseRequest(Summary("…", points), turns("en"), max_tokens=200)
    fresh = {"from": ["T4"], "quote": "hazelnuts", "text": "Ann avoids hazelnuts."}
    found = summarised([fresh], asked)
    assert [(p.text, p.salience) for p in found.points] == [
        ("Point 0 about something.", 0.9), ("Point 1 about something.", 0.425), ("Ann avoids hazelnuts.", 0.6)
    ]  # fmt: skip
    tight = SummariseRequest(Summary("…", points), turns("en"), max_tokens=15)
    found = summarised([fresh], tight)
    assert [p.text for p in found.points] == ["Ann avoids hazelnuts."], "what the model chose comes first"
    assert estimate_tokens(found.text) <= 15
    with pytest.raises(RejectedAnswerError, match="too long"):
        summarised([fresh | {"text": "Ann avoids hazelnuts, and so on and on. " * 8}], tight)


def drafts(notes: Any, lang: str = "en", asked: Any = None) -> tuple[NoteDraft, ...]:
    found = read(Task.SPLIT, {"notes": notes}, asked or request(Task.SPLIT, lang))
    assert isinstance(found, tuple)
    return found


@BOTH
def test_a_good_split_becomes_notes_with_offsets_of_ours(lang: str) -> None:
    moved, allergy = read(Task.SPLIT, good(Task.SPLIT, lang), request(Task.SPLIT, lang))
    said = {turn.seq: turn.text for turn in turns(lang)}
    assert (moved.kind, moved.label, moved.importance, moved.valence) == (NoteKind.EPISODIC, "N1", 0.7, 0.3)
    assert moved.at_ms == parse_iso("2026-05-08")
    assert all(source.quote in said[source.seq] for source in (*moved.sources, *allergy.sources))
    (element,) = moved.elements
    assert moved.text[element.start : element.end] == {"en": "Denver", "zh": "大理"}[lang]
    assert (element.level, element.anchor) == (2, Anchor.SPONTANEOUS)
    assert "Atlantis" not in moved.entities, "it occurs nowhere"
    assert (allergy.kind, allergy.at_ms, allergy.elements) == (NoteKind.SEMANTIC, AT + 4 * 60_000, ())
    fact = {"en": ("Ann", "hazelnuts"), "zh": ("小安", "榛子")}[lang]
    assert allergy.attributes | dict(zip(("subject", "object"), fact, strict=True)) == allergy.attributes
    assert allergy.attributes["relation"] == "allergic_to"
    assert moved.attributes["location"] == {"en": "Denver", "zh": "大理"}[lang]


def note(text: str, quote: str = "I moved to Denver", turn: str = "T2", **more: Any) -> dict[str, Any]:
    return {"type": "specific", "sources": [{"turn": turn, "quote": quote}], "text": text} | more


def element(quote: str, gist: str = "something", **more: Any) -> dict[str, Any]:
    return {"quote": quote, "gist": gist, "level": 2} | more


def test_a_note_without_a_true_source_is_left_out() -> None:
    kept, inherited = drafts(
        [
            note("Ann moved to Boston.", "I moved to Boston"),
            note("Ann moved.", turn="T99"),
            note("Ann moved.", turn="T4"),
            note("System text.", "You are Mira, a poet.", "T5"),
            {"type": "specific", "text": "No sources."},
            note("  "),
            note("x" * 1_001),
            note("Ann moved to Denver."),
            note("ANN moved to  Denver."),
            {"type": "semantic", "text": "Ann is a nurse.", "sources": [{"turn": "P1", "quote": None}]},
        ]
    )
    assert kept.sources == (SourceQuote(2, "I moved to Denver"),)
    assert (inherited.sources, inherited.at_ms) == ((SourceQuote(1, "I work as a nurse"),), AT - DAY)


def test_missing_and_null_fields_have_their_defaults() -> None:
    (found,) = drafts([note("Ann moved.", type=None, importance=None, valence="?", tags=None, entities=None)])
    assert (found.kind, found.importance, found.valence, found.tags) == (NoteKind.EPISODIC, None, 0.0, ())
    assert (found.at_ms, found.gist, found.elements, found.attributes) == (AT + 2 * 60_000, "", (), {})
    assert drafts([note("Ann moved.", importance="8/10")])[0].importance == 0.8
    assert [n.kind for n in drafts([note("a", type="Episodic"), note("b", type="habit"), note("c", type="触发")])] == [
        NoteKind.EPISODIC, NoteKind.PROCEDURAL, NoteKind.TRIGGER
    ]  # fmt: skip


def test_too_many_notes_are_cut_and_none_is_believed_for_little_talk_alone() -> None:
    assert len(drafts([note(f"Ann moved, version {i}.") for i in range(40)])) == 12
    assert drafts([]) == ()
    much = tuple(Turn(i, Role.USER, "Ann", "I went to the market and bought a lamp. " * 4, AT) for i in range(1, 9))
    with pytest.raises(RejectedAnswerError, match="more than small talk"):
        drafts([], asked=SplitRequest(Summary(""), much))
    with pytest.raises(RejectedAnswerError, match=r"note 1: its quote .* T2"):
        drafts([note("Ann moved to Boston.", "I moved to Boston")])


@pytest.mark.parametrize(
    ("text", "quote", "occurrence", "found"),
    [
        ("小安👩‍👩‍👧在大理喝茶，又在大理喝咖啡。", "大理", 2, "大理"),
        ("Ann 🙂 drank tea, more tea.", "tea", 2, "tea"),
        ("Ann drank “black  tea”.", '"black tea"', 1, "“black  tea”"),
        ("小安说：你好，世界。", "你好,世界", 1, "你好，世界"),
        ("An artist makes art.", "art", 1, "art"),
    ],
)
def test_offsets_are_code_points_of_the_words_meant(text: str, quote: str, occurrence: int, found: str) -> None:
    (each,) = drafts([note(text, elements=[element(quote, occurrence=occurrence)])])
    (span,) = each.elements
    assert each.text[span.start : span.end] == " ".join(found.split())
    if occurrence == 2 or quote == "art":
        assert span.start == each.text.rindex(found)


def test_elements_are_located_once_bounded_and_anchored_within_limits() -> None:
    text = " ".join(f"word{i}" for i in range(20))
    given = [element(f"word{i}", anchor="forced") for i in range(5)] + [
        element("word1"),
        element("nowhere"),
        element(""),
    ]
    given += [element(f"word{i}", anchor="spontaneous") for i in range(5, 20)]
    (each,) = drafts([note(text, elements=given)])
    anchors = [e.anchor for e in each.elements]
    assert len(each.elements) == 12
    assert (anchors.count(Anchor.FORCED), anchors.count(Anchor.SPONTANEOUS)) == (3, 2)
    (whole,) = drafts([note("Ann moved.", elements=[element("Ann moved", "an event", level=0)])])
    assert (whole.elements, whole.gist) == ((), "an event")
    (fact,) = drafts([note("Ann is a nurse.", type="semantic", elements=[element("nurse")])])
    assert fact.elements == ()


def test_gists_that_leak_give_way_to_the_kind_of_thing_and_many_are_sent_back() -> None:
    text = "On 8 May 2026 Ann met Bob at the Red Lion, paid 40 dollars and said “never again”."
    leaking = [
        element("8 May 2026", "around 8 May 2026"),
        element("Bob", "her friend Bob"),
        element("at the Red Lion", ""),
        element("40 dollars", "x" * 60),
        element("“never again”", "she said never again"),
    ]
    people = {"specific": {"participants": ["Ann", "Bob"], "location": "the Red Lion"}}
    with pytest.raises(RejectedAnswerError, match="gists") as refused:
        drafts([note(text, gist="Ann met Bob", elements=leaking, **people)])
    (each,) = refused.value.rest
    assert len(each.elements) == 5
    assert not any(leaks(e.gist, [each.text[e.start : e.end]]) for e in each.elements)
    assert {"in May 2026", "someone", "somewhere"} <= {e.gist for e in each.elements}
    assert each.gist == ""
    fine = [element("Ann", "someone"), element("40 dollars", "some money"), element("8 May 2026", "one day in spring")]
    (each,) = drafts([note(text, gist="a meeting", elements=[*fine, leaking[1]], **people)])
    assert each.gist == "a meeting"
    chinese = note("小安在大理见了阿杰。", elements=[element("大理", "大理附近"), element("小安", "一个人")])
    (each,) = drafts([chinese | {"specific": {"location": "大理"}}])
    assert [e.gist for e in each.elements] == ["一个人", "某个地方"]


def linked(links: Any) -> tuple[LinkDraft, ...]:
    found = read(Task.LINK, {"links": links}, request(Task.LINK, "en"))
    assert isinstance(found, tuple)
    return found


@BOTH
def test_good_links_are_taken_over(lang: str) -> None:
    told, tied = read(Task.LINK, good(Task.LINK, lang), request(Task.LINK, lang))
    assert (told.src, told.dst, told.kind, told.intensity) == ("N1", "N2", LinkKind.SEMANTIC, 0.6)
    assert (tied.src, tied.dst, tied.kind, tied.verb) == ("N3", "H1", LinkKind.ASSOCIATION, "")


def test_links_are_between_two_notes_shown_each_once_and_point_the_right_way() -> None:
    found = linked(
        [
            {"src": "N1", "dst": "N9"},
            {"src": "N1", "dst": "N1"},
            {"src": "[n1]", "dst": "H1", "kind": "association", "intensity": 7, "confidence": "?"},
            {"src": "H1", "dst": "N1", "kind": "association"},
            {"src": "N1", "dst": "N3", "kind": "abstract_of"},
            {"src": "H1", "dst": "N1", "kind": "trigger"},
            {"src": "N2", "dst": "H1", "kind": "trigger"},
            {"src": "N2", "dst": "N1", "kind": "semantic", "verb": ""},
        ]
    )
    assert [(link.src, link.dst, link.kind.value) for link in found] == [
        ("N1", "H1", "association"), ("N3", "N1", "abstract_of"), ("N1", "H1", "trigger"), ("N2", "H1", "association"),
        ("N2", "N1", "association"),
    ]  # fmt: skip
    assert (found[0].intensity, found[0].confidence) == (1.0, 0.5)
    assert linked([]) == linked(None) == ()
    assert len(linked([{"src": "N1", "dst": "N2", "kind": "semantic", "verb": f"verb {i}"} for i in range(99)])) == 10
    with pytest.raises(RejectedAnswerError, match="H1, N1, N2, N3"):
        linked([{"src": "A", "dst": "B"}])
