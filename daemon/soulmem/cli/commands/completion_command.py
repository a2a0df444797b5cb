"""`soulmem completion bash|zsh|fish`: the script by which a shell completes what is typed."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from soulmem.cli.output.command_session import open_session
from soulmem.cli.output.tables import out


class Asked(StrEnum):
    """A shell; or the names of the minds, which its script asks for."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    MINDS = "minds"


def completion(
    ctx: typer.Context,
    shell: Annotated[Asked, typer.Argument(help="The shell; `minds` lists the minds, for its script.")],
) -> None:
    """Print the script for completion in a shell: source it, or save it where the shell looks."""
    if shell is Asked.MINDS:
        for mind in open_session(ctx, None, None, False).call("system.status").get("minds", []):
            out(str(mind.get("mind")))
        return
    from soulmem.cli.reference.bash_completion import bash_completion  # noqa: PLC0415 - `minds` must be quick
    from soulmem.cli.reference.command_model import command_model  # noqa: PLC0415 - ditto
    from soulmem.cli.reference.fish_completion import fish_completion  # noqa: PLC0415 - ditto
    from soulmem.cli.reference.zsh_completion import zsh_completion  # noqa: PLC0415 - ditto

    script = {Asked.BASH: bash_completion, Asked.ZSH: zsh_completion, Asked.FISH: fish_completion}[shell]
    out(script(command_model(ctx.find_root().command)).rstrip("\n"))
