"""What the tests of the viewer share: a mind that was told something, and a page of it that only reads."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("starlette", reason="the extra soulmem[viewer] is not installed")
pytest.importorskip("uvicorn", reason="the extra soulmem[viewer] is not installed")

from household import Home
from viewer_bench import ViewerBench, viewer_process

SECRET = "The spare key lies under the blue pot 备用钥匙在蓝花盆下面"


@pytest.fixture(scope="module")
def mind(home: Home) -> str:
    name = home.mind(title="Pell 阿砚", profile="companion")
    home.api.note(name, SECRET, kind="semantic", tags=["home", "家"])
    home.api.note(name, "小苇 feeds the cat 喂猫 on Sundays")
    home.api.settle(name)
    return name


@pytest.fixture(scope="module")
def page(home: Home, mind: str) -> Iterator[ViewerBench]:
    with viewer_process(home.daemon, "--no-open", "-m", mind) as running:
        yield running
