"""`soulmem clock`: time that is moved by hand, in lengths of both languages or until a time, and only forward."""

from collections.abc import Iterator

import pytest

from daemon_fixture import daemon_process
from every_row import every_row
from shell import Shell
from soulmem.cli.commands.clock_command import seconds_of

START = "2026-03-01T08:00:00Z"
DAY = 86_400
LENGTHS = [
    ("3d", 3 * DAY), ("1h30m", 5_400), ("1d 12 h", 1.5 * DAY), ("90min", 5_400), ("1.5 hours", 5_400),
    ("two weeks", 14 * DAY), ("A week", 7 * DAY), ("an hour", 3_600), ("2 months", 60 * DAY), ("1y", 365 * DAY),
    ("三天", 3 * DAY), ("两个小时", 7_200), ("10分钟", 600), ("一个星期", 7 * DAY), ("十二小时", 43_200),
    ("半天", DAY / 2),
]  # fmt: skip
NONE = [
    "",
    "3",
    "d",
    "three",
    "in 3 days",
    "3 days ago",
    "三天后",
    "tomorrow",
    "2026-05-01",
    "-3d",
    "3 dogs",
    "some days",
]


@every_row(LENGTHS, unpack=True)
def test_a_length_is_read(words: str, seconds: float) -> None:
    assert seconds_of(words) == seconds


@every_row(NONE)
def test_what_is_no_length_is_left_to_the_dates(words: str) -> None:
    assert seconds_of(words) is None


@pytest.fixture(scope="module")
def soulmem(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    with daemon_process(tmp_path_factory.mktemp("d"), f"--simulated-clock={START}") as daemon:
        yield Shell(daemon.socket, tmp_path_factory.mktemp("home"))


def test_time_passes_and_what_falls_due_is_done(soulmem: Shell) -> None:
    utc = {"TZ": "UTC"}
    assert "2026-03-01 08:00 · simulated clock" in soulmem("clock", "show", **utc).stdout
    soulmem("say", "Ines keeps bees on the roof 屋顶养蜂.", "-m", "time")
    told = soulmem("clock", "advance", "20", "min", **utc).stdout
    assert "20 min passed: it is 2026-03-01 08:20" in told
    assert "digestion done" in told
    assert "bees" in soulmem("notes", "-m", "time").stdout
    assert "it is 2026-03-04 08:20" in soulmem("clock", "advance", "三天", **utc).stdout
    assert "it is 2026-03-06 19:00" in soulmem("clock", "advance", "friday 19:00", **utc).stdout
    assert "it is 2026-05-01 00:00" in soulmem("clock", "advance", "2026-05-01", **utc).stdout
    assert soulmem.json("clock", "show") == {"now": "2026-05-01T00:00:00Z", "clock": "simulated"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("yesterday", "is over"),
        ("whenever", "no time that can be read"),
        ("2001-01-01", "is over"),
        ("9999 y", "seconds"),
    ],
)
def test_what_cannot_be_is_one_line(soulmem: Shell, words: str, told: str) -> None:
    done = soulmem("clock", "advance", words, code=64)
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert told in done.stderr


def test_a_real_clock_is_not_moved(tmp_path_factory: pytest.TempPathFactory) -> None:
    with daemon_process(tmp_path_factory.mktemp("r")) as daemon:
        soulmem = Shell(daemon.socket, tmp_path_factory.mktemp("home"))
        assert "--simulated-clock" in soulmem("clock", "show").stdout
        assert "--simulated-clock" in soulmem("clock", "advance", "1d", code=1).stderr
