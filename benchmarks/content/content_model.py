"""A language model for `content` that is good but not perfect, behind a real endpoint that speaks OpenAI's protocol.

It knows the lives beforehand: which statements a line of talk makes, which of them took the place of which, what a
question is about. So what is measured is the machinery around a model: the gate, reconciling, recall, deletion.
Everything that depends on the shape of a task's contract is here, and most of it is read off the JSON schema that the
request carries: fields are filled by name, unknown ones with the emptiest value there is. One statement in sixty is
overlooked, one date in forty stays in its words, one quotation in forty is not word for word until it is asked again:
always the same ones.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.content.content_data import Change, Edit, Life, Question, Statement
from benchmarks.content.content_dates import span
from benchmarks.content.content_keys import holds, normal
from benchmarks.content.content_voice import date_of, note_of, piece_of
from scripted_answers import task_of
from scripted_endpoint import ScriptedEndpoint
from soulmem.core.text.tokens import estimate_tokens

Body = Mapping[str, Any]
Shape = Mapping[str, Any]

_BLOCK = re.compile(r"^<<<\n(.*?)\n>>>$", re.DOTALL | re.MULTILINE)
_LABELLED = re.compile(r"\[(\w+)\] ?(.*)")
_GRAVE = re.compile(
    r"allerg|diabet|insulin|inhaler|birthday|died|death|wedding|married|pregnan|surgery|afraid|scared|terrified|promis|"
    r"过敏|糖尿|胰岛素|生日|去世|走了|没了|结婚|手术|怕|答应|怀孕|预产|住院",
    re.IGNORECASE,
)
_REPLACES = ("supersede", "superseded", "replace", "invalidate", "update")
_SAME = ("reinforce", "none", "noop", "same")


@dataclass(frozen=True, slots=True)
class Said:
    """A line of talk in a prompt that tells something: its label, the wording as it stands there, what it says."""

    label: str
    text: str
    statements: tuple[Statement, ...]


@dataclass(slots=True)
class ScriptedModel:
    endpoint: ScriptedEndpoint
    life: Life | None = None
    calls: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)

    def environment(self, life: Life) -> dict[str, str]:
        """What a daemon is told so that it asks this model; from now on the model plays for this life."""
        self.life = life
        self.calls.clear()
        self.tokens.clear()
        return {
            "SOULMEM_ENGINE_BASE_URL": self.endpoint.url,
            "SOULMEM_ENGINE_MODEL": "scripted",
            "SOULMEM_BUDGET_TOKENS_PER_DAY": "0",
            "SOULMEM_BUDGET_TOKENS_PER_RUN": "0",
        }

    def cost(self, life: Life) -> dict[str, Any]:
        messages = len(life.texts)
        return {
            "calls": dict(self.calls),
            "tokens_per_1000_messages": {task: round(n / messages * 1000) for task, n in self.tokens.items()},
        }

    def answer(self, body: Body) -> Any:
        """The JSON of an answer, as the request's own schema wants it."""
        task = task_of(body)
        shape = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
        name = "probe" if task is None else task.value
        asked = "\n".join(str(each["content"]) for each in body["messages"] if each["role"] == "user")
        self.calls[name] += 1
        self.tokens[name] += sum(estimate_tokens(str(each["content"])) for each in body["messages"])
        if task is None or self.life is None:
            return filled(shape, dict.fromkeys(shape.get("properties", {"colour": None}), "blue"))
        again = len(body["messages"]) > 2
        play = _Play(self.life, shape, [block.split("\n") for block in _BLOCK.findall(asked)], again)
        answer = getattr(play, name, dict)()
        return filled(shape, answer)


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    endpoint = ScriptedEndpoint(counts_tokens=True)
    model = ScriptedModel(endpoint)
    endpoint.answer = model.answer
    endpoint.start()
    try:
        yield model
    finally:
        endpoint.stop()


def filled(shape: Shape, given: Any) -> Any:
    """`given` in the form of a schema: what it asks for and was not given is as empty as it may be."""
    for choice in shape.get("anyOf", ()):
        if (choice.get("type") == "null") == (given is None):
            return filled(choice, given)
    kinds = shape.get("type", "object")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if given is None:
        return None if "null" in kinds else _emptiest(shape, kinds[0])
    if "object" in kinds and isinstance(given, Mapping):
        fields = shape.get("properties", {})
        return {name: filled(inner, given.get(name)) for name, inner in fields.items()}
    if "array" in kinds and isinstance(given, list | tuple):
        return [filled(shape.get("items", {}), each) for each in given]
    if "enum" in shape and given not in shape["enum"]:
        return shape["enum"][0]
    return [given] if kinds == ["array"] else given


def _emptiest(shape: Shape, kind: str) -> Any:
    if "enum" in shape:
        return next(
            (word for word in ("none", "neutral", "different", "skim") if word in shape["enum"]), shape["enum"][0]
        )
    if kind == "object":
        return {name: filled(inner, None) for name, inner in shape.get("properties", {}).items()}
    return {"array": [], "string": "", "integer": 0, "number": 0, "boolean": False}.get(kind)


