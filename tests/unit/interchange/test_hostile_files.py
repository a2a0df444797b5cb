"""Files that are broken, or made to harm, are refused or passed over with a line, and never fill the memory."""

from __future__ import annotations

import io
import json
import os
import struct
import subprocess
import sys
import zipfile
import zlib
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

import foreign_files
from foreign_files import chunk, packed, picture
from soulmem.interchange.importing.import_run import ImportRun
from soulmem.interchange.importing.import_tally import Tally
from soulmem.interchange.reading import json_pieces, png_texts, written_times
from soulmem.interchange.reading.byte_sources import UnreadableError, file_source
from soulmem.interchange.records import Wishes

ROOT = Path(__file__).resolve().parents[3]
LARGE = 200_000_000 if os.environ.get("SOULMEM_TORTURE") else 100_000_000  # bytes


def rehearse(path: Path) -> Tally:
    run = ImportRun(None, "nobody", Wishes(UTC), lambda _: None)
    run.read(str(path), None)
    return run.tally


def refusal(path: Path) -> str:
    with pytest.raises(UnreadableError) as error:
        rehearse(path)
    assert "\n" not in str(error.value)
    return str(error.value)


def put(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_a_picture_with_a_wrong_checksum_is_refused(tmp_path: Path) -> None:
    text = [(b"tEXt", b"chara\0" + packed(foreign_files.card()))]
    assert "checksum" in refusal(put(tmp_path / "a", picture(text, check=7)))
    assert "cut off" in refusal(put(tmp_path / "b", picture(text)[:200]))
    assert "no character card" in refusal(put(tmp_path / "c", picture([(b"tEXt", b"Software\0x")])))
    assert "base64" in refusal(put(tmp_path / "d", picture([(b"tEXt", b"chara\0!!!")])))
    huge = picture([])[:33] + struct.pack(">I4s", 0xFFFFFFFF, b"tEXt")
    assert "larger than 16 MiB" in refusal(put(tmp_path / "e", huge))
    bomb = chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"A" * (64 << 20)))
    assert "larger than 16 MiB" in refusal(put(tmp_path / "f", picture([])[:33] + bomb))


def test_a_picture_whose_pixels_are_damaged_gives_its_card(tmp_path: Path) -> None:
    data = picture([(b"tEXt", b"chara\0" + packed(foreign_files.card()))])
    damaged = data.replace(zlib.compress(b"\0\0"), b"\xff" * len(zlib.compress(b"\0\0")))
    assert rehearse(put(tmp_path / "a.png", damaged)).persona == "read"


def test_an_archive_that_leads_out_or_explodes_is_not_followed(tmp_path: Path) -> None:
    path, talk = tmp_path / "a.zip", json.dumps([foreign_files.chatgpt_conversation()])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../evil.json", talk)
        archive.writestr("/etc/evil.json", talk)
        archive.writestr("C:\\evil.json", talk)
        archive.writestr("bomb.json", b" " * (200 << 20))
        archive.writestr("good/conversations.json", talk)
    tally = rehearse(path)
    assert tally.read == 3
    told = [each["message"] for each in tally.refused]
    assert told.count("a file in the archive leads out of it") == 3
    assert sum("zip bomb" in each for each in told) == 1
    assert not list(tmp_path.parent.glob("evil*"))


def test_an_archive_that_lies_about_the_size_of_a_file_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b"[" + b" " * (90 << 20))
    data = path.read_bytes().replace(struct.pack("<L", (90 << 20) + 1), struct.pack("<L", 1000))
    tally = rehearse(put(path, data))
    assert (tally.read, tally.faults) == (0, 1)


def test_archives_that_are_damaged_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([foreign_files.chatgpt_conversation()]))
    data = path.read_bytes()
    assert "cut off" in refusal(put(path, data[:-30]))
    tally = rehearse(put(path, data.replace(b"Ines", b"Anes")))  # its checksum is wrong now
    assert tally.faults == 1
    many = data[:-22] + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 60_000, 60_000, 100, 0, 0)
    assert "more than 20,000 files" in refusal(put(path, many))


def test_a_book_of_fifty_megabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "world.json"
    with path.open("w") as stream:
        stream.write('{"entries": {')
        for number in range(50):
            stream.write(f'"{number}": {{"content": "{"x" * (1 << 20)}"}},')
        stream.write('"z": {"content": "end"}}}')
    assert "larger than 16 MiB" in refusal(path)


@pytest.mark.parametrize("content", [b"[{", b'[{"mapping": {}', b'[{"a": "', b'{\n"spec": ', b"[" * 100_000])
def test_what_is_cut_off_is_one_line(tmp_path: Path, content: bytes) -> None:
    assert refusal(put(tmp_path / "x.json", content))


@pytest.mark.parametrize("data", [b"\x7fELF\x02,\r\x01,content\rx", b"at,content\r\r2024", bytes(range(256)) * 4])
def test_what_is_no_text_is_of_no_known_format(tmp_path: Path, data: bytes) -> None:
    assert "no format that is known" in refusal(put(tmp_path / "ls", data))


def test_broken_lines_and_conversations_harm_no_other(tmp_path: Path) -> None:
    rows = foreign_files.lines(foreign_files.SILLYTAVERN).encode().splitlines(keepends=True)
    broken = [rows[0], b"{broken\n", b"\xff\xfe\n", b"[]\n", b'"text"\n', b'{"mes": 7, "swipes": [3]}\n', *rows[1:]]
    assert rehearse(put(tmp_path / "chat.jsonl", b"".join(broken))).read == 4
    good = json.dumps(foreign_files.chatgpt_conversation())
    deep = '{"mapping": ' + '{"a":' * 200_000 + "1" + "}" * 200_001
    large = '{"mapping": {"x": "' + "y" * (17 << 20) + '"}}'
    tally = rehearse(put(tmp_path / "c.json", f"[{good}, {deep}, {large}, {{broken}}, NaN, {good}]".encode()))
    assert tally.read == 6
    assert tally.faults == 3


