"""One run of a command: which daemon, which mind, and whether a person or a program reads the answer.

Owns the options every command shares and the mapping from a failure to one line and an exit code; `main`
calls `explain` for whatever a command let through. Invariant: a failure is one line on stderr (one JSON
object with `--json`), says what to do next, and leaves stdout empty.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import IntEnum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from soulmem.cli.output.tables import err, one_line, out_json

if TYPE_CHECKING:
    from soulmem.client import Client
    from soulmem.ops.settings.config_loader import Config

DEFAULT_MIND = "default"
Command = Callable[..., None]


class ExitCode(IntEnum):
    """Exit codes: 2 is the parser's own; the larger ones are those of sysexits.h."""

    DONE = 0
    FAILED = 1
    WRONG_USAGE = 2
    REFUSED_INPUT = 64
    DAEMON_AWAY = 69
    STORAGE = 74
    TRY_AGAIN = 75
    CONFIGURATION = 78


_BY_ERROR = {
    "invalid_params": ExitCode.REFUSED_INPUT,
    "invalid_text": ExitCode.REFUSED_INPUT,
    "invalid_time": ExitCode.REFUSED_INPUT,
    "too_large": ExitCode.REFUSED_INPUT,
    "storage_full": ExitCode.STORAGE,
    "storage_readonly": ExitCode.STORAGE,
    "storage_damaged": ExitCode.STORAGE,
}
_WHAT_TO_DO = {
    "mind_not_found": "`soulmem say` brings a mind into being; `soulmem mind list` lists those there are",
    "not_found": "`soulmem notes` lists the ids of this mind",
    "unknown_method": "the daemon is older than this command: restart it",
    "access_denied": "run as the daemon's owner, or join the group of its socket",
    "storage_full": "free some space, then repeat: nothing acknowledged was lost",
    "stopping": "the daemon is shutting down: repeat when it is back",
    "overloaded": "repeat in a moment",
}
_NOT_FOUND = {
    "there is no recall": "`soulmem say --json` tells a recall's id",
    "there is no conversation": "`soulmem mind show` lists the conversations of a mind",
    "there is no message": "`soulmem messages` lists the ids of what was said",
}

# a file that the installer leaves in an environment of its own -> its command; anywhere else it is pip's
_INSTALLERS = {"pipx_metadata.json": "pipx install --force", "uv-receipt.toml": "uv tool install"}


class CommandError(Exception):
    """A command cannot go on: a sentence for a person, what to do, and the exit code."""

    def __init__(self, message: str, *, hint: str | None = None, code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


SocketOption = Annotated[
    Path | None, typer.Option("--socket", metavar="PATH", help="The daemon's socket, if it is not in its usual place.")
]
MindOption = Annotated[
    str | None, typer.Option("--mind", "-m", metavar="NAME", help="The mind to speak to. [default: default]")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


@dataclass(frozen=True, slots=True)
class Session:
    """Where a command sends its requests and how it answers."""

    socket: Path | None = None
    mind: str = DEFAULT_MIND
    as_json: bool = False

    def to(self, mind: str | None) -> Session:
        """The same for another mind, if one is named."""
        return self if mind is None else replace(self, mind=wellformed(mind))

    @contextmanager
    def connect(self) -> Iterator[Client]:
        from soulmem.client import Client  # noqa: PLC0415 - only commands that talk pay for it

        with Client(self.socket) as client:
            yield client

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Make one request; parameters that are None are left out."""
        with self.connect() as client:
            return client.call(method, {name: value for name, value in params.items() if value is not None})

    def gave_json(self, result: Mapping[str, Any]) -> bool:
        """Print a result as it is, where a program reads it; whether that was so."""
        if self.as_json:
            out_json(result)
        return self.as_json


def open_session(ctx: typer.Context, mind: str | None, socket: Path | None, as_json: bool) -> Session:
    """Join the options given before the command's name with those given after it; the latter win."""
    before: Session = ctx.obj if isinstance(ctx.obj, Session) else Session()
    return Session(socket=socket or before.socket, mind=mind or before.mind, as_json=as_json or before.as_json)


def opens_session(command: Command) -> Command:
    """Give a command its session as its first parameter, opened with the options that all commands share."""
    return opens_session_without()(command)


def opens_session_without(*lacking: str) -> Callable[[Command], Command]:
    """The same for a command that does without some of these options: `mind`, `socket`."""
    shared = {"mind": (MindOption, None), "socket": (SocketOption, None), "as_json": (JsonOption, False)}

    def decorate(command: Command) -> Command:
        _, *own = inspect.signature(command, eval_str=True).parameters.values()
        options = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=option)
            for name, (option, default) in shared.items()
            if name not in lacking
        ]
        ctx = inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)

        def run(ctx: typer.Context, **given: Any) -> None:
            mind, socket = given.pop("mind", None), given.pop("socket", None)
            command(open_session(ctx, mind, socket, given.pop("as_json")), **given)

        signature = inspect.Signature([ctx, *(each.replace(kind=options[0].kind) for each in own), *options])
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__annotations__ = {each.name: each.annotation for each in signature.parameters.values()}
        run.__signature__ = signature  # type: ignore[attr-defined]  # what typer reads
        return run

    return decorate