@dataclass(slots=True)
class _Play:
    """One request: a life, the schema of the answer, the quoted blocks of the prompt, and whether it comes again."""

    life: Life
    shape: Shape
    blocks: list[list[str]]
    again: bool  # the first answer was refused

    # -- reading a prompt ------------------------------------------------------------------------------------

    def lines(self) -> Iterator[Said]:
        """The lines of the last block of talk that say something."""
        wordings = self._wordings()
        for line in self.blocks[-1] if self.blocks else ():
            if match := _LABELLED.match(line):
                for text, statements in wordings:
                    if statements and match[2].endswith(text):
                        yield Said(match[1], text, statements)
                        break

    def _wordings(self) -> list[tuple[str, tuple[Statement, ...]]]:
        """What was said, or is said now after an edit, with its statements; longer ones first."""
        by_message: dict[str, list[Statement]] = {}
        for statement in self.life.statements.values():
            by_message.setdefault(statement.message, []).append(statement)
        found = [(" ".join(text.split()), tuple(by_message.get(name, ()))) for name, text in self.life.texts.items()]
        for edit in self.life.steps(Edit):
            assert isinstance(edit, Edit)
            old = self.life.statements[edit.of]
            told = [
                Statement(each.name, edit.now if each is old else each.must, each.when, each.message, each.said)
                for each in by_message[old.message]
                if each is old or holds(each.must, edit.text)
            ]
            found.append((" ".join(edit.text.split()), tuple(told)))
        return sorted(found, key=lambda each: -len(each[0]))

    def labelled(self, block: int) -> list[tuple[str, str]]:
        if not -len(self.blocks) <= block < len(self.blocks):
            return []
        return [(match[1], match[2]) for line in self.blocks[block] if (match := _LABELLED.match(line))]

    def _fields(self, *path: str) -> Mapping[str, Any]:
        """The fields of what an array of the answer holds."""
        shape: Any = self.shape
        for name in path:
            shape = shape.get("properties", {}).get(name, {})
            shape = shape.get("items", shape)
        return shape.get("properties", {})

    # -- the tasks -------------------------------------------------------------------------------------------

    def split(self) -> Any:
        notes: list[dict[str, Any]] = []
        for said in self.lines():
            told: list[dict[str, Any]] = []
            for statement in sorted(said.statements, key=lambda each: each.when is None):
                date = date_of(statement.when, self.life.language) if statement.when else ""
                is_told = any(holds(statement.must, each["text"]) and date in each["text"] for each in told)
                if not is_told and not _slips(statement.name, "overlooked", 60):
                    told.append(self._note(said, statement))
            notes += told
        return {"notes": notes}

    def _note(self, said: Said, statement: Statement) -> dict[str, Any]:
        dated = not _slips(statement.name, "undated", 40)
        text = note_of(self.life, self._in_full(statement, said.text), said.text, dated=dated)
        quote = self._quote(said.text, statement)
        when = statement.when
        is_event = when is not None
        day = when.right[0] if when is not None and dated and not when.vague and when.right[0][:2] != "--" else None
        start = day and (day if len(day) == 10 else span(day).first.isoformat() if ".." in day else day)
        return {
            "line": said.label, "quote": quote, "sources": [{"turn": said.label, "line": said.label, "quote": quote}],
            "type": "specific" if is_event else "semantic", "text": text, "gist": _vague(self.life),
            "when": start, "start": start, "tags": [], "entities": [],
            "importance": 8 if _GRAVE.search(said.text) else 4, "valence": 0,
            "specific": {"start": start} if is_event else None, "elements": [],
            "semantic": None if is_event else {"concept_type": "concept"},
        }  # fmt: skip

    def _in_full(self, statement: Statement, text: str) -> Statement:
        """A statement by which something changed says what is so now, where its line does."""
        for change in self.life.steps(Change):
            assert isinstance(change, Change)
            if change.new == statement.name and holds(statement.must + change.now, text):
                return replace(statement, must=statement.must + change.now)
        return statement

    def _quote(self, text: str, statement: Statement) -> str:
        """A few words of a line as they stand there; now and then not quite, until the model is asked again."""
        piece = piece_of(text, statement.must, dated=statement.when is not None)
        quote = piece[:24] if re.search(r"[\u4e00-\u9fff]", piece) else " ".join(piece.split()[:9])
        slips = not self.again and _slips(statement.name, "misquoted", 40)
        return quote[1:].replace("a", "e", 1) if slips else quote

    def summarise(self) -> Any:
        """What is new as points; earlier points are kept where the contract wants them repeated."""
        earlier = self.labelled(0)
        edits = "drop" in self._fields() or "unchanged" in self._fields()
        points, replaced = [], set()
        for said in self.lines():
            for statement in said.statements:
                olds = [label for label, text in earlier if self._replaced_by(statement.name, text)]
                replaced |= set(olds)
                points.append({
                    "from": [*(olds[:1] if edits else ()), said.label],
                    "quote": self._quote(said.text, statement),
                    "text": note_of(self.life, statement, said.text),
                })  # fmt: skip
        if not edits:
            kept = [(label, re.sub(r"^\([^)]*\) ", "", text)) for label, text in earlier if label not in replaced]
            points = [{"from": [label], "quote": None, "text": text} for label, text in kept] + points
        return {"points": points, "drop": [], "unchanged": not points}

    def _replaced_by(self, new: str, text: str) -> bool:
        """Whether a text tells what the statement `new` took the place of."""
        return any(
            change.new == new and holds(change.then, text) and not holds(change.now, text)
            for change in self.life.steps(Change)
            if isinstance(change, Change)
        )

    def reconcile(self) -> Any:
        name = next(iter(self.shape.get("properties", {"results": None})))
        events = tuple(self._fields(name).get("event", {}).get("enum", ()))
        many = self._fields(name).get("known", {}).get("type") == "array"
        results = []
        known = self.labelled(-1)  # and what is new, that was told before
        for label, text in self.labelled(0):
            event, about = self._verdict(text, known, events)
            known = [*known, (label, text)]
            if not about:
                continue  # it changes nothing
            results.append({"new": label, "event": event, "known": about if many else (about or [None])[0]})
        return {name: results}

    def _verdict(self, text: str, known: list[tuple[str, str]], events: tuple[str, ...]) -> tuple[str, list[str]]:
        """What a new fact does, and to which of the known ones."""
        told = self._told(text)
        for change in self.life.steps(Change):
            assert isinstance(change, Change)
            if change.new in told and holds(change.now, text):
                olds = [label for label, old in known if self._replaced_by(change.new, old)]
                if olds:
                    return _first(_REPLACES, events), olds
        same = [label for label, old in known if told and self._told(old) == told]
        return (_first(_SAME, events), same[:1]) if same else (_first(("add",), events), [])

    def _told(self, text: str) -> set[str]:
        return {each.name for each in self.life.statements.values() if holds(each.must, text)}

    def analyse_query(self) -> Any:
        asked = " ".join(self.blocks[-1]) if self.blocks else ""
        question = self._question(asked)
        first, last = self._time_of(question)
        sub = {"text": asked[:200], "time_from": first, "time_to": last}
        whole = {"specific": 0.3, "abstract": 0.1, "semantic": 0.5, "procedural": 0.1}
        return {"subquestions": [sub], "depth": "normal", "leaning": whole}

    def _question(self, asked: str) -> Question | None:
        steps = (step for step in self.life.steps(Question) if isinstance(step, Question))
        return next((step for step in steps if normal(step.text) in normal(asked)), None)

    def _time_of(self, question: Question | None) -> tuple[str | None, str | None]:
        """The days a question is about, both included."""
        if question is None or question.kind != "time":
            return None, None
        if question.about:
            meant = [span(question.about)]
        else:
            told = [self.life.statements[name] for name in question.of]
            meant = [span(each.when.right[0] if each.when else each.said.date().isoformat()) for each in told]
        if any(each.any_year for each in meant):
            return None, None
        return min(each.first for each in meant).isoformat(), max(each.last for each in meant).isoformat()

    def judge(self) -> Any:
        question = self._question(" ".join(self.blocks[0]) if self.blocks else "")
        notes = self.labelled(1)
        wanted = [self.life.statements[name] for name in question.of] if question else []
        useful = [label for label, text in notes if any(holds(each.must, text) for each in wanted)]
        asked = self.labelled(0)[:1] or [("", " ".join(self.blocks[0])[:80] if self.blocks else "")]
        missing = [] if useful else [asked[0][1][:80] or asked[0][0]]
        return {"sufficient": bool(useful), "confidence": 0.8, "missing": missing, "useful_nodes": useful[:3]}

    def rate_importance(self) -> Any:
        ratings = [{"label": label, "importance": 8 if _GRAVE.search(text) else 4} for label, text in self.labelled(0)]
        return {"ratings": ratings}

    def merge(self) -> Any:
        """One memory where both notes tell the same statements."""
        texts = [text for _, text in self.labelled(0)]
        told = [self._told(text) for text in texts]
        same = len(told) > 1 and bool(told[0]) and all(each == told[0] for each in told)
        return {"verdict": "same", "text": max(texts, key=len)} if same else {"verdict": "different", "text": None}

    def feedback(self) -> Any:
        return {"verdict": "neutral", "strength": 0.5}


def _first(wanted: tuple[str, ...], events: tuple[str, ...]) -> str:
    return next((each for each in wanted if each in events), events[0] if events else wanted[0])


def _vague(life: Life) -> str:
    return "某人的一件事" if life.language == "zh" else "something of somebody's life"


def _slips(name: str, how: str, one_in: int) -> bool:
    """Whether the model makes this mistake here; it always makes the same ones."""
    return int.from_bytes(hashlib.sha256(f"{how}:{name}".encode()).digest()[:4], "big") % one_in == 0
