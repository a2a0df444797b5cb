"""The picture of a daemon that its events alone draw."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from recount import recount
from soulmem.cli.commands.monitor import draw_picture
from soulmem.cli.output.log_lines import parse
from soulmem.cli.output.observed_state import Picture
from soulmem.ops.log.event_catalogue import catalogue


def event(name: str, boot: str = "b", **fields: Any) -> dict[str, Any]:
    return {"event": name, "level": catalogue()[name].level, "ts": "2026-03-01T08:00:00.000Z", "boot": boot, **fields}


def picture_of(*events: dict[str, Any]) -> Picture:
    picture = Picture()
    for each in events:
        picture.take(each)
    return picture


def test_counts_are_unknown_until_an_event_tells_them() -> None:
    picture = picture_of(event("note_created", mind="mira", count=3, origin="digestion"))
    assert picture.minds["mira"].counts == {"messages": None, "notes": None, "links": None}
    picture.take(event("mind_opened", mind="mira", messages=5, notes=7, links=1, pending_jobs=0, ms=1.0))
    picture.take(event("note_created", mind="mira", count=3, origin="digestion"))
    picture.take(event("traffic", messages={"mira": 2, "小苇": 1}, recalls={}, window_s=10.0))
    assert picture.minds["mira"].counts == {"messages": 7, "notes": 10, "links": 1}
    assert picture.minds["小苇"].counts["messages"] is None
    picture.take(event("mind_deleted", mind="mira"))
    assert "mira" not in picture.minds


@pytest.mark.parametrize(
    ("begun", "ended", "fields"),
    [
        ("storage_full", "storage_recovered", {"mind": "mira"}),
        ("storage_readonly", "storage_recovered", {"mind": "mira", "detail": "x"}),
        ("storage_damaged", "storage_recovered", {"detail": "of the catalogue"}),
        ("clock_jumped", "clock_trusted", {"by_ms": 5}),
        ("breaker_opened", "breaker_closed", {"endpoint": "e", "pause_ms": 5}),
    ],
)
def test_what_is_wrong_is_shown_until_it_is_over(begun: str, ended: str, fields: dict[str, Any]) -> None:
    picture = picture_of(event(begun, **fields))
    assert any(begun in line for line in draw_picture(picture))
    kept = {name: value for name, value in fields.items() if name in catalogue()[ended].allowed}
    if "mind" in fields:
        picture.take(event(ended, mind="another"))
        assert picture.wrong, "another mind's recovery is not this one's"
    picture.take(event(ended, **kept))
    assert not picture.wrong


def test_a_new_run_is_a_new_picture() -> None:
    picture = picture_of(event("storage_full", mind="mira"), event("daemon_started", boot="c", version="1"))
    assert not picture.wrong
    assert not picture.minds
    assert picture.boot == "c"


def test_what_a_newer_daemon_says_disturbs_nothing() -> None:
    picture = picture_of({"event": "moon_rose", "boot": "b", "mind": 3}, {"event": "x"}, event("heartbeat", state="ok"))
    assert picture.events["moon_rose"] == 1
    assert draw_picture(picture)


def test_no_field_can_paint_or_break_the_terminal() -> None:
    wild = "\x1b[31m\n\u2028\x07红"
    picture = picture_of(
        event("storage_damaged", mind=wild, detail=wild),
        event("mind_opened", mind=wild, messages=1, notes=1, links=1),
        event("state_changed", machine="mind", mind=wild, after=wild),
        event("state_changed", machine="daemon", after=wild),
    )
    shown = draw_picture(picture)
    assert any("红" in line for line in shown)
    assert not [line for line in shown if not line.isprintable()]


MINDS = st.sampled_from(["a", "米拉"])
COUNTING = [name for name, spec in catalogue().items() if spec.summed]


@given(
    st.lists(
        st.one_of(
            st.builds(
                lambda name, mind, count: event(name, mind=mind, count=count),
                st.sampled_from(COUNTING), MINDS, st.integers(0, 9),
            ),
            st.builds(
                lambda mind, count: event("mind_opened", mind=mind, messages=count, notes=count + 1, links=0),
                MINDS, st.integers(0, 99),
            ),
            st.builds(lambda mind: event("mind_created", mind=mind, profile="companion"), MINDS),
            st.builds(lambda mind: event("mind_deleted", mind=mind), MINDS),
            st.builds(
                lambda one, two: event("traffic", messages={"a": one, "米拉": two}, recalls={}),
                st.integers(0, 9), st.integers(0, 9),
            ),
        ),
        max_size=40,
    )
)  # fmt: skip
def test_known_counts_are_those_recounted_from_the_log(events: list[dict[str, Any]]) -> None:
    begun = [event("mind_opened", mind=mind, messages=0, notes=0, links=0) for mind in ("a", "米拉")]
    told = [*begun, *events]
    shown = {name: seen.counts for name, seen in picture_of(*told).minds.items()}
    recounted = recount(json.dumps(each) for each in told)
    for name, counts in shown.items():
        for what, count in counts.items():
            assert count is None or count == recounted[name][what]
    gone = {each["mind"] for each in told if each["event"] == "mind_deleted"}
    assert all(count is not None for name in shown.keys() - gone for count in shown[name].values())


@every_row(
    [
        ('{"event":"heartbeat","level":"info"}', "heartbeat"),
        ('<6>{"event":"heartbeat"}', "heartbeat"),
        ("", None),
        ("Traceback (most recent call last):", None),
        ("{not json", None),
        ('{"no":"event"}', None),
        ('{"event":3}', None),
        ('[{"event":"heartbeat"}]', None),
        ('soulmem: {"event":"heartbeat"}', None),
    ],
    unpack=True,
)
def test_lines_that_are_no_events_are_none(line: str, name: str | None) -> None:
    record = parse(line)
    assert (record or {}).get("event") == name
