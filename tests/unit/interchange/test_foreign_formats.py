"""Files of other programs are known by what stands in them, and what they say is read and nothing else."""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

import foreign_files
from soulmem.interchange.formats import recognition
from soulmem.interchange.importing.import_run import ImportRun
from soulmem.interchange.importing.import_sources import Found, sources
from soulmem.interchange.reading.byte_sources import file_source
from soulmem.interchange.records import LeftOut, Noted, Observed, Persona, Record, Related, Said, Wishes

WISHES = Wishes(UTC)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return foreign_files.write_all(tmp_path_factory.mktemp("files"))


def records(path: Path, wishes: Wishes = WISHES) -> list[Record]:
    found: list[Record] = []
    for each in sources(str(path), None, wishes):
        if isinstance(each, Found):
            found += recognition.READERS[each.format](each.source, wishes)
        else:
            found.append(each)
    return found


def said(found: list[Record]) -> list[dict[str, Any]]:
    return [each.message for each in found if isinstance(each, Said)]


def notes(found: list[Record]) -> list[dict[str, Any]]:
    return [each.note for each in found if isinstance(each, Noted)]


def reasons(found: list[Record]) -> list[str]:
    return [each.why for each in found if isinstance(each, LeftOut)]


def test_each_file_is_known_by_its_content_whatever_it_is_called(files: dict[str, Path], tmp_path: Path) -> None:
    for name, path in files.items():
        if not name.startswith("zip"):
            copy = tmp_path / "unnamed"
            copy.write_bytes(path.read_bytes())
            assert recognition.recognise(file_source(copy), WISHES) == name.split()[0], name


def test_what_is_of_no_format_is_not_guessed(tmp_path: Path) -> None:
    for content in (b"Dear diary, today nothing happened.\n", b"\x7fELF\x02", b'{"a": 1}', b"[1, 2]", b'[{"a": 1}]'):
        (tmp_path / "x").write_bytes(content)
        assert recognition.recognise(file_source(tmp_path / "x"), WISHES) is None, content


def test_a_chat_is_read_as_it_was_shown(files: dict[str, Path]) -> None:
    found = records(files["sillytavern"])
    assert [(each["role"], each["speaker"], each["content"], each["at"]) for each in said(found)] == [
        ("assistant", "Mira", "Hello 小苇!", "2024-05-01T08:00:00Z"),
        ("user", "小苇", "我妹妹 Ines 养蜜蜂。", "2024-05-01T08:01:05Z"),
        ("assistant", "Mira", "蜜蜂怎么样？", "2024-05-01T08:01:05.001Z"),
        ("user", "小苇", "They are fine.", "2024-05-01T08:10:00Z"),
    ]
    assert {each["conversation"] for each in said(found)} == {"Mira - 2024"}
    assert reasons(found) == ["hidden, or a note of the program"]


def test_of_a_group_one_is_the_character(files: dict[str, Path]) -> None:
    path = files["sillytavern 2"]
    assert {each["role"] for each in said(records(path)) if each["speaker"] == "Mira"} == {"assistant"}
    theirs = said(records(path, Wishes(UTC, character="Tom", me="Wei")))
    assert {(each["role"], each["speaker"]) for each in theirs} == {("user", "Mira"), ("user", "Wei")}


def test_of_a_tree_the_branch_that_was_shown_is_read_in_the_order_of_time(files: dict[str, Path]) -> None:
    found = records(files["chatgpt"])
    first = [each for each in said(found) if each["conversation"] == "chatgpt c1"]
    assert [(each["role"], each["content"], each["at"]) for each in first] == [
        ("user", "My sister Ines keeps bees.", "2024-05-01T08:00:00Z"),
        ("assistant", "蜜蜂在成都好养吗？", "2024-05-01T08:00:00.001Z"),
        ("user", "是的，in 成都 they thrive.", "2024-05-01T08:00:00Z"),
    ]
    assert [each["conversation"] for each in said(found)] == ["chatgpt c1"] * 3 + ["chatgpt c2"] * 3
    assert first[0]["id"] == "msg-b"
    left_out = set(reasons(found))
    assert {"what the system said", "what a tool said", "said to a tool", "thoughts of the model"} <= left_out
    assert {"a picture or another file within a message", "of an unknown kind of content: hologram"} <= left_out


def test_a_tree_that_runs_in_a_circle_ends(tmp_path: Path) -> None:
    tree = foreign_files.chatgpt_conversation()
    tree["mapping"]["root"]["parent"] = "f"
    lost = foreign_files.chatgpt_conversation("lost")
    lost["current_node"], lost["create_time"], lost["update_time"] = None, None, None
    for each in lost["mapping"].values():
        if each["message"]:
            each["message"]["create_time"] = None
    (tmp_path / "x.json").write_text(json.dumps([tree, lost, {"mapping": {"a": 3}, "current_node": "a"}, 7]))
    found = records(tmp_path / "x.json")
    assert len(said(found)) == 3
    assert sum("circle" in each for each in reasons(found)) == 1
    assert "no time known: --at gives one" in reasons(found)
    wished = records(tmp_path / "x.json", Wishes(UTC, at="2020-01-01T00:00:00Z"))
    assert {each["at"] for each in said(wished) if each["conversation"] == "chatgpt lost"} >= {
        "2020-01-01T00:00:00.001Z"
    }


