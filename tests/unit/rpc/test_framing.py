"""The line discipline: what is a frame, what is a fault, and that chunking never matters."""

from __future__ import annotations

import itertools
import json
import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.errors import ErrorName
from soulmem.rpc.transport.line_framing import DEPTH, FRAME_BYTES, Fault, FrameReader, Item, decode_line

EXAMPLES = 10_000 if os.environ.get("SOULMEM_TORTURE") else 300

REQUEST = '{"jsonrpc":"2.0","id":1,"method":"message.add","params":{"content":"我叫小林, I keep bees {[["}}'.encode()

KEPT_CORPUS: list[tuple[str, bytes, ErrorName]] = [
    ("words", b"hello there", ErrorName.PARSE_ERROR),
    ("chinese words", "你好".encode(), ErrorName.PARSE_ERROR),
    ("half an object", b'{"jsonrpc":"2.0","id":1', ErrorName.PARSE_ERROR),
    ("two objects", b'{"a":1}{"b":2}', ErrorName.PARSE_ERROR),
    ("trailing comma", b'{"a":1,}', ErrorName.PARSE_ERROR),
    ("single quotes", b"{'a':1}", ErrorName.PARSE_ERROR),
    ("invalid utf-8", b'{"a":"\xff\xfe"}', ErrorName.PARSE_ERROR),
    ("overlong utf-8", b'{"a":"\xc0\xaf"}', ErrorName.PARSE_ERROR),
    ("utf-8 surrogate", b'{"a":"\xed\xa0\x80"}', ErrorName.PARSE_ERROR),
    ("utf-16", '{"a":1}'.encode("utf-16-le"), ErrorName.PARSE_ERROR),
    ("byte order mark", b'\xef\xbb\xbf{"a":1}', ErrorName.PARSE_ERROR),
    ("gbk", '{"a":"你好"}'.encode("gbk"), ErrorName.PARSE_ERROR),
    ("NaN", b'{"a":NaN}', ErrorName.PARSE_ERROR),
    ("Infinity", b'{"a":Infinity}', ErrorName.PARSE_ERROR),
    ("-Infinity", b'{"a":-Infinity}', ErrorName.PARSE_ERROR),
    ("overflowing float", b'{"a":1e400}', ErrorName.PARSE_ERROR),
    ("integer of 65 bits", b'{"a":18446744073709551616}', ErrorName.PARSE_ERROR),
    ("integer of 10,000 digits", b'{"a":' + b"9" * 10_000 + b"}", ErrorName.PARSE_ERROR),
    ("duplicate keys", b'{"a":1,"a":2}', ErrorName.PARSE_ERROR),
    ("duplicate keys, deep", b'{"p":{"a":1,"\\u0061":2}}', ErrorName.PARSE_ERROR),
    ("NUL", b"\0", ErrorName.PARSE_ERROR),
    ("raw NUL in a string", b'{"a":"\0"}', ErrorName.PARSE_ERROR),
    ("raw tab in a string", b'{"a":"\t"}', ErrorName.PARSE_ERROR),
    ("depth 65", b'{"a":' + b"[" * 64 + b"]" * 64 + b"}", ErrorName.PARSE_ERROR),
    ("depth 10,000", b'{"a":' + b"[" * 10_000 + b"]" * 10_000 + b"}", ErrorName.PARSE_ERROR),
    ("depth 500,000, never closed", b"[" * 500_000, ErrorName.PARSE_ERROR),
    ("batch", b'[{"jsonrpc":"2.0","id":1,"method":"system.ping"}]', ErrorName.INVALID_REQUEST),
    ("empty batch", b"[]", ErrorName.INVALID_REQUEST),
    ("string", b'"hello"', ErrorName.INVALID_REQUEST),
    ("number", b"1", ErrorName.INVALID_REQUEST),
    ("null", b"null", ErrorName.INVALID_REQUEST),
    ("not quite a verb", b"GETTING THERE", ErrorName.PARSE_ERROR),
    ("lower-case verb", b"get / HTTP/1.1", ErrorName.PARSE_ERROR),
    ("TLS hello", b"\x16\x03\x01\x02\x00\x01", ErrorName.PARSE_ERROR),
]


def read_all(chunks: list[bytes], **limits: int) -> list[Item]:
    reader = FrameReader(**limits)
    items: list[Item] = []
    for chunk in chunks:
        reader.feed(chunk)
        items += reader.take()
    return items + reader.finish()


@every_row([row[1:] for row in KEPT_CORPUS], unpack=True)
def test_a_bad_line_is_answered_and_the_next_one_served(line: bytes, name: ErrorName) -> None:
    items = read_all([line + b"\n" + REQUEST + b"\n"])
    assert len(items) == 2
    fault = items[0]
    assert isinstance(fault, Fault)
    assert (fault.name, fault.closes, fault.banner) == (name, False, False)
    assert len(fault.message) < 120
    assert items[1] == json.loads(REQUEST)


