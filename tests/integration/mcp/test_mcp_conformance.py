"""The conformance suite of the protocol's makers, by its command line, before `soulmem mcp`.

Many of its scenarios call tools, resources and prompts by the names that the suite's own server gives them, or ask for
what a server need not offer; these are named here, and what is left must pass. `make integrations` brings the suite.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from household import Home
from mcp_bench import http_server

PARTS = Path(__file__).parents[3] / ".integrations" / "mcp" / "node_modules"
SUITE = PARTS / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
NODE = next(iter(PARTS.glob("node-*/bin/node")), Path(shutil.which("node") or ""))
pytestmark = pytest.mark.skipif(not SUITE.exists(), reason="`make integrations` brings the suite")

PASSES = {
    "server-initialize": 1, "ping": 1, "completion-complete": 1, "tools-list": 1, "resources-list": 1,
    "server-sse-multiple-streams": 2, "dns-rebinding-protection": 2,
}  # fmt: skip
OF_ITS_OWN_SERVER = re.compile(
    r"tools-call-\w|resources-(?:read-text|read-binary|templates-read)|elicitation-sep|json-schema|server-sse-polling"
)
NOT_OFFERED = re.compile(r"logging-set-level|resources-(?:un)?subscribe|prompts-\w")


def test_what_holds_for_every_server_passes(home: Home) -> None:
    with http_server(home.daemon.socket, "--mind", "conforming") as url:
        done = subprocess.run(
            [str(NODE), str(SUITE), "server", "--url", url], capture_output=True, text=True, timeout=300, check=False
        )
    summary = re.findall(r"^\W ([\w-]+): (\d+) passed, (\d+) failed$", done.stdout, re.MULTILINE)
    assert summary, done.stdout[-500:] + done.stderr[-500:]
    assert {name: int(passed) for name, passed, failed in summary if failed == "0"} == PASSES
    failed = [name for name, _, failures in summary if failures != "0"]
    assert not [name for name in failed if not OF_ITS_OWN_SERVER.match(name) and not NOT_OFFERED.match(name)]
    told = [name for name in failed if NOT_OFFERED.match(name)]
    print(f"\n{sum(PASSES.values())} checks of {len(PASSES)} scenarios passed; {len(told)} want what is not offered, "
          f"{len(failed) - len(told)} the tools of the suite's own server")  # fmt: skip
