"""The measures of `content` that are taken of one life: kept, current, corrected, dates, answers, times.

`Measuring` is given a life as it is told, step by step, and writes outcomes. What is deleted is `content_gone`'s.
Invariant: whatever is asked for is judged by the keys of the data alone, never by how an engine words it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable
from typing import Any

from benchmarks.content.content_data import Change, Deletion, Edit, Keys, Life, Question, Statement
from benchmarks.content.content_dates import Span, dates_in, judge, span
from benchmarks.content.content_keys import holds, is_marked, normal, says_past
from benchmarks.content.content_scores import Outcome, Scores
from benchmarks.content.content_telling import Told

Item = dict[str, Any]
# "(“...” until May 2026)", （“…”到2026年5月为止）: which part of an item is over; without a quotation all of it is.
_ENDED = (
    r"(?:until [A-Z]|said by mistake|(?:no longer, )?(?:moved|called off) since"
    r"|到\d{1,4}年\d{1,2}月为止|说错了|已过时|已取消)"
)
_OVER_PART = re.compile(rf"[“\"]([^”\"]{{2,200}})[”\"] ?{_ENDED}")
_MARK = re.compile(rf"[(（](?:in part |部分内容)?(?:{_ENDED}|said earlier|早先说的|后来改了时间)")
_OVER_WHOLE = re.compile(rf"[(（]{_ENDED}")


class Measuring:
    """What is seen of one life."""

    def __init__(self, telling: Told, scores: Scores) -> None:
        self._told, self._life, self._scores = telling, telling.life, scores
        self._seen: dict[str, dict[str, Item]] = {}  # statement → the notes that ever kept it, as they were first seen
        self._gone_at_once: dict[str, bool] = {}
        self._changing = _changing(telling.life)

    def count(self, measure: str, name: str, right: bool, seen: str = "") -> None:
        life = self._life
        self._scores.outcomes.append(Outcome(measure, life.language, life.half, life.mind, name, right, seen))

    # -- notes -----------------------------------------------------------------------------------------------

    def look(self) -> None:
        """See which statements are notes now."""
        notes = self._told.notes("active", "forgotten")
        for statement in self._life.statements.values():
            for note in notes:
                if _keeps(note, statement):
                    self._seen.setdefault(statement.name, {}).setdefault(note["id"], note)

    def notes_and_dates(self) -> None:
        """At the end of a life: what was kept, what the audit knows, which dates are right."""
        audited = self._told.listed("audit.list")
        changed_at_once = _changed_before_sleep(self._life)
        for statement in self._life.statements.values():
            if statement.name in changed_at_once:
                continue
            kept = statement.name in self._seen
            known = not kept and any(_refuses(each, statement, self._life) for each in audited)
            text = self._life.texts[statement.message]
            self.count("kept", statement.name, kept, text)
            self.count("kept.audited", statement.name, known, text)
            self.count("kept.lost", statement.name, not kept and not known, text)
            if statement.when is not None:
                self._date(statement, text)

        for wrong in self._life.untrue:
            said = [note["text"] for note in self._told.notes() if holds(wrong, str(note["text"]))]
            self.count("untrue", str(wrong), bool(said), str(said))

    def _date(self, statement: Statement, text: str) -> None:
        assert statement.when is not None
        others = [
            span(time)
            for other in self._life.statements.values()
            if other.message == statement.message and other is not statement and other.when is not None
            for time in other.when.right
        ]
        verdicts = []
        for note in self._seen.get(statement.name, {}).values():
            stated = [*dates_in(str(note["text"])), *_times_of(note)]
            told = statement.said.date()
            verdicts.append(judge(statement.when, stated, told=told, said=dates_in(text), others=others))
        verdict = next((each for each in ("right", "wrong", "words") if each in verdicts), "lost")
        seen = " || ".join(f"{note['text']} @{note.get('at')}" for note in self._seen.get(statement.name, {}).values())
        told_as = f"{statement.when.right} {verdict}: {text} -> {seen}"
        self.count("dates", statement.name, verdict == "right", told_as)
        self.count("dates.wrong", statement.name, verdict == "wrong", told_as)
        if verdicts:
            self.count("dates.kept", statement.name, verdict == "right", told_as)

    # -- questions -------------------------------------------------------------------------------------------

    def ask(self, question: Question) -> None:
        items = self._told.recall(question.text)["items"]
        wanted = [self._life.statements[name] for name in question.of]
        places = [place for place, item in enumerate(items) if any(holds(each.must, _text(item)) for each in wanted)]
        seen = f"{question.text} -> " + " || ".join(
            f"{item['kind']} {item.get('score')}: {_text(item)[:90]}" for item in items[:3]
        )
        match question.kind:
            case "none":
                self.count("unanswerable", question.text, not items, seen)
            case "near":
                self.count("unanswerable", question.text, not items, seen)
                self.count("unanswerable.near", question.text, not items, seen)
            case "answer":
                self.count("answer", question.text, bool(places), seen)
                self.count("answer.first", question.text, places[:1] == [0], seen)
            case "time":
                self.count("time", question.text, places[:1] == [0] if wanted else not items, seen)

    # -- what changed ----------------------------------------------------------------------------------------

    def change(self, change: Change, *, asleep: bool) -> None:
        now = self._told.now.isoformat()[:19]
        items = self._told.recall(change.question)["items"]
        of_old = self._telling_of(change)
        about = [item for item in items if holds(change.now, _text(item)) or of_old(_text(item))]
        first = bool(about) and holds(change.now, _text(about[0]))
        outdated = [item for item in about if not holds(change.now, _text(item)) and not is_marked(item, now)]
        notes = [item for item in outdated if item["kind"] != "message"]
        lines = [
            line
            for block in self._told.context(change.question)
            if block["kind"] != "window"
            for line in map(_unstamped, str(block["text"]).splitlines())
            if line not in self._life.persona
        ]
        unmarked = [line for line in lines if of_old(line) and not holds(change.now, line) and not says_past(line)]
        seen = f"{change.question} -> " + " || ".join(
            f"{item['kind']}{'*' if is_marked(item, now) else ''}: {_text(item)[:90]}" for item in about[:4]
        ) + (f" ## in the context: {unmarked[0][:100]}" if unmarked else "")  # fmt: skip
        right = first and not notes and not unmarked
        if asleep:
            self.count("current.first", change.new, first, seen)
            self.count("current.found", change.new, any(holds(change.now, _text(item)) for item in items), seen)
            self.count("current.marked", change.new, not notes and not unmarked, seen)
            self.count("current", change.new, right, seen)
            if self._life.wording == "plain":
                self.count("current.plain", change.new, right, seen)
            self.count("current.messages", change.new, right and not outdated, seen)
        else:
            self.count("current.talk", change.new, right, seen)

    def _telling_of(self, change: Change) -> Callable[[str], bool]:
        """Whether a text tells the outdated value of this matter.

        That it names May is not enough: somebody else may move in May. It has a word of the matter, or is made of the
        message that told the value.
        """
        old, new = (self._life.statements[name] for name in (change.old, change.new))
        values = {key for keys in (change.now, change.then) for group in keys for key in group}
        words = tuple(key for each in (old, new) for group in each.must for key in group if key not in values)
        made = [
            normal(str(note["text"]))
            for note in self._told.notes()
            if old.message in {source.get("id") for source in note.get("sources") or ()}
        ] + [normal(self._life.texts[old.message])]

        def tells(text: str) -> bool:
            if not holds(change.then, text):
                return False
            plain = normal(text)
            return not words or holds((words,), text) or any(plain in each or each in plain for each in made)

        return tells

    def still_true(self) -> None:
        """At the end of a life: what never changed must not be marked as over."""
        told = self._life
        over = {told.statements[name].message for name in self._changing}
        for statement in told.statements.values():
            if statement.message in over:
                continue
            text = told.texts[statement.message]
            notes = self._seen.get(statement.name, {})
            items = [item for item in self._told.recall(text)["items"] if item.get("id") in notes] if notes else []
            wrong = [_text(item) for item in items if _says_over(item, statement)]
            self.count("still.over", statement.name, bool(wrong), " || ".join(wrong))

    def still_answering(self) -> None:
        """At the end of a life: what answers a question, and never changed, must not be marked as an earlier word."""
        for question in self._life.steps(Question):
            assert isinstance(question, Question)
            if question.kind != "answer" or set(question.of) & self._changing:
                continue
            wanted = [self._life.statements[name].must for name in question.of]
            items = self._told.recall(question.text)["items"]
            right = [item for item in items if any(holds(must, _text(item)) for must in wanted)]
            if right:
                seen = f"{question.text} -> " + " || ".join(_text(item)[:110] for item in items[:4])
                self.count("answer.earlier", question.text, _is_doubted(right[0], wanted), seen)

    # -- edits -----------------------------------------------------------------------------------------------

    def edit(self, edit: Edit, conversation: str) -> None:
        """Edit a message, and see whether the old value is out of sight at once."""
        message = self._life.statements[edit.of].message
        done = self._told.call("message.update", conversation=conversation, id=message, content=edit.text)
        self._gone_at_once[edit.of] = done is not None and not self._places_of(edit.then, edit.question)

    def edited(self, edit: Edit) -> None:
        """At the end of a life."""
        at_once = self._gone_at_once.get(edit.of, False)
        old = self._places_of(edit.then, edit.question)
        notes = any(holds(edit.now, str(note["text"])) for note in self._told.notes())
        items = any(holds(edit.now, _text(item)) for item in self._told.recall(edit.question)["items"])
        gone, new = at_once and not old, notes and items
        seen = (
            f"{edit.text} -> old at once {'gone' if at_once else 'there'}, now in {old}; note {notes}, recall {items}"
        )
        self.count("corrected.new", edit.of, new, seen)
        self.count("corrected.gone", edit.of, gone, seen)
        self.count("corrected", edit.of, new and gone, seen)

    def _places_of(self, keys: Keys, question: str) -> list[str]:
        """Where something is still said: recall, context (summaries and window among it), notes, the list."""
        seen: list[tuple[str, Iterable[str]]] = [
            ("recall", (_text(item) for item in self._told.recall(question)["items"])),
            ("context", (str(block["text"]) for block in self._told.context(question))),
            ("notes", (f"{each['text']} {each.get('rendered')}" for each in self._told.notes("active", "forgotten"))),
            ("messages", (str(each.get("content")) for each in self._told.listed("message.list"))),
        ]
        return [place for place, texts in seen if any(holds(keys, text) for text in texts)]


def _changing(life: Life) -> set[str]:
    """The statements that are something else later, by talk or by hand."""
    changed = {step.old for step in life.steps(Change) if isinstance(step, Change)}
    return changed | {
        step.of for step in (*life.steps(Edit), *life.steps(Deletion)) if isinstance(step, Edit | Deletion)
    }


def _says_over(item: Item, statement: Statement) -> bool:
    """Whether an item says that what a statement tells holds no more: all of it, or a part that it quotes."""
    quoted = [part for part in _OVER_PART.findall(_text(item)) if part]
    if quoted:
        return any(holds(statement.must, part) for part in quoted)
    return item.get("superseded_by") is not None or _OVER_WHOLE.search(_text(item)) is not None


def _is_doubted(item: Item, wanted: list[Keys]) -> bool:
    """Whether an item says that what answers holds no more: all of it, or a part that it quotes and that answers.

    What the answer says itself of the past ("used to teach", 以前) is no mark.
    """
    quoted = [part for part in _OVER_PART.findall(_text(item)) if part]
    if quoted:
        return any(holds(must, part) for must in wanted for part in quoted)
    return is_marked({**item, "text": ""}) or _MARK.search(_text(item)) is not None


def _unstamped(line: str) -> str:
    """A line of a context without the day before it: on the 22nd something else was told too."""
    return re.sub(r"^\[\d{4}-\d\d-\d\d\] ", "", line)


def _text(item: Item) -> str:
    return str(item.get("text") or "")


def _keeps(note: Item, statement: Statement) -> bool:
    sources = {source.get("id") for source in note.get("sources") or ()}
    return statement.message in sources and holds(statement.must, str(note["text"]))


def _refuses(entry: Item, statement: Statement, life: Life) -> bool:
    """Whether a line of the audit is about this statement: by its source, or by words of it."""
    sources = {str(each.get("id")) for each in entry.get("sources") or () if isinstance(each, dict)}
    sources |= {str(entry.get(name)) for name in ("message", "message_id", "source")}
    text = " ".join(str(entry.get(name) or "") for name in ("text", "quote", "sentence", "detail"))
    if not entry.get("reason"):
        return False
    if statement.message in sources:
        return not text.strip() or holds(statement.must, text)
    return len(text) > 3 and holds(statement.must, text) and text.strip()[-20:] in life.texts[statement.message]


def _times_of(note: Item) -> list[Span]:
    """The days in a note's fields of time."""
    validity = note.get("validity")
    places = [note, validity if isinstance(validity, dict) else {}, note.get("attributes") or {}]
    names = ("at", "happens_at", "when", "start", "valid_from", "from", "due", "date")  # an end is when it was replaced
    found = [str(place[name])[:10] for place in places for name in names if isinstance(place.get(name), str)]
    days = []
    for text in found:
        try:
            days.append(Span(dt.date.fromisoformat(text), dt.date.fromisoformat(text)))
        except ValueError:
            continue
    return days


def _changed_before_sleep(life: Life) -> set[str]:
    """Statements that were edited or deleted in the session in which they were said: no note can be asked of them."""
    return {
        step.of
        for session in life.sessions
        for step in session.steps
        if isinstance(step, Edit | Deletion) and life.statements[step.of].said == session.at
    }
