"""`soulmem mind` and `soulmem messages`: making a mind, saying who it is, reading what was said, deleting it."""

import json
import os
import pty
import subprocess
from collections.abc import Iterator

import pytest

from daemon_fixture import daemon_process
from shell import PATIENCE_S, Shell


@pytest.fixture(scope="module")
def soulmem(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    with daemon_process(tmp_path_factory.mktemp("d")) as daemon:
        yield Shell(daemon.socket, tmp_path_factory.mktemp("home"))


def test_a_mind_is_made_shown_and_changed(soulmem: Shell) -> None:
    made = soulmem("mind", "create", "mira", "window.capacity=30", "--persona", "园丁，a gardener", "--title", "米拉")
    assert "mira made" in made.stdout
    listed = soulmem("mind", "list").stdout
    assert "mira" in listed
    assert "米拉" in listed
    soulmem("mind", "set", "mira", "recall.sharing=participants", "window.capacity=12", "--language", "zh")
    shown = soulmem.json("mind", "show", "mira")["mind"]
    assert shown["settings"] == {"recall.sharing": "participants", "window.capacity": 12}
    assert (shown["persona"], shown["title"], shown["language"]) == ("园丁，a gardener", "米拉", "zh")
    soulmem("mind", "set", "window.capacity=", "--mind", "mira", "--persona", "-", stdin="新的人设, new\n")
    told = soulmem("mind", "show", "-m", "mira").stdout
    assert "新的人设, new" in told
    assert "window.capacity" not in told
    assert 'recall.sharing="participants"' in told
    assert soulmem("context", "-m", "mira").stdout.count("新的人设") == 1


def test_who_talks_where_is_shown(soulmem: Shell) -> None:
    for text, speaker, talk in (("hello", "Tom", "main"), ("你好", "小苇", "群聊"), ("again 又来了", "Tom", "群聊")):
        soulmem("say", text, "--speaker", speaker, "-c", talk, "-m", "met")
    gone = soulmem.json("say", "never mind", "--speaker", "Eve", "-m", "met")["id"]
    soulmem("delete", gone, "-m", "met", "--yes")
    talks = {each["name"]: each["speakers"] for each in soulmem.json("mind", "show", "met")["conversations"]}
    assert talks == {"main": ["Tom"], "群聊": ["小苇", "Tom"]}
    shown = soulmem("mind", "show", "met").stdout
    assert "小苇, Tom" in shown


def test_what_was_said_is_shown_the_latest_of_all_conversations(soulmem: Shell) -> None:
    for day in range(1, 6):
        soulmem("say", f"day {day} 第{day}天", "--at", f"2026-03-0{day}T12:00:00Z", "--id", f"d{day}", "-m", "said")
    soulmem("say", "elsewhere 别处", "--at", "2026-03-03T15:00:00Z", "-c", "side", "-m", "said")
    assert "message(s)" not in soulmem("messages", "said").stdout
    everything = [each["content"] for each in soulmem.json("messages", "said")["items"]]
    assert everything == ["day 1 第1天", "day 2 第2天", "day 3 第3天", "elsewhere 别处", "day 4 第4天", "day 5 第5天"]
    assert [each["id"] for each in soulmem.json("messages", "-m", "said", "-c", "main", "-n", "2")["items"]] == [
        "d4",
        "d5",
    ]
    span = ("--from", "2026-03-02T00:00:00Z", "--to", "2026-03-04T00:00:00Z")
    within = soulmem("messages", "said", *span).stdout
    assert [day in within for day in ("第1天", "第2天", "第3天", "别处", "第4天")] == [False, True, True, True, False]
    short = soulmem("messages", "said", "-c", "main", "-n", "2").stdout
    assert "2 messages; --limit shows more" in short
    assert "第3天" not in short


def test_a_page_of_the_latest_leads_to_the_earlier(soulmem: Shell) -> None:
    for number in range(5):
        soulmem("say", f"line {number}", "-m", "paged")
    assert [each["content"] for each in soulmem.json("messages", "paged", "-n", "5")["items"]] == [
        f"line {number}" for number in range(5)
    ]


def test_deleting_asks_first_and_leaves_nothing(soulmem: Shell) -> None:
    soulmem("say", "I keep bees 养蜂.", "-m", "doomed")
    refused = soulmem("mind", "delete", "doomed", code=2)
    assert "--yes" in refused.stderr
    main, side = pty.openpty()
    command = soulmem.command("mind", "delete", "doomed")
    asked = subprocess.Popen(
        command, stdin=side, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=soulmem.environment
    )
    os.close(side)
    os.write(main, b"n\n")
    told = b"".join(asked.communicate(timeout=PATIENCE_S)).decode()
    os.close(main)
    assert "1 message" in told
    assert asked.returncode == 1
    assert soulmem.json("mind", "show", "doomed")["mind"]["messages"] == 1
    assert "gone for good" in soulmem("mind", "delete", "doomed", "--yes").stdout
    assert "doomed" not in soulmem("mind", "list").stdout
    assert "养蜂" not in soulmem("recall", "bees 养蜂", "-m", "doomed", code=1).stdout


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("mind", "show", "nobody"), 1, "`soulmem mind list`"),
        (("mind", "set", "kept"), 2, "nothing to set"),
        (("mind", "set", "kept", "title"), 2, "sets nothing"),
        (("mind", "set", "kept", "window.capacty=3"), 64, "window.capacity"),
        (("mind", "set", "kept", "window.capacity=many"), 64, "window.capacity"),
        (("mind", "create", "Big Name"), 64, "title"),
        (("mind", "create", "kept"), 1, "kept"),
        (("messages", "kept", "-c", "none"), 1, "`soulmem mind show`"),
        (("messages", "kept", "--from", "whenever"), 64, "whenever"),
        (("delete", "m99", "-m", "kept", "--yes"), 1, "`soulmem messages`"),
    ],
)
def test_what_cannot_be_is_one_line(soulmem: Shell, words: tuple[str, ...], code: int, told: str) -> None:
    if "kept" not in soulmem("mind", "list").stdout:
        soulmem("say", "kept", "-m", "kept")
    done = soulmem(*words, code=code)
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert told in done.stderr
    as_json = soulmem(*words, "--json", code=code)
    assert told in json.loads(as_json.stderr)["error"]["message"] + str(json.loads(as_json.stderr)["error"]["hint"])


