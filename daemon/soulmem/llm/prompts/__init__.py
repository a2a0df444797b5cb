"""The words sent to a language model: files, one a task and language, each of which a user may replace by his own.

Read by the engine behind an endpoint and by `soulmem prompts`. A prompt file holds what the model is told to do, a line
`---`, and what it is given, with `{{names}}` where the data of a request go. A file of the same relative name in the
user's folder (`en/split.md`) takes our file's place from its next use on; one that could not work is passed over for
ours and told of by `problems`. Invariants: the data are put in by a single pass, so nothing within them is ever taken
for a placeholder; a user's file uses the same names as ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from soulmem.core.schema.engine_tasks import Task
from soulmem.core.text.tokens import script_of
from soulmem.fast_dataclasses import dataclass

LANGUAGES = ("en", "zh")
SHAPE, RETRY = "shape", "retry"
NAMES = (*(task.value for task in Task), SHAPE, RETRY)
MOST_BYTES = 100_000

_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_PARTING = re.compile(r"^---[ \t]*$", re.MULTILINE)
_NOT_CHINESE = re.compile(r"[\u3040-\u30ff\uac00-\ud7af\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff]")
_LONGEST_ERROR = 600  # characters


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent: the system message and the user's."""

    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A user's file that is not used, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where a prompt comes from: ours where `path` is None."""

    name: str
    language: str
    text: str
    path: Path | None


class BrokenPromptError(ValueError):
    """A prompt file that could not work."""


def language(wanted: str | None, text: str) -> str:
    """The language to speak to the model in: `zh` or `en`; a language tag decides, else the writing of `text`."""
    tag = (wanted or "").strip().lower().replace("_", "-")
    if tag:
        return "zh" if tag.split("-")[0] in {"zh", "cmn", "yue", "chinese", "中文"} else "en"
    if script_of(text) not in {"cjk", "mixed"}:
        return "en"
    foreign = len(_NOT_CHINESE.findall(text))
    return "en" if foreign * 10 > len(text) else "zh"


class Prompts:
    """Our prompts, and the user's in their place."""

    def __init__(self, override_dir: Path | None = None) -> None:
        self._folder = override_dir
        self._read: dict[Path, tuple[tuple[int, int], str | BrokenPromptError]] = {}

    @staticmethod
    def language(wanted: str | None, text: str) -> str:
        return language(wanted, text)

    def render(self, task: Task, language: str, variables: Mapping[str, str]) -> Prompt:
        """The prompt of a task with its data put in.

        Raises KeyError: a name of the prompt file is not among `variables`.
        """
        system, user = _parts(self.source(task.value, language).text)
        return Prompt(_filled(system, variables), _filled(user, variables))

    def shape(self, language: str, schema: Mapping[str, Any]) -> str:
        """What a model is told of the form of its answer where no grammar holds it to one."""
        return _filled(self.source(SHAPE, language).text.strip(), {"shape": skeleton(schema)})

    def retry(self, language: str, error: str) -> str:
        """What a model is told of an answer that was no use."""
        told = " ".join(error.split())
        cut = told if len(told) <= _LONGEST_ERROR else told[:_LONGEST_ERROR] + " …"
        return _filled(self.source(RETRY, language).text.strip(), {"error": cut})

    def source(self, name: str, language: str) -> Source:
        """The text in use for a prompt, the user's if there is one that works."""
        path = self._folder / language / f"{name}.md" if self._folder is not None else None
        if path is not None:
            found = self._override(path, name, language)
            if isinstance(found, str):
                return Source(name, language, found, path)
        return Source(name, language, built_in(name, language), None)

    def sources(self) -> Iterator[Source]:
        """All prompts in use."""
        for name in NAMES:
            for each in LANGUAGES:
                yield self.source(name, each)

    def problems(self) -> tuple[Problem, ...]:
        """The files of the user's folder that are not used, and why."""
        if self._folder is None or not self._folder.is_dir():
            return ()
        found: list[Problem] = []
        for path in sorted(self._folder.rglob("*.md")):
            place = path.relative_to(self._folder)
            known = len(place.parts) == 2 and place.parts[0] in LANGUAGES and place.stem in NAMES
            if not known:
                found.append(
                    Problem(path, f"there is no such prompt; there are en/<task>.md and zh/<task>.md, {_TASKS}")
                )
            elif isinstance(read := self._override(path, place.stem, place.parts[0]), BrokenPromptError):
                found.append(Problem(path, str(read)))
        return tuple(found)

    def _override(self, path: Path, name: str, language: str) -> str | BrokenPromptError | None:
        """The user's file: its text, or why it could not work; None if there is none. Read afresh when it changed."""
        try:
            status = path.stat()
        except (OSError, ValueError):
            self._read.pop(path, None)
            return None
        stamp = (status.st_mtime_ns, status.st_size)
        known = self._read.get(path)
        if known is None or known[0] != stamp:
            known = stamp, _checked(path, name, language)
            self._read[path] = known
        return known[1]


_TASKS = f"with one of {', '.join(NAMES)}"


@cache
def built_in(name: str, language: str) -> str:
    """Our own text of a prompt."""
    return files(__name__).joinpath(language, f"{name}.md").read_text(encoding="utf-8")


def placeholders(text: str) -> frozenset[str]:
    return frozenset(_PLACEHOLDER.findall(text))


def skeleton(schema: Mapping[str, Any]) -> str:
    """A JSON Schema as the outline of an answer: names, and what stands behind each."""
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(skeleton(choice) for choice in schema["anyOf"]))
    if "enum" in schema:
        return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in schema["enum"])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(skeleton({"type": each}) for each in kind)
    if kind == "object":
        inner = ", ".join(f'"{name}": {skeleton(part)}' for name, part in schema["properties"].items())
        return f"{{{inner}}}"
    if kind == "array":
        return f"[{skeleton(schema['items'])}, …]"
    return str(kind)


def _checked(path: Path, name: str, language: str) -> str | BrokenPromptError:
    """A file's text, or what is wrong with it."""
    try:
        data = path.read_bytes()
        if len(data) > MOST_BYTES:
            return BrokenPromptError(f"longer than {MOST_BYTES:,} bytes")
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        return BrokenPromptError(f"cannot be read: {error.strerror or type(error).__name__}")
    except UnicodeDecodeError:
        return BrokenPromptError("not UTF-8")
    try:
        if name not in {SHAPE, RETRY}:
            _parts(text)
    except BrokenPromptError as error:
        return error
    ours, theirs = placeholders(built_in(name, language)), placeholders(text)
    if unknown := sorted(theirs - ours):
        return BrokenPromptError(f"{{{{{unknown[0]}}}}} is unknown here; there are {_named(ours)}")
    if missing := sorted(ours - theirs):
        return BrokenPromptError(f"{{{{{missing[0]}}}}} is missing; it needs {_named(ours)}")
    return text


def _named(names: frozenset[str]) -> str:
    return ", ".join(f"{{{{{name}}}}}" for name in sorted(names))


def _parts(text: str) -> tuple[str, str]:
    """The system's part and the user's. Raises BrokenPromptError: there is no line `---` between two parts."""
    parts = _PARTING.split(text, maxsplit=1)
    if len(parts) != 2 or not parts[0].strip() or not parts[1].strip():
        raise BrokenPromptError("no line --- between what the model is told and what it is given")
    return parts[0].strip(), parts[1].strip()


def _filled(template: str, variables: Mapping[str, str]) -> str:
    """The template with all names replaced in one pass: what is put in is not looked at again."""
    return _PLACEHOLDER.sub(lambda match: variables[match[1]], template)
