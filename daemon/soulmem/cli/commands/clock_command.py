"""`soulmem clock`: the daemon's time, and moving it by hand where it stands still (`soulmem daemon --simulated-clock`).

So a week, or a year of silence, can be tried out in a minute: what falls due meanwhile is done in its order.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated

import typer

from soulmem.cli.output.command_session import CommandError, ExitCode, Session, opens_session_without, wellformed
from soulmem.cli.output.tables import duration, err, moment, one_line, out, paint, plural
from soulmem.cli.output.typed_times import typed_time

app = typer.Typer(help="The daemon's time: show it, move it where it is simulated.", no_args_is_help=True)

_ADVANCE_S = 3_600.0  # the night of a year may take its time
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_UNITS = {
    1: "s sec secs second seconds 秒 秒钟",
    _MINUTE: "m min mins minute minutes 分 分钟",
    _HOUR: "h hour hours 小时 个小时 钟头 个钟头",
    _DAY: "d day days 天 日",
    7 * _DAY: "w week weeks 周 星期 个星期 礼拜 个礼拜",
    30 * _DAY: "month months 月 个月",
    365 * _DAY: "y year years 年",
}
_SECONDS = {word: seconds for seconds, words in _UNITS.items() for word in words.split()}
_PLAIN = {"a": 1.0, "an": 1.0, "半": 0.5}
_PART = re.compile(
    rf"\s*(?P<count>\d+(?:\.\d+)?|an?\b|[a-z]+(?=\s)|[一二两三四五六七八九十百半]+?)\s*"
    rf"(?P<unit>{'|'.join(sorted(map(re.escape, _SECONDS), key=len, reverse=True))})(?![a-z])\s*",
    re.IGNORECASE,
)


@app.command("show")
@opens_session_without("mind")
def show(session: Session) -> None:
    """Show the daemon's time, and whether it is simulated."""
    status = session.call("system.status")
    if session.gave_json({"now": status["now"], "clock": status["clock"]}):
        return
    out(f"{moment(status['now'])} · {status['clock']} clock")
    if status["clock"] != "simulated":
        out(paint("`soulmem daemon --simulated-clock` starts one that is moved by hand", "dim"))


@app.command("advance")
@opens_session_without("mind")
def advance(
    session: Session,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="TIME", help="How long, like 3d, 1h30m, 'two weeks', 三天; or until when, like 2026-05-01."
        ),
    ],
) -> None:
    """Let time pass on a simulated clock: quiet, nights and forgetting come as they fall due."""
    text = wellformed(" ".join(words))
    seconds = seconds_of(text)
    if seconds is None:
        until, now = typed_time(session, text, is_ahead=True), session.call("system.ping")["now"]
        seconds = (datetime.fromisoformat(str(until)) - datetime.fromisoformat(now)).total_seconds()
        if seconds < 0:
            raise CommandError(
                f"{one_line(text)[:60]} is over: it is {moment(now)}", hint="time goes forward only",
                code=ExitCode.REFUSED_INPUT,
            )  # fmt: skip
    with session.connect() as client:
        result = client.call("clock.advance", {"seconds": seconds}, timeout=_ADVANCE_S)
    if session.gave_json(result):
        return
    done = f"; {plural(len(result['jobs']), 'step')} of digestion done" if result["jobs"] else ""
    out(f"{duration(seconds)} passed: it is {moment(result['now'])}{done}")
    if result["jobs"]:
        err(paint("`soulmem notes`, `soulmem forgotten` and `soulmem timeline` show what became of it", "dim"))


def seconds_of(text: str) -> float | None:
    """How long a text says, in seconds; None of what is no length of time. A month has 30 days here, a year 365."""
    from soulmem.core.numbers.number_words import chinese_value, english_value  # noqa: PLC0415 - paid where it is needed

    total, place = 0.0, 0
    while place < len(text) or place == 0:
        match = _PART.match(text, place)
        if match is None:
            return None
        count = match["count"].casefold()
        if count[0].isdigit():
            value: float | None = float(count)
        elif count in _PLAIN:
            value = _PLAIN[count]
        else:
            value = english_value(count) if count.isascii() else chinese_value(count)
        if value is None:
            return None
        total += value * _SECONDS[match["unit"].casefold()]
        place = match.end()
    return total
