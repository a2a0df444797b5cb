"""The invented lives that `content` tells a mind: their form on disk, read into records.

A life is a text file of `content/`, written by hand so that it reads like talk. Its head names the mind (`key: value`
lines; `wording: plain`: what changed is said in so many words, as by somebody who wants it noted), then come sessions,
each begun by `== 2026-03-02 19:10` (a conversation other than `main` follows the time).
Within a session, in the order in which it happens:

    U: what the user says (`U(Mia):` if another speaks)        C: what the companion says
    ! id | must + must/alternative | when 2026-03-16            a statement of the line above, with what is looked for
    !- | must + must/alternative                                 something untrue: no note may hold it
    ? id id | a question that these statements answer            ?- | a question that nothing answers
    ?~ | one that nothing answers, about somebody or something that was told of
    ?t id id | a question about a time (ids of what is right)    ?t - | one about a time in which nothing was | it
    ~ old > new | question | now keys | then keys                what has changed
    = id | new wording | new keys | old keys | question           the message with this statement is edited
    x id | secret / secret | question                             the message is deleted (`xn`: its notes are purged)

Keys: groups joined by ` + ` must all be there, of the alternatives joined by `/` one. `when` takes a day, a month, a
year, `a..b`, `--05-04` for a day of every year; `when? a b` says that these or none at all are right. Invariant: an
id names one statement of its life.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field
from pathlib import Path

LIVES = Path(__file__).with_name("lives")
LANGUAGES = ("en", "zh")
HALVES = ("dev", "held")

Keys = tuple[tuple[str, ...], ...]
_SESSION = re.compile(r"== (\d{4}-\d\d-\d\d \d\d:\d\d)(?: (\S+))?")
_SPOKEN = re.compile(r"([UC])(?:\(([^)]+)\))?: (.+)")


@dataclass(frozen=True, slots=True)
class When:
    """When something happened or will: any of the `right` times; `vague`: words without a date are right as well."""

    right: tuple[str, ...]
    vague: bool


@dataclass(frozen=True, slots=True)
class Statement:
    name: str
    must: Keys
    when: When | None
    message: str  # the id of the message that says it
    said: dt.datetime


@dataclass(frozen=True, slots=True)
class Line:
    """Something said."""

    message: str
    role: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """`kind`: answer, none, near or time; `of`: the statements that answer it, any of them."""

    kind: str
    of: tuple[str, ...]
    text: str
    about: str = ""  # the time it is about, where no statement tells it


@dataclass(frozen=True, slots=True)
class Change:
    old: str
    new: str
    question: str
    now: Keys
    then: Keys


@dataclass(frozen=True, slots=True)
class Edit:
    of: str
    text: str
    now: Keys
    then: Keys
    question: str


@dataclass(frozen=True, slots=True)
class Deletion:
    of: str
    secrets: tuple[str, ...]
    question: str
    purge: bool  # its notes are purged, and the message with them


Step = Line | Question | Change | Edit | Deletion


@dataclass(slots=True)
class Session:
    at: dt.datetime
    conversation: str
    steps: list[Step] = field(default_factory=list)


@dataclass(slots=True)
class Life:
    mind: str
    language: str
    half: str
    user: str
    companion: str
    persona: str
    wording: str = "own"  # "plain": whatever changed is said in so many words
    sessions: list[Session] = field(default_factory=list)
    statements: dict[str, Statement] = field(default_factory=dict)
    untrue: list[Keys] = field(default_factory=list)

    def steps(self, kind: type[Step]) -> list[Step]:
        return [step for session in self.sessions for step in session.steps if isinstance(step, kind)]

    @property
    def texts(self) -> dict[str, str]:
        return {step.message: step.text for step in self.steps(Line) if isinstance(step, Line)}


def lives(languages: tuple[str, ...], halves: tuple[str, ...]) -> list[Life]:
    """All lives of these languages and halves, by name of their files."""
    read = [read_life(path) for path in sorted(LIVES.glob("*.life"))]
    return [life for life in read if life.language in languages and life.half in halves]


def read_life(path: Path) -> Life:
    """One life.

    Raises:
        ValueError: a line that says nothing known, or names a statement that there is not.
    """
    head: dict[str, str] = {}
    life: Life | None = None
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        try:
            if match := _SESSION.fullmatch(line):
                if life is None:
                    life = Life(**head)
                at = dt.datetime.strptime(match[1], "%Y-%m-%d %H:%M").replace(tzinfo=dt.UTC)
                life.sessions.append(Session(at, match[2] or "main"))
            elif life is None:
                name, _, value = line.partition(":")
                head[name.strip()] = value.strip()
            else:
                _read_step(life, line, f"{life.mind}-{number}")
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise ValueError(f"{path.name}:{number}: {error}: {line[:60]}") from error
    if life is None:
        raise ValueError(f"{path.name}: no session")
    _check(life, path.name)
    return life


def keys(text: str) -> Keys:
    """What must stand in a text: groups of alternatives."""
    return tuple(tuple(each.strip() for each in group.split("/")) for group in text.split(" + ") if group.strip())


def _read_step(life: Life, line: str, message: str) -> None:
    session = life.sessions[-1]
    if match := _SPOKEN.fullmatch(line):
        role = "user" if match[1] == "U" else "assistant"
        speaker = match[2] or (life.user if role == "user" else life.companion)
        session.steps.append(Line(message, role, speaker, match[3]))
        return
    mark, _, rest = line.partition(" ")
    fields = [each.strip() for each in rest.split("|")]
    match mark:
        case "!":
            last = next(step for step in reversed(session.steps) if isinstance(step, Line))
            if fields[0] in life.statements:
                raise ValueError(f"{fields[0]} twice")
            when = _when(fields[2]) if len(fields) > 2 else None
            life.statements[fields[0]] = Statement(fields[0], keys(fields[1]), when, last.message, session.at)
        case "!-":
            life.untrue.append(keys(fields[1]))
        case "?":
            session.steps.append(Question("answer", tuple(fields[0].split()), fields[1]))
        case "?-":
            session.steps.append(Question("none", (), fields[1]))
        case "?~":
            session.steps.append(Question("near", (), fields[1]))
        case "?t":
            of = () if fields[0] == "-" else tuple(fields[0].split())
            session.steps.append(Question("time", of, fields[1], fields[2] if len(fields) > 2 else ""))
        case "~":
            old, new = (each.strip() for each in fields[0].split(">"))
            session.steps.append(Change(old, new, fields[1], keys(fields[2]), keys(fields[3])))
        case "=":
            session.steps.append(Edit(fields[0], fields[1], keys(fields[2]), keys(fields[3]), fields[4]))
        case "x" | "xn":
            secrets = tuple(each.strip() for each in fields[1].split("/"))
            session.steps.append(Deletion(fields[0], secrets, fields[2], purge=mark == "xn"))
        case _:
            raise ValueError("what is this")


def _when(text: str) -> When:
    word, *times = text.split()
    if word not in ("when", "when?") or (word == "when" and not times):
        raise ValueError(f"no time: {text}")
    return When(tuple(times), vague=word == "when?")


def _check(life: Life, name: str) -> None:
    """Every name that a step uses is a statement's, and every message said is unlike the others."""
    used = [
        each
        for session in life.sessions
        for step in session.steps
        for each in (
            step.of if isinstance(step, Question)
            else (step.new, step.old) if isinstance(step, Change)
            else (step.of,) if isinstance(step, Edit | Deletion)
            else ()
        )
    ]  # fmt: skip
    if unknown := sorted(set(used) - set(life.statements)):
        raise ValueError(f"{name}: no such statement: {', '.join(unknown)}")
    times = [session.at for session in life.sessions]
    if times != sorted(times):
        raise ValueError(f"{name}: sessions out of order")
