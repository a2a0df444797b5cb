"""`soulmem completion bash|zsh|fish`: the script by which a shell completes what is typed."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from soulmem.cli.output.command_session import open_session
from soulmem.cli.output.tables import out


def _list_minds(ctx: typer.Context, wanted: bool) -> None:
    """Print the names of the minds, which the scripts ask for, and nothing else."""
    if wanted:
        for mind in open_session(ctx, None, None, False).call("system.status").get("minds", []):
            out(str(mind.get("mind")))
        raise typer.Exit


def completion(
    ctx: typer.Context,
    shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument(help="The shell.")],
    minds: Annotated[bool, typer.Option("--minds", callback=_list_minds, is_eager=True, hidden=True)] = False,
) -> None:
    """Print the script for completion in a shell: source it, or save it where the shell looks."""
    from soulmem.cli.reference.bash_completion import bash_completion  # noqa: PLC0415 - `--minds` must be quick
    from soulmem.cli.reference.command_model import command_model  # noqa: PLC0415 - only who needs it pays
    from soulmem.cli.reference.fish_completion import fish_completion  # noqa: PLC0415 - only who needs it pays
    from soulmem.cli.reference.zsh_completion import zsh_completion  # noqa: PLC0415 - only who needs it pays

    script = {"bash": bash_completion, "zsh": zsh_completion, "fish": fish_completion}[shell]
    out(script(command_model(ctx.find_root().command)).rstrip("\n"))
