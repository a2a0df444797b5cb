"""The tree of commands as plain values: names, options, arguments and what may stand for each.

Read off the argument parser, so that whatever is generated from it knows every command that there is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Value(StrEnum):
    """What may stand for an option or an argument."""

    NONE = "none"  # a flag
    TEXT = "text"
    CHOICE = "choice"
    FILE = "file"
    FOLDER = "folder"
    MIND = "mind"


_FOLDERS = {"DIR", "DIRECTORY", "STATE"}
_PATHS = {"FILE", "[FILE]", "PATH", "BACKUP"}


@dataclass(frozen=True, slots=True)
class Option:
    """One option, by all its names."""

    names: tuple[str, ...]
    value: Value
    metavar: str
    help: str
    choices: tuple[str, ...] = ()
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Argument:
    """One positional argument."""

    metavar: str
    value: Value
    help: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """A command with what may follow it. `path`: its words behind the program's name; none for the program itself."""

    path: tuple[str, ...]
    help: str
    options: tuple[Option, ...]
    arguments: tuple[Argument, ...] = ()
    commands: tuple[Command, ...] = field(default=())
    epilog: str = ""

    @property
    def name(self) -> str:
        return self.path[-1] if self.path else "soulmem"

    @property
    def summary(self) -> str:
        """The first sentence of its help, without its stop."""
        return self.help.partition(". ")[0].removesuffix(".")

    def walk(self) -> Iterator[Command]:
        """Itself and all commands below."""
        yield self
        for each in self.commands:
            yield from each.walk()


def command_model(parsed: Any, path: tuple[str, ...] = ()) -> Command:
    """The model of a command of the argument parser, with all below it."""
    named = [param for param in parsed.params if param.param_type_name == "option" and not param.hidden]
    options = [_option(param) for param in named]
    options.append(Option(("--help", "-h"), Value.NONE, "", "Show the help and exit."))
    return Command(
        path=path,
        help=" ".join((parsed.help or "").split()),
        options=tuple(options),
        arguments=tuple(_argument(param) for param in parsed.params if param.param_type_name == "argument"),
        commands=tuple(
            command_model(each, (*path, name))
            for name, each in getattr(parsed, "commands", {}).items()
            if not each.hidden
        ),
        epilog=parsed.epilog or "",
    )


def _option(param: Any) -> Option:
    names = tuple(sorted({*param.opts, *param.secondary_opts}, key=lambda name: (-len(name), name)))
    choices = _choices(param)
    metavar = "" if param.is_flag else param.metavar or "|".join(choices) or param.name.upper()
    value = Value.NONE if param.is_flag else Value.MIND if "--mind" in names else _value(metavar, choices)
    return Option(names, value, metavar, " ".join((param.help or "").split()), choices, bool(param.multiple))


def _argument(param: Any) -> Argument:
    choices = _choices(param)
    metavar = param.metavar or ("|".join(choices) if choices else param.name.upper())
    if param.nargs != 1 and not metavar.endswith(("...", "TEXT")):
        metavar += "..."
    return Argument(metavar, _value(metavar, choices), " ".join((param.help or "").split()), choices)


def _choices(param: Any) -> tuple[str, ...]:
    return tuple(str(each) for each in getattr(param.type, "choices", ()))


def _value(metavar: str, choices: tuple[str, ...]) -> Value:
    if choices:
        return Value.CHOICE
    return Value.FOLDER if metavar in _FOLDERS else Value.FILE if metavar in _PATHS else Value.TEXT
