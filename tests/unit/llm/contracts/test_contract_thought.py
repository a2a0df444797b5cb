"""What a model says of questions, facts, insights and faded pieces: repaired in parts, refused as a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from every_row import every_row
from goldens.answers_given import answer as good
from goldens.requests_sent import AT, DAY, request, turns
from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.core.schema.detail_tasks import Fill, MaskedNote, ReconstructRequest, Segment, SegmentState
from soulmem.core.schema.engine_tasks import (
    Depth,
    FactEvent,
    Labelled,
    Leaning,
    Merged,
    Reaction,
    ReconcileRequest,
    Reconciliation,
    Sameness,
    Task,
)
from soulmem.core.schema.note_requests import Role, SplitRequest, Summary, Turn
from soulmem.core.text.tokens import estimate_tokens
from soulmem.llm.contracts import TABLE
from soulmem.llm.contracts.parts.contract_base import RejectedAnswerError

BOTH = pytest.mark.parametrize("lang", ["en", "zh"])


def read(task: Task, answer: Any, asked: Any = None) -> Any:
    contract = TABLE[task]
    return contract.read(contract.answer.model_validate(answer), asked or request(task, "en"))


def refused(task: Task, answer: Any, asked: Any = None) -> str:
    with pytest.raises(RejectedAnswerError) as error:
        read(task, answer, asked)
    return str(error.value)


@BOTH
def test_a_good_analysis_is_taken_over(lang: str) -> None:
    found = read(Task.ANALYSE_QUERY, good(Task.ANALYSE_QUERY, lang), request(Task.ANALYSE_QUERY, lang))
    (asked,) = found.subquestions
    assert (asked.from_ms, asked.to_ms) == (parse_iso("2026-05-04"), parse_iso("2026-05-11")), "the last day included"
    assert found.depth == Depth.NORMAL
    assert asked.entities[:1] == ({"en": "Ann", "zh": "小安"}[lang],), "names are found by rules"
    assert found.leaning == Leaning(0.7, 0.1, 0.2, 0.0)


@every_row([
        ("deep", 0.7, "normal"), ("normal", 0.9, "skim"), ("skim", 1, "skim"), ("none", 1, "none"),
        ("deep", 0.69, "deep"), ("abyss", 0, "normal"), (None, "very", "normal"), ("DEEP ", None, "deep"),
    ], unpack=True)  # fmt: skip
def test_impatience_lowers_the_depth_by_one_step(depth: Any, impatience: Any, found: str) -> None:
    said = {"subquestions": [{"text": "Where?"}], "depth": depth, "mood": {"impatience": impatience}}
    assert read(Task.ANALYSE_QUERY, said).depth == found


def test_an_analysis_is_repaired_where_it_can_be() -> None:
    many = {
        "subquestions": [{"text": t} for t in ("a one", "A  one", "two", "three", "four")],
        "leaning": {"specific": 3},
    }
    found = read(Task.ANALYSE_QUERY, many)
    assert [s.text for s in found.subquestions] == ["a one", "two", "three"]
    assert found.leaning == Leaning(1, 0, 0, 0)
    said = {"text": "x?", "time_from": "2026-06-01", "time_to": "2026-05-01"}
    assert read(Task.ANALYSE_QUERY, {"subquestions": [said]}).subquestions[0].from_ms is None
    empty = read(Task.ANALYSE_QUERY, {"subquestions": [], "depth": "deep", "leaning": {"specific": -1}})
    assert empty.subquestions[0].text == "Where did Ann move last week?"
    assert empty.subquestions[0].from_ms == parse_iso("2026-04-27")
    assert empty.leaning == Leaning()
    assert read(Task.ANALYSE_QUERY, {"subquestions": None, "depth": "none"}).subquestions == ()
    assert "neither" in refused(Task.ANALYSE_QUERY, {"subquestions": []})


@BOTH
def test_good_ratings_come_in_the_order_of_the_items(lang: str) -> None:
    assert read(Task.RATE_IMPORTANCE, good(Task.RATE_IMPORTANCE, lang), request(Task.RATE_IMPORTANCE, lang)) == (
        7,
        8,
        3,
    )


@every_row([
        ([3, "8/10", None], (3, 8, 4)),
        ({"N2": 9, "N1": "2"}, (2, 9, 4)),
        (["N3: 8", "N1: 2"], (2, 4, 8)),
        ([{"label": "N2", "importance": 7.9}, {"label": "N2", "importance": 1}, {"label": "N9"}], (4, 7, 4)),
        ([1, 2, 3, 4, 5], (1, 2, 3)),
        ([{"label": "N1", "importance": 99}, {"label": "N3", "importance": "between 3 and 5"}, 6], None),
    ], unpack=True)  # fmt: skip
def test_ratings_without_labels_or_order_are_read_too(ratings: Any, found: tuple[int, ...] | None) -> None:
    if found is None:
        assert "N1, N2, N3" in refused(Task.RATE_IMPORTANCE, {"ratings": ratings})
    else:
        assert read(Task.RATE_IMPORTANCE, {"ratings": ratings}) == found
    assert read(Task.RATE_IMPORTANCE, [5, 5, 5]) == (5, 5, 5)


@BOTH
def test_a_good_judgement_is_taken_over_and_a_partial_one_repaired(lang: str) -> None:
    found = read(Task.JUDGE, good(Task.JUDGE, lang), request(Task.JUDGE, lang))
    assert (found.sufficient, found.useful_nodes, found.useful_links) == (False, ("N1",), ("L1",))
    astray = {"sufficient": "yes", "confidence": 7, "useful_nodes": ["L1", "N2", "n2", "N9", "D1"], "missing": ["?"]}
    found = read(Task.JUDGE, astray, request(Task.JUDGE, lang))
    assert (found.sufficient, found.confidence, found.missing) == (True, 1.0, ())
    assert (found.useful_nodes, found.useful_links, found.useful_dummies) == (("N2",), ("L1",), ("D1",))
    assert read(Task.JUDGE, {"sufficient": None, "missing": ["her street"]}).sufficient is False
    assert read(Task.JUDGE, {"sufficient": "?", "useful_nodes": "N1, N2"}).sufficient is True
    assert "true or false" in refused(Task.JUDGE, {"sufficient": None, "useful_nodes": ["N9"]})


@BOTH
def test_good_verdicts_on_facts_are_taken_over(lang: str) -> None:
    (found,) = read(Task.RECONCILE, good(Task.RECONCILE, lang), request(Task.RECONCILE, lang))
    assert found == Reconciliation("F2", FactEvent.REINFORCE, "K1")


def test_a_verdict_on_a_fact_nobody_showed_adds() -> None:
    facts = tuple(Labelled(f"F{i}", f"fact {i}") for i in range(1, 8))
    asked = ReconcileRequest(facts, (Labelled("K1", "fact one, well told"), Labelled("K2", "another")))
    results = [
        {"new": "F6", "event": "none", "known": "K1"},
        {"new": "F2", "event": "supersede", "known": ["K7"]},
        {"new": "F1", "event": "invalidate", "known": ["k1", "K2"]},
        {"new": "F1", "event": "none", "known": "K1"},
        {"new": "F3", "event": "DELETE", "known": "K1, K9"},
        {"new": "F4", "event": "取代", "known": ["K2"]},
        {"new": "F9", "event": "none", "known": "K1"},
        {"new": "F5", "event": "?", "known": "K1"},
        {"new": "F7", "event": "add", "known": ["K1"]},
    ]
    assert read(Task.RECONCILE, {"results": results}, asked) == (
        Reconciliation("F1", FactEvent.INVALIDATE, "K1"),
        Reconciliation("F1", FactEvent.INVALIDATE, "K2"),
        Reconciliation("F2", FactEvent.ADD),
        Reconciliation("F3", FactEvent.INVALIDATE, "K1"),
        Reconciliation("F4", FactEvent.SUPERSEDE, "K2"),
        Reconciliation("F5", FactEvent.ADD),
        Reconciliation("F6", FactEvent.REINFORCE, "K1"),
        Reconciliation("F7", FactEvent.ADD),
    )
    assert "F1, F2" in refused(Task.RECONCILE, {"results": [{"new": "G1", "event": "add"}]}, asked)


def test_a_new_fact_may_end_an_earlier_new_one_but_not_itself() -> None:
    facts = tuple(Labelled(f"F{i}", f"fact {i}") for i in (1, 2))
    asked = ReconcileRequest(facts, (Labelled("K1", "fact one, well told"),))
    results = [{"new": "F2", "event": "supersede", "known": ["f1", "F2", "1"]}]
    assert read(Task.RECONCILE, {"results": results}, asked) == (
        Reconciliation("F1", FactEvent.ADD),
        Reconciliation("F2", FactEvent.SUPERSEDE, "F1"),
        Reconciliation("F2", FactEvent.SUPERSEDE, "K1"),
    )


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (
            [("Ann", "I moved to Lyon."), ("Ann", "Ann (9 May 2026): Rex died."), ("Bo", "妈妈 moved too")],
            "— Sat 2026-05-09 —\n[F1] Ann: I moved to Lyon.\n[F2] Ann: Rex died.\n[F3] Bo: 妈妈 moved too",
        ),
        (
            [("小安", "我搬到成都了。"), ("小安", "小安（2026年5月9日）：豆豆走了。")],
            "— 2026-05-09 周六 —\n[F1] 小安：我搬到成都了。\n[F2] 小安：豆豆走了。",
        ),
    ],
)
def test_facts_stand_under_their_day_behind_whoever_told_them(told: list[tuple[str, str]], shown: str) -> None:
    at_ms = parse_iso("2026-05-09T10:00:00Z")
    facts = tuple(Labelled(f"F{i}", text, at_ms, who) for i, (who, text) in enumerate(told, 1))
    later = replace(facts[0], label="K1", at_ms=at_ms - DAY)
    variables = TABLE[Task.RECONCILE].describe(ReconcileRequest(facts, (later, replace(later, label="K2"))))
    assert variables["new"] == shown
    assert variables["known"].count("—") == 2, "one heading for two facts of one day"


@BOTH
def test_insights_cite_statements_that_were_shown(lang: str) -> None:
    (found,) = read(Task.INSIGHTS, good(Task.INSIGHTS, lang), request(Task.INSIGHTS, lang))
    assert found.evidence == ("S1", "S2")
    lines = """1. Ann begins anew [1, 99]
    - Ann trusts few (because of 2, 3).
    小安独自一人（依据：S1，S2）。
    小安很谨慎【3】
    no evidence at all
    Made up [47]"""
    found = read(Task.INSIGHTS, {"insights": lines})
    assert [(i.text, i.evidence) for i in found] == [
        ("Ann begins anew", ("S1",)),
        ("Ann trusts few", ("S2", "S3")),
        ("小安独自一人", ("S1", "S2")),
        ("小安很谨慎", ("S3",)),
    ]
    mixed = ["Ann rests [S1]", {"text": "Ann walks [S2, S3]", "evidence": None}, {"text": "x", "evidence": "S1"}, 7]
    assert [i.evidence for i in read(Task.INSIGHTS, {"insights": mixed})] == [("S1",), ("S2", "S3"), ("S1",)]
    assert len(read(Task.INSIGHTS, {"insights": [f"No. {i} [1]" for i in range(20)]})) == 5
    assert "S1, S2, S3" in refused(Task.INSIGHTS, {"insights": ["Made up [47]"]})


@BOTH
def test_fills_belong_to_faded_pieces_and_fit(lang: str) -> None:
    asked = request(Task.RECONSTRUCT, lang)
    first, second = read(Task.RECONSTRUCT, good(Task.RECONSTRUCT, lang), asked)
    assert (first.segment, second) == (2, Fill("N1", 4, None))
    by_note = {"N1": {"2": "Ohio", "4": " "}}
    assert read(Task.RECONSTRUCT, by_note, asked) == (Fill("N1", 2, "Ohio"), Fill("N1", 4, None))
    assert read(Task.RECONSTRUCT, {"fills": by_note}, asked)[0].text == "Ohio"
    astray = [{"note": "N1", "segment": 1, "text": "clear"}, {"note": "N8", "segment": 2, "text": "x"},
              {"note": "N1", "segment": 2, "text": "x" * 13}, {"note": "N1", "segment": "4", "text": "a\nb"},
              {"note": "N1", "segment": 4, "text": "twice"}, {"note": "N1", "segment": 2, "text": "xxx"}]  # fmt: skip
    assert read(Task.RECONSTRUCT, {"fills": astray}, asked) == (Fill("N1", 4, "a b"),)
    assert "N1/2, N1/4" in refused(Task.RECONSTRUCT, {"fills": astray[:3]}, asked)


@every_row([
        ("some money", "40 euros", False), ("in spring", "on the 3rd of May", False),
        ("some money", "a small sum", True),
        ("a few of them", "one of them", True), ("about 40 euros", "40 euros", True),
        ("某种动物", "一只猫", True), ("一些钱", "35块", False), ("春天", "5月3日", False),
        ("春天", "花开的时候", True),
    ], unpack=True)  # fmt: skip
def test_a_fill_gives_no_number_where_its_gist_has_none(gist: str, fill: str, kept: bool) -> None:
    segments = (
        Segment(1, SegmentState.BLUR, gist=gist, length=20),
        Segment(2, SegmentState.BLANK, length=20),
    )
    asked = ReconstructRequest((MaskedNote("N1", segments),))
    said = {"fills": [{"note": "N1", "segment": number, "text": fill} for number in (1, 2)]}
    filled = {each.segment for each in read(Task.RECONSTRUCT, said, asked)}
    assert filled == ({1, 2} if kept else {2}), "what is gone may be filled with anything"


@BOTH
def test_merging_and_reactions_are_read_as_one_word(lang: str) -> None:
    assert read(Task.MERGE, good(Task.MERGE, lang), request(Task.MERGE, lang)).verdict is Sameness.SAME
    assert read(Task.MERGE, {"verdict": "DIFFERENT", "text": "x"}) == Merged(Sameness.DIFFERENT)
    assert read(Task.MERGE, {"verdict": "变体", "text": "一类事"}).verdict is Sameness.VARIANT
    assert "needs a text" in refused(Task.MERGE, {"verdict": "same", "text": None})
    assert "tells more" in refused(Task.MERGE, {"verdict": "same", "text": "x" * 500})
    assert "one of same" in refused(Task.MERGE, {"verdict": "perhaps"})
    found = read(Task.FEEDBACK, good(Task.FEEDBACK, lang), request(Task.FEEDBACK, lang))
    assert (found.verdict, found.strength) == (Reaction.GOOD, 0.9)
    signs = {"+": Reaction.GOOD, "-": Reaction.BAD, "0": Reaction.NEUTRAL, -1: Reaction.BAD, "满意": Reaction.GOOD}
    assert {sign: read(Task.FEEDBACK, {"verdict": sign}).verdict for sign in signs} == signs
    assert read(Task.FEEDBACK, {"verdict": "good", "strength": 9}).strength == 1.0
    assert "one of good" in refused(Task.FEEDBACK, {"verdict": None})


def test_a_prompt_stays_within_bounds_however_much_was_said() -> None:
    long = tuple(Turn(i, Role.USER, "Ann", "说了很多很多话。" * 300, AT + i * DAY) for i in range(1, 60))
    told = TABLE[Task.SPLIT].describe(SplitRequest(Summary(""), (*long, *turns("zh"))))
    assert estimate_tokens(told["transcript"]) <= 3_600
    assert "榛子" in told["transcript"], "the latest is never left out"
