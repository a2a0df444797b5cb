"""Two minds with the same visible history, one of which was told more where it may not be known: nobody can tell which.

Every method that can be asked in front of a conversation is read from the schemas and asked in both with the same
parameters, made from its schema: values, counts, scores, order and refusals must be the same, and about the time.
Ids differ in both, and are compared by where in an answer they come again; none of them may be a number.
"""

from __future__ import annotations

import json
import os
import statistics
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checking import Json, schema
from daemon_fixture import daemon_process
from schema_fuzz import METHODS, Fuzz
from soulmem.client import SoulmemRemoteError
from spread import every, spread
from twin_minds import ASKED, NOWHERE, PLAIN, TWIN, Twins

START = "2026-03-01T08:00:00Z"
LONG = bool(os.environ.get("SOULMEM_TORTURE"))
PROBES = 150 if LONG else 8  # of each method
FACING = [name for name in METHODS if {"mind", "conversation"} <= set(schema(name)["params"]["properties"])]
ADDRESSED = {
    "message.add",
    "message.list",
    "message.update",
    "message.delete",
}  # here it is where, not in front of whom
BY_ID = sorted({name for name in FACING if "id" in schema(name)["params"]["properties"]} - ADDRESSED)
HIDDEN = ("Kestrel", "4417", "翡翠", "台阶")
# A call that names no conversation is the owner's. These show him what was said; the others count and name only.
OF_THE_OWNER = {"audit.list", "events.watch", "mind.export"}
ENDS = {"mind.delete", "idle.run", "clock.advance", "clock.jump"}
LONGEST = 900_000  # bytes of a line


