"""`soulmem` to which no question asks for all of something: for measuring what lists bring (`lists_of_a_set`)."""

from __future__ import annotations

from soulmem.cli.main import run
from soulmem.working.recall import basic_recall


def _asks_nothing(_text: str) -> bool:
    return False


if __name__ == "__main__":
    vars(basic_recall)["asks_all"] = _asks_nothing
    run()
