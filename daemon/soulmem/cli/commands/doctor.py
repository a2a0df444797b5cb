"""`soulmem doctor`: looks at everything soulmem stands on and says what to do about what is wrong.

Looks where the running daemon looks (`daemon_checks` asks it), and where a start would look if none runs, because that
may be what is wrong. Each finding is one line; the command ends with 1 when one of them keeps soulmem from working.
Nothing is changed and nothing leaves the machine. Invariant: what was not looked at is called that, and is not fine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import soulmem
from soulmem.cli.checks.daemon_checks import (
    Running,
    daemon_findings,
    embedder_in_use,
    engine_in_use,
    find_daemon,
    socket_finding,
)
from soulmem.cli.checks.findings import Finding, Verdict, unchecked
from soulmem.cli.checks.state_checks import state_findings
from soulmem.cli.output.command_session import ExitCode, Session, opens_session_without
from soulmem.cli.output.tables import out, out_json, paint, width

if TYPE_CHECKING:
    from soulmem.ops.settings.config_loader import Config

_PACKAGES = tuple("aiosqlite anyio apscheduler numpy onnxruntime openai sqlite-vec structlog transitions".split())


_MARKS = {
    Verdict.FINE: ("✓", "green"),
    Verdict.NOTICE: ("!", "yellow"),
    Verdict.WRONG: ("✗", "red"),
    Verdict.UNCHECKED: ("?", "dim"),
}


@opens_session_without("mind")
def doctor(
    session: Session,
    state: Annotated[Path | None, typer.Option("--state", metavar="DIR", help="The state directory.")] = None,
    deep: Annotated[bool, typer.Option("--deep", help="Also compare every row of every mind with its hash.")] = False,
    model: Annotated[
        bool, typer.Option("--model", help="Also try the language model: what it can do, and each task timed.")
    ] = False,
    language: Annotated[str, typer.Option("--language", metavar="en|zh", help="Of the texts for --model.")] = "en",
) -> None:
    """Check everything that soulmem stands on."""
    if language not in ("en", "zh"):
        raise typer.BadParameter("must be en or zh", param_hint="--language")
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
    config: Config | None = None
    try:
        config = _configuration(session, state)
    except StartupError as error:
        yield Finding("configuration", Verdict.WRONG, str(error), "put it right: a start would be refused")
    else:
        yield Finding("configuration", Verdict.FINE, _origin(config))
    running = find_daemon(session, config.socket if config else None)
    yield from _models(running, config, model)
    told: set[str] = set()
    directory = state or running.state_dir or (config.state_dir if config else None)
    if directory is None:
        yield unchecked("state", "where it would be is not known without a configuration")
    else:
        is_served = running.state_dir is not None and running.state_dir == directory
        if running.state_dir is not None and not is_served:
            advice = f"the daemon keeps its minds in {running.state_dir}: leave out --state to see those"
            yield Finding("daemon's state", Verdict.NOTICE, f"not {directory}", advice)
        elif config is not None and is_served and config.state_dir != directory:
            yield Finding(
                "daemon's state", Verdict.FINE, f"{directory}; started from here it would be {config.state_dir}"
            )
        for finding in state_findings(directory, is_served=is_served, deep=deep):
            if finding.verdict is Verdict.WRONG:
                told.add(finding.subject)
            yield finding
    yield socket_finding(running)
    yield from daemon_findings(running, told)
    yield _packages()


def _models(running: Running, config: Config | None, model: str | None) -> Iterator[Finding]:
    """The embedder and the engine: those of the running daemon, else those that a start would take."""
    yield embedder_in_use(running) if running.status is not None else _model(config)
    if running.status is not None:
        yield engine_in_use(running, tried=model is not None)
    if config is None:
        if running.status is None:
            yield unchecked("engine", "there is no configuration that says which")
        return
    from soulmem.cli.checks.endpoint_checks import engine_finding, try_endpoint  # noqa: PLC0415 - it brings the whole engine

    if running.status is None or model is not None:
        engine = engine_finding(config, tried=model is not None)
        if running.status is None or engine.verdict is Verdict.WRONG:
            yield engine
        if model is not None and engine.verdict is not Verdict.WRONG:
            yield from try_endpoint(config, model)


def _python() -> Finding:
    return Finding("python", Verdict.FINE, f"{sys.version.split()[0]} ({sys.executable})")


def _sqlite() -> Iterator[Finding]:
    from soulmem.errors import StartupError  # noqa: PLC0415 - keeps the other commands light

    try:
        from soulmem.store.sqlite.driver import describe  # noqa: PLC0415 - a driver that cannot load is a finding

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
    from soulmem.ops.settings.config_loader import load_config  # noqa: PLC0415 - keeps the other commands light

    flags = {"state_dir": str(state) if state else None, "socket": str(session.socket) if session.socket else None}
    return load_config(flags)


def _origin(config: Config) -> str:
    changed = sorted(name for name, origin in config.origins.items() if origin != "default")
    return f"profile {config.profile}; set: {', '.join(changed)}" if changed else f"profile {config.profile}, defaults"


def _model(config: Config | None) -> Finding:
    if config is None:
        return unchecked("embedder", "there is no configuration that says which")
    from soulmem.embed.base.model_manifest import MODELS_OF  # noqa: PLC0415 - keeps the other commands light

    name, directory = config.embedder.name, config.embedder.models_dir
    if name == "hashing":
        return Finding("embedder", Verdict.NOTICE, "hashing: knows spelling, not meaning", "set embedder.name to auto")
    if name == "openai":
        asked = f"whether {config.embedder.base_url} computes vectors with {config.embedder.model}"
        return unchecked("embedder", asked, "soulmem model test asks it")
    if name not in MODELS_OF:
        missing = [file for file in ("model.onnx", "tokenizer.json") if not (Path(name) / file).is_file()]
        if missing:
            return Finding(
                "embedder", Verdict.WRONG, f"{name} holds no {' and no '.join(missing)}", "name another folder"
            )
        return Finding("embedder", Verdict.FINE, f"model folder {name}")
    return _embedded_models(name, directory)


def _embedded_models(name: str, directory: Path | None) -> Finding:
    """Whether the files of the models that a name stands for are there."""
    from soulmem.embed.base.model_manifest import MINILM, MODELS_OF, has_quantised, install_command, is_installed  # noqa: PLC0415 - see `_model`

    wanted = MODELS_OF[name]
    there = [model for model in wanted if directory is not None and is_installed(name, directory / model)]
    lacking = [model for model in wanted if model not in there]
    advice = install_command(*(lacking or wanted), exact=name == MINILM)
    if not there:
        missing = f"the weights of {' and '.join(wanted)} are not installed: hashing stands in"
        return Finding("embedder", Verdict.NOTICE, missing, advice)
    found = f"{' and '.join(there)} in {directory}"
    if MINILM in there and name != MINILM and directory is not None and not has_quantised(directory / MINILM):
        return Finding("embedder", Verdict.NOTICE, f"{found}, without its quantised graph: half as fast", advice)
    if MINILM in lacking:
        return Finding("embedder", Verdict.NOTICE, f"{found}; of English it would find more with {MINILM}", advice)
    if lacking:
        blind = f"{found}; without {lacking[0]} it knows the meaning of English only"
        return Finding("embedder", Verdict.NOTICE, blind, advice)
    return Finding("embedder", Verdict.FINE, f"{found}, {'their' if len(there) > 1 else 'its'} files are there")


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
