"""A mind in one file of HTML: what is in it, and that nothing of it says what has faded."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from household import DAY, Home
from shell import Shell

SETTINGS = {"forgetting.clock": "wall", "forgetting.deletes": False, "forgetting.whole_days": 3000.0}
FADING = [
    ("Mira hid the violet lantern behind the bakery.", "violet lantern", "some lamp"),
    ("米拉把紫水晶瓶藏在面包房后面。", "紫水晶瓶", "某件东西"),
    ("Mira 把 silver 怀表 lent to Tom 了。", "silver 怀表", "something 东西"),
]
HOSTILE = "</script><img src=x onerror=alert(1)><!-- 罗莎 \u202e"


def data_of(page: Path) -> dict[str, Any]:
    held = re.search(
        r'<script type="application/json" id="mind-data">(.*?)</script>', page.read_text("utf-8"), re.DOTALL
    )
    assert held is not None
    found: dict[str, Any] = json.loads(held[1])
    return found


def written(soulmem: Shell, mind: str, file: Path) -> dict[str, Any]:
    soulmem("export", "--html", str(file), "-m", mind)
    return data_of(file)


@pytest.fixture
def soulmem(home: Home, tmp_path: Path) -> Shell:
    return Shell(home.daemon.socket, tmp_path)


@pytest.mark.parametrize(("days", "state"), [(6, "blurred"), (30, "blank")])
def test_what_has_faded_is_in_no_part_of_the_page(
    home: Home, soulmem: Shell, tmp_path: Path, days: int, state: str
) -> None:
    mind = home.mind(title="Pell 阿砚", settings=SETTINGS)
    ids = []
    for number, (text, quote, gist) in enumerate(FADING):
        home.api.call("message.add", mind=mind, role="system", content=text, id=f"t{number}")  # becomes no note itself
        more: dict[str, Any] = {
            "elements": [{"quote": quote, "level": 2, "gist": gist}], "tags": [quote, "kept"],
            "attributes": {"what": quote}, "sources": [{"conversation": "main", "id": f"t{number}", "quote": quote}],
        }  # fmt: skip
        ids.append(home.api.note(mind, text, **more))
    home.api.call("link.add", mind=mind, src=ids[0], dst=ids[1], verb=FADING[0][1])
    home.pass_time(days * DAY)
    data = written(soulmem, mind, tmp_path / "page.html")
    shown = {note["id"]: note for note in data["notes"]}
    page = (tmp_path / "page.html").read_text("utf-8")
    for id_, (text, quote, gist) in zip(ids, FADING, strict=True):
        assert text in home.api.call("note.get", mind=mind, id=id_)["note"]["text"]  # its keeper still sees it
        assert quote not in page
        assert (gist in shown[id_]["rendered"]) is (state == "blurred")
        assert [each["state"] for each in shown[id_]["elements"] if each["level"] == 2] == [state]
    assert [link["verb"] for link in data["links"] if {link["src"], link["dst"]} == set(ids[:2])] == [""]


def test_it_holds_what_the_page_shows(home: Home, soulmem: Shell, tmp_path: Path) -> None:
    mind = home.mind(title=HOSTILE, profile="companion")
    one = home.api.note(mind, f"Tom lives in Porto 波尔图 {HOSTILE}", kind="semantic", tags=[HOSTILE])
    two = home.api.note(mind, "小苇喜欢喝茶", pinned=True)
    lost = home.api.note(mind, "a passing thought 一个念头")
    home.api.call("link.add", mind=mind, src=one, dst=two, verb="喝 drinks")
    home.api.call("note.forget", mind=mind, id=lost)
    file = tmp_path / "page.html"
    data = written(soulmem, mind, file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [note["rendered"] for note in data["notes"]] == [f"Tom lives in Porto 波尔图 {HOSTILE}", "小苇喜欢喝茶"]
    assert [note["id"] for note in data["forgotten"]] == [lost]
    assert data["forgotten"][0]["reason"] == "client"
    assert [link["verb"] for link in data["links"]] == ["喝 drinks"]
    assert data["forecasts"].keys() == {one, two, lost}
    curve = data["forecasts"][one]["elements"][0]["points"]
    assert 2 <= len(curve) <= 26
    assert curve[0][1] > curve[-1][1]
    assert data["mind"]["title"] == HOSTILE
    page = file.read_text("utf-8")
    assert page.count("<script") == 2
    assert "<img" not in page


def test_refusals_write_nothing(home: Home, soulmem: Shell, tmp_path: Path) -> None:
    for arguments, code in (
        (("--html", str(tmp_path / "a.html"), "-m", "nobody"), 1),
        (("--html", str(tmp_path / "no" / "a.html"), "-m", home.mind()), 74),
        (("--html", str(tmp_path / "a.html"), "--markdown", str(tmp_path)), 2),
    ):
        told = soulmem("export", *arguments, code=code)
        assert len(told.stderr.splitlines()) == 1
    assert not list(tmp_path.glob("*.html*"))
