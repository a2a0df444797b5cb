"""What a good model would answer to each task, made from the request alone, as an endpoint sees it.

Nothing here is given by a test: the task is told by the schema's name or by the words of our prompt, the data are read
out of the prompt. So an answer that passes shows that the prompt holds what is needed for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

from soulmem.core.schema.engine_tasks import Task
from soulmem.llm.prompts import LANGUAGES, built_in

Body = Mapping[str, Any]
Blocks = list[list[str]]

_BLOCK = re.compile(r"^<<<\n(.*?)\n>>>$", re.DOTALL | re.MULTILINE)
_TURN = re.compile(r"\[(T\d+)\] (.+?)(?:: |：)(.+)")
_DAY = re.compile(r"— (?:\w{3} )?(\d{4}-\d\d-\d\d)(?: 周.)? —")
_LABELLED = re.compile(r"\[(\w+)\] (?:\([^)]*\) |（[^）]*）)?(.*)")
_FADED = re.compile(r"(\d+)\. ____")
_SENTENCE = re.compile(r"[^.!?。！？]{4,}[.!?。！？]?")
_CJK = re.compile(r"[\u4e00-\u9fff]")


def task_of(body: Body) -> Task | None:
    """Which task a request is; None for anything else, a probe among it."""
    named = body.get("response_format", {}).get("json_schema", {}).get("name")
    if named is not None:
        return Task(named) if named in set(Task) else None
    spoken = body["messages"][0]["content"]
    return next((task for start, task in _beginnings() if spoken.startswith(start)), None)


def default_answer(body: Body) -> Any:
    """The JSON of a good answer; to what is no task, a probe, the one that shows the shape was kept to."""
    task = task_of(body)
    if task is None:
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
        return dict.fromkeys(schema.get("properties", {"colour": None}), "blue")
    asked = next(message["content"] for message in body["messages"] if message["role"] == "user")
    return _ANSWERS[task]([block.split("\n") for block in _BLOCK.findall(asked)])


@cache
def _beginnings() -> list[tuple[str, Task]]:
    starts = [(built_in(task.value, language).split("{{")[0], task) for task in Task for language in LANGUAGES]
    return sorted(((start.split("\n---")[0].strip(), task) for start, task in starts), key=lambda pair: -len(pair[0]))


def _turns(lines: list[str]) -> list[tuple[str, str, str, str]]:
    """(label, day, speaker, text) of each line of talk that says something; a line's day stands above it."""
    found: list[tuple[str, str, str, str]] = []
    day = ""
    for line in lines:
        if heading := _DAY.fullmatch(line):
            day = heading[1]
        elif match := _TURN.fullmatch(line):
            found.append((match[1], day, match[2], match[3]))
    return [turn for turn in found if len(turn[3]) > 12 and not turn[3].endswith(("?", "？"))]


def _labelled(lines: list[str]) -> list[tuple[str, str]]:
    return [(match[1], match[2]) for line in lines if (match := _LABELLED.fullmatch(line))]


def _sentence(text: str) -> str:
    found = _SENTENCE.search(text)
    return (found[0] if found else text).strip()


def _quote(text: str) -> str:
    """A few words, as the prompts ask for: six, or twelve characters of Chinese."""
    sentence = _sentence(text)
    return sentence[:12] if _CJK.search(sentence) else " ".join(sentence.split(" ")[:6])


def _told(who: str, text: str) -> str:
    return f"{who}说：{text}" if _CJK.search(text) else f"{who} said: {text}"


def _summarise(blocks: Blocks) -> Any:
    new = [
        {"from": [label], "quote": _quote(text), "text": _told(who, _sentence(text))}
        for label, _, who, text in _turns(blocks[-1])
    ]
    return {"points": new, "drop": []}


def _split(blocks: Blocks) -> Any:
    return {"notes": [_note(*turn) for turn in _turns(blocks[-1])]}


def _note(label: str, day: str, who: str, text: str) -> Any:
    return {
        "line": label,
        "quote": _quote(text),
        "type": "specific",
        "text": _told(who, _sentence(text)),
        "when": day,
        "importance": 6,
    }