@every_row(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE", "PRI"])
def test_an_http_verb_closes_before_its_line_ends(verb: str) -> None:
    reader = FrameReader()
    reader.feed(verb.encode())
    assert reader.take() == []
    reader.feed(b" /v1 HTTP/1.1\r\n\r\n" + REQUEST + b"\n")
    (fault,) = reader.take()
    assert isinstance(fault, Fault)
    assert fault.closes
    assert fault.banner
    reader.feed(REQUEST + b"\n")
    assert reader.take() == reader.finish() == []


def test_blank_lines_and_carriage_returns_are_tolerated() -> None:
    text = b"\n\r\n  \t \n\n" + REQUEST + b"\r\n\r\n \n" + REQUEST + b" \r\n\n"
    assert read_all([text]) == [json.loads(REQUEST)] * 2


def test_a_last_line_without_its_line_feed_counts() -> None:
    assert read_all([REQUEST]) == [json.loads(REQUEST)]
    (fault,) = read_all([REQUEST[:-1]])
    assert isinstance(fault, Fault)


def test_the_limit_is_exact() -> None:
    fits = b'{"a":"' + b"x" * 92 + b'"}'
    assert len(fits) == 100
    assert read_all([fits + b"\n"], frame_bytes=100) == [json.loads(fits)]
    for text in (b" " + fits + b"\n", b"\n  " + fits + b"\n"):
        assert read_all([text], frame_bytes=100) == [json.loads(fits)], "leading blanks do not count"
    for text in (fits + b" \n", fits + b"\r\n", fits + b" "):
        (fault,) = read_all([text + b"{}\n"], frame_bytes=100)
        assert isinstance(fault, Fault)
        assert (fault.name, fault.closes) == (ErrorName.TOO_LARGE, True)


def test_a_frame_of_the_full_limit_passes() -> None:
    line = b'{"a":"' + b"y" * (FRAME_BYTES - 8) + b'"}'
    (frame,) = read_all([line[i : i + 65_536] for i in range(0, len(line), 65_536)] + [b"\n"])
    assert isinstance(frame, dict)


def test_an_endless_line_holds_no_more_than_the_limit() -> None:
    reader = FrameReader()
    chunk = b"{" + b"x" * 262_143
    items: list[Item] = []
    for _ in range(4096):  # 1 GiB
        reader.feed(chunk)
        items += reader.take()
        assert len(reader._buffer) <= FRAME_BYTES + len(chunk)
    assert [type(item) for item in items] == [Fault]


@pytest.mark.parametrize("depth", [1, 2, 63, 64])
def test_allowed_depth_passes_and_one_more_fails(depth: int) -> None:
    def nested(levels: int) -> bytes:
        return b'{"a":' * levels + b"1" + b"}" * levels

    assert isinstance(decode_line(nested(depth), depth), dict)
    assert isinstance(decode_line(nested(depth + 1), depth), Fault)
    mixed = b'{"a":' + (b"[" * (depth - 1) + b"]" * (depth - 1) or b"1") + b"}"
    assert isinstance(decode_line(mixed, depth), dict)


def test_brackets_in_text_are_not_nesting() -> None:
    value = {"content": "[[[{{{" * 1000, "wide": [[1], [2]] * 500}
    assert decode_line(json.dumps(value).encode()) == value


def test_64_bit_integers_and_escapes_survive() -> None:
    line = b'{"min":-9223372036854775808,"max":9223372036854775807,"lone":"\\ud800","nul":"\\u0000"}'
    assert decode_line(line) == {"min": -(2**63), "max": 2**63 - 1, "lone": "\ud800", "nul": "\0"}


def test_taking_in_shares_gives_the_same_as_taking_at_once() -> None:
    lines = [b'{"n":%d}' % n for n in range(100)]
    reader = FrameReader()
    reader.feed(b"\n".join(lines) + b'\n{"half":')
    shares: list[Item] = []
    while True:
        share = reader.take(7)
        assert len(share) <= 7
        shares += share
        if not reader.has_more:
            break
    assert shares == [{"n": n} for n in range(100)]
    assert reader.is_partial
    reader.feed(b"1}\n")
    assert reader.take() == [{"half": 1}]
    assert not reader.is_partial


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
json_objects = st.dictionaries(st.sampled_from(["id", "method", "params", "内容"]), json_values, max_size=4)
lines = st.one_of(
    json_objects.map(lambda value: json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")),
    st.sampled_from([row[1] for row in KEPT_CORPUS if len(row[1]) < 2000]),
    st.sampled_from([b"", b" ", b"\r", b"GET / HTTP/1.1", b"x" * 600, b'{"a":"' + b"b" * 600 + b'"}', b"GE", b"PRI"]),
    st.binary(max_size=40),
)
streams = st.builds(
    lambda parts, ends, tail: b"".join(p + e for p, e in zip(parts, ends, strict=False)) + tail,
    st.lists(lines, max_size=6),
    st.lists(st.sampled_from([b"\n", b"\r\n", b"\n\n"]), min_size=6, max_size=6),
    lines,
)


@settings(max_examples=EXAMPLES, deadline=None)
@given(stream=streams, cuts=st.lists(st.integers(0, 3000), max_size=12), share=st.integers(1, 5))
def test_any_chunking_gives_the_same_items(stream: bytes, cuts: list[int], share: int) -> None:
    whole = read_all([stream], frame_bytes=500)
    edges = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    chunks = [stream[a:b] for a, b in itertools.pairwise(edges)]
    assert read_all(chunks, frame_bytes=500) == whole
    assert read_all([bytes([byte]) for byte in stream], frame_bytes=500) == whole
    reader = FrameReader(frame_bytes=500)
    shared: list[Item] = []
    for chunk in chunks:
        reader.feed(chunk)
        shared += reader.take(share)
        while reader.has_more:
            shared += reader.take(share)
    assert shared + reader.finish() == whole


@settings(max_examples=EXAMPLES, deadline=None)
@given(value=json_objects)
def test_what_json_writes_we_read(value: dict[str, Any]) -> None:
    try:
        line = json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        line = json.dumps(value).encode()
    assert decode_line(line, DEPTH) == value


@settings(max_examples=EXAMPLES, deadline=None)
@given(noise=st.binary(max_size=300))
def test_noise_never_raises_and_never_stops_the_next_request(noise: bytes) -> None:
    reader = FrameReader()
    reader.feed(noise + b"\n" + REQUEST + b"\n")
    items = reader.take()
    closed = any(isinstance(item, Fault) and item.closes for item in items)
    assert closed or items[-1] == json.loads(REQUEST)