@pytest.fixture(scope="module", params=["memory", "disk"])
def twins(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    env = {"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": "0"} if request.param == "disk" else {}
    root: Path = tmp_path_factory.mktemp("t")
    with daemon_process(root, "--simulated-clock", START, env=env) as daemon:
        yield Twins(daemon)


def fields_asked() -> Iterator[tuple[str, Json]]:
    """Calls in which every parameter of every method stands, in front of those who may not know."""

    def turn(name: str) -> tuple[bool, bool, str]:  # what is forgotten is in no profile, what is purged is nowhere
        return name in {"note.purge", "plan.delete"}, not name.startswith("profile."), name

    for method in sorted(FACING, key=turn):
        fuzz = Fuzz(7, oddness=0.02)
        messages, notes = [f"m{n}" for n in range(1, 20)], [f"<n{n}>" for n in range(1, 20)]
        none = ["n2", "<hidden>", f"<{NOWHERE}>", "n_0", "n_iiiiiiiiii"]  # and what comes of nothing that was told
        fuzz.learn({"id": messages if method in ADDRESSED else notes + none})
        fuzz.learn(
            {
                "note": ["<n1>", "<n2>", *none],
                "src": [*["<n1>", "<n2>"] * 3, *none],
                "dst": ["<n3>", "<n4>", "<hidden>"],
            }
        )
        fuzz.learn({"name": ["Bo", "Ann", "小明"], "other": ["小明", "Bo", "Ann"], "as_of": ["2026-03-09"]})
        fuzz.learn({"query": ASKED, "content": ASKED, "text": ASKED, "speaker": ["Bo", "Ann"], "tags": ["safe"]})
        fuzz.learn({"cursor": ["<n2>", "<n9>", "<n19>", "n31", "<l2>", "<l9>", "l40", "1", "4", "<n99999>"]})
        fuzz.learn({"recall_id": ["<r1>", "<r2>", "r2"], "around": ["<n1>", "<n2>", "<hidden>"]})
        if method == "link.add":  # what fits together of it is seldom drawn
            for more in ({}, {"kind": "trigger", "prob": 0.4}, {"kind": "trigger", "prob": 0.9}):
                yield method, {"src": "<n1>", "dst": "<n3>", "conversation": "pub", **more}
        if method.startswith("plan."):
            plans = [f"<n{n}>" for n in range(26, 32)]
            fuzz.learn({"id": plans * 3, "parent": [plans[0]], "cursor": [*plans, "<hidden>"]})
            fuzz.learn({each: ["2026-03-02T09:00:00Z", "2026-03-03T11:30:00Z"] for each in ("start", "from")})
            fuzz.learn({each: ["2026-03-03T16:00:00Z", "2026-03-04T11:30:00Z"] for each in ("end", "to")})
        fuzz.learn({"exclude": ["<n1>", *none], "used": ["<n1>", "<n2>", *none]})
        for _ in range(PROBES):
            params = fuzz.call(method)
            if len(json.dumps(params)) > LONGEST:
                continue
            yield method, {**{k: v for k, v in params.items() if k != "key"}, "conversation": "pub"}


def test_no_answer_to_a_question_tells_the_twins_apart(twins: Twins) -> None:
    found = 0
    ways: list[Json] = [
        {}, {"ranking": "stream"}, {"depth": "deep"}, {"k": 50, "kinds": ["message"]}, {"tags": ["safe"]},
    ]  # fmt: skip
    asked = spread(ASKED, ways)  # what people ask, before anything is changed
    for query, more in asked:
        given = {"query": query, "conversation": "pub", "record": False, "explain": True, **more}
        plain, twin = twins.asked("recall", given)
        assert plain == twin, given
        found += bool(plain["items"])
    for query in every(2, ASKED):
        plain, twin = twins.asked("context.get", {"query": query, "conversation": "pub", "max_tokens": 9_000})
        assert plain == twin, query
    assert found > len(asked) // 2


LISTS: list[tuple[str, Json]] = [
    ("message.list", {}), ("note.list", {}), ("note.list", {"state": "forgotten"}), ("note.list", {"kind": "episodic"}),
    ("link.list", {}), ("link.list", {"note": "<n2>"}), ("plan.list", {}), ("plan.list", {"status": ["planned"]}),
    ("reflection.list", {}),
]  # fmt: skip


def test_no_page_and_no_cursor_tells_the_twins_apart(twins: Twins) -> None:
    """A cursor is what the last item of its page is known by, so nothing that is hidden can show in it.

    Asked before the calls that purge what is listed.
    """
    assert {method for method, _ in LISTS} == {each for each in FACING if each.endswith(".list")} - {"profile.list"}
    followed = Counter[str]()
    for method, more in LISTS:
        for limit in (1, 2, 5, 19) if LONG else (1, 5):
            cursors: dict[str, Json] = {PLAIN: {}, TWIN: {}}
            while cursors:
                pages = {
                    mind: twins.api.call(
                        method, mind=mind, conversation="pub", limit=limit, **twins.given(mind, method, more), **cursor
                    )
                    for mind, cursor in cursors.items()
                }
                plain, twin = (twins.alike(pages[mind], mind, {"conversation": "pub"}) for mind in (PLAIN, TWIN))
                assert plain == twin, (method, more, limit, cursors)
                for page in pages.values():
                    if (cursor := page["next_cursor"]) is not None:
                        assert cursor in {page["items"][-1]["id"], str(page["items"][-1].get("seq"))}, (method, cursor)
                        followed[method] += 1
                cursors = {mind: {"cursor": page["next_cursor"]} for mind, page in pages.items() if page["next_cursor"]}
    # The twins conclude nothing; what is concluded is held against its audience by `test_reflections_hidden`.
    assert all(followed[method] > 10 for method, _ in LISTS if method != "reflection.list"), followed


def test_no_list_of_names_tells_the_twins_apart(twins: Twins) -> None:
    """Who is known is told by how many notes that may be seen name him; a cursor is how many were shown."""
    seen: list[str] = []
    cursor: Json = {}
    while True:
        plain, twin = twins.asked("profile.list", {"conversation": "pub", "limit": 1, **cursor})
        assert plain == twin, cursor
        seen += [each["name"] for each in plain["items"]]
        if plain["next_cursor"] is None:
            break
        assert plain["next_cursor"] == str(len(seen))
        cursor = {"cursor": plain["next_cursor"]}
    assert "Bo" in seen
    assert "Ann" not in seen


# Every call there is; on disk they are more of the same but for the questions above, and only asked in torture.
in_full = pytest.mark.parametrize("twins", ["memory", pytest.param("disk", marks=pytest.mark.torture)], indirect=True)


@in_full
def test_no_answer_tells_the_twins_apart(twins: Twins) -> None:
    ends, differing = Counter[str](), []
    for method, params in fields_asked():
        plain, twin = twins.asked(method, params)
        ends[method] += isinstance(plain, dict)
        if plain != twin:
            differing.append(f"{method} {json.dumps(params)[:600]}\n  {str(plain)[:900]}\n  {str(twin)[:900]}")
    print(len(differing), "of", len(FACING) * PROBES, dict(ends))
    assert not differing, "\n".join(differing[:4])
    unanswered = {name for name in FACING if not ends[name]}
    assert unanswered <= {"note.reconstruct"}, "each was answered at times, or nothing was compared"


@in_full
def test_an_answer_takes_as_long_for_the_one_as_for_the_other(twins: Twins) -> None:
    """Of the calls above, asked of both, each first by turns: how far they are apart, in the middle."""
    compared = {}
    for method in FACING:
        plain, twin = (twins.took_ms[method, mind] for mind in (PLAIN, TWIN))
        if len(plain) >= 4 and len(plain) == len(twin):
            apart = statistics.median(two - one for one, two in zip(plain, twin, strict=True))
            compared[method] = apart, min(statistics.median(plain), statistics.median(twin))
    print({method: tuple(round(each, 1) for each in both) for method, both in compared.items()})
    assert len(compared) > 10
    assert not {method: both for method, both in compared.items() if abs(both[0]) >= 2.0 + 0.5 * both[1]}


@in_full
def test_who_cannot_say_in_front_of_whom_he_asks_is_shown_nothing_that_was_said(twins: Twins) -> None:
    """Every method that takes no conversation, those aside that are there to show the owner what became of the talk."""
    asked = sorted(set(METHODS) - set(FACING) - OF_THE_OWNER, key=ENDS.__contains__)
    shown = []
    for method in asked:
        fuzz = Fuzz(3, oddness=0.0)
        for _ in range(1 if method in ENDS else PROBES):
            params = {key: value for key, value in fuzz.call(method).items() if key not in {"cursor", "key"}}
            takes_mind = "mind" in schema(method)["params"]["properties"]
            answer = str(twins.answer(TWIN, method, params) if takes_mind else outcome_of(twins, method, params))
            shown += [f"{method} {params}: {answer[:300]}" for word in HIDDEN if word in answer]
    assert not shown, "\n".join(shown[:5])


def outcome_of(twins: Twins, method: str, params: Json) -> Any:
    try:
        return twins.daemon.call(method, params)
    except SoulmemRemoteError as error:
        return error.message


def took_ms(twins: Twins, method: str, params: Json) -> float:
    """Of the daemon's processor: others who use this machine do not show."""
    began = twins.spent_ms()
    with pytest.raises(SoulmemRemoteError):
        twins.api.client.call(method, params)
    return twins.spent_ms() - began


MORE: dict[str, Json] = {
    "note.update": {"text": "The key is here, on 3 May 2024. 钥匙在这里。 " * 2_000},
    "note.reconstruct": {"version": 1, "fills": [{"segment": 1, "text": "a key"}]},
    "note.restore": {"version": 1},
    "plan.update": {"text": "The key is here, on 3 May 2024. 钥匙在这里。 " * 2_000},
}


@pytest.mark.parametrize("method", BY_ID)
def test_a_number_is_no_id_whether_there_is_such_a_note_or_not(twins: Twins, method: str) -> None:
    ids = twins.ids[PLAIN]
    shown = twins.api.notes(PLAIN, conversation="pub")[0]["id"]
    given = {"mind": PLAIN, "conversation": "pub", **MORE.get(method, {})}
    refusals = set()
    for none in (ids.plain(shown), NOWHERE, ids.blind(NOWHERE), twins.ids[TWIN].blind("n1"), "n_iiiiiiiiii", "n"):
        error = twins.api.refused("not_found", method, **given, id=none)
        refusals.add((error.code, error.message.replace(repr(none), "?"), error.hint))
    assert len(refusals) == 1


@pytest.mark.parametrize("method", BY_ID)
def test_a_refusal_takes_as_long_for_what_is_hidden_as_for_what_is_not(twins: Twins, method: str) -> None:
    """Least of several, for the daemon has other things to do at times."""
    twins.renew()
    api = twins.api
    ids = twins.ids[TWIN]
    hidden = api.notes(TWIN, conversation="tea")[-1]["id"]
    assert ids.plain(hidden) != hidden
    given = {"mind": TWIN, "conversation": "pub", **MORE.get(method, {})}
    there, nowhere = [], []
    for _ in range(9):
        there.append(took_ms(twins, method, {**given, "id": hidden}))
        nowhere.append(took_ms(twins, method, {**given, "id": ids.blind(NOWHERE)}))
    print(method, min(there), min(nowhere))
    assert abs(min(there) - min(nowhere)) < 2.0 + 0.5 * min(nowhere)
