"""`soulmem sleep` and `jobs`: sending a mind to rest, and seeing what it does there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from soulmem.cli.commands.notes import LimitOption, needs_no_table, pages
from soulmem.cli.output.command_session import ExitCode, Session, opens_session
from soulmem.cli.output.tables import describe, moment, out, paint, parse_time, plural, show_table

_DIGESTION_S = 600.0


@opens_session
def sleep(
    session: Session,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until it has digested.")] = True,
    undo: Annotated[bool, typer.Option("--undo", help="Take back what it did to its notes in the last night.")] = False,
) -> None:
    """Send a mind to rest: it digests what it heard."""
    if undo:
        _undo(session)
        return
    with session.connect() as client:
        result = client.call("idle.run", {"mind": session.mind, "wait": wait}, timeout=_DIGESTION_S)
        listed = client.call("job.list", {"mind": session.mind, "limit": 500})["items"] if not session.as_json else []
    if session.gave_json(result):
        return
    named = {str(job.get("id") if isinstance(job, Mapping) else job) for job in result.get("jobs", [])}
    done = [job for job in listed if str(job.get("id")) in named]
    if done:
        _print_jobs(done)
    elif not named:
        out("there was nothing to digest")
    ending = "it was called back to work before it was done" if result.get("preempted") else ""
    out(" · ".join(part for part in (str(result.get("state", "")), ending) if part))
    out(paint("`soulmem notes` and `soulmem links` show what became of it", "dim"))
    if any(job.get("state") == "failed" for job in done):
        raise typer.Exit(ExitCode.FAILED)


def _undo(session: Session) -> None:
    result = session.call("replay.undo", mind=session.mind)
    if session.gave_json(result):
        return
    told = {name: result[name] for name in ("links", "concluded", "ended", "merged", "rephrased", "retagged")}
    out(f"taken back: what it did as {result['job']}, in {plural(int(result['regions']), 'region')}")
    out(describe({name: count for name, count in told.items() if count}))


@opens_session
def jobs(
    session: Session,
    limit: LimitOption = 50,
    retry: Annotated[bool, typer.Option("--retry", help="Try again what is set aside after crashes.")] = False,
) -> None:
    """List the steps of digestion: what is done, what is due, what failed and why."""
    if retry:
        _retry(session)
        return
    items = pages(session, "job.list", limit)
    if not needs_no_table(session, items, "no jobs yet"):
        _print_jobs(items)


def _retry(session: Session) -> None:
    result = session.call("job.retry", mind=session.mind)
    if session.gave_json(result):
        return
    retried = result.get("retried", [])
    if not retried:
        out("nothing is set aside")
        return
    out(f"to be tried again: {', '.join(map(str, retried))}")
    out(paint("`soulmem sleep` does so now", "dim"))


def _print_jobs(items: Sequence[Mapping[str, Any]]) -> None:
    rows = [
        (
            str(job.get("id", "-")),
            str(job.get("step", "-")),
            str(job.get("conversation") or "-"),
            str(job.get("epoch") or "-"),
            str(job.get("state", "-")),
            str(job.get("attempts", "-")),
            elapsed_text(job),
            moment(job.get("finished_at")),
            str(job.get("error") or describe(job.get("result"))),
        )
        for job in items
    ]
    show_table("id, step, conversation, epoch>, state, tries>, ms>, finished, result*", rows)
    out(paint(plural(len(rows), "job"), "dim"))


def elapsed_text(job: Mapping[str, Any]) -> str:
    """Milliseconds a step took: as it measured them itself, else between its two times."""
    result = job.get("result")
    if isinstance(result, Mapping) and isinstance(result.get("ms"), int | float):
        return f"{result['ms']:.0f}"
    started, finished = parse_time(job.get("started_at")), parse_time(job.get("finished_at"))
    return f"{(finished - started).total_seconds() * 1000:.0f}" if started and finished else "-"
