"""A good answer of every task in both languages, to the requests of `requests_sent`."""

from __future__ import annotations

from typing import Any

from soulmem.core.schema.engine_tasks import Task

_WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "moved": "Ann moved to Denver on 2026-05-08; the flat is tiny.",
        "moved_quote": "I moved to Denver last Friday.",
        "town": "Denver",
        "allergy": "Ann is allergic to hazelnuts.",
        "allergy_quote": "allergic to hazelnuts",
        "name": "Ann",
        "verb": "tells of",
        "query": "Where did Ann move in the week of 4 May 2026?",
        "missing": "whether she likes it",
        "question": "What does Ann leave behind?",
        "insight": "Ann begins anew with few ties.",
        "fill": "Denver",
        "other": ("a town in Colorado", "Boulder", "Denver"),
        "later": ("one day that week", "on a Saturday"),
    },
    "zh": {
        "moved": "小安2026年5月8日搬到大理，房子很小。",
        "moved_quote": "我上周五搬到了大理。",
        "town": "大理",
        "allergy": "小安对榛子过敏。",
        "allergy_quote": "我对榛子过敏",
        "name": "小安",
        "verb": "讲到",
        "query": "小安在2026年5月4日那一周搬到了哪里？",
        "missing": "她喜不喜欢",
        "question": "小安放下了什么？",
        "insight": "小安了无牵挂地重新开始。",
        "fill": "大理",
        "other": ("云南的一个城", "丽江", "大理"),
        "later": ("那周的一天", "星期六"),
    },
}


def _notes(words: dict[str, Any]) -> dict[str, Any]:
    moved = {
        "line": "T2", "quote": words["moved_quote"], "type": "specific", "text": words["moved"], "when": "2026-05-08",
        "importance": 7,
    }  # fmt: skip
    allergy = {
        "line": "T4", "quote": words["allergy_quote"], "type": "semantic", "text": words["allergy"], "when": None,
        "importance": 8,
    }  # fmt: skip
    return {"notes": [moved, allergy]}


def answer(task: Task, lang: str) -> Any:
    """A good answer, as the JSON it would be."""
    words = _WORDS[lang]
    match task:
        case Task.SUMMARISE:
            points = [
                {"from": ["T2"], "quote": words["moved_quote"], "text": words["moved"]},
                {"from": ["T4"], "quote": words["allergy_quote"], "text": words["allergy"]},
            ]
            return {"points": points, "drop": []}
        case Task.SPLIT:
            return _notes(words)
        case Task.LINK:
            told = {"kind": "semantic", "verb": words["verb"], "strength": 0.6}
            tied = {"kind": "association", "verb": "", "strength": 0.4}
            return {"links": [{"src": "N1", "dst": "N2", **told}, {"src": "N3", "dst": "H1", **tied}]}
        case Task.JUDGE:
            useful = {"useful_nodes": ["N1"], "useful_links": ["L1"], "useful_dummies": [], "follow": ["R1"]}
            return {"sufficient": False, "confidence": 0.8, "missing": [words["missing"]], **useful}
        case Task.RATE_IMPORTANCE:
            ratings = (("N1", 7), ("N2", 8), ("N3", 3))
            return {"ratings": [{"label": label, "importance": rating} for label, rating in ratings]}
        case Task.ANALYSE_QUERY:
            asked = {"text": words["query"], "time_from": "2026-05-04", "time_to": "2026-05-10"}
            leaning = {"specific": 0.7, "abstract": 0.1, "semantic": 0.2, "procedural": 0.0}
            mood = {"valence": 0.1, "arousal": 0.2, "impatience": 0.0}
            return {
                "subquestions": [asked], "depth": "normal", "leaning": leaning,
                "mood": mood,
            }  # fmt: skip
        case Task.RECONCILE:
            return {"results": [{"new": "F2", "event": "reinforce", "known": ["K1"]}]}
        case Task.INSIGHTS:
            return {"insights": [{"text": words["insight"], "evidence": ["S1", "S2"]}]}
        case Task.RECONSTRUCT:
            fills = ({"note": "N1", "segment": 2, "text": words["fill"]}, {"note": "N1", "segment": 4, "text": None})
            return {"fills": list(fills)}
        case Task.MERGE:
            return {"verdict": "same", "text": words["allergy"]}
        case Task.FEEDBACK:
            return {"verdict": "good", "strength": 0.9}
        case Task.MISREMEMBER:
            other = {"detail": "D1", "texts": list(words["other"])}
            return {"wordings": [other, {"detail": "D2", "texts": list(words["later"])}]}
        case Task.IDENTIFY:
            return {"pairs": [{"pair": "A1", "verdict": "same", "evidence": ["S1", "S3"]}]}
        case Task.REPLAY:
            link = {"op": "link", "notes": ["N1", "N2"], "text": None, "strength": 0.6}
            shown = {"op": "abstract", "notes": ["N1", "N3"], "text": words["insight"], "strength": 1}
            over = {"op": "contradiction", "notes": ["N2", "N3"], "text": None, "strength": 1}
            one = {"op": "merge", "notes": ["N1", "N2"], "text": None, "strength": 1}
            said = {"op": "rephrase", "notes": ["N3"], "text": words["insight"], "strength": 1}
            listed = {"op": "retag", "notes": ["N2"], "text": None, "strength": 1, "topics": ["work", "home"]}
            made = (link, shown, over, one, said, listed)
            return {"operations": [{"topics": [], **each} for each in made]}
