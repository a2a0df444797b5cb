"""`docs/protocol.md` is what its script makes of the schemas."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_is_that_of_the_schemas() -> None:
    command = [sys.executable, str(ROOT / "docs" / "protocol_page.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_method_and_error_has_its_place_in_it() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    for path in (ROOT / "schemas" / "rpc").glob("*.json"):
        assert path.stem == "errors" or f"### {path.stem}\n" in text, path.stem
    assert text.count("| `storage_full` |") == 1
