"""Times as people type them, in a zone of their own, against a clock that stands still; and in the protocol, in UTC."""

from collections.abc import Iterator

import pytest

from checking import Checking, checking
from daemon_fixture import Daemon, daemon_process
from shell import Shell

SUNDAY = "2026-03-15T20:00:00Z"  # in Shanghai it is Monday, 04:00
SHANGHAI = {"TZ": "Asia/Shanghai"}
DAYS = {
    "2026-02-28T12:00:00Z": "february 二月",
    "2026-03-04T12:00:00Z": "wednesday 周三",
    "2026-03-14T12:00:00Z": "saturday 周六",
    "2026-03-14T17:00:00Z": "night 深夜",  # Sunday, 01:00 in Shanghai
    "2026-03-15T17:00:00Z": "this monday 周一",
}


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon_process(tmp_path_factory.mktemp("d"), f"--simulated-clock={SUNDAY}") as daemon:
        api = checking(daemon)
        for at, text in DAYS.items():
            api.say("days", text, at=at)
        yield daemon


@pytest.fixture(scope="module")
def soulmem(daemon: Daemon, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(daemon.socket, tmp_path_factory.mktemp("home"))


@pytest.fixture
def api(daemon: Daemon) -> Checking:
    return checking(daemon)


def shown(soulmem: Shell, *span: str, **zone: str) -> set[str]:
    """The first words of what was said then."""
    done = soulmem("messages", "days", *span, **zone).stdout
    return {text.split()[0] for text in DAYS.values() if text in done}


@pytest.mark.parametrize(
    ("span", "found"),
    [
        (("--from", "2026-03"), {"wednesday", "saturday", "night", "this"}),
        (("--to", "2026-02"), {"february"}),
        (("--from", "2026-03-04", "--to", "2026-03-04"), {"wednesday"}),
        (("--from", " today "), {"this"}),
        (("--from", "昨天", "--to", "昨天"), {"night"}),
        (("--from", "the day before yesterday", "--to", "前天"), {"saturday"}),
        (("--from", "last week", "--to", "上周"), {"saturday", "night"}),
        (("--from", "三天前"), {"saturday", "night", "this"}),
        (("--from", "yesterday 01:00", "--to", "2026-03-15T01:30"), {"night"}),
    ],
)
def test_words_are_told_by_the_clock_of_this_machine(soulmem: Shell, span: tuple[str, ...], found: set[str]) -> None:
    assert shown(soulmem, *span, **SHANGHAI) == found


def test_recall_say_and_plan_read_them_too(soulmem: Shell) -> None:
    soulmem("say", "The roof leaked 屋顶漏了。", "--at", "yesterday", "-m", "roof", **SHANGHAI)
    assert "屋顶" in soulmem("recall", "roof", "--from", "昨天", "--to", "yesterday", "-m", "roof", **SHANGHAI).stdout
    assert "屋顶" not in soulmem("recall", "roof", "--to", "前天", "-m", "roof", **SHANGHAI).stdout
    soulmem("recall", "roof", "--as-of", "2026", "-m", "roof")
    planned = soulmem(
        "plan", "add", "dinner", "--from", "friday 19:00", "--to", "周五晚上九点", "-m", "roof", **SHANGHAI
    )
    assert "2026-03-20 19:00 to 2026-03-20 21:00" in planned.stdout
    assert "dinner" in soulmem("plan", "list", "--from", "this week", "-m", "roof", **SHANGHAI).stdout


def test_what_is_no_time_is_one_line(soulmem: Shell) -> None:
    for span in (("--from", "whenever"), ("--to", "last wednesday"), ("--from", "2026-02-31"), ("--to", "9999-12-32")):
        done = soulmem("messages", "days", *span, code=64)
        assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert "write the date" in soulmem("messages", "days", "--to", "last wednesday", code=64).stderr


def test_the_protocol_reads_them_in_utc(api: Checking) -> None:
    def said(**span: str) -> set[str]:
        return {item["content"].split()[0] for item in api.pages("message.list", mind="days", **span)}

    assert said(from_="2026-03") == {"wednesday", "saturday", "night", "this"}
    assert said(to="2026-02") == {"february"}
    assert said(from_="昨天", to="yesterday") == {"saturday", "night"}
    assert said(from_="2026-03-14", to="2026-03-15") == {"saturday", "night"}  # a date alone is its midnight
    assert said(from_="2026-03-15", to="2026-03-15") == set()
    found = api.found("days", "saturday 周六 深夜", from_="this week", to="本周", min_score=0)
    assert {"saturday", "night"} <= {item["text"].split()[0] for item in found}
    assert not {"february", "wednesday"} & {item["text"].split()[0] for item in found}
    api.found("days", "saturday", as_of="2026")  # its last moment is to come: now
    assert api.call("ledger.get", from_="last month", to="today")["calls"] == []
    for method in ("recall", "message.list"):
        refused = {"mind": "days", "from": "whenever", **({"query": "x"} if method == "recall" else {})}
        assert "yesterday" in (api.refused_raw("invalid_time", method, refused).hint or "")
    api.refused("invalid_time", "message.add", mind="days", role="user", content="x", at="yesterday")
