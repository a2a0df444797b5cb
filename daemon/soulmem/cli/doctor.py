"""`soulmem doctor`: looks at everything soulmem stands on and says what to do about what is wrong.

Works without a daemon, because that may be what is wrong. Each finding is one line; the command ends with 1
when one of them keeps soulmem from working. Nothing is changed and nothing leaves the machine.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import soulmem
from soulmem.cli.findings import Finding, Verdict
from soulmem.cli.session import ExitCode, JsonOption, Session, SocketOption, open_session
from soulmem.cli.tables import out, out_json, paint, width

if TYPE_CHECKING:
    from soulmem.ops.config import Config

_LONGEST_SOCKET_BYTES = 107
_PACKAGES = (
    "aiosqlite",
    "anyio",
    "apscheduler",
    "numpy",
    "onnxruntime",
    "openai",
    "sqlite-vec",
    "structlog",
    "transitions",
)


_MARKS = {Verdict.FINE: ("✓", "green"), Verdict.NOTICE: ("!", "yellow"), Verdict.WRONG: ("✗", "red")}


def doctor(
    ctx: typer.Context,
    state: Annotated[Path | None, typer.Option("--state", metavar="DIR", help="The state directory.")] = None,
    deep: Annotated[bool, typer.Option("--deep", help="Also compare every row of every mind with its hash.")] = False,
    model: Annotated[
        bool, typer.Option("--model", help="Also try the language model: what it can do, and each task timed.")
    ] = False,
    language: Annotated[str, typer.Option("--language", metavar="en|zh", help="Of the texts for --model.")] = "en",
    socket: SocketOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check everything that soulmem stands on."""
    if language not in ("en", "zh"):
        raise typer.BadParameter("must be en or zh", param_hint="--language")
    session = open_session(ctx, None, socket, as_json)
    findings = list(_examine(session, state, deep=deep, model=language if model else None))
    healthy = all(finding.verdict is not Verdict.WRONG for finding in findings)
    if session.as_json:
        out_json({"healthy": healthy, "findings": [asdict(finding) for finding in findings]})
    else:
        widest = max(width(finding.subject) for finding in findings)
        for finding in findings:
            mark, colour = _MARKS[finding.verdict]
            advice = f" — {finding.advice}" if finding.advice else ""
            out(f"{paint(mark, colour)} {finding.subject:<{widest}}  {finding.found}{advice}")
    raise typer.Exit(ExitCode.DONE if healthy else ExitCode.FAILED)


def _examine(session: Session, state: Path | None, *, deep: bool, model: str | None) -> Iterator[Finding]:
    from soulmem.errors import StartupError  # noqa: PLC0415 - keeps the other commands light

    yield _python()
    yield from _sqlite()
    try:
        config = _configuration(session, state)
    except StartupError as error:
        yield Finding("configuration", Verdict.WRONG, str(error), "put it right; nothing below it was checked")
        return
    yield Finding("configuration", Verdict.FINE, _origin(config))
    yield _model(config)
    from soulmem.cli.endpoint import engine_finding, try_endpoint  # noqa: PLC0415 - it brings the whole engine

    engine = engine_finding(config)
    yield engine
    if model is not None and engine.verdict is not Verdict.WRONG:
        yield from try_endpoint(config, model)
    yield _state(config.state_dir)
    if deep:
        yield from _rows(config.state_dir)
    yield _socket(session.socket)
    yield from _daemon(session)
    yield _packages()


def _python() -> Finding:
    return Finding("python", Verdict.FINE, f"{sys.version.split()[0]} ({sys.executable})")


def _sqlite() -> Iterator[Finding]:
    from soulmem.errors import StartupError  # noqa: PLC0415 - keeps the other commands light

    try:
        from soulmem.store.driver import describe  # noqa: PLC0415 - a driver that cannot load is a finding

        report = describe()
    except (StartupError, ImportError, OSError) as error:
        yield Finding("sqlite", Verdict.WRONG, str(error), "install pysqlite3, or a Python that loads extensions")
        return
    yield Finding("sqlite", Verdict.FINE, f"{report['sqlite']} through {report['driver']}")
    if report.get("extensions"):
        yield Finding("extensions", Verdict.FINE, f"loadable; sqlite-vec {report.get('sqlite_vec')}")
    else:
        yield Finding(
            "extensions", Verdict.WRONG, "this SQLite cannot load sqlite-vec", "install pysqlite3, or another Python"
        )
    if report.get("wal_bug"):
        yield Finding(
            "write-ahead log",
            Verdict.NOTICE,
            "this SQLite loses commits when two programs write one file (fixed in 3.51.3)",
            "soulmem writes alone; open its files elsewhere only with `sqlite3 -readonly`",
        )
    else:
        yield Finding("write-ahead log", Verdict.FINE, "this SQLite has no known fault there")


