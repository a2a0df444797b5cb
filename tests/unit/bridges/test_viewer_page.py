"""The built page: what it may do, that it is what its sources make, that it speaks both languages, that it is small."""

from __future__ import annotations

import base64
import gzip
import json
import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from soulmem.bridges.viewer.page_files import SCRIPT, SHELL, STYLE, page_file, whole_page

ROOT = Path(__file__).parents[3]
SOURCES = ROOT / "viewer"
BUILT = ROOT / "daemon" / "soulmem" / "bridges" / "viewer" / "page"
MOST_BYTES = 300 * 1024
SCRIPTS = sorted((SOURCES / "src").rglob("*.js"))
MOST_LINES, MOST_FILES = 350, 14
HOSTILE = [
    '</script><script>alert(1)</script>', "<!--<script>", "<img src=x onerror=alert(1)>", "]]>", "\u2028\u2029", "&lt;",
    "</SCRIPT >", "\u202eevil", "罗莎 </script>", "${alert(1)}", "\\u003c/script>",
]  # fmt: skip


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("text", HOSTILE)
def test_a_page_in_one_file_runs_its_own_script_and_no_text(text: str) -> None:
    data = {"mind": {"title": text}, "notes": [{"id": "n1", "text": text, text: [text]}]}
    page = whole_page(data, text)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert page.index(policy[0]) < page.index("<style>")
    rules = dict(each.strip().split(" ", 1) for each in policy[1].split(";"))
    assert rules["default-src"] == "'none'"
    assert "connect-src" not in rules
    scripts = re.findall(r"<script([^>]*)>(.*?)</script\s*>", page, re.DOTALL | re.IGNORECASE)
    assert [head for head, _ in scripts] == [' type="application/json" id="mind-data"', ' type="module"']
    assert rules["script-src"] == digest(scripts[1][1])
    assert json.loads(scripts[0][1]) == data
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style is not None
    assert rules["style-src"] == digest(style[1])
    assert page.count("<!--") == 0
    head = page[: page.index("<style>")]
    assert "<img" not in head
    assert head.count("<script") == 0


def test_the_page_asks_for_nothing_from_elsewhere() -> None:
    for name in (SHELL, SCRIPT, STYLE):
        text = page_file(name)
        found = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+", text)) - {"http://www.w3.org"}
        assert not found, f"{name}: {found}"
        assert not re.search(r"url\((?!['\"]?data:)", text)


def test_texts_of_others_are_never_read_as_markup() -> None:
    for path in SCRIPTS:
        text = path.read_text("utf-8")
        found = re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc", text)
        assert not found, f"{path.name}: {found}"
    assert not re.search(r"\.innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", page_file(SCRIPT))


def test_the_page_is_small() -> None:
    size = sum(len(gzip.compress(page_file(name).encode())) for name in (SCRIPT, STYLE))
    assert size <= MOST_BYTES, f"{size / 1024:.0f} KB"


def test_the_licences_of_what_is_in_it_lie_beside_it() -> None:
    licences = (BUILT / "licences.txt").read_text("utf-8")
    for package in json.loads((SOURCES / "package.json").read_text())["dependencies"]:
        assert f"{package} " in licences
    assert licences.count("Permission is hereby granted") >= 3


def _words(name: str) -> dict[str, str]:
    text = (SOURCES / "src" / "words" / f"{name}.js").read_text("utf-8")
    return {key.strip('"'): value for key, value in re.findall(r'^  ("[^"]+"|\w+): "(.*)",$', text, re.MULTILINE)}


def test_it_says_everything_in_both_languages() -> None:
    english, chinese = _words("english"), _words("chinese")
    assert len(english) > 200
    assert english.keys() == chinese.keys()
    for key, words in english.items():
        assert set(re.findall(r"\{\w+\}", words)) == set(re.findall(r"\{\w+\}", chinese[key])), key
    told = {key: re.sub(r"\{\w+\}", "", words) for key, words in chinese.items()}
    latin = {
        key for key, words in told.items() if re.search("[a-z]", words) and not re.search(r"[\u4e00-\u9fff]", words)
    }
    assert latin <= {"other_language", "other_language_code"}, latin
    said = "".join(path.read_text("utf-8") for path in SCRIPTS)
    unknown = set(re.findall(r'\bt\("(\w+)"', said)) - english.keys()
    assert not unknown


def test_sources_are_small_and_name_no_registry() -> None:
    for path in SCRIPTS:
        assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES, path.name
        assert path.read_text("utf-8").startswith("// "), f"{path.name} does not say what it is for"
        assert len(list(path.parent.glob("*.js"))) <= MOST_FILES
    for name in ("package.json", "package-lock.json"):
        text = (SOURCES / name).read_text("utf-8")
        assert not re.search(r"https?://(?!([\w.-]+\.)?(opencollective|github|tidelift|paypal|patreon)\.)", text), name
        assert '"resolved"' not in text


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
@pytest.mark.skipif(not (SOURCES / "node_modules" / "esbuild").is_dir(), reason="`make viewer` has not fetched esbuild")
def test_the_committed_page_is_what_its_sources_make(tmp_path: Path) -> None:
    build = [str(shutil.which("node")), str(SOURCES / "scripts" / "build.mjs"), str(tmp_path)]
    ended = subprocess.run(build, capture_output=True, text=True, check=False, timeout=100)
    assert ended.returncode == 0, ended.stderr
    assert {path.name for path in BUILT.iterdir()} == {path.name for path in tmp_path.iterdir()}
    for path in sorted(tmp_path.iterdir()):
        assert path.read_bytes() == (BUILT / path.name).read_bytes(), f"{path.name} is stale: make viewer"
