"""Calls made from the contract alone: for each method parameters that its schema allows, and a few that nobody sends.

Nothing here knows a method by name: a new one is fuzzed as soon as its schema is there. What answers bring (ids, names,
cursors) is kept by the name it goes by and offered again, so that calls reach what exists.
"""

from __future__ import annotations

import json
import math
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

Json = dict[str, Any]
SCHEMAS = Path(__file__).parents[3] / "schemas" / "rpc"
METHODS = sorted(path.stem for path in SCHEMAS.glob("*.json") if path.stem != "errors")
_DEEPEST = 3  # of what is made up where a schema allows anything
_MOST_KEPT = 40  # values of a name
# A step of the simulated clock lets all happen that falls due: a hundred years of it are no fault, but take minutes.
_PATIENCE, _LONGEST = {"seconds": 3e6}, 1e10

TEXTS = [
    "Ann hid the lantern 安把灯笼藏起来了。",
    "What does Ann love?", "我喜欢喝茶。", "n1", "l1", "r1", "main", "good", "en",
    "2026-03-01T08:00:00Z", "2026-02-30", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-03-01T10:00+99:00",
    "", " ", "\t\n", "\x00", "a\x00b", "\ud800", "a\udc00b", "\udfff\ud800",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\u202eevil\u202c", "\ufeff", "\uffff", "\U0010ffff", "\u2028\u2029\x85", "e" + "\u0301" * 200, "ﷺ" * 40, "ß" * 300,
    "İ" * 90, "٣" * 20, "①②③", "一二三" * 60, "𝒳𝒴", "\u3000", "ＦＵＬＬ", "مرحبا",
    "สวัสดี" * 20, "n01", "n-1", "n" + "9" * 30,
    "n9223372036854775807", "n9223372036854775808", "../../etc/passwd", "x.db", "con", "'; DROP TABLE note; --", '"',
    'NEAR("a" "b", 1)', "a* OR -b", "importance > 0", "relevance >= 1e999", "(" * 50, "%s%n{0}", "null", "{}", "1e400",
    "memory.close_after_s", "recall.sharing", "forgetting.clock",
]  # fmt: skip
NUMBERS: list[Any] = [
    0, 1, -1, 2, 7, 0.5, 1.0, -0.0, 1e-300, 1e308, -1e308, 0.1 + 0.2, 255, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63),
    2**64, 10**30, math.nan, math.inf,
]  # fmt: skip


