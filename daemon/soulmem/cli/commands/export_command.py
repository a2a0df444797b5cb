"""`soulmem export`: a whole mind as lines that another daemon reads, or what it remembers as other programs read it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from soulmem.cli.output.command_session import CommandError, ExitCode, Session, opens_session
from soulmem.cli.output.tables import end_bar, out, plural, show_bar

if TYPE_CHECKING:
    from soulmem.client import Client

Write = Callable[["Client", str, BinaryIO], int]


@opens_session
def export(
    session: Session,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Where the whole mind goes, as lines of JSON; - is stdout.")
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option("--markdown", metavar="DIR", help="A folder of Markdown instead, a file for each note."),
    ] = None,
    lorebook: Annotated[
        Path | None, typer.Option("--lorebook", metavar="FILE", help="The notes as World Info of SillyTavern.")
    ] = None,
    memory_json: Annotated[
        Path | None,
        typer.Option("--memory-json", metavar="FILE", help="The notes as a graph of the MCP memory server."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="What shows of it as one page to look at, which needs no daemon."),
    ] = None,
) -> None:
    """Write a whole mind to a file: `soulmem import` makes the same mind of it, here or elsewhere."""
    wanted = [each for each in (file, markdown, lorebook, memory_json, html) if each is not None]
    if len(wanted) != 1:
        raise CommandError("say where to, once", hint="name a file, or one of the options", code=ExitCode.WRONG_USAGE)
    try:
        if file is not None:
            _write_mind(session, file)
        elif markdown is not None:
            _write_vault(session, markdown)
        elif html is not None:
            _write_page(session, html)
        else:
            _write_for_others(session, wanted[0], is_book=lorebook is not None)
    except ConnectionError:  # no reader, or no daemon: said by whoever calls all commands
        raise
    except OSError as error:
        raise CommandError(
            f"cannot write {wanted[0]}: {error.strerror or error}", hint="name another place", code=ExitCode.STORAGE
        ) from error
    finally:
        end_bar()


def _write_mind(session: Session, file: Path) -> None:
    from soulmem.interchange.exporting import mind_lines, private_files  # noqa: PLC0415 - keeps other commands light

    if str(file) == "-":
        with session.connect() as client:
            mind_lines.write(client, session.mind, sys.stdout.buffer, lambda *_: None)
        sys.stdout.buffer.flush()
        return
    with session.connect() as client, private_files.written(file) as stream:
        done = mind_lines.write(client, session.mind, stream, _show)
    end_bar()
    if not session.gave_json({"mind": session.mind, "file": str(file), "bytes": done.bytes, "lines": done.lines}):
        out(f"{session.mind}: {plural(done.lines, 'line')}, {done.bytes / 1e6:.1f} MB, written to {file}")


def _show(done: int, whole: int) -> None:
    show_bar(done / whole if whole else 1.0, f"{done / 1e6:.1f} MB")


def _write_vault(session: Session, folder: Path) -> None:
    from soulmem.interchange.exporting import markdown_vault  # noqa: PLC0415 - only who needs it pays

    with session.connect() as client:
        counts = client.call("mind.get", {"mind": session.mind}, retry=True)["mind"]
        most = max(1, int(counts["notes"]))
        vault = markdown_vault.write(client, session.mind, folder, lambda done: show_bar(done / most, f"{done} notes"))
    end_bar()
    told = {
        "written": vault.written, "unchanged": vault.unchanged, "removed": vault.removed, "by_hand": vault.by_hand,
    }  # fmt: skip
    if session.gave_json({"mind": session.mind, "folder": str(folder), **told}):
        return
    more = f", {vault.unchanged} as they were" if vault.unchanged else ""
    more += f", {vault.removed} removed" if vault.removed else ""
    out(f"{session.mind}: {plural(vault.written, 'file')} written to {folder}{more}")
    if vault.by_hand:
        out(f"{plural(vault.by_hand, 'file')} left alone: changed by hand")


def _write_page(session: Session, file: Path) -> None:
    from soulmem.interchange.exporting import html_page_file, private_files  # noqa: PLC0415 - only who needs it pays

    with session.connect() as client:
        client.call("mind.get", {"mind": session.mind}, retry=True)  # else an empty file would be written first
        with private_files.written(file) as stream:
            count = html_page_file.write(client, session.mind, stream, lambda part: show_bar(part, "the page"))
    end_bar()
    if not session.gave_json({"mind": session.mind, "file": str(file), "notes": count}):
        out(f"{session.mind}: a page with {plural(count, 'note')} written to {file}")


def _write_for_others(session: Session, file: Path, *, is_book: bool) -> None:
    from soulmem.interchange.exporting import (  # noqa: PLC0415 - only who needs it pays
        lorebook_file,
        memory_graph_file,
        private_files,
    )

    write: Write = lorebook_file.write if is_book else memory_graph_file.write
    with session.connect() as client:
        client.call("mind.get", {"mind": session.mind}, retry=True)  # else an empty file would be written first
        with private_files.written(file) as stream:
            count = write(client, session.mind, stream)
    if not session.gave_json({"mind": session.mind, "file": str(file), "count": count}):
        told = plural(count, "entry", "entries") if is_book else plural(count, "line")
        out(f"{session.mind}: {told} written to {file}")
