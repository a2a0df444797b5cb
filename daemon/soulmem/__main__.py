"""`python -m soulmem` is the command line; `soulmemd` is the daemon."""

from __future__ import annotations

import sys


def run() -> None:
    """Entry point of `soulmemd`: `soulmem daemon` with the same options."""
    sys.argv.insert(1, "daemon")
    _cli()


def _cli() -> None:
    from importlib import import_module  # noqa: PLC0415 - the command line stands above this module

    import_module("soulmem.cli.main").run()


if __name__ == "__main__":
    _cli()
