"""The examples of `docs/mem0.md`, as they stand there, against a daemon."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from daemon_fixture import daemon_process

PAGE = (Path(__file__).parents[3] / "docs" / "mem0.md").read_text(encoding="utf-8")


def test_the_examples_of_the_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 3
    with daemon_process(tmp_path) as daemon:
        monkeypatch.setenv("SOULMEM_SOCKET", str(daemon.socket))
        for body in blocks:
            names: dict[str, object] = {}
            exec(compile(body, "docs/mem0.md", "exec"), names)
            names["memory"].close()  # type: ignore[attr-defined]  # each block makes one
    assert "sci-fi" in capsys.readouterr().out