def test_the_latest_notes_are_listed(soulmem: Shell) -> None:
    soulmem("say", "hello", "-m", "noting")
    for text in ("Mara keeps bees.", "小苇住在成都。", "Tom plays the cello."):
        soulmem("say", text, "-m", "noting")
        soulmem("sleep", "-m", "noting")
    every = [each["id"] for each in soulmem.json("notes", "-m", "noting")["items"]]
    assert every == sorted(every, key=lambda name: int(name[1:]))
    assert len(every) >= 3
    assert [each["id"] for each in soulmem.json("notes", "-m", "noting", "-n", "2")["items"]] == every[-2:]
    assert "2 notes, --limit shows more" in soulmem("notes", "-m", "noting", "-n", "2").stdout


def test_attributes_are_kept_and_found_by(soulmem: Shell) -> None:
    soulmem(
        "say", "The bees live on the roof 屋顶.", "--attribute", "topic=蜂", "--attribute", "stars=4", "-m", "about"
    )
    soulmem("say", "The bees sleep.", "--attribute", "topic=wasps", "-m", "about")
    assert [each["attributes"] for each in soulmem.json("messages", "about")["items"]] == [
        {"stars": 4, "topic": "蜂"},
        {"topic": "wasps"},
    ]
    for wanted in ("topic=蜂", 'stars={"gte": 3}'):
        found = soulmem.json("recall", "where are the bees?", "--attribute", wanted, "-m", "about")
        assert ["屋顶" in item["text"] for item in found["items"]] == [True]
    assert "topic=bees" in soulmem("recall", "bees", "--attribute", "topic", "-m", "about", code=2).stderr


def test_attributes_are_changed_and_narrow_a_context(soulmem: Shell) -> None:
    soulmem("mind", "create", "edited", "--profile", "assistant")
    soulmem("say", "The bees live on the roof 屋顶.", "--id", "a", "--attribute", "topic=蜂", "-m", "edited")
    assert "a changed" in soulmem("edit", "a", "--attribute", "topic=bees", "-m", "edited").stdout
    assert "a is so already" in soulmem("edit", "--seq", "1", "--attribute", "topic=bees", "-m", "edited").stdout
    (said,) = soulmem.json("messages", "edited")["items"]
    assert (said["content"], said["attributes"]) == ("The bees live on the roof 屋顶.", {"topic": "bees"})
    soulmem("say", "What else 还有呢？", "-c", "another", "-m", "edited")
    for topic, is_told in (("bees", True), ("wasps", False)):
        told = soulmem.json("context", "where are the bees? 蜜蜂", "--attribute", f"topic={topic}", "-m", "edited")
        assert any("屋顶" in block["text"] for block in told["blocks"] if block["kind"] == "notes") is is_told
    assert "query" in soulmem("context", "--attribute", "topic=bees", "-m", "edited", code=64).stderr
    soulmem("edit", "a", "--no-attributes", "-m", "edited")
    assert soulmem.json("messages", "edited")["items"][0]["attributes"] == {}
    for wrong in (["a"], [], ["--seq", "1"], ["a", "one", "two"]):
        assert "its attributes" in soulmem("edit", *wrong, "-m", "edited", code=2).stderr
