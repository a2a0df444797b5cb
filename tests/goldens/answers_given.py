"""A good answer of every task in both languages, to the requests of `requests_sent`."""

from __future__ import annotations

from typing import Any

from soulmem.core.tasks import Task

_WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "moved": "Ann moved to Denver on 2026-05-08; the flat is tiny.",
        "moved_quote": "I moved to Denver last Friday.",
        "town": "Denver",
        "move_gist": "somebody began anew",
        "town_gist": "some town",
        "nurse": "Ann works as a nurse.",
        "allergy": "Ann is allergic to hazelnuts.",
        "allergy_quote": "allergic to hazelnuts",
        "allergy_gist": "what somebody must not eat",
        "name": "Ann",
        "thing": "hazelnuts",
        "relation": "allergic_to",
        "verb": "tells of",
        "why": "a new start",
        "query": "Where did Ann move in the week of 4 May 2026?",
        "missing": "whether she likes it",
        "better": "Ann cannot eat hazelnuts, she is allergic to them.",
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
        "move_gist": "某人重新开始",
        "town_gist": "某个小城",
        "nurse": "小安是护士。",
        "allergy": "小安对榛子过敏。",
        "allergy_quote": "我对榛子过敏",
        "allergy_gist": "某人的忌口",
        "name": "小安",
        "thing": "榛子",
        "relation": "Allergic to",
        "verb": "讲到",
        "why": "新的开始",
        "query": "小安在2026年5月4日那一周搬到了哪里？",
        "missing": "她喜不喜欢",
        "better": "小安对榛子过敏，不能吃。",
        "question": "小安放下了什么？",
        "insight": "小安了无牵挂地重新开始。",
        "fill": "大理",
        "other": ("云南的一个城", "丽江", "大理"),
        "later": ("那周的一天", "星期六"),
    },
}


def _notes(words: dict[str, Any]) -> dict[str, Any]:
    moved = {
        "type": "specific",
        "sources": [{"turn": "T2", "quote": words["moved_quote"]}],
        "text": words["moved"],
        "gist": words["move_gist"],
        "tags": ["home"],
        "entities": [words["name"], words["town"], "Atlantis"],
        "importance": 7,
        "valence": 0.3,
        "specific": {
            "start": "2026-05-08", "end": None, "location": words["town"], "participants": [words["name"]],
            "emotions": [], "sensory": [], "environment": None, "events": [],
        },
        "semantic": None,
        "elements": [
            {"quote": words["town"], "occurrence": 1, "level": 2, "gist": words["town_gist"], "anchor": "spontaneous"}
        ],
    }  # fmt: skip
    allergy = {
        "type": "semantic",
        "sources": [{"turn": "T4", "quote": words["allergy_quote"]}],
        "text": words["allergy"],
        "gist": words["allergy_gist"],
        "tags": [],
        "entities": [words["name"], words["thing"]],
        "importance": 8,
        "valence": -0.2,
        "specific": None,
        "semantic": {
            "subject": words["name"], "relation": words["relation"], "object": words["thing"], "aliases": [],
            "concept_type": "entity", "description": None,
        },
        "elements": [],
    }  # fmt: skip
    return {"notes": [moved, allergy]}


def answer(task: Task, lang: str) -> Any:
    """A good answer, as the JSON it would be."""
    words = _WORDS[lang]
    match task:
        case Task.SUMMARISE:
            points = [
                {"from": ["P1"], "quote": None, "text": words["nurse"]},
                {"from": ["T2"], "quote": words["moved_quote"], "text": words["moved"]},
                {"from": ["T4"], "quote": words["allergy_quote"], "text": words["allergy"]},
            ]
            return {"points": points}
        case Task.SPLIT:
            return _notes(words)
        case Task.LINK:
            told = {"kind": "semantic", "verb": words["verb"], "intensity": 0.6, "confidence": 0.7, "why": words["why"]}
            tied = {"kind": "association", "verb": "", "intensity": 0.4, "confidence": 0.5, "why": words["why"]}
            return {"links": [{"src": "N1", "dst": "N2", **told}, {"src": "N3", "dst": "H1", **tied}]}
        case Task.JUDGE:
            useful = {"useful_nodes": ["N1"], "useful_links": ["L1"], "useful_dummies": []}
            return {"sufficient": False, "confidence": 0.8, "missing": [words["missing"]], **useful}
        case Task.RATE_IMPORTANCE:
            ratings = (("N1", 7), ("N2", 8), ("N3", 3))
            return {"ratings": [{"label": label, "importance": rating} for label, rating in ratings]}
        case Task.ANALYSE_QUERY:
            asked = {"text": words["query"], "time_from": "2026-05-04", "time_to": "2026-05-10"}
            leaning = {"specific": 0.7, "abstract": 0.1, "semantic": 0.2, "procedural": 0.0}
            mood = {"valence": 0.1, "arousal": 0.2, "impatience": 0.0}
            return {
                "subquestions": [asked | {"entities": [words["name"]]}], "depth": "normal", "leaning": leaning,
                "mood": mood, "cares": True,
            }  # fmt: skip
        case Task.RECONCILE:
            return {"results": [{"new": "F2", "event": "update", "known": "K1", "text": words["better"]}]}
        case Task.QUESTIONS:
            return {"questions": [words["question"]]}
        case Task.INSIGHTS | Task.CONDENSE:
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
