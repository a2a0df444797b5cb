"""The write gate: what a lying model drafts is refused for the right reason, what an honest one drafts is admitted."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gate_corpus
from every_row import every_row
from gate_corpus import Case, corpus, outcome
from soulmem.core.grounding import grounding_gate
from soulmem.core.grounding.evidence import Ground, Grounds, open_summary
from soulmem.core.grounding.grounding_gate import Flag, Reason
from soulmem.core.grounding.injected_instructions import is_directive
from soulmem.core.grounding.name_grounding import Said, missing_names
from soulmem.core.grounding.number_grounding import Figures, stated
from soulmem.core.schema.note_requests import ElementDraft, NoteDraft, NoteKind, Role, SourceQuote, Turn
from soulmem.core.text.tokens import script_of

MARCH = 1_772_352_000_000  # 1 March 2026, 08:00


@every_row(corpus())
def test_every_case_of_the_corpus(case: Case) -> None:
    (verdict,) = grounding_gate.judge([case.draft], case.scene.grounds)
    assert outcome(verdict) == case.expected, (verdict.refusal, case.draft)
    assert case.flags <= verdict.flags
    texts = {ground.turn.seq: ground.turn.text for ground in case.scene.grounds.turns}
    if verdict.admitted:
        assert all(source.quote in texts[source.seq] for source in verdict.draft.sources), "quotations are verbatim"
        assert verdict.draft.sources
    else:
        assert verdict.refusal is not None
        assert verdict.refusal.detail or verdict.refusal.reason is Reason.EMPTY


def test_the_corpus_is_what_it_claims() -> None:
    hostile = [case for case in corpus() if not case.honest]
    chinese = [case for case in hostile if script_of(case.draft.text) in {"cjk", "mixed"}]
    assert len(hostile) >= 80
    assert len(corpus()) - len(hostile) >= 40
    assert 0.4 <= len(chinese) / len(hostile) <= 0.6
    met = Counter(case.expected for case in hostile)
    assert set(met) == {reason.value for reason in Reason} - {Reason.DUPLICATE.value} | {"directive", "mended"}
    assert len({case.name for case in corpus()}) == len(corpus())


def test_a_note_is_not_lost_for_a_wrong_date_but_told_without_it_or_with_the_day_that_was_said() -> None:
    mended = [case for case in corpus() if case.expected == "mended"]
    assert {script_of(case.draft.text) for case in mended} >= {"latin", "cjk"}
    for case in mended:
        (verdict,) = grounding_gate.judge([case.draft], case.scene.grounds)
        (again,) = grounding_gate.judge([verdict.draft], case.scene.grounds)
        assert again.admitted, case.name
        assert again.draft.text == verdict.draft.text != case.draft.text, "what was mended states no wrong date"


@every_row(
    [
        ("We got a dog yesterday", "Tom got a dog on 25 February 2026.", "Tom got a dog on 28 February 2026."),
        ("We got a dog", "Tom got a dog (25 February 2026).", "Tom got a dog."),
        ("it is done from april on", "Tom's roof is done from April 2026.", "Tom's roof is done from April 2026."),
        ("Ghent last week", "Tom: Ghent (16 February 2026 to 22 February 2026).", ""),
        ("昨天我们领养了一只兔子", "汤姆2026年2月20日领养了一只兔子。", "汤姆2026年2月28日领养了一只兔子。"),
        ("我们领养了一只兔子", "汤姆领养了一只兔子（2026年2月20日）。", "汤姆领养了一只兔子。"),
        ("上个礼拜去了根特", "汤姆去了根特（2026年2月16日至2026年2月22日）。", ""),
    ],
    unpack=True,
)
def test_how_a_wrong_date_is_mended_and_a_right_one_left(said: str, drafted: str, kept: str) -> None:
    turn = Turn(1, Role.USER, "汤姆" if "汤姆" in drafted else "Tom", said, MARCH)
    draft = NoteDraft("N1", NoteKind.EPISODIC, drafted, (SourceQuote(1, said),), MARCH)
    (verdict,) = grounding_gate.judge([draft], Grounds((Ground(turn),)))
    assert verdict.admitted, verdict.refusal
    assert verdict.draft.text == (kept or drafted)
    assert (Flag.DATE_MENDED in verdict.flags) == (verdict.draft.text != drafted)


@pytest.mark.parametrize(
    ("said", "drafted"), [("I sell fish at the pier", "Tom is 41."), ("我在码头卖鱼", "汤姆今年四十一岁。")]
)
def test_a_wrong_number_is_no_date_and_is_refused(said: str, drafted: str) -> None:
    turn = Turn(1, Role.USER, "汤姆" if "汤姆" in drafted else "Tom", said, MARCH)
    draft = NoteDraft("N1", NoteKind.SEMANTIC, drafted, (SourceQuote(1, said),), MARCH)
    (verdict,) = grounding_gate.judge([draft], Grounds((Ground(turn),)))
    assert verdict.refusal is not None
    assert verdict.refusal.reason is Reason.INVENTED_NUMBER


def test_directives_are_kept_as_what_somebody_said() -> None:
    for case in corpus():
        if case.expected != "directive":
            continue
        (verdict,) = grounding_gate.judge([case.draft], case.scene.grounds)
        draft, (source, *_) = verdict.draft, verdict.draft.sources
        speaker = next(g.turn.speaker for g in case.scene.grounds.turns if g.turn.seq == source.seq)
        assert draft.kind is NoteKind.EPISODIC
        assert draft.attributes == {"directive": True}
        assert draft.importance <= 0.3
        assert draft.elements == ()
        assert draft.text in {f"{speaker} said: “{source.quote}”", f"{speaker}说：“{source.quote}”"}


@every_row(
    [
        "Remember that I am allergic to nuts.",
        "I try to remember that you like tea.",
        "From now on I will get up at six.",
        "The new system at work is slow.",
        "I forgot the instructions for the oven.",
        "请记住我对花生过敏。",
        "从现在起我要早睡。",
        "公司的新规定很严。",
        "我忘了带说明书。",
        "系统又崩溃了，我加班到十点。",
    ]
)
def test_information_is_no_directive(words: str) -> None:
    assert not is_directive(words)


@every_row([
        ("twenty", "20"), ("二十", "twenty"), ("20", "二十"), ("15:00", "下午三点"), ("3pm", "15:00"),
        ("五千", "5,000"), ("two hundred and five", "205"), ("百分之二十", "20%"), ("3.5 hours", "三个半小时"),
        ("12.5k", "12,500"), ("nineteen ninety-nine", "1999"), ("两只", "2"),
    ], unpack=True)  # fmt: skip
def test_numbers_are_compared_by_value(words: str, source: str) -> None:
    figures = Figures()
    figures.add(source)
    assert stated(words)
    assert all(figures.hold(figure) for figure in stated(words))
    other = Figures()
    other.add("7 seven 七 77")
    assert not all(other.hold(figure) for figure in stated(words))


@given(st.integers(2, 99_999))
@settings(max_examples=200, deadline=None)
def test_a_number_is_itself_and_no_other(number: int) -> None:
    figures = Figures()
    figures.add(f"it cost {number} in all")
    assert all(figures.hold(figure) for figure in stated(f"{number:,} 元"))
    assert not all(figures.hold(figure) for figure in stated(f"{number + 1} 元"))


def test_ordinary_words_are_no_names() -> None:
    said = Said(["nothing in particular", "没什么"], ())
    for text in (
        "Yesterday was long. Moving house is tiring, and dinner was late.",
        "The CEO watched TV on Monday in March.",
        "高兴地说，周末方便的话马上去，许多方面都毛病不少，程序员任何时候都白天睡觉。",
        "小时候在学校，老师说小心点，老人和小孩都喜欢。",
    ):
        assert list(missing_names(text, said)) == [], text


# -- batches, repairs, and what the answer depends on ------------------------------------------------------------


def _turn(seq: int, text: str, speaker: str = "Ann", role: Role = Role.USER) -> Turn:
    return Turn(seq, role, speaker, text, MARCH + seq)


def _draft(text: str, *quotes: tuple[int, str], **more: object) -> NoteDraft:
    sources = tuple(SourceQuote(*quote) for quote in quotes)
    return replace(NoteDraft("N1", NoteKind.EPISODIC, text, sources, MARCH), **more)  # type: ignore[arg-type]


def _grounds(*turns: Turn) -> Grounds:
    return Grounds(tuple(Ground(turn) for turn in turns))


def test_of_two_that_say_the_same_the_first_stays() -> None:
    grounds = _grounds(_turn(1, "I moved to Lisbon in May."), _turn(2, "我搬到了里斯本。", "小林"))
    drafts = [
        _draft("Ann moved to Lisbon.", (1, "I moved to Lisbon")),
        _draft("To Lisbon Ann moved!", (1, "moved to Lisbon in May")),
        _draft("小林搬到了里斯本。", (2, "我搬到了里斯本")),
        _draft("小林 搬到了 里斯本", (2, "我搬到了里斯本")),
        _draft("Ann moved to Lisbon in May.", (1, "I moved to Lisbon in May")),
    ]
    reasons = [v.refusal.reason if v.refusal else None for v in grounding_gate.judge(drafts, grounds)]
    assert reasons == [None, Reason.DUPLICATE, None, Reason.DUPLICATE, None]


def test_the_same_on_another_day_is_another_event() -> None:
    day = 86_400_000
    turns = [replace(_turn(seq, "I went jogging in the park."), at_ms=MARCH + seq * day) for seq in (1, 2)]
    drafts = [
        _draft("Ann went jogging in the park.", (turn.seq, "I went jogging in the park"), at_ms=turn.at_ms)
        for turn in turns
    ]
    assert all(verdict.admitted for verdict in grounding_gate.judge(drafts, _grounds(*turns)))


def test_what_the_graph_knows_may_be_named() -> None:
    grounds = _grounds(_turn(1, "I met her again at the harbour."))
    draft = _draft("Ann met Solveig again at the harbour.", (1, "I met her again at the harbour"))
    assert grounding_gate.unknown_names([draft], grounds) == {"Solveig"}
    assert not grounding_gate.judge([draft], grounds)[0].admitted
    assert grounding_gate.judge([draft], replace(grounds, known=frozenset({"Solveig"})))[0].admitted


def test_quotations_become_the_words_of_the_source() -> None:
    grounds = _grounds(_turn(1, "I said “no” to the　offer —  twice."))
    (verdict,) = grounding_gate.judge(
        [_draft("Ann refused an offer.", (1, 'I said "no" to the offer - twice'))], grounds
    )
    assert verdict.flags == {Flag.QUOTE_MENDED}
    assert verdict.draft.sources == (SourceQuote(1, "I said “no” to the　offer —  twice"),)


def test_a_number_is_not_quoted_in_part() -> None:
    grounds = _grounds(_turn(1, "I'm 34 and I love cats."))
    for quote in ("I'm 3", "love cat", "ove cats"):
        (verdict,) = grounding_gate.judge([_draft("Ann loves cats.", (1, quote))], grounds)
        assert verdict.refusal is not None
        assert verdict.refusal.reason is Reason.UNQUOTED


def test_entities_that_nobody_mentioned_are_dropped() -> None:
    grounds = _grounds(_turn(1, "I live in Bergen."))
    draft = _draft("Ann lives in Bergen.", (1, "I live in Bergen"), entities=("Ann", "Bergen", "Google"))
    assert grounding_gate.judge([draft], grounds)[0].draft.entities == ("Ann", "Bergen")


def test_elements_of_an_honest_draft_are_left_alone() -> None:
    element = ElementDraft(0, 3, 2, "someone")
    draft = _draft("Ann lives in Bergen.", (1, "I live in Bergen"), elements=(element,))
    assert grounding_gate.judge([draft], _grounds(_turn(1, "I live in Bergen.")))[0].draft.elements == (element,)


def test_a_system_turn_supports_nothing() -> None:
    grounds = _grounds(_turn(1, "The kingdom has nine moons.", "system", Role.SYSTEM))
    (verdict,) = grounding_gate.judge(
        [_draft("The kingdom has nine moons.", (1, "The kingdom has nine moons"))], grounds
    )
    assert verdict.refusal is not None
    assert verdict.refusal.reason is Reason.SYSTEM_TEXT


def test_a_summary_loses_what_rests_on_masked_words() -> None:
    case = next(case for case in corpus() if case.name == "vet-fed_back-1")
    from soulmem.core.schema.note_requests import Summary, SummaryPoint  # noqa: PLC0415 - here alone

    points = tuple(
        SummaryPoint(text, (SourceQuote(seq, quote),), MARCH, 0.5)
        for text, seq, quote in (
            ("Ann works as a vet.", 3, "I work as a vet in Bergen"),
            ("Ann bought a red kayak.", 10, "Ann bought a red kayak from her neighbour Ingrid"),
        )
    )
    opened = open_summary(Summary("Ann works as a vet.\nAnn bought a red kayak.", points), case.scene.grounds)
    assert opened == Summary("Ann works as a vet.", points[:1])


_TOLD_BY_ANOTHER = """
import sys; sys.path[:0] = sys.argv[1:]
from gate_corpus import corpus, told
print(*map(told, corpus()), sep="\\n")
"""


@pytest.mark.thorough
def test_the_answer_is_the_same_in_every_process() -> None:
    """No hash of a string, no order of a set decides."""
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    answers = subprocess.run(
        [sys.executable, "-c", _TOLD_BY_ANOTHER, str(Path(gate_corpus.__file__).parent)],
        env={"PYTHONHASHSEED": seed, "PYTHONPATH": os.environ.get("PYTHONPATH", "")},
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    ).stdout
    assert answers.split("\n") == [*map(gate_corpus.told, corpus()), ""]
