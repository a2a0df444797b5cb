"""`soulmem prompts list|show|check`: what a language model is told, and the user's own words in place of ours.

A file `<folder>/en/<task>.md` or `<folder>/zh/<task>.md` replaces ours from its next use on, no restart needed; the
folder is `prompts` beside the configuration file, unless `engine.prompts_dir` names another.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from soulmem.cli.output.command_session import (
    CommandError,
    ExitCode,
    Session,
    configuration,
    opens_session_without,
)
from soulmem.cli.output.tables import out, out_json, paint, plural, show_table

if TYPE_CHECKING:
    from soulmem.llm.prompts import Prompts

app = typer.Typer(help="The words sent to a language model: list, show, check.", no_args_is_help=True)

DirectoryOption = Annotated[
    Path | None, typer.Option("--dir", metavar="DIR", help="The folder of your own prompts, if not the configured one.")
]


def prompts_directory(chosen: Path | None) -> Path:
    """The folder of the user's prompts: the one named, else the configuration's.

    Raises CommandError: the configuration is wrong, or a folder was named that is not there.
    """
    if chosen is not None:
        if not chosen.is_dir():
            raise CommandError(f"{chosen} is not a folder", code=ExitCode.REFUSED_INPUT)
        return chosen
    configured = configuration().engine.prompts_dir
    if configured is None:
        raise CommandError("engine.prompts_dir is empty", code=ExitCode.CONFIGURATION)
    return configured


def _prompts(folder: Path) -> Prompts:
    from soulmem.llm.prompts import Prompts  # noqa: PLC0415 - only the commands that need it pay for it

    return Prompts(folder)


@app.command("list")
@opens_session_without("mind", "socket")
def list_prompts(session: Session, directory: DirectoryOption = None) -> None:
    """List the prompts, their length, and whose they are."""
    from soulmem.core.text.tokens import estimate_tokens  # noqa: PLC0415 - only the commands that need it pay for it

    folder = prompts_directory(directory)
    prompts = _prompts(folder)
    refused = {problem.path for problem in prompts.problems()}
    items = [
        {
            "name": source.name,
            "language": source.language,
            "tokens": estimate_tokens(source.text),
            "path": str(source.path) if source.path else None,
            "refused": folder / source.language / f"{source.name}.md" in refused,
        }
        for source in prompts.sources()
    ]
    if session.gave_json({"prompts_dir": str(folder), "items": items}):
        return
    rows = [(str(each["name"]), str(each["language"]), str(each["tokens"]), _whose(each)) for each in items]
    show_table("name, language, tokens>, whose*", rows)
    out(paint(f"a file of the same name under {folder}/en or {folder}/zh takes our file's place", "dim"))


def _whose(item: Mapping[str, object]) -> str:
    if item["refused"]:
        return "ours; yours is not used: see `soulmem prompts check`"
    return f"yours: {item['path']}" if item["path"] else "ours"


@app.command()
@opens_session_without("mind", "socket")
def show(
    session: Session,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name of `soulmem prompts list`.")],
    language: Annotated[str, typer.Option("--language", "-l", metavar="LANG", help="en or zh.")] = "en",
    ours: Annotated[bool, typer.Option("--ours", help="Ours, even where yours is in use: to start from.")] = False,
    directory: DirectoryOption = None,
) -> None:
    """Print a prompt as it is used; with `--ours >FILE` it is the start of your own."""
    from soulmem.llm.prompts import LANGUAGES, NAMES, Prompts  # noqa: PLC0415 - only the commands that need it

    if name not in NAMES:
        raise CommandError(f"there is no prompt {name}; there are {', '.join(NAMES)}", code=ExitCode.REFUSED_INPUT)
    if language not in LANGUAGES:
        raise CommandError(f"there is no {language}; there are {', '.join(LANGUAGES)}", code=ExitCode.REFUSED_INPUT)
    prompts = Prompts() if ours else _prompts(prompts_directory(directory))
    source = prompts.source(name, language)
    if session.as_json:
        path = str(source.path) if source.path else None
        out_json({"name": name, "language": language, "path": path, "text": source.text})
        return
    out(source.text.rstrip("\n"))


@app.command()
@opens_session_without("mind", "socket")
def check(session: Session, directory: DirectoryOption = None) -> None:
    """Say which of your own prompts are used, and what is wrong with those that are not."""
    folder = prompts_directory(directory)
    prompts = _prompts(folder)
    problems = prompts.problems()
    used = [source for source in prompts.sources() if source.path is not None]
    if session.as_json:
        wrong = [{"path": str(problem.path), "reason": problem.reason} for problem in problems]
        out_json({"prompts_dir": str(folder), "used": [str(source.path) for source in used], "problems": wrong})
    else:
        for problem in problems:
            out(f"{paint('not used', 'yellow')}  {problem.path}: {problem.reason}")
        out(f"{plural(len(used), 'prompt of yours is', 'prompts of yours are')} used, from {folder}")
    if problems:
        raise typer.Exit(ExitCode.CONFIGURATION)
