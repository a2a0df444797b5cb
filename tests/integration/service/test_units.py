"""The shipped units and monitoring, judged by the programs that will read them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from soulmem.ops.log.event_bus import EventBus
from soulmem.ops.log.event_catalogue import catalogue, schema
from soulmem.ops.log.log_output import open_log
from soulmem.ops.settings.setting_sections import LogFormat, LogSettings

SYSTEMD = Path(__file__).parents[3] / "systemd"
MTAIL_PROGRAM = SYSTEMD / "monitoring" / "soulmem.mtail"
LABEL = r'(?:^|,)(?!prog=)\w+="([^"]*)"'


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


def run(*command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, env={**os.environ, **environ}
    )


def staged(root: Path, kind: str = "", profile: str | None = None) -> list[str]:
    """Copy the units of a kind with an executable that exists here; a profile becomes a drop-in."""
    for name in ("soulmem.service", "soulmem.socket"):
        text = (SYSTEMD / kind / name).read_text("utf-8")
        changed = re.sub(r"^ExecStart=\S+soulmemd$", "ExecStart=/bin/true", text, flags=re.MULTILINE)
        assert name.endswith(".socket") or changed != text
        (root / name).write_text(changed, "utf-8")
    if profile:
        drop_in = root / "soulmem.service.d"
        drop_in.mkdir()
        shutil.copy(SYSTEMD / "profiles" / f"{profile}.conf", drop_in)
    return [str(root / "soulmem.service"), str(root / "soulmem.socket")]


@needs("systemd-analyze")
@pytest.mark.parametrize("profile", [None, "sealed", "remote"])
def test_system_units_verify(tmp_path: Path, profile: str | None) -> None:
    done = run("systemd-analyze", "verify", *staged(tmp_path, profile=profile))
    assert (done.returncode, done.stderr) == (0, "")


@needs("systemd-analyze")
def test_user_units_verify(tmp_path: Path) -> None:
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    done = run("systemd-analyze", "--user", "verify", *staged(tmp_path, "user"), XDG_RUNTIME_DIR=str(runtime))
    assert (done.returncode, done.stderr) == (0, "")


@needs("systemd-analyze")
@pytest.mark.parametrize(("profile", "threshold"), [(None, 11), ("sealed", 4), ("remote", 12)])
def test_exposure_stays_below_its_bar(tmp_path: Path, profile: str | None, threshold: int) -> None:
    service, _ = staged(tmp_path, profile=profile)
    done = run("systemd-analyze", "security", "--offline=yes", f"--threshold={threshold}", "--no-pager", service)
    verdict = done.stdout.strip().splitlines()[-1]
    assert done.returncode == 0, verdict
    assert float(re.findall(r"service: ([0-9.]+)", verdict)[0]) <= threshold / 10


@needs("systemd-sysusers")
def test_sysusers_entry_is_understood() -> None:
    done = run("systemd-sysusers", "--dry-run", str(SYSTEMD / "sysusers" / "soulmem.conf"))
    assert done.returncode == 0
    assert "Failed" not in done.stderr


def test_units_keep_their_promises() -> None:
    for kind in ("", "user"):
        text = (SYSTEMD / kind / "soulmem.service").read_text("utf-8")
        for line in (
            "Type=notify",
            "WatchdogSec=30",
            "Restart=on-failure",
            "RestartPreventExitStatus=78",
            "LimitCORE=0",
        ):
            assert f"\n{line}\n" in text, (kind, line)
        assert not re.search(r"^Environment=.*KEY", text, re.MULTILINE), "keys come as credentials"
    system = (SYSTEMD / "soulmem.service").read_text("utf-8")
    assert not re.search(r"^PrivateUsers=yes", system, re.MULTILINE), "it would hide the uid of clients"


class FixedClock:
    suspect = False
    simulated = True

    def now_ms(self) -> int:
        return 1_700_000_000_000

    def monotonic_ms(self) -> float:
        return 10_000.0


def recorded_log(path: Path) -> None:
    """Write a log by the daemon's own means."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        logger = open_log(LogSettings(format=LogFormat.JSON), fd=descriptor, environ={})
        bus = EventBus(logger, FixedClock(), environ={"SOULMEM_STRICT_EVENTS": "1"})
        bus("daemon_started", version="1", pid=7, state_dir="/s", socket="/s/s", simulated=True)
        bus("daemon_ready", ms=321.5, minds=2, engine="extractive", embedder="hashing", socket="/s/s")
        for _ in range(60):  # ten of them are written as one line
            bus("note_created", mind="yuki", count=3, origin="digestion")
        bus("note_forgotten", reason="isolated", count=2, mind="yuki")
        bus("note_blurred", mind="yuki", count=4)
        bus("link_created", count=5, origin="hebb", mind="yuki")
        bus("link_created", count=1, origin="client", mind="yuki")
        bus("step_finished", mind="yuki", step="split", job="j1", ms=12.5, result={"notes": 3})
        bus("summary_rolled", mind="yuki", conversation="闲聊", epoch=1, version=2, count=20, tokens=90, ms=3.0)
        bus("library_log", logger="x", severity="warning", message='"event":"invariant_broken"')
        bus("storage_full", mind="yuki")
        for _ in range(7):
            bus.traffic.message("yuki", 1.0)
        bus.traffic.recall("yuki", 2.0)
        bus.traffic.refused()
        bus.close()
    finally:
        os.close(descriptor)