@given(some.lists(some.recursive(some.text() | some.integers() | some.none(), some.lists, max_leaves=5), max_size=6),
       some.integers(1, 40))  # fmt: skip
def test_items_are_found_in_whatever_pieces_a_list_comes(values: list[object], size: int) -> None:
    """What is between the brackets, with whatever quotes, backslashes and brackets there are in texts."""
    listed = [{"v": value, "q": '\\"]}{[' * (number % 3)} for number, value in enumerate(values)]
    data = json.dumps(listed, ensure_ascii=False).encode()
    found = list(json_pieces.items(_Slow(data, size)))
    assert [json_pieces.parsed(item.data or b"") for item in found] == listed
    assert [data[item.begin : item.begin + len(item.data or b"")] for item in found] == [each.data for each in found]


class _Slow(io.BytesIO):
    """Gives no more than a few bytes at a time."""

    def __init__(self, data: bytes, most: int) -> None:
        super().__init__(data)
        self._most = most

    def read(self, _size: int | None = -1) -> bytes:
        return super().read(self._most)


@given(some.text() | some.floats() | some.integers() | some.none() | some.booleans())
def test_whatever_stands_for_a_time_is_a_time_or_none(value: object) -> None:
    at = written_times.iso(value)
    assert at is None or written_times.iso(at) is not None or at.startswith("0")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("June 19, 2023 2:20pm", "2023-06-19T14:20:00Z"), ("2024-7-12@01h31m37s", "2024-07-12T01:31:37Z"),
        ("2024-6-5 @14h 56m 50s 682ms", "2024-06-05T14:56:50.682Z"),
        ("12:05 am on 1 May, 2023", "2023-05-01T00:05:00Z"),
        (1714550400123, "2024-05-01T08:00:00.123Z"), (1714550400.5, "2024-05-01T08:00:00.500Z"),
        ("2024/05/01 08:00", "2024-05-01T08:00:00Z"), ("soon", None), (float("nan"), None), (1e300, None), (True, None),
        ("Smarch 1, 2024 8:00am", None), ("2024-13-45@99h99m99s", None), (None, None), ("9" * 5000, None),
    ],
)  # fmt: skip
def test_times_are_read_as_other_programs_write_them(written: object, read: str | None) -> None:
    assert written_times.iso(written) == read


@given(some.binary(max_size=200))
def test_whatever_follows_a_signature_is_a_line_at_most(data: bytes) -> None:
    told = list[str]()
    for begin in (png_texts.SIGNATURE, b"PK\x03\x04", b"SQLite format 3\0", b"[{", b"{", b""):
        path = Path("/dev/shm" if Path("/dev/shm").is_dir() else "/tmp") / "soulmem-hostile"
        path.write_bytes(begin + data)
        try:
            rehearse(path)
        except UnreadableError as error:
            told.append(str(error))
        finally:
            path.unlink()
    assert not any("\n" in each for each in told)


@pytest.mark.thorough
@pytest.mark.parametrize("is_packed", [False, True])
def test_a_large_export_is_read_in_bounded_memory(tmp_path: Path, is_packed: bool) -> None:
    """Much talk, newest first: as one text of Python it would take twice its size."""
    tree, path = foreign_files.chatgpt_conversation("c{}"), tmp_path / "conversations.json"
    tree["mapping"]["b"]["message"]["content"]["parts"] = ["我说了很多。 " + "many words " * 8_000]
    row = json.dumps(tree, ensure_ascii=False)
    count = LARGE // len(row.encode()) + 1
    with path.open("w", encoding="utf-8") as stream:
        stream.write("[" + row.replace("c{}", "c0"))
        for number in range(1, count):
            stream.write(",\n" + row.replace("c{}", f"c{number}"))
        stream.write("]")
    assert file_source(path).size > LARGE
    if is_packed:
        with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.write(path, "conversations.json")
        path = tmp_path / "a.zip"
    told, kilobytes = _rehearsed_alone(path)
    assert f"{3 * count} messages read" in told
    assert kilobytes < 150_000


@pytest.mark.thorough
def test_conversations_that_are_as_long_as_may_be_are_read_in_bounded_memory(tmp_path: Path) -> None:
    """Two of thirty thousand messages each."""
    trees = []
    for name in ("one", "two"):
        nodes = [{**foreign_files.node(f"n{number}", f"n{number - 1}", "user", "我说了 many words. " * 6),
                  "children": [f"n{number + 1}"]} for number in range(30_000)]  # fmt: skip
        mapping = {str(node["id"]): node for node in nodes}
        tree = {"conversation_id": name, "create_time": 1.0, "current_node": "n29999", "mapping": mapping}
        trees.append(json.dumps(tree, ensure_ascii=False))
    (tmp_path / "c.json").write_text(f"[{','.join(trees)}]", "utf-8")
    told, kilobytes = _rehearsed_alone(tmp_path / "c.json")
    assert "60000 messages read" in told
    assert kilobytes < 150_000


def _rehearsed_alone(path: Path) -> tuple[str, int]:
    """What a process of its own tells of a file, and how much memory it ever had."""
    program = (
        "import sys\nfrom pathlib import Path\nfrom soulmem.cli.main import run\n"
        "sys.argv = ['soulmem', 'import', sys.argv[1], '--dry-run']\n"
        "try:\n    run()\nexcept SystemExit as done:\n    assert not done.code\n"
        "print(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    return done.stdout, int(done.stdout.split()[-1])
