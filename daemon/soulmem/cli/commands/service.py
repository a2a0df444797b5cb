"""`soulmem service install|status|uninstall`: the daemon as a service of the user who asks."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from soulmem.cli.output.command_session import CommandError, ExitCode, Session, opens_session_without
from soulmem.cli.output.tables import err, out, paint, pairs
from soulmem.cli.service import user_manager
from soulmem.cli.service.unit_files import SERVICE, Standing, UnitFile, unit_files

app = typer.Typer(help="The daemon as a service of yours: install, status, uninstall.", no_args_is_help=True)
ReplaceOption = Annotated[
    bool, typer.Option("--replace", help="Also where a file stands that this program did not write.")
]
_LINGER = "loginctl enable-linger"


@app.command()
@opens_session_without("mind", "socket")
def install(
    session: Session,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the units, and change nothing.")] = False,
    replace: ReplaceOption = False,
) -> None:
    """Write the units, start the daemon now, and start it at each login."""
    units = unit_files(os.environ)
    if dry_run:
        _print_units(session, units)
        return
    user_manager.require_manager()
    _refuse_foreign(units, replace)
    _refuse_other_daemon()
    changed = [unit for unit in units if unit.standing is not Standing.CURRENT]
    saved = [str(copy) for unit in changed if (copy := _write(unit))]
    if changed:
        user_manager.reload_units()
    user_manager.enable()
    if any(unit.path.name == SERVICE for unit in changed):
        user_manager.restart()  # one that ran before still runs what stood there then
    lingers = user_manager.lingers()
    written = [str(unit.path) for unit in changed]
    _warn_of_environment()
    result = {"written": written, "kept": saved, "active": user_manager.is_active(), "lingers": lingers}
    if session.gave_json(result):
        return
    for path in written:
        out(f"wrote {path}")
    for path in saved:
        out(f"what stood there is kept in {path}")
    out(f"the daemon is {result['active']}, and starts at each login" + ("" if changed else "; nothing had to change"))
    if lingers is False:
        out(paint(f"it stops when you log out; `{_LINGER}` lets it run on", "yellow"))
    out(paint("`journalctl --user -u soulmem -f` follows its log, `soulmem status` asks it", "dim"))


@app.command()
@opens_session_without("mind", "socket")
def status(session: Session) -> None:
    """Say whether the service is installed and runs; the exit code is 0 where it runs."""
    units = unit_files(os.environ)
    missing = user_manager.absence()
    active = "no systemd" if missing else user_manager.is_active()
    result: dict[str, Any] = {
        "units": {unit.path.name: {"path": str(unit.path), "state": unit.standing.value} for unit in units},
        "active": active,
        "enabled": "no systemd" if missing else user_manager.is_enabled(),
        "lingers": None if missing else user_manager.lingers(),
    }
    if not session.gave_json(result):
        said = {Standing.CURRENT: "installed", Standing.OURS: "of another version", Standing.FOREIGN: "not ours"}
        facts = [(unit.path.name, f"{said.get(unit.standing, 'not installed')}, {unit.path}") for unit in units]
        facts += [("active", active + (f": {missing}" if missing else "")), ("enabled", result["enabled"])]
        if result["lingers"] is False:
            facts.append(("lingers", f"no: it stops when you log out — {_LINGER}"))
        for line in pairs(facts):
            out(line)
    if active != "active":
        raise typer.Exit(ExitCode.DAEMON_AWAY)


@app.command()
@opens_session_without("mind", "socket")
def uninstall(session: Session, replace: ReplaceOption = False) -> None:
    """Stop the daemon and remove its units; what it remembers stays."""
    units = [unit for unit in unit_files(os.environ) if unit.standing is not Standing.ABSENT]
    _refuse_foreign(units, replace)
    if units:
        manager = user_manager.absence() is None
        if manager:
            user_manager.disable()
        for unit in units:
            _changing(unit, unit.path.unlink)
        if manager:
            user_manager.reload_units()
    removed = [str(unit.path) for unit in units]
    if session.gave_json({"removed": removed}):
        return
    for path in removed:
        out(f"removed {path}")
    out("the minds stay where they are" if removed else "it is not installed")


def _print_units(session: Session, units: list[UnitFile]) -> None:
    if session.gave_json({"units": {str(unit.path): unit.text for unit in units}}):
        return
    for unit in units:
        out(paint(f"# {unit.path}", "bold"))
        out(unit.text)


def _refuse_foreign(units: list[UnitFile], replace: bool) -> None:
    foreign = [str(unit.path) for unit in units if unit.standing is Standing.FOREIGN]
    if foreign and not replace:
        raise CommandError(
            f"{foreign[0]} was not written by this program, or was changed since",
            hint="look at it, then say --replace, or move it away",
            code=ExitCode.REFUSED_INPUT,
        )


def _refuse_other_daemon() -> None:
    """One that somebody started by hand would lose its socket to the service; the machine's daemon has another."""
    from soulmem.client import Client, DaemonUnavailable, SoulmemRemoteError  # noqa: PLC0415 - only `install` asks
    from soulmem.client.socket_paths import socket_path  # noqa: PLC0415 - only who needs it pays
    from soulmem.ops.settings.default_paths import SYSTEM_SOCKET  # noqa: PLC0415 - only who needs it pays

    if user_manager.is_active() == "active" or (path := socket_path()) == str(SYSTEM_SOCKET):
        return
    try:
        with Client(path) as client:
            told = client.call("system.status", {})
    except (DaemonUnavailable, SoulmemRemoteError, OSError):
        return
    raise CommandError(
        f"a daemon that systemd did not start runs already, pid {told.get('pid')}",
        hint="stop it first: the minds are the same",
        code=ExitCode.TRY_AGAIN,
    )


def _write(unit: UnitFile) -> object:
    return _changing(unit, unit.write)


def _changing(unit: UnitFile, change: Any) -> object:
    try:
        return change()
    except OSError as error:
        raise CommandError(
            f"{unit.path} cannot be changed: {error.strerror or error}",
            hint="look whose the folder is", code=ExitCode.STORAGE,
        ) from error  # fmt: skip


def _warn_of_environment() -> None:
    from soulmem.ops.settings.setting_keys import VARIABLES  # noqa: PLC0415 - only `install` asks

    if named := sorted(name for name in os.environ if name in VARIABLES):
        err(f"soulmem: the service does not see {', '.join(named)} of this terminal: say it in config.toml")