def mtail_metrics(log: Path) -> dict[str, float]:
    done = run(
        *("mtail", "--one_shot", "--one_shot_format", "prometheus"),
        *("--progs", str(MTAIL_PROGRAM), "--logs", str(log)),
    )
    assert done.returncode == 0, done.stderr
    series = re.findall(r"^(\w+)\{(.*)\} (\S+)$", done.stdout, re.MULTILINE)
    return {f"{name}{{{','.join(re.findall(LABEL, labels))}}}": float(value) for name, labels, value in series}


@needs("mtail")
def test_mtail_counts_a_recorded_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    recorded_log(log)
    metrics = mtail_metrics(log)
    expected = {
        "soulmem_starts_total{}": 1,
        "soulmem_start_ms{}": 321.5,
        "soulmem_notes_created_total{yuki}": 180,
        "soulmem_notes_forgotten_total{yuki}": 2,
        "soulmem_notes_blurred_total{yuki}": 4,
        "soulmem_links_created_total{yuki,hebb}": 5,
        "soulmem_links_created_total{yuki,client}": 1,
        "soulmem_steps_total{yuki,split}": 1,
        "soulmem_summaries_total{yuki}": 1,
        "soulmem_library_warnings_total{}": 1,
        "soulmem_invariants_broken_total{}": 0,
        "soulmem_storage_full{}": 1,
        "soulmem_messages_total{}": 7,
        "soulmem_recalls_total{}": 1,
        "soulmem_refused_total{}": 1,
    }
    assert {name: metrics.get(name) for name in expected} == expected


SAMPLES = {"integer": 3, "number": 2.5, "string": "x", "boolean": True, "object": {"x": 2}, "array": [], "null": None}


def every_event_log(path: Path) -> None:
    """Write a log in which each event of the catalogue stands once, those that end what lasts left out."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        logger = open_log(LogSettings(format=LogFormat.JSON), fd=descriptor, environ={})
        bus = EventBus(logger, FixedClock(), environ={"SOULMEM_STRICT_EVENTS": "1"})
        named = {name: spec for name, spec in catalogue().items() if not spec.reserved}
        for name, spec in named.items():
            if name not in {"storage_recovered", "breaker_closed"}:
                values = {field: SAMPLES[spec.types[field][0]] for field in spec.allowed}
                if name == "state_changed":
                    values |= {"machine": "mind", "mind": "yuki", "after": "working"}
                bus(name, **values)
        bus.close()
    finally:
        os.close(descriptor)


@needs("mtail")
def test_every_event_moves_its_metrics(tmp_path: Path) -> None:
    log = tmp_path / "log"
    every_event_log(log)
    metrics = mtail_metrics(log)
    for name in (name for name, spec in catalogue().items() if not spec.reserved):
        told = schema()["events"][name].get("metric", "")
        for metric in re.findall(r"soulmem_\w+", told):
            moved = {value for series, value in metrics.items() if series.startswith(metric + "{")}
            assert moved - {0.0}, f"{name} does not move {metric}"
    assert metrics["soulmem_model_tokens_total{x}"] == 6, "in and out"
    assert metrics["soulmem_mind_working{yuki}"] == 1
    assert metrics["soulmem_step_ms{x}"] == 2.5