class Fuzz:
    """Makes calls, one after another, from a seed."""

    def __init__(self, seed: int, oddness: float = 0.07) -> None:
        """Args: oddness: how often a value is not what the schema asks for."""
        self._random = random.Random(seed)
        self._oddness = oddness
        self._seen: defaultdict[str, list[Any]] = defaultdict(list)
        self._schemas = {name: json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8")) for name in METHODS}

    def call(self, method: str) -> Json:
        """Parameters for a call of a method."""
        schema = self._schemas[method]["params"]
        given = self._object(schema, schema, "", self._oddness, 0)
        for name, most in _PATIENCE.items():
            if isinstance(given.get(name), int | float) and most < given[name] < _LONGEST:
                given[name] %= most
        if self._random.random() < self._oddness / 5:
            given[self._random.choice(["mnid", "\ud800", "", "x" * 300])] = self._odd(0)
        return given

    def learn(self, answer: Any, name: str = "") -> None:
        """Keep what an answer brought, to ask with it."""
        if isinstance(answer, dict):
            for key, value in answer.items():
                self.learn(value, key)
        elif isinstance(answer, list):
            for value in answer[:20]:
                self.learn(value, name)
        elif isinstance(answer, str) and len(answer) <= 300:
            held = self._seen[name]
            if answer not in held:
                if len(held) >= _MOST_KEPT:
                    held.pop(self._random.randrange(len(held)))
                held.append(answer)

    # -- from a schema --------------------------------------------------------------------------------------

    def _value(self, part: Json, root: Json, name: str, oddness: float, depth: int) -> Any:
        choose = self._random.choice
        if self._random.random() < oddness:
            return self._odd(depth)
        while "$ref" in part:
            part = root["$defs"][part["$ref"].rsplit("/", 1)[1]]
        for several in ("anyOf", "oneOf", "allOf"):
            if several in part:
                return self._value(choose(part[several]), root, name, oddness, depth)
        if "const" in part:
            return part["const"]
        if "enum" in part:
            return choose(part["enum"])
        match part.get("type"):
            case "string":
                return self._string(name)
            case "integer":
                low, high = part.get("minimum", 0), part.get("maximum", 2**40)
                return choose(
                    [low, high, self._random.randint(low, min(high, low + 20)), self._random.randint(low, high)]
                )
            case "number":
                low = part.get("minimum", part.get("exclusiveMinimum", -100.0))
                high = part.get("maximum", part.get("exclusiveMaximum", 100.0))
                return choose([low, high, self._random.uniform(low, min(high, low + 100.0)), (low + high) / 2])
            case "boolean":
                return choose([True, False])
            case "null":
                return None
            case "array":
                most = min(part.get("maxItems", 4), 4)
                count = self._random.choice([*range(part.get("minItems", 0), most + 1)] or [1])
                return [self._value(part.get("items", {}), root, name, oddness, depth + 1) for _ in range(count)]
            case "object":
                return self._object(part, root, name, oddness, depth)
            case _:
                return self._odd(depth)

    def _object(self, part: Json, root: Json, name: str, oddness: float, depth: int) -> Json:
        needed = part.get("required", ())  # in its order, so that a seed makes the same calls in every process
        given = {
            key: self._value(
                inside, root, key, 0.0 if key == "mind" and self._random.random() < 0.8 else oddness, depth + 1
            )
            for key, inside in part.get("properties", {}).items()
            if key in needed or self._random.random() < 0.35
        }
        if part.get("additionalProperties") and not part.get("properties"):
            inside = part["additionalProperties"]
            for _ in range(self._random.randrange(3)):
                key = self._random.choice(TEXTS)
                given[key] = self._value(inside if isinstance(inside, dict) else {}, root, name, oddness, depth + 1)
        for key in [key for key in needed if self._random.random() < oddness / 10]:
            del given[key]
        return given

    def _string(self, name: str) -> str:
        known = self._seen[name] or (self._seen["id"] if name != "mind" else [])
        if known and self._random.random() < 0.75:
            return str(self._random.choice(known))
        return self._random.choice(TEXTS)

    # -- what nobody sends ------------------------------------------------------------------------------------

    def _odd(self, depth: int) -> Any:
        kind = self._random.randrange(9 if depth < _DEEPEST else 5)
        match kind:
            case 0 | 1:
                return self._random.choice(TEXTS)
            case 2:
                return self._random.choice(NUMBERS)
            case 3:
                return self._random.choice([None, True, False, [], {}, "x" * 5_000])
            case 4:
                return "".join(chr(self._random.choice(_POINTS)) for _ in range(self._random.randrange(1, 60)))
            case 5:
                return [self._odd(depth + 1) for _ in range(self._random.choice([1, 2, 400]))]
            case 6:
                nested: Any = "deep"
                for _ in range(self._random.choice([3, 30])):
                    nested = [nested] if self._random.random() < 0.5 else {"a": nested}
                return nested
            case 7:
                return [self._random.choice(TEXTS)] * self._random.choice([1, 65, 1_001])
            case _:
                return {self._random.choice(TEXTS): self._odd(depth + 1) for _ in range(3)}


_POINTS = [
    *range(0x20), *range(0x7F, 0xA1), 0x2028, 0x2029, 0x200B, 0x200D, 0x202E, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFEFF,
    0xFFFD, 0xFFFE, 0xFFFF, 0x10FFFF, 0x1F600, 0x4E00, 0x9FFF, 0x3400, 0x61, 0x20, 0x22, 0x5C,
]  # fmt: skip