def _configuration(session: Session, state: Path | None) -> Config:
    from soulmem.ops.config import load_config  # noqa: PLC0415 - keeps the other commands light

    flags = {"state_dir": str(state) if state else None, "socket": str(session.socket) if session.socket else None}
    return load_config(flags)


def _origin(config: Config) -> str:
    changed = sorted(name for name, origin in config.origins.items() if origin != "default")
    return f"profile {config.profile}; set: {', '.join(changed)}" if changed else f"profile {config.profile}, defaults"


def _model(config: Config) -> Finding:
    from soulmem.embed.manifest import BUILT_IN, MINILM, has_quantised, is_complete  # noqa: PLC0415 - keeps the other commands light

    name, directory = config.embedder.name, config.embedder.models_dir
    if name == "hashing":
        return Finding("embedder", Verdict.NOTICE, "hashing: knows spelling, not meaning", "set embedder.name to auto")
    if name == "openai":
        return Finding("embedder", Verdict.FINE, f"endpoint {config.embedder.base_url}, model {config.embedder.model}")
    if name not in BUILT_IN:
        return Finding("embedder", Verdict.FINE, f"model folder {name}")
    if directory is not None and is_complete(directory / MINILM):
        if name != MINILM and not has_quantised(directory / MINILM):
            slow = f"minilm in {directory}, without its quantised graph: half as fast"
            return Finding("embedder", Verdict.NOTICE, slow, "soulmem model install")
        return Finding("embedder", Verdict.FINE, f"minilm in {directory}")
    return Finding(
        "embedder",
        Verdict.NOTICE,
        "the weights of minilm are not installed: hashing stands in",
        "soulmem model install",
    )


def _state(directory: Path) -> Finding:
    existing = directory
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    if not existing.is_dir():
        return Finding("state", Verdict.WRONG, f"{existing} is not a directory", "choose another with --state")
    if not os.access(existing, os.W_OK | os.X_OK):
        return Finding("state", Verdict.WRONG, f"{existing} cannot be written", "change its owner, or choose another")
    if existing != directory:
        return Finding("state", Verdict.FINE, f"{directory}, made at the first start")
    from soulmem.store.directories import mind_files  # noqa: PLC0415 - keeps the other commands light

    minds = len(mind_files(directory / "minds"))
    size = sum(file.stat().st_size for file in (directory / "minds").glob("*.db"))  # copies take room too
    return Finding(
        "state", Verdict.FINE, f"{directory}: {minds} {'mind' if minds == 1 else 'minds'}, {size / 1e6:.1f} MB"
    )


def _rows(directory: Path) -> Iterator[Finding]:
    from soulmem.store.verify import damages  # noqa: PLC0415 - brings the driver and the numeric libraries

    for path in sorted((directory / "minds").glob("*.db")):
        found = damages(path)
        if found:
            shown = "; ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "")
            yield Finding(path.name, Verdict.WRONG, shown, "restore the file from a copy")
        else:
            yield Finding(path.name, Verdict.FINE, "every row is what was written")


def _socket(chosen: Path | None) -> Finding:
    from soulmem.client import socket_path  # noqa: PLC0415 - keeps the other commands light

    try:
        path = Path(socket_path(chosen))
    except PermissionError as error:
        return Finding("socket", Verdict.WRONG, str(error))
    if len(os.fsencode(path)) > _LONGEST_SOCKET_BYTES:
        return Finding(
            "socket", Verdict.WRONG, f"{path} is longer than 107 bytes", "choose a shorter one with --socket"
        )
    try:
        kind = path.stat().st_mode
    except OSError:
        return Finding("socket", Verdict.FINE, f"{path}, made by the daemon")
    if not stat.S_ISSOCK(kind):
        return Finding("socket", Verdict.WRONG, f"{path} is not a socket", "move it away, or choose another")
    return Finding("socket", Verdict.FINE, str(path))


def _daemon(session: Session) -> Iterator[Finding]:
    from soulmem.client import DaemonUnavailable, SoulmemRemoteError  # noqa: PLC0415 - keeps other commands light

    try:
        status = session.call("system.status")
        hello = session.call("system.hello")
    except DaemonUnavailable as error:
        yield Finding("daemon", Verdict.NOTICE, f"not reached: {error.reason}", "start it with `soulmem daemon`")
        return
    except SoulmemRemoteError as error:
        yield Finding("daemon", Verdict.WRONG, error.message, error.hint or "")
        return
    version = str(hello.get("version"))
    found = f"{status.get('state')}, version {version}, pid {status.get('pid')}"
    if version != soulmem.__version__:
        yield Finding("daemon", Verdict.NOTICE, found, f"this command is {soulmem.__version__}: restart the daemon")
    else:
        yield Finding("daemon", Verdict.FINE, found)


def _packages() -> Finding:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow to import

    found, missing = [f"soulmem {soulmem.__version__}"], []
    for name in _PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding("packages", Verdict.WRONG, f"missing: {', '.join(missing)}", "install soulmem again")
    return Finding("packages", Verdict.FINE, ", ".join(found))
