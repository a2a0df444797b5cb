"""`soulmem daemon`: runs the daemon in the foreground.

Owns the flags and their meaning; everything else is the daemon's own. The daemon is imported only when it is
to run, because it brings the numeric libraries with it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from soulmem.cli.output.command_session import Session, opens_session_without
from soulmem.ops.process.garbage_collector import rest_while_loading


@opens_session_without("mind")
def daemon(
    session: Session,
    state: Annotated[
        Path | None,
        typer.Option("--state", metavar="DIR", help="Where the minds are kept. [default: ~/.local/state/soulmem]"),
    ] = None,
    config: Annotated[Path | None, typer.Option("--config", metavar="FILE", help="A TOML file of settings.")] = None,
    simulated_clock: Annotated[
        str | None,
        typer.Option(
            "--simulated-clock",
            metavar="[ISO]",
            help="Let time stand still, where it last was or at the time given, until a client advances it.",
        ),
    ] = None,
    log_level: Annotated[
        str | None, typer.Option("--log-level", metavar="LEVEL", help="debug, info, warning or error.")
    ] = None,
) -> None:
    """Run the daemon in the foreground. Ctrl-C drains and stops it; a second one stops it at once."""
    _before_loading()
    from soulmem.daemon import DaemonOptions, main  # noqa: PLC0415 - the numeric libraries come with it

    options = DaemonOptions(
        state=state, socket=session.socket, config=config, simulated_clock=simulated_clock, log_level=log_level
    )
    raise typer.Exit(main(options))


def _before_loading() -> None:
    """What libraries look at when they are loaded."""
    rest_while_loading()
    # Two cores: NumPy's own threads would double the CPU of a recall and steal the core that serves messages.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # There are none; looking for them reads the metadata of every installed package, while the first request waits.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
