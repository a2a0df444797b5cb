"""What a daemon reads before it is ready: nothing that only some will need, or that will be needed only later."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from slowness import within
from tiny_model import write_model

READY, LAST = '"daemon_ready"', "import 'apscheduler.triggers.interval'"
# with nobody asking
SOON = ("apscheduler.schedulers.asyncio", "onnxruntime", "tokenizers", "soulmem.embed.adapters.onnx_embedder")
# what is read when a model, an endpoint, a terminal or a step of digestion asks for it
LATER = """
apscheduler tzlocal multiprocessing email importlib.metadata rich pygments attr openai httpx2 httpcore2
json_repair onnx onnxruntime tokenizers safetensors soulmem.client soulmem.bridges
soulmem.cli.demo.demo_command soulmem.cli.commands.doctor soulmem.cli.commands.notes soulmem.cli.commands.talk
soulmem.ops.settings.config_schema soulmem.embed.adapters.onnx_embedder soulmem.embed.adapters.openai_embedder
soulmem.embed.install.model_install soulmem.llm.endpoint.openai_request soulmem.llm.prompts
soulmem.llm.contracts soulmem.llm.engine.model_engine soulmem.llm.extractive.tasks.summarise
soulmem.llm.extractive.tasks.split soulmem.llm.extractive.tasks.link
soulmem.llm.extractive.tasks.analyse_query soulmem.llm.extractive.details.note_details
soulmem.llm.extractive.tasks.judge soulmem.llm.extractive.tasks.rate_importance
soulmem.llm.extractive.tasks.feedback soulmem.llm.extractive.tasks.misremember
""".split()


def _read(lines: list[str]) -> set[str]:
    """The modules that `python -v` tells of."""
    return {line.split("'")[1] for line in lines if line.startswith("import '")}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What a daemon printed until its schedule was read, among it each module."""
    root: Path = tmp_path_factory.mktemp("reads")
    path = root / "log"
    command = [sys.executable, "-v", "-m", "soulmem", "daemon"]
    write_model(root / "models" / "minilm")
    environment = {
        **os.environ,
        "SOULMEM_EMBEDDER_NAME": "minilm",
        "SOULMEM_EMBEDDER_MODELS_DIR": str(root / "models"),
        "SOULMEM_LOG_FORMAT": "json",
    }
    with path.open("wb") as file:
        process = subprocess.Popen(
            [*command, "--state", str(root / "state"), "--socket", str(root / "s")], stderr=file, env=environment
        )
    deadline = time.monotonic() + within(30)
    try:
        while time.monotonic() < deadline and not all(each.encode() in path.read_bytes() for each in (READY, LAST)):
            assert process.poll() is None, path.read_text(encoding="utf-8")
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(15) == 0
    return path.read_text(encoding="utf-8").splitlines()


def test_nothing_is_read_before_ready_that_can_wait(log: list[str]) -> None:
    ready = next(place for place, line in enumerate(log) if READY in line)
    read = _read(log[:ready])
    assert {"soulmem.daemon", "soulmem.minds.runtime", "soulmem.rpc.methods.method_table", "numpy", "structlog"} <= read
    assert sorted(each for each in LATER if each in read) == []


def test_what_will_be_needed_is_read_soon_after(log: list[str]) -> None:
    assert set(SOON) <= _read(log)
    assert not [line for line in log if '"model_missing"' in line]
    (ready,) = (line for line in log if READY in line)
    assert '"embedder":"minilm"' in ready
