"""Unused space: what stands in the parts of an SQLite file that hold no row.

Asked by `working/ingest/erasure_worker` after deletions. SQLite overwrites what it deletes (`secure_delete`), but not
what it leaves behind when it moves rows from page to page: the room between a page's cells keeps a copy, and later
cells overwrite some of it. So what is looked for is not a whole text but words of it and stretches of words, and what
stands in a living row as well gives nothing away. Read-only; the file must have no write-ahead log.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Iterator
from pathlib import Path
from struct import Struct

from soulmem.core.regex.lazy_regex import LazyPattern

_HEADER = 100  # bytes before the first page's own header
_CELLS_AT = {2: 12, 5: 12, 10: 8, 13: 8}  # kinds of pages with cells, and how long their headers are
_U16, _U32, _PAGE_HEADER = Struct(">H"), Struct(">I"), Struct(">BHHH")
_AT_ONCE = 64  # pages that are looked at without letting others have the interpreter
_MOST_FRAGMENTS = 4_000
_WORD = LazyPattern(r"[A-Za-z0-9](?:[A-Za-z0-9_'-]{3,})|[^\W\d_A-Za-z]{2,}")
_PART, _PART_STEP = 8, 4  # bytes of a long word, and of what lies between the begins of two of them
_STRETCH, _STRETCH_STEP = 24, 12  # the same of a text


def holds_copy(path: Path, texts: Iterable[str]) -> bool:
    """Whether something of these texts stands where no row is, and in no row."""
    wanted = _fragments(texts)
    if not wanted or not path.stat().st_size:
        return False
    if len(wanted) > _MOST_FRAGMENTS:
        return True  # to look for so many takes longer than to write the file anew
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
        found: set[bytes] = set()
        for _, unused in _stretches(held):
            found.update(each for each in wanted - found if each in unused)
        for whole, unused in _stretches(held) if found else ():
            found = {each for each in found if whole.count(each) <= unused.count(each)}
            if not found:
                break
        return bool(found)


def _fragments(texts: Iterable[str]) -> set[bytes]:
    """What would tell of the texts: their words, parts of long words, and stretches, of which some may be gone."""
    found = set[bytes]()
    for text in texts:
        for match in _WORD.finditer(text):
            word = match[0]
            if word.isascii():
                found.update((word.encode(), *_windows(word.encode(), _PART, _PART_STEP)))
            else:  # Chinese is written without spaces
                found.update(word[at : at + 2].encode() for at in range(len(word) - 1))
        found.update(_windows(text.encode("utf-8", "replace"), _STRETCH, _STRETCH_STEP))
    return found


def _windows(data: bytes, length: int, step: int) -> Iterator[bytes]:
    return (data[at : at + length] for at in range(0, len(data) - length + 1, step))


def _stretches(held: mmap.mmap) -> Iterator[tuple[bytes, bytes]]:
    """The file, some pages at a time, and what of them is unused."""
    size = _U16.unpack_from(held, 16)[0]
    size = 65_536 if size == 1 else size
    free = _free_pages(held, size)
    for first in range(0, len(held), _AT_ONCE * size):
        whole = held[first : first + _AT_ONCE * size]
        unused = b"\n".join(
            part
            for at in range(0, len(whole) - size + 1, size)
            for part in _unused(whole, at, at + size, number=(first + at) // size + 1, free=free)
            if part.strip(b"\x00")
        )
        yield whole, unused


def _free_pages(held: mmap.mmap, size: int) -> set[int]:
    """The numbers of the pages that are in no table, as the list in the file's header has them."""
    free = set[int]()
    trunk = _U32.unpack_from(held, 32)[0]
    while trunk and trunk not in free and trunk * size <= len(held):
        free.add(trunk)
        begin = (trunk - 1) * size
        count = min(_U32.unpack_from(held, begin + 4)[0], (size - 8) // 4)
        free.update(_U32.unpack_from(held, begin + 8 + 4 * each)[0] for each in range(count))
        trunk = _U32.unpack_from(held, begin)[0]
    return free


def _unused(data: bytes, begin: int, end: int, *, number: int, free: set[int]) -> Iterator[bytes]:
    """The parts of a page that hold nothing: all of a free one; else between its cells, and before the first."""
    if number in free:
        yield data[begin:end]
        return
    header = begin + (_HEADER if number == 1 else 0)
    kind, block, cells, content = _PAGE_HEADER.unpack_from(data, header)
    if kind not in _CELLS_AT:
        return
    yield data[header + _CELLS_AT[kind] + 2 * cells : begin + (content or end - begin)]
    while block and begin + block + 4 <= end:
        following, length = _U16.unpack_from(data, begin + block)[0], _U16.unpack_from(data, begin + block + 2)[0]
        yield data[begin + block + 4 : min(begin + block + length, end)]
        if following <= block:
            return
        block = following
