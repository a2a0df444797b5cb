"""Summaries, notes and links from a model: what it may say, what code works out, what is left out."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from every_row import every_row
from goldens.answers_given import answer as good
from goldens.requests_sent import AT, DAY, request, turns
from soulmem.core.calendar import calendar_math
from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.core.schema.engine_tasks import Task
from soulmem.core.schema.note_requests import (
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
from soulmem.core.text.tokens import estimate_tokens
from soulmem.llm.contracts import TABLE
from soulmem.llm.contracts.link import MOST_LINKS
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.contract_base import RejectedAnswerError

MUCH = tuple(Turn(i, Role.USER, "Ann", "I went to the market and bought a lamp. " * 4, AT) for i in range(1, 9))
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
    assert found.points[0] == asked.previous.points[0], "what is not spoken of stays as it was"
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


def test_nothing_new_leaves_all_as_it_was_and_what_is_dropped_goes() -> None:
    asked = request(Task.SUMMARISE, "en")
    assert summarised([]).points == summarised(None).points == asked.previous.points
    assert read(Task.SUMMARISE, {"points": [], "drop": ["P1"]}, asked) == Summary("")
    with pytest.raises(RejectedAnswerError, match="points is empty"):
        summarised([], SummariseRequest(None, MUCH))
    assert summarised([], SummariseRequest(None, turns("en"))) == Summary("")


def test_points_that_stay_give_way_where_there_is_no_room_the_faintest_first() -> None:
    points = tuple(
        SummaryPoint(f"Point {i} about something.", (SourceQuote(1, "x"),), AT - DAY + i, salience)
        for i, salience in enumerate((0.9, 0.5, 0.31))
    )
    fresh = {"from": ["T4"], "quote": "hazelnuts", "text": "Ann avoids hazelnuts."}
    asked = SummariseRequest(Summary("…", points), turns("en"), max_tokens=200)
    assert [(p.text, p.salience) for p in summarised([fresh], asked).points] == [
        *((p.text, p.salience) for p in points), ("Ann avoids hazelnuts.", 0.6)
    ]  # fmt: skip
    close = SummariseRequest(Summary("…", points), turns("en"), max_tokens=20)
    assert [p.text for p in summarised([fresh], close).points] == ["Point 0 about something.", "Ann avoids hazelnuts."]
    tight = SummariseRequest(Summary("…", points), turns("en"), max_tokens=15)
    found = summarised([fresh], tight)
    assert [p.text for p in found.points] == ["Ann avoids hazelnuts."], "what the model told comes first"
    assert estimate_tokens(found.text) <= 15
    with pytest.raises(RejectedAnswerError, match="too long"):
        summarised([fresh | {"text": "Ann avoids hazelnuts, and so on and on. " * 8}], tight)


def drafts(notes: Any, lang: str = "en", asked: Any = None) -> tuple[NoteDraft, ...]:
    found = read(Task.SPLIT, {"notes": notes}, asked or request(Task.SPLIT, lang))
    assert isinstance(found, tuple)
    return found


@BOTH
def test_a_good_split_becomes_notes_with_offsets_names_and_tags_of_ours(lang: str) -> None:
    moved, allergy = read(Task.SPLIT, good(Task.SPLIT, lang), request(Task.SPLIT, lang))
    said = {turn.seq: turn.text for turn in turns(lang)}
    assert (moved.kind, moved.label, moved.importance) == (NoteKind.EPISODIC, "N1", 0.7)
    assert moved.at_ms == parse_iso("2026-05-08")
    assert all(source.quote in said[source.seq] for source in (*moved.sources, *allergy.sources))
    assert {"en": "Denver", "zh": "大理"}[lang] in [moved.text[each.start : each.end] for each in moved.elements]
    assert {"en": "Ann", "zh": "小安"}[lang] in moved.entities
    assert (allergy.kind, allergy.at_ms) == (NoteKind.SEMANTIC, AT + 4 * 60_000)
    fact = {"en": ("Ann", "hazelnuts"), "zh": ("小安", "榛子")}[lang]
    assert allergy.attributes == {"subject": fact[0], "relation": "allergic_to", "object": fact[1]}
    details = [allergy.text[each.start : each.end] for each in allergy.elements]
    assert details == {"en": ["hazelnuts"], "zh": []}[lang]


def note(text: str, quote: str = "I moved to Denver", line: str = "T2", **more: Any) -> dict[str, Any]:
    return {"line": line, "quote": quote, "type": "specific", "text": text} | more


def test_a_note_without_a_true_source_is_left_out() -> None:
    kept, both = drafts(
        [
            note("Ann moved to Boston.", "I moved to Boston"),
            note("Ann moved.", line="T99"),
            note("Ann moved.", line="T4"),
            note("Ann moved.", line="P1"),
            note("Guess.", "Guess what happened", "T1"),
            note("System text.", "You are Mira, a poet.", "T5"),
            {"type": "specific", "text": "No sources."},
            note("  "),
            note("x" * 1_001),
            note("Ann moved to Denver."),
            note("ANN moved to  Denver."),
            note("Ann is allergic to hazelnuts.", "allergic to hazelnuts", "T4, T2"),
        ]
    )
    assert kept.sources == (SourceQuote(2, "I moved to Denver"),)
    assert both.sources == (SourceQuote(4, "allergic to hazelnuts"),)


def test_missing_and_null_fields_have_their_defaults() -> None:
    (found,) = drafts([note("Ann moved.", type=None, importance=None, when=None, fact=None)])
    assert (found.kind, found.importance) == (NoteKind.EPISODIC, None)
    assert (found.at_ms, found.gist, found.attributes) == (AT + 2 * 60_000, "something about where someone lives", {})
    assert drafts([note("Ann moved.", importance="8/10")])[0].importance == 0.8
    assert [n.kind for n in drafts([note("a", type="Episodic"), note("b", type="habit"), note("c", type="触发")])] == [
        NoteKind.EPISODIC, NoteKind.PROCEDURAL, NoteKind.TRIGGER
    ]  # fmt: skip


def test_a_time_in_words_makes_no_day_and_is_kept_in_words() -> None:
    (found,) = drafts([note("Ann moves some day soon.", when="some day soon")])
    assert (found.at_ms, found.attributes) == (AT + 2 * 60_000, {"when": "some day soon"})


def test_as_many_notes_as_there_are_and_none_is_believed_for_little_talk_alone() -> None:
    assert len(drafts([note(f"Ann moved, version {i}.") for i in range(40)])) == 40
    assert drafts([]) == ()
    with pytest.raises(RejectedAnswerError, match="more than small talk"):
        drafts([], asked=SplitRequest(Summary(""), MUCH))
    with pytest.raises(RejectedAnswerError, match=r"note 1: its quote .* T2"):
        drafts([note("Ann moved to Boston.", "I moved to Boston")])


@BOTH
def test_no_detail_of_a_note_overlaps_another(lang: str) -> None:
    text = {
        "en": "On 8 May 2026 Ann met Bob at the Red Lion, paid 40 dollars and said “never again”, “not once more”.",
        "zh": "2026年5月8日小安在大理见了阿杰，花了40块，说“再也不去了”，又说“一次也不行”。",
    }[lang]
    quote = {"en": "I moved to Denver", "zh": "搬到了大理"}[lang]
    (found,) = drafts([note(text, quote)], lang)
    for one, other in combinations(found.elements, 2):
        apart = one.end <= other.start or other.end <= one.start
        within = one.level != other.level
        assert apart or within, "a detail may lie in a clause, never across another detail"


@pytest.mark.parametrize(
    ("lang", "text", "quote"),
    [
        ("en", "Ann was shocked that Bob paid 40 dollars. She was stunned by the piano in Leeds.", "I moved to Denver"),
        ("zh", "小安震惊地发现阿杰花了40块。她没想到大理的房子竟然漏水。", "搬到了大理"),
    ],
)
def test_of_a_note_one_detail_at_most_struck(lang: str, text: str, quote: str) -> None:
    (found,) = drafts([note(text, quote)], lang)
    assert [each.anchor for each in found.elements].count(Anchor.SPONTANEOUS) == 1


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
            {"src": "[n1]", "dst": "H1", "kind": "association", "strength": 7},
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
    assert (
        len(linked([{"src": "N1", "dst": "N2", "kind": "semantic", "verb": f"verb {i}"} for i in range(99)]))
        == MOST_LINKS
    )
    with pytest.raises(RejectedAnswerError, match="H1, N1, N2, N3"):
        linked([{"src": "A", "dst": "B"}])


@every_row(
    [
        ("Ann (9 May 2026): we moved", "Ann: we moved"),
        ("Ann (8 May 2026): we moved", "Ann (8 May 2026): we moved"),  # another day than the line's
        ("Ben (9 May 2026): we moved", "Ben (9 May 2026): we moved"),  # somebody else's words
        ("Ann: we moved on 9 May 2026", "Ann: we moved on 9 May 2026"),
        ("Ann moved to Leeds", "Ann moved to Leeds"),
        ('Ann (9 May 2026), asked "Where now?": Leeds', 'Ann, asked "Where now?": Leeds'),
        ('Ann (8 May 2026), asked "Where now?": Leeds', 'Ann (8 May 2026), asked "Where now?": Leeds'),
        ('Ann, asked "Where now?": Leeds', 'Ann, asked "Where now?": Leeds'),
    ],
    unpack=True,
)
def test_the_day_that_a_line_shows_is_not_told_twice(text: str, shown: str) -> None:
    assert (
        prompt_wording.without_telling_day(text, "Ann", calendar_math.day_number(2026, 5, 9) * calendar_math.DAY_MS)
        == shown
    )


def test_the_day_that_a_chinese_line_shows_is_not_told_twice() -> None:
    at_ms = calendar_math.day_number(2026, 5, 9) * calendar_math.DAY_MS
    assert prompt_wording.without_telling_day("小安（2026年5月9日）：我们搬了", "小安", at_ms) == "小安：我们搬了"
    assert prompt_wording.without_telling_day("小安（2026年5月9日）：我们搬了", "小安") == "小安：我们搬了"
    asked = "小安（2026年5月9日）被问“搬哪儿了”：利兹"
    assert prompt_wording.without_telling_day(asked, "小安", at_ms) == "小安被问“搬哪儿了”：利兹"


def _split_of(line: str, text: str, said: str, when: str | None = None) -> Any:
    at_ms = parse_iso(f"{said}T10:00:00Z")
    asked = SplitRequest(Summary(""), (Turn(1, Role.USER, "Ann" if line.isascii() else "小安", line, at_ms),))
    item = {"line": "T1", "quote": line[:30], "type": "specific", "text": text, "when": when, "importance": 5}
    (note,) = read(Task.SPLIT, {"notes": [item]}, asked)
    return note


@pytest.mark.parametrize(
    ("line", "text", "dated", "day"),
    [
        ("The tenants move out on the 20th.", "Ann's tenants move out on the 20th.",
         "Ann's tenants move out on the 20th (20 May 2026).", "2026-05-20"),
        ("I saw the heron yesterday!", "Ann saw the heron yesterday.",
         "Ann saw the heron yesterday (8 May 2026).", "2026-05-08"),
        ("下周三体检", "小安下周三体检。", "小安下周三（2026年5月13日）体检。", "2026-05-13"),
        # What may be either of two days keeps its words, and so does what the line does not say so.
        ("Next Thursday I fly home", "Ann flies home next Thursday.", "Ann flies home next Thursday.", "2026-05-09"),
        ("I flew home on Thursday", "Ann will fly home on Thursday.", "Ann will fly home on Thursday.", None),
        ("I saw the heron yesterday!", "Ann saw the heron on 8 May 2026.", "Ann saw the heron on 8 May 2026.",
         "2026-05-08"),
    ],
)  # fmt: skip
def test_the_words_of_a_day_that_a_model_left_are_resolved_where_they_are_sure(
    line: str, text: str, dated: str, day: str | None
) -> None:
    said = "2026-05-11" if "Thursday" in line and day else "2026-05-09"
    note = _split_of(line, text, said)
    assert note.text == dated
    if day and said == "2026-05-09":
        assert note.at_ms // DAY == parse_iso(f"{day}T00:00:00Z") // DAY


def test_the_day_that_a_model_gives_stands() -> None:
    note = _split_of("The tenants move out on the 20th.", "Ann's tenants move out.", "2026-05-09", "2026-05-20")
    assert note.at_ms == parse_iso("2026-05-20T00:00:00Z")
