"""The command `soulmem`: its command tree and the one place where failures become exit codes.

Called by the console script and by `python -m soulmem`. Each command family lives in its own file, loaded when
one of its commands is named: `soulmem status` should feel instant, and the whole tree is needed for help only.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

import soulmem
from soulmem.cli.output.command_session import (
    CommandError,
    ExitCode,
    JsonOption,
    MindOption,
    SocketOption,
    explain,
    open_session,
)
from soulmem.cli.output.tables import err, out, speak_utf8
from soulmem.ops.settings import environment_variables

SIMULATED_CLOCK = "--simulated-clock"
_VALUED = {"--mind", "-m", "--socket"}  # options before the command that take a value
_TELL_SLIPS_THEMSELVES = (None, "daemon", "doctor")  # None: help is given, or the usage was wrong
# command -> (module, function or, for a group, its app)
_COMMANDS = {
    "daemon": ("commands.daemon_command", "daemon"),
    "clock": ("commands.clock_command", "app"),
    "status": ("commands.status", "status"),
    "mind": ("commands.mind_command", "app"),
    "say": ("commands.talk", "say"),
    "import": ("commands.import_command", "import_messages"),
    "export": ("commands.export_command", "export"),
    "recall": ("commands.recall", "recall"),
    "feedback": ("commands.recall", "feedback"),
    "context": ("commands.talk", "context"),
    "messages": ("commands.messages", "messages"),
    "edit": ("commands.deletion", "edit"),
    "delete": ("commands.deletion", "delete"),
    "notes": ("commands.notes", "notes"),
    "note": ("commands.notes", "note"),
    "links": ("commands.notes", "links"),
    "profile": ("commands.profile_command", "profile"),
    "plan": ("commands.plan_command", "app"),
    "reflections": ("commands.reflections", "reflections"),
    "forecast": ("commands.forecast", "forecast"),
    "timeline": ("commands.timeline", "timeline"),
    "forgotten": ("commands.forgotten", "forgotten"),
    "remember": ("commands.forgotten", "remember"),
    "sleep": ("commands.sleep", "sleep"),
    "jobs": ("commands.sleep", "jobs"),
    "costs": ("commands.costs", "costs"),
    "watch": ("commands.status", "watch"),
    "monitor": ("commands.monitor", "monitor"),
    "logs": ("commands.logs", "logs"),
    "doctor": ("commands.doctor", "doctor"),
    "backup": ("commands.backup", "backup"),
    "restore": ("commands.restore", "restore"),
    "move": ("commands.restore", "move"),
    "model": ("commands.model", "app"),
    "prompts": ("commands.prompts", "app"),
    "audit": ("commands.audit", "audit"),
    "view": ("commands.view_command", "view"),
    "tui": ("commands.tui_command", "tui"),
    "service": ("commands.service", "app"),
    "completion": ("commands.completion_command", "completion"),
    "mcp": ("commands.mcp_command", "mcp"),
    "proxy": ("commands.proxy_command", "proxy"),
    "http": ("commands.http_command", "http"),
    "demo": ("demo.demo_command", "demo"),
}
_EPILOG = (
    "First steps: `soulmem daemon` in one terminal, `soulmem say 'I am allergic to hazelnuts'` in another. "
    "To watch a memory live: `soulmem demo`. "
    "Exit codes: 0 done, 1 failed, 2 wrong usage, 64 input refused, 69 no daemon, 74 storage, 75 try again, "
    "78 configuration."
)


def _version(wanted: bool) -> None:
    if wanted:
        out(f"soulmem {soulmem.__version__}")
        raise typer.Exit


def _root(
    ctx: typer.Context,
    mind: MindOption = None,
    socket: SocketOption = None,
    as_json: JsonOption = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    ctx.obj = open_session(ctx, mind, socket, as_json)


def command_tree(only: str | None = None) -> typer.Typer:
    """Build the tree of commands: all of them, or the one that is about to run."""
    tree = typer.Typer(
        name="soulmem",
        help="A memory for characters, companions and agents: it listens, summarises, recalls, digests, forgets.",
        epilog=_EPILOG,
        no_args_is_help=True,
        add_completion=False,  # `soulmem completion` has scripts that start no program for most keys
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    tree.callback()(_root)
    for name in (only,) if only else _COMMANDS:
        module, member = _COMMANDS[name]
        found = getattr(import_module(f"soulmem.cli.{module}"), member)
        if isinstance(found, typer.Typer):
            tree.add_typer(found, name=name)
        else:
            tree.command(name)(found)
    return tree


def _wanted_command(arguments: Sequence[str]) -> str | None:
    """Return the command that the arguments name; None when the whole tree is needed to say so."""
    waiting = iter(arguments)
    for argument in waiting:
        if argument in _VALUED:
            next(waiting, None)
        elif not argument.startswith("-"):
            return argument if argument in _COMMANDS else None
    return None


def _wants_all(only: str | None, arguments: Sequence[str]) -> bool:
    """Whether the command that runs tells of all others."""
    return only == "completion" and "--minds" not in arguments


def _spelled_out(arguments: Sequence[str]) -> list[str]:
    """Give a bare `--simulated-clock` an empty value, because option parsers want one always."""
    spelled = list(arguments)
    for i, argument in enumerate(spelled):
        following = spelled[i + 1] if i + 1 < len(spelled) else "-"
        if argument == SIMULATED_CLOCK and following.startswith("-"):
            spelled[i] = f"{SIMULATED_CLOCK}="
    return spelled


def _refuse_slips() -> None:
    """Refuse a variable of the environment that is named like ours and means nothing.

    Raises CommandError: naming the variable and what was meant.
    """
    if not any(
        name.startswith(environment_variables.PREFIX) and name not in environment_variables.OURS for name in os.environ
    ):
        return
    from soulmem.ops.settings.setting_keys import VARIABLES  # noqa: PLC0415 - read only where something is set

    if slip := environment_variables.unknown(os.environ, VARIABLES):
        raise CommandError(slip, hint="set it right, or unset it", code=ExitCode.CONFIGURATION)


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    speak_utf8()
    # the bytes typed are UTF-8, whatever the locale made Python believe
    typed = (os.fsencode(argument).decode("utf-8", "surrogateescape") for argument in sys.argv[1:])
    given = list(typed if arguments is None else arguments)
    only = _wanted_command(given)
    try:
        if only not in _TELL_SLIPS_THEMSELVES and not {"-h", "--help"} & set(given):
            _refuse_slips()
        tree = command_tree(None if _wants_all(only, given) else only)
        tree(args=_spelled_out(given), prog_name="soulmem")
    except Exception as error:
        code = explain(error, as_json="--json" in given, typed=given)
        if code is None:
            if os.environ.get("SOULMEM_TRACEBACK"):
                raise
            err(f"soulmem: {type(error).__name__}: {error} — this is a bug; SOULMEM_TRACEBACK=1 shows where")
            code = ExitCode.FAILED
        sys.exit(code)
