"""The page in a real browser: each view renders, hostile texts stay text, all can use it, a large mind moves smoothly.

Needs Node, Chromium (`CHROMIUM` or /usr/bin/chromium) and what `make viewer` fetches.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from daemon_fixture import Daemon, daemon_process
from household import Home
from shell import Shell
from slowness import exceeds
from viewer_bench import ViewerBench, viewer_process

VIEWER = Path(__file__).parents[3] / "viewer"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
LACKING = next(
    (
        reason
        for reason, is_there in (
            ("there is no node", shutil.which("node") is not None),
            (f"there is no {CHROMIUM}", Path(CHROMIUM).exists()),
            ("`make viewer` has not fetched playwright-core and axe-core", (VIEWER / "node_modules/axe-core").is_dir()),
        )
        if not is_there
    ),
    "",
)
pytestmark = [pytest.mark.torture, pytest.mark.skipif(bool(LACKING), reason=LACKING)]

MARK = "globalThis.hit=1"
HOSTILE = [
    f"<img src=x onerror={MARK}>", f"</script><script>{MARK}</script>", f"<svg onload={MARK}>罗莎</svg>",
    f"javascript:{MARK}", "\u202eevil\u202c \u2066gnp.exe\u2069", f"<a href='javascript:{MARK}'>x</a>",
    f"{{{{constructor.constructor('{MARK}')()}}}}", "xxx xxx(xxx(", "a" * 5_000, "长" * 2_000, "\u0301" * 500,
    "<!--<script>", "&lt;b&gt;bold&lt;/b&gt;", "👨‍👩‍👧 emoji 家", "__proto__", "constructor",
]  # fmt: skip
LIVES = [
    ("I am allergic to hazelnuts.", "Mara"), ("My sister Ines turns 33 on the 14th of March.", "Mara"),
    ("我对青霉素过敏。", "小苇"), ("我家的猫叫煤老板。", "小苇"), ("I work at the ferry office.", "Mara"),
    ("I left the ferry office; now I work at the Lantern.", "Mara"), ("ok", "Mara"), ("你好呀", "小苇"),
]  # fmt: skip
SMOOTH_FPS = 30
CROWD, CROWD_LINKS = 10_000, 15_000


def run(script: str, **asked: Any) -> dict[str, Any]:
    command = [str(shutil.which("node")), str(VIEWER / "tests" / script), json.dumps(asked)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=800)
    assert ended.returncode == 0, ended.stderr
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


@pytest.fixture(scope="module")
def lived(home: Home) -> str:
    """A mind with something in every view, and with hostile texts wherever a text may stand."""
    mind = home.mind(title=f"<b>Rosa</b> 罗莎 {HOSTILE[0]}", profile="companion")
    for number, (text, speaker) in enumerate(LIVES):
        home.api.say(mind, text, speaker=speaker, id=f"t{number}", at=f"2026-02-{10 + number}T10:00:00Z")
    home.api.say(mind, f"My name is {HOSTILE[0]} and I live in {HOSTILE[1]}.", speaker=HOSTILE[0], id="h")
    home.api.say(mind, "Please forget what I told you about the boat 船.", speaker="Mara", id=HOSTILE[0])
    home.api.call("idle.run", mind=mind)
    home.api.settle(mind)
    ids = [home.api.note(mind, text, tags=[text[:100]], attributes={"a": text[:100]}) for text in HOSTILE]
    for one, other in itertools.pairwise(ids):
        home.api.call("link.add", mind=mind, src=one, dst=other, verb=HOSTILE[0])
    for id_ in ids[:3]:
        home.api.call("note.forget", mind=mind, id=home.api.note(mind, HOSTILE[1]))
        home.api.call("recall", mind=mind, query=f"what about {id_}")
    home.api.call("note.add", mind=mind, kind="lore", text="The lantern of the harbour 港口的灯笼", pinned=True)
    home.pass_time(20 * 86_400)
    home.api.settle(mind)
    return mind


def assert_all_well(report: dict[str, Any]) -> None:
    assert not report["faults"], report["faults"]
    assert set(report["marked"]) == {None}
    assert report["foreign"] == 0
    for seen in report["views"]:
        assert not seen["failures"], seen
        assert seen["text"].strip(), seen
        assert seen.get("widest", 0) <= 0, f"{seen['view']} is wider than the window"
    for where, passes in report["passes"].items():
        assert any(each.startswith("color-contrast ") for each in passes), f"no contrast was measured: {where}"
    assert not report["violations"], json.dumps(report["violations"], ensure_ascii=False, indent=1)


def test_every_view_in_both_themes_and_languages(home: Home, lived: str) -> None:
    with viewer_process(home.daemon, "--no-open", "--edit", "-m", lived) as page:
        report = run("check_views.mjs", link=page.link, address=page.address, question="hazelnuts 过敏", search="过敏")
    assert_all_well(report)
    seen = {(each["view"], each["lang"]): each for each in report["views"]}
    assert len(report["views"]) == 4 * 8
    assert "Pinned: never forgotten" in seen["note", "en"]["text"] or seen["note", "en"]["curves"]
    assert seen["note", "zh"]["curves"] >= 1
    assert "怎样淡去" in seen["note", "zh"]["text"]
    assert seen["graph", "en"]["notes"] >= len(HOSTILE)
    timeline = seen["timeline", "en"]["text"]
    assert HOSTILE[0] in timeline
    assert "⟨U+202E⟩evil" in timeline  # what turns the reading direction around is told by its number
    assert "\u202e" not in timeline
    assert "somebody asked for it" in seen["forgotten", "en"]["text"]
    assert f"Asked to be forgotten, and there still\nmain/{HOSTILE[0]}" in seen["forgotten", "en"]["text"]
    assert "没有哪条消息明确说到它" in seen["forgotten", "zh"]["text"]
    assert "有人要求忘记" in seen["forgotten", "zh"]["text"]
    assert "No language model was asked" in seen["costs", "en"]["text"]
    assert "小苇" in seen["facts", "en"]["text"]
    assert seen["recall", "zh"]["text"].count("种子") == 1


def test_a_page_in_one_file_is_the_same_window(home: Home, lived: str, tmp_path: Path) -> None:
    file = tmp_path / "罗莎 page.html"
    Shell(home.daemon.socket, tmp_path)("export", "--html", str(file), "-m", lived)
    looks = [["dark", "en"], ["light", "zh"]]
    report = run("check_views.mjs", file=str(file), question="hazelnuts 过敏", search="过敏", looks=looks)
    assert_all_well(report)
    assert HOSTILE[0] in next(each["text"] for each in report["views"] if each["view"] == "timeline")


def test_editing_by_hand(home: Home, lived: str) -> None:
    text = "小苇 keeps bees behind the harbour 养蜂"
    note = home.api.note(lived, text)
    asked = {"note": note, "text": text, "changed": "小苇 keeps ducks behind the harbour 养鸭"}
    with viewer_process(home.daemon, "--no-open", "--edit", "-m", lived) as page:
        report = run("check_editing.mjs", link=page.link, address=page.address, mayEdit=True, **asked)
    assert not report["faults"], report["faults"]
    assert report["address"] == page.address  # the token is out of the address at once
    assert not report["kept"]
    assert report["reloaded"] == 0
    found = home.api.call("note.get", mind=lived, id=note)["note"]
    assert (found["text"], found["lifecycle"] == "forgotten") == (asked["changed"], False)


def test_without_edit_nothing_is_offered(home: Home, lived: str) -> None:
    text = "小苇 reads in the attic 读书"
    note = home.api.note(lived, text)
    with viewer_process(home.daemon, "--no-open", "-m", lived) as page:
        report = run("check_editing.mjs", link=page.link, address=page.address, note=note, text=text, mayEdit=False)
    assert not report["faults"], report["faults"]
    assert report["offered"] == "In the picture"


def test_what_changes_is_seen_as_it_happens(home: Home) -> None:
    mind = home.mind(profile="companion")
    for text in ("The barn is red 谷仓是红的", "Tom keeps geese 养鹅"):
        home.api.note(mind, text)
    asked = {"socket": str(home.daemon.socket), "mind": mind, "first": "The barn is red", "hostile": HOSTILE[0]}
    with viewer_process(home.daemon, "--no-open", "--edit", "-m", mind) as page:
        report = run("check_live.mjs", link=page.link, address=page.address, **asked)
    assert not report["faults"], report["faults"]
    assert (report["mark"], report["hit"]) == ("the same page", None)
    assert report["focused"] == report["wanted"]
    assert report["unseen"] is False
    assert report["amid"] == {"typed": "half a sentence 半句", "moved": False}
    print(f"\nseen after, ms: {json.dumps(report['took'])}")
    assert not [name for name, ms in report["took"].items() if exceeds(ms, 5_000)], report["took"]


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Daemon, ViewerBench]]:
    """A mind of ten thousand notes, each linked to an earlier one or two."""
    with daemon_process(tmp_path_factory.mktemp("crowd")) as daemon:
        client = daemon.client(timeout=300)
        client.call("mind.create", {"mind": "crowd", "profile": "assistant"})
        texts = (f"Note {number} 笔记 tells of harbour {number % 97}" for number in range(CROWD))
        client.call_many(("note.add", {"mind": "crowd", "kind": "episodic", "text": text}) for text in texts)
        ends = ((1 + number % CROWD, 1 + (number * 7919) % max(1, number % CROWD + 1)) for number in range(CROWD_LINKS))
        client.call_many(
            ("link.add", {"mind": "crowd", "src": f"n{one}", "dst": f"n{other}"}) for one, other in ends if one != other
        )
        with viewer_process(daemon, "--no-open", "-m", "crowd") as page:
            yield daemon, page


def test_ten_thousand_notes_move_smoothly(crowd: tuple[Daemon, ViewerBench], tmp_path: Path) -> None:
    _, page = crowd
    picture = str(tmp_path / "crowd.png")
    report = run("measure_panning.mjs", link=page.link, address=page.address, notes=CROWD, seconds=5, picture=picture)
    assert not report["faults"], report["faults"]
    print(f"\n{CROWD} notes: {json.dumps({name: value for name, value in report.items() if name != 'faults'})}")
    assert not exceeds(1000 / report["fps"], 1000 / SMOOTH_FPS), report
