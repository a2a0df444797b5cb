"""The examples of `docs/http.md`, as they stand there, in a shell against a server and a daemon."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from household import Home
from http_bench import http_process

PAGE = (Path(__file__).parents[3] / "docs" / "http.md").read_text(encoding="utf-8")
STARTS, STREAMS = "soulmem http", "curl -sSN"


def test_the_examples_of_the_page_run(home: Home, tmp_path: Path) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    started = next(line.split()[2:] for line in lines if line.startswith(STARTS))
    assert started == ["--port", "8767", "--token-file", "token"]
    token = tmp_path / "token"
    answers = []
    with http_process(home.daemon, "--port", "0", "--token-file", str(token), token=None) as server:

        def shell(line: str, timeout_s: float = 30) -> str:
            command = line.replace("http://127.0.0.1:8767", server.url)
            assert server.url in command or "127.0.0.1" not in command
            done = subprocess.run(
                ["timeout", str(timeout_s), "sh", "-c", command],
                cwd=tmp_path,
                capture_output=True,
                check=False,
                timeout=60,
            )
            assert not done.stderr, done.stderr
            return done.stdout.decode()

        for line in lines:
            if not line.startswith((STARTS, STREAMS)):
                answers.append(shell(line))
        streams = [shell(line, 0.7) for line in lines if line.startswith(STREAMS)]
    assert streams == ["retry: 2000\n\n"]
    assert answers.pop(0) == ""
    found = [json.loads(answer) for answer in answers]
    assert not [each for each in found if "error" in each]
    assert found[1]["items"][0]["text"] == "Pell keeps bees. 佩尔养蜂。"