def _link(blocks: Blocks) -> Any:
    new, hot = ([label for label, _ in _labelled(lines)] for lines in blocks[-2:])
    pairs = [(label, hot[0]) for label in new if hot] or list(pairwise(new))
    return {
        "links": [
            {
                "src": src,
                "dst": dst,
                "kind": "association",
                "verb": "recalls",
                "strength": 0.6,
            }
            for src, dst in pairs
        ]
    }


def _judge(blocks: Blocks) -> Any:
    notes, links, dummies, _ = ([label for label, _ in _labelled(lines)] for lines in blocks[1:])
    return {
        "sufficient": bool(notes),
        "confidence": 0.8,
        "missing": [] if notes else [blocks[0][0]],
        "useful_nodes": notes[:2],
        "useful_links": links[:1],
        "useful_dummies": dummies[:1],
        "follow": [],
    }


def _rate_importance(blocks: Blocks) -> Any:
    rated = enumerate(_labelled(blocks[0]))
    return {"ratings": [{"label": label, "importance": 3 + place % 7} for place, (label, _) in rated]}


def _analyse_query(blocks: Blocks) -> Any:
    subquestion: dict[str, Any] = {"text": blocks[-1][0][:200], "time_from": None, "time_to": None}
    return {
        "subquestions": [subquestion],
        "depth": "normal",
        "leaning": {"specific": 0.4, "abstract": 0.2, "semantic": 0.3, "procedural": 0.1},
        "mood": {"valence": 0.2, "arousal": 0.1, "impatience": 0.0},
    }


def _reconcile(blocks: Blocks) -> Any:
    return {"results": []}  # nothing changes anything


def _insights(blocks: Blocks) -> Any:
    return {"insights": [{"text": text, "evidence": [label]} for label, text in _labelled(blocks[-1])][:5]}


def _reconstruct(blocks: Blocks) -> Any:
    fills: list[dict[str, Any]] = []
    label = ""
    for line in blocks[0]:
        if line.startswith("["):
            label = line.strip("[]")
        elif match := _FADED.match(line):
            text = "好像是糖" if _CJK.search(line) else "some jam"
            fills.append({"note": label, "segment": int(match[1]), "text": text})
    return {"fills": fills}


def _merge(blocks: Blocks) -> Any:
    return {"verdict": "same", "text": _labelled(blocks[0])[0][1]}


def _feedback(blocks: Blocks) -> Any:
    pleased = any(word in blocks[-1][0] for word in ("remember", "thank", "记得", "谢谢"))
    return {"verdict": "good" if pleased else "neutral", "strength": 0.7}


def _misremember(blocks: Blocks) -> Any:
    wordings = []
    for label, text in _labelled(blocks[0]):
        vaguer = f"像{text[-1:]}的" if _CJK.search(text) else f"some {text.split()[-1]}"
        wordings.append({"detail": label, "texts": [vaguer, "别的" if _CJK.search(text) else "another one"]})
    return {"wordings": wordings}


def _replay(blocks: Blocks) -> Any:
    labels = [label for label, _ in _labelled(blocks[0])]
    return {"operations": [{"op": "link", "notes": labels[:2], "strength": 0.5}] if len(labels) > 1 else []}


def _identify(blocks: Blocks) -> Any:
    pairs = [label for label, text in _labelled(blocks[0]) if label.startswith("A")]
    return {"pairs": [{"pair": label, "verdict": "unsure", "evidence": []} for label in pairs]}


_ANSWERS: dict[Task, Callable[[Blocks], Any]] = {
    Task.SUMMARISE: _summarise,
    Task.SPLIT: _split,
    Task.LINK: _link,
    Task.JUDGE: _judge,
    Task.RATE_IMPORTANCE: _rate_importance,
    Task.ANALYSE_QUERY: _analyse_query,
    Task.RECONCILE: _reconcile,
    Task.INSIGHTS: _insights,
    Task.RECONSTRUCT: _reconstruct,
    Task.MERGE: _merge,
    Task.FEEDBACK: _feedback,
    Task.MISREMEMBER: _misremember,
    Task.REPLAY: _replay,
    Task.IDENTIFY: _identify,
}
