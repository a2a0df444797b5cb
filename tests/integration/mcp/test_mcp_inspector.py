"""The Inspector of the protocol's makers, by its command line, where npx has it already."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from household import Home
from mcp_bench import command
from served_process import environment

ROOT = Path(__file__).parents[3]
PARTS = ROOT / ".integrations" / "mcp"  # where `make integrations` puts it; else where npx finds it
HERE = PARTS if (PARTS / "node_modules" / "@modelcontextprotocol" / "inspector").is_dir() else ROOT
NPX = ["npx", "--no-install", "@modelcontextprotocol/inspector", "--cli"]


@pytest.fixture(scope="module")
def config(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("npx") is None:
        pytest.skip("npx is not installed")
    tried = subprocess.run([*NPX, "--help"], capture_output=True, text=True, timeout=60, check=False, cwd=HERE)
    if tried.returncode or "--cli" not in tried.stdout:
        pytest.skip("the Inspector is not there: `make integrations` brings it")
    words = command(home.daemon.socket, "--mind", "inspected")
    server = {"command": words[0], "args": words[1:], "env": {"PYTHONPATH": environment()["PYTHONPATH"]}}
    path = tmp_path_factory.mktemp("inspector") / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"soulmem": server}}))
    return path


def inspect(config: Path, *arguments: str) -> dict[str, Any]:
    done = subprocess.run(
        [*NPX, "--config", str(config), "--server", "soulmem", *arguments],
        capture_output=True, text=True, timeout=100, check=False, cwd=HERE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_it_lists_and_calls(config: Path) -> None:
    assert len(inspect(config, "--method", "tools/list")["tools"]) == 10
    call = ("--method", "tools/call", "--tool-name")
    made = inspect(config, *call, "add_memory", "--tool-arg", "text=小苇 drinks oolong.")
    assert made["structuredContent"] == {"id": "n1"}
    found = inspect(config, *call, "recall", "--tool-arg", "query=who drinks oolong?", "--tool-arg", "limit=2")
    assert found["structuredContent"]["memories"][0]["text"] == "小苇 drinks oolong."
    address = "soulmem://mind/inspected/notes/n1"
    assert (
        inspect(config, "--method", "resources/read", "--uri", address)["contents"][0]["text"] == "小苇 drinks oolong."
    )
