"""The running daemon, as `soulmem doctor` finds and asks it: its socket, its state directory, its models, its engine.

Called by `doctor`. Looked for where commands look, then where the configuration says: a daemon that listens at a place
of its own is found all the same, and whoever cannot find it is told. Invariant: nothing is started and nothing changed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import soulmem
from soulmem.cli.checks.findings import Finding, Verdict, unchecked
from soulmem.cli.output.command_session import Session
from soulmem.cli.output.tables import plural
from soulmem.ops.settings.default_paths import socket_candidates

_LONGEST_SOCKET_BYTES = 107


@dataclass(frozen=True, slots=True)
class Running:
    """What was found: where was looked, and what a daemon there said of itself, if one answered."""

    path: Path
    usual: Path  # where commands look that are not told
    status: dict[str, Any] | None = None
    version: str = ""
    trouble: Finding | None = None

    @property
    def state_dir(self) -> Path | None:
        return self._told("state_dir")

    @property
    def models_dir(self) -> Path | None:
        return self._told("models_dir")

    def _told(self, name: str) -> Path | None:
        value = (self.status or {}).get(name)
        return Path(value) if isinstance(value, str) and value else None


def find_daemon(session: Session, configured: Path | None) -> Running:
    """Ask the daemon who it is: at the socket that was named, else at each usual place, else where it is configured."""
    from soulmem.client import socket_path  # noqa: PLC0415 - keeps the other commands light

    if session.socket is not None:
        return _asked(session, session.socket, session.socket)
    usual = Path(socket_path())
    places = [usual, *socket_candidates(os.environ), *([configured] if configured is not None else [])]
    first: Running | None = None
    for place in dict.fromkeys(places):
        found = _asked(session, place, usual)
        if found.status is not None:
            return found
        first = first or found
    return first or Running(usual, usual)


def _asked(session: Session, path: Path, usual: Path) -> Running:
    from soulmem.client import CallTimeout, DaemonUnavailable, SoulmemRemoteError  # noqa: PLC0415 - keeps other commands light

    there = Session(socket=path, mind=session.mind)
    try:
        status = there.call("system.status")
        version = str(there.call("system.hello").get("version"))
    except DaemonUnavailable as error:
        trouble = Finding("daemon", Verdict.NOTICE, f"not reached: {error.reason}", "start it with `soulmem daemon`")
    except SoulmemRemoteError as error:
        trouble = Finding("daemon", Verdict.WRONG, error.message, error.hint or "")
    except CallTimeout as error:
        trouble = Finding("daemon", Verdict.WRONG, str(error), "look into its log; restart it if it stays so")
    else:
        return Running(path, usual, status, version)
    return Running(path, usual, trouble=trouble)


def socket_finding(running: Running) -> Finding:
    path = running.path
    if running.status is not None:
        if path != running.usual:
            advice = f"commands look at {running.usual}: set SOULMEM_SOCKET={path}, or say --socket"
            return Finding("socket", Verdict.NOTICE, f"the daemon listens at {path}", advice)
        return Finding("socket", Verdict.FINE, f"{path}, and the daemon answers there")
    if len(os.fsencode(path)) > _LONGEST_SOCKET_BYTES:
        advice = "choose a shorter one with --socket"
        return Finding("socket", Verdict.WRONG, f"{path} is longer than 107 bytes", advice)
    try:
        kind = path.stat().st_mode
    except PermissionError:
        return unchecked("socket", f"{path} may not be looked at", "join the group of the socket")
    except OSError:
        return Finding("socket", Verdict.FINE, f"{path} is not there yet: the daemon makes it")
    if not stat.S_ISSOCK(kind):
        return Finding("socket", Verdict.WRONG, f"{path} is not a socket", "move it away, or choose another")
    return Finding("socket", Verdict.NOTICE, f"{path}, where nobody answers", "the daemon takes it over when it starts")


def daemon_findings(running: Running, told: Collection[str]) -> list[Finding]:
    """What the daemon says of itself and of its minds; `told`: the files of which something wrong was found already."""
    if running.trouble is not None:
        return [running.trouble]
    status = running.status or {}
    minds = [*_troubled(status, told), *_set_aside(status)]
    found = f"{status.get('state')}, version {running.version}, pid {status.get('pid')}"
    if running.version != soulmem.__version__:
        advice = f"this command is {soulmem.__version__}: restart the daemon"
        return [Finding("daemon", Verdict.NOTICE, found, advice), *minds]
    return [Finding("daemon", Verdict.FINE, found), *minds]


def _troubled(status: dict[str, Any], told: Collection[str]) -> list[Finding]:
    """The minds whose files the daemon cannot read or write, in its own words."""
    troubles = {str(mind.get("mind")): mind.get("trouble") for mind in status.get("minds", ())}
    return [
        Finding(name, Verdict.WRONG, found, advice or "when that is mended, ask the mind for anything")
        for name, trouble in troubles.items()
        if trouble and f"{name}.db" not in told
        for found, _, advice in (str(trouble.get("message")).partition("; "),)
    ]


def _set_aside(status: dict[str, Any]) -> list[Finding]:
    """The minds with steps that are tried no more, because the daemon died over them."""
    counts = {str(mind.get("mind")): int(mind.get("quarantined") or 0) for mind in status.get("minds", ())}
    return [
        Finding(
            name,
            Verdict.WRONG,
            f"{plural(count, 'step')} set aside: the daemon died over {'it' if count == 1 else 'them'}",
            f"`soulmem jobs --mind {name}` says which; `soulmem jobs --mind {name} --retry` tries again",
        )
        for name, count in counts.items()
        if count
    ]


def embedder_in_use(running: Running) -> Finding:
    """What the running daemon compares texts with."""
    name = str((running.status or {}).get("embedder", ""))
    if not name.startswith("hashing"):
        return Finding("embedder", Verdict.FINE, f"{name}, in use by the daemon")
    from soulmem.embed.base.model_manifest import MINILM, is_complete  # noqa: PLC0415 - keeps the other commands light

    found = "hashing, in use by the daemon: knows spelling, not meaning"
    directory = running.models_dir
    if directory is None:  # an older daemon does not say
        return Finding("embedder", Verdict.NOTICE, found, "soulmem model install, then restart the daemon")
    if is_complete(directory / MINILM):
        advice = "restart the daemon, unless embedder.name says hashing"
        return Finding("embedder", Verdict.NOTICE, f"{found}; minilm is in {directory}", advice)
    advice = f"soulmem model install --dir {directory}, then restart the daemon"
    return Finding("embedder", Verdict.NOTICE, found, advice)


def engine_in_use(running: Running, *, tried: bool) -> Finding:
    """What the running daemon thinks with; its endpoint is not asked here."""
    status = running.status or {}
    name, model = str(status.get("engine", "")), status.get("model")
    if not model:
        return Finding("engine", Verdict.FINE, f"{name}, in use by the daemon: no language model")
    where = f"{name} at {model.get('endpoint')}"
    if model.get("pause_ms"):
        found = f"{where} does not answer: the daemon asks again in {round(model['pause_ms'] / 1000)} s"
        return Finding("engine", Verdict.NOTICE, found, "see that it runs")
    if tried:
        return Finding("engine", Verdict.FINE, f"{where}, in use by the daemon")
    return unchecked("engine", f"whether {where} answers", "soulmem doctor --model asks it")
