"""Every method with whatever its schema allows, and with what nobody sends: refusals have names, none is ours.

The methods and their parameters are read from `schemas/rpc`; what an answer brings is asked with again.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from checking import Json, Wire, checking, registry
from daemon_fixture import Daemon, daemon_process
from schema_fuzz import METHODS, Fuzz

START = "2026-03-01T08:00:00Z"
CALLS, SEEDS = 12, 1  # of each method
TORTURE_CALLS, TORTURE_SEEDS = 250, 4
LONGEST = 1_000_000  # bytes of a line


def furnish(daemon: Daemon, fuzz: Fuzz) -> None:
    """A mind with one of everything, of which the calls know."""
    api = checking(daemon)
    for mind in ("rosa", "tian"):
        fuzz.learn(api.call("mind.create", mind=mind))
        for text in ("Ann moved to Lisbon in May.", "我喜欢喝茶。"):
            fuzz.learn(api.say(mind, text, speaker="Ann", conversation="tea"))
        notes = [api.note(mind, text) for text in ("Ann lives in Lisbon 里斯本", "小林喝绿茶 green tea")]
        fuzz.learn({"id": notes, "mind": mind, "conversation": "tea"})
        fuzz.learn(api.call("link.add", mind=mind, src=notes[0], dst=notes[1]))
        fuzz.learn(api.call("recall", mind=mind, query="Lisbon 茶"))


def pelt(daemon: Daemon, fuzz: Fuzz, methods: list[str], calls: int) -> tuple[Counter[str], list[str]]:
    """Make so many calls of each method; how they ended, and those that ended in a fault of ours."""
    ends, faults = Counter[str](), list[str]()
    known, number = registry(), 0
    for _ in range(calls):
        with Wire(daemon, timeout=60.0) as wire:  # one each round: who watches events is dropped when he reads none
            for method in methods:
                number += 1
                line = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": fuzz.call(method)})
                if len(line) > LONGEST:
                    continue
                answer = answered(wire, number, line)
                if answer is None:
                    ends["dropped"] += 1
                    break
                if "result" in answer:
                    ends["answered"] += 1
                    fuzz.learn(answer["result"])
                    continue
                name = answer["error"].get("data", {}).get("name", str(answer["error"]["code"]))
                ends[name] += 1
                if name == "internal" or name not in known:
                    faults.append(f"{name} {method} {line[:1500]} -> {str(answer['error'])[:500]}")
    return ends, faults


def answered(wire: Wire, number: int, line: str) -> Json | None:
    """The answer to a call, behind whatever events came meanwhile; None where a watcher was dropped for lagging."""
    last: Json | None = None
    try:
        wire.send(line.encode())
        while (message := wire.receive()) is not None:
            if "method" not in message:  # a line that is no JSON is answered without the number
                if message["id"] is None:
                    assert message["error"]["data"]["name"] in {"parse_error", "invalid_request", "too_large"}, message
                else:
                    assert message["id"] == number
                return message
            last = message
    except ConnectionError:
        pass
    assert "lagged" in json.dumps(last), f"closed upon {line[:2000]}"
    return None


@pytest.mark.timeout(3000)
@pytest.mark.parametrize(
    "seed",
    [
        *range(SEEDS),
        *(pytest.param(100 + seed, marks=pytest.mark.torture) for seed in range(TORTURE_SEEDS)),
    ],
)
def test_no_call_ends_in_a_fault_of_ours(tmp_path: Path, seed: int) -> None:
    long = seed >= 100 and "SOULMEM_TORTURE" in os.environ
    fuzz = Fuzz(seed)
    with daemon_process(tmp_path, "--simulated-clock", START, check_log=False) as daemon:
        furnish(daemon, fuzz)
        ends, faults = pelt(daemon, fuzz, METHODS, TORTURE_CALLS if long else CALLS)
        print(seed, sum(ends.values()), ends.most_common())
        assert not faults, "\n".join(faults[:20])
        assert ends["answered"] > 0.3 * ends.total(), "most calls must get far enough to do something"
        assert len(ends) > 4
        assert checking(daemon).call("system.ping")["now"], "and everybody else is served"
        assert not [each for each in daemon.log() if each["level"] == "critical"]
        assert not daemon.events("request_failed")