def confirm(question: str, *, yes: bool, what: str = "deleting") -> None:
    """Ask before what is hard to undo, unless the answer was given. Raises CommandError: there is nobody to ask."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise CommandError(f"{what} asks first", hint="add --yes", code=ExitCode.WRONG_USAGE)
    typer.confirm(question, abort=True)


def configuration(flags: Mapping[str, str | None] | None = None) -> Config:
    """The configuration as a daemon that starts now would have it. Raises CommandError: it is wrong."""
    from soulmem.errors import StartupError  # noqa: PLC0415 - only commands that need it pay for it
    from soulmem.ops.settings.config_loader import load_config  # noqa: PLC0415 - only who needs it pays

    try:
        return load_config(flags or {})
    except StartupError as error:
        raise CommandError(str(error), code=ExitCode.CONFIGURATION) from error


def wellformed(text: str) -> str:
    """Return text that came from the command line or stdin, if it was UTF-8.

    Raises CommandError: if the bytes behind it were not.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        raise CommandError(
            "the text is not UTF-8", hint="convert it first, e.g. with iconv", code=ExitCode.REFUSED_INPUT
        ) from None
    return text


_COMMAND = re.compile(r"`soulmem ([^`]+)`")


def leading_elsewhere(hint: str | None, typed: Sequence[str]) -> str | None:
    """A hint, unless it says to run what was run."""
    for told in _COMMAND.findall(hint or ""):
        words = told.split()
        if words[0] in typed and set(words) <= set(typed):
            return None
    return hint


def explain(error: Exception, *, as_json: bool, typed: Sequence[str] = ()) -> int | None:
    """Print a known failure as one line and return its exit code; None if the failure is not known.

    `typed`: the words of the command line.
    """
    from soulmem.client import CallTimeout, DaemonUnavailable, SoulmemRemoteError  # noqa: PLC0415 - paid on failure only

    name, retryable = "failed", False
    match error:
        case CommandError():
            message, hint, code = error.message, error.hint, error.code
        case DaemonUnavailable():
            name, retryable, code = "daemon_unavailable", True, ExitCode.DAEMON_AWAY
            message = f"no daemon on {error.path}: {error.reason}"
            hint = "start one with `soulmem daemon` in another terminal"
        case CallTimeout():
            name, retryable, code = "timeout", True, ExitCode.TRY_AGAIN
            message, hint = str(error), "it may still be carried out: `soulmem status` tells how the daemon is"
        case SoulmemRemoteError():
            name, retryable = str(error.name), error.retryable
            message, hint = error.message, error.hint or _WHAT_TO_DO.get(name)
            if name == "mind_not_found":  # the daemon's advice is for clients of the protocol
                hint = _WHAT_TO_DO[name]
            elif name == "not_found":
                hint = next((told for what, told in _NOT_FOUND.items() if message.startswith(what)), hint)
            code = _BY_ERROR.get(name, ExitCode.TRY_AGAIN if retryable else ExitCode.FAILED)
        case _:
            return None
    hint = leading_elsewhere(hint, typed)
    if as_json:
        failure = {"name": name, "message": message, "hint": hint, "retryable": retryable}
        err(json.dumps({"error": failure}, ensure_ascii=False))
    else:
        err(one_line(f"soulmem: {message}" + (f" — {hint}" if hint else "")))
    return int(code)


def need_extra(extra: str, purpose: str, *modules: str) -> None:
    """Raise CommandError unless the modules of an extra are installed. `purpose`: what the extra is for."""
    if any(find_spec(name) is None for name in modules):
        raise CommandError(
            f"the extra for {purpose} is not installed", hint=how_to_add(extra), code=ExitCode.CONFIGURATION
        )


def how_to_add(extra: str, environment: Path | None = None) -> str:
    """The command that adds an extra to an environment, by default to this one."""
    where = Path(sys.prefix) if environment is None else environment
    command = next((how for file, how in _INSTALLERS.items() if (where / file).is_file()), "pip install")
    return f"{command} 'soulmem[{extra}]'"
