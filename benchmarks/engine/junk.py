"""Junk: how much of what a lying model drafts is stored without the write gate, with quotations alone, and with it.

Run as `python -m benchmarks.engine.junk`. Reads the corpus of `tests/corpora/hostile.jsonl`; one JSON line comes out:
the junk rate is the share of stored notes that are junk, the false refusal rate the share of honest drafts that are
refused. A directive kept as reported speech counts as refused: what it claims is not stored. With `--set <file>` (a set
of the recall benchmark) the extractive engine's drafts of a real talk go through the gate too, and it is told how much
of the talk is masked though nothing was fed back.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from gate_corpus import Case, corpus, outcome
from soulmem.core.grounding import grounding_gate
from soulmem.core.grounding.echo_masking import index_of, read_turns
from soulmem.core.grounding.evidence import Ground, Grounds
from soulmem.core.grounding.served_text_index import Origin, ServedText
from soulmem.core.schema.note_requests import Role, SplitRequest, Summary, Turn
from soulmem.llm.extractive.tasks import split

_TURNS = 200  # of one epoch


def rate(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def quoted(case: Case) -> bool:
    """What a gate that looks at quotations alone admits: every one stands in the message it names."""
    texts = {ground.turn.seq: ground.turn.text for ground in case.scene.grounds.turns}
    sources = case.draft.sources
    return bool(sources) and all(s.quote and s.quote in texts.get(s.seq, "") for s in sources)


def of_corpus() -> dict[str, Any]:
    outcomes = {case.name: outcome(grounding_gate.judge([case.draft], case.scene.grounds)[0]) for case in corpus()}
    hostile = [case for case in corpus() if not case.honest]
    honest = [case for case in corpus() if case.honest]

    def rates(admits: Any) -> dict[str, float]:
        junk, good = sum(map(admits, hostile)), sum(map(admits, honest))
        return {"junk_rate": rate(junk, junk + good), "false_refusals": rate(len(honest) - good, len(honest))}

    return {
        "hostile": len(hostile),
        "honest": len(honest),
        "no_gate": rates(lambda _: True),
        "quotations_alone": rates(quoted),
        "gate": rates(lambda case: outcomes[case.name] == "admitted"),
        "right_reason": rate(sum(outcomes[case.name] == case.expected for case in hostile), len(hostile)),
        "by_outcome": dict(Counter(outcomes[case.name] for case in hostile).most_common()),
    }


def epochs(path: Path) -> Iterator[tuple[Turn, ...]]:
    raw = path.read_bytes()
    conversations = json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)["conversations"]
    for talk in conversations:
        said: dict[str, list[Turn]] = {}
        for m in talk["messages"]:
            turns = said.setdefault(m["conversation"], [])
            at_ms = round(datetime.fromisoformat(m["at"].replace("Z", "+00:00")).timestamp() * 1000)
            turns.append(Turn(len(turns) + 1, Role(m["role"]), m["speaker"], m["content"], at_ms))
        for turns in said.values():
            for first in range(0, len(turns), _TURNS):
                yield tuple(turns[first : first + _TURNS])


def of_talk(path: Path) -> dict[str, Any]:
    """The gate over what the extractive engine makes of a real talk, in which nothing is invented or fed back."""
    drafted = masked = characters = messages = touched = 0
    refused: Counter[str] = Counter()
    began, in_gate = time.perf_counter(), 0.0
    for turns in epochs(path):
        started = time.perf_counter()
        served = index_of(ServedText(turn.text, Origin.MESSAGE, turn.seq, turn.speaker) for turn in turns)
        read = read_turns(turns, served)
        in_gate += time.perf_counter() - started
        drafts = split.split(SplitRequest(Summary(""), turns))
        started = time.perf_counter()
        verdicts = grounding_gate.judge(drafts, Grounds(tuple(Ground(turn) for turn in turns)))
        in_gate += time.perf_counter() - started
        drafted += len(drafts)
        refused.update(v.refusal.reason.value for v in verdicts if v.refusal)
        messages += len(turns)
        characters += sum(len(turn.text) for turn in turns)
        touched += sum(bool(spans) for _, spans in read)
        masked += sum(span.end - span.start for _, spans in read for span in spans)
        print(f"{path.name}: {messages} messages, {drafted} drafts, {refused.total()} refused", file=sys.stderr)
    return {
        "set": path.name.partition(".")[0],
        "messages": messages,
        "drafts": drafted,
        "refused": rate(refused.total(), drafted),
        "by_reason": dict(refused.most_common()),
        "messages_masked": rate(touched, messages),
        "characters_masked": rate(masked, characters),
        "gate_ms_per_message": round(in_gate * 1000 / max(1, messages), 2),
        "seconds": round(time.perf_counter() - began, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", type=Path, help="a set of the recall benchmark, JSON or gzipped JSON")
    path = parser.parse_args().set
    print(json.dumps({"corpus": of_corpus()} | ({"talk": of_talk(path)} if path else {}), ensure_ascii=False))


if __name__ == "__main__":
    main()