def test_blocks_of_text_come_before_the_plain_text(files: dict[str, Path]) -> None:
    found = records(files["claude"])
    assert [(each["role"], each["content"], each["conversation"]) for each in said(found)] == [
        ("user", "我搬到成都了。", "claude c1"), ("assistant", "How is the bookshop?", "claude c1"),
        ("user", "我搬到成都了。", "claude c2"), ("assistant", "How is the bookshop?", "claude c2"),
    ]  # fmt: skip
    assert said(found)[1]["at"] == "2024-05-01T08:00:00.124Z"
    assert {"a file that was attached", "what went to and from a tool", "an empty message"} == set(reasons(found))


def test_of_the_data_set_only_the_talk_is_read(files: dict[str, Path]) -> None:
    found = records(files["locomo"])
    assert [(each["role"], each["speaker"], each["at"], each["id"]) for each in said(found)] == [
        ("user", "Ines", "2023-05-08T13:56:00Z", "locomo conv-1 D1:1"),
        ("user", "小苇", "2023-05-08T13:56:01Z", "locomo conv-1 D1:2"),
    ]
    assert [each["role"] for each in said(records(files["locomo"], Wishes(UTC, character="小苇")))][1] == "assistant"
    assert "a session of which nothing is there" in reasons(found)


def test_memories_keep_their_words_their_time_and_whose_they_are(files: dict[str, Path]) -> None:
    found = notes(records(files["mem0"]))
    assert [each["text"] for each in found] == ["Alex prefers boutique hotels", "小苇对花生过敏"]
    assert found[0]["conversation"] == "user=alex"
    assert found[0]["at"] == "2024-05-01T15:00:00Z"
    assert found[0]["attributes"]["mem0"]["metadata"] == {"category": "travel"}
    assert found == notes(records(files["mem0 2"]))
    assert notes(records(files["mem0 3"]))[0]["text"] == "Likes 茶"


def test_of_a_history_what_holds_at_its_end_is_read(files: dict[str, Path]) -> None:
    found = records(files["mem0 4"])
    assert [each["text"] for each in notes(found)] == ["Lives in 成都"]
    assert notes(found)[0]["at"] == "2024-05-01T08:00:00Z"
    assert reasons(found) == ["a memory that was deleted there"]


def test_a_graph_is_read_in_all_its_spellings(files: dict[str, Path]) -> None:
    found = records(files["mcp-memory"])
    assert [(each.name, each.kind, each.observations) for each in found if isinstance(each, Observed)] == [
        ("Ines", "person", ("keeps bees", "住在成都")), ("小苇", "人", ()),
    ]  # fmt: skip
    assert [(each.source, each.target, each.kind) for each in found if isinstance(each, Related)] == [
        ("Ines", "小苇", "sister_of")
    ]


def test_a_table_is_read_by_the_names_of_its_columns_or_by_those_that_are_given(
    files: dict[str, Path], tmp_path: Path
) -> None:
    assert said(records(files["csv"])) == [
        {"role": "user", "content": "我搬家了；\nyes", "at": "2024-05-01T08:00:00Z", "speaker": "Tom"}
    ]
    (tmp_path / "t").write_text("wer\twas\twann\nbot\tHallo\t1714550400\nTom\t你好\t1714550401000\n")
    wishes = Wishes(UTC, columns={"content": "was", "at": "wann", "speaker": "wer"}, character="bot")
    assert [(each["role"], each["at"]) for each in said(records(tmp_path / "t", wishes))] == [
        ("assistant", "2024-05-01T08:00:00Z"), ("user", "2024-05-01T08:00:01Z"),
    ]  # fmt: skip


def test_entries_become_lore(files: dict[str, Path]) -> None:
    found = records(files["lorebook"])
    first, second = notes(found)
    assert (first["kind"], first["text"]) == ("lore", "The harbour of the character's town freezes in winter.")
    assert (first["tags"], first["pinned"]) == (["harbour", "港口", "ships"], False)
    assert (second["text"], second["pinned"]) == ("龙已经睡了一百年。", True)
    assert first["attributes"]["lore"]["entry"]["selectiveLogic"] == 3
    assert reasons(found) == ["an entry that is switched off", "an entry without words"]
    assert notes(records(files["lorebook 2"]))[0]["tags"] == ["lamp", "灯"]


@pytest.mark.parametrize(
    ("name", "called"),
    [("card", "Mira"), ("card 2", "Mira"), ("card 3", "Mira"), ("card 4", "米拉"), ("zip card", "米拉")],
)
def test_a_card_of_every_kind_says_who_the_character_is(files: dict[str, Path], name: str, called: str) -> None:
    found = records(files[name], Wishes(UTC, me="小苇"))
    (persona,) = [each for each in found if isinstance(each, Persona)]
    assert persona.name == called
    assert persona.text == f"{called} keeps the lighthouse and knows 小苇.\n\n话不多，心很细。"
    assert [each["text"] for each in notes(found)] == ([] if name == "card" else ["The lamp burns whale oil."])
    assert sum("card: " in each for each in reasons(found)) == 3


def test_a_rehearsal_counts_a_whole_folder(files: dict[str, Path]) -> None:
    run = ImportRun(None, "nobody", WISHES, lambda _: None)
    run.read(str(files["messages"].parent), None)
    assert run.tally.files == {
        "messages": 2, "sillytavern": 2, "chatgpt": 2, "claude": 1, "mem0": 4, "mcp-memory": 1, "locomo": 1, "csv": 1,
        "lorebook": 2, "card": 5,
    }  # fmt: skip
    assert run.tally.read == 2 + 8 + 9 + 4 + 2 + 1
    assert run.tally.stored == 0
    assert run.tally.left_out["a file of no format that is known"].first == "chat.html"
