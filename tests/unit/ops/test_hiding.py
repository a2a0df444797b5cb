"""A package that is hidden seems not installed while another is imported, and to nobody else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from soulmem.ops.log.log_output import hidden

_PROGRAM = """
import sys
from soulmem.ops.log.log_output import hidden
import soulmem.ops.log.log_output, structlog
assert structlog.dev.rich is None and "rich" not in sys.modules
import rich.pretty
"""


@pytest.mark.thorough
def test_structlog_is_imported_without_rich_which_others_may_import() -> None:
    subprocess.run([sys.executable, "-c", _PROGRAM], check=True, timeout=60)


def test_what_is_imported_already_is_not_taken_away() -> None:
    with hidden("json"):
        import json  # noqa: PLC0415 - what is imported inside the block is what is tested

        assert json.loads("1") == 1
    assert "json" in sys.modules


def test_it_comes_back_when_the_import_fails() -> None:
    name = "wave"  # of the standard library, and of no use here
    sys.modules.pop(name, None)
    with pytest.raises(ImportError), hidden(name):
        __import__(name)
    assert __import__(name)
