"""What an endpoint's errors mean, in one line that names the setting to mend and never the key."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from every_row import every_row
from soulmem.errors import SoulmemError
from soulmem.llm.endpoint.endpoint_address import address_of
from soulmem.llm.endpoint.endpoint_failures import EndpointError, Feature, Kind, of_status
from soulmem.llm.endpoint.endpoint_options import EngineOptions
from soulmem.llm.endpoint.openai_request import Endpoint
from soulmem.ops.process.clock import SimulatedClock

KEY = "sk-very_secret"
NAMES = st.sampled_from(["choices", "message", "content", "usage", "error", "code", "model", "refusal"])
OPTIONS = EngineOptions("http://me:hunter2@127.0.0.1:8080/v1", "tiny", api_key=KEY)


def error(message: str, **more: Any) -> Any:
    return {"error": {"message": message, **more}}


@every_row(
    [
        (401, error(f"Incorrect API key: {KEY}", code=KEY), Kind.AWAY, "engine.api_key_file"),
        (403, "no", Kind.AWAY, "engine.api_key_file"),
        (402, error("Insufficient Balance"), Kind.AWAY, "engine.api_key_file"),
        (404, error('model "tiny" not found, try pulling it first'), Kind.AWAY, "engine.model"),
        (404, error("gone", code="model_not_found"), Kind.AWAY, "engine.model"),
        (400, error("no such thing", code="model_not_found"), Kind.AWAY, "engine.model"),
        (404, {"detail": "Not Found"}, Kind.AWAY, "engine.base_url"),
        (404, "404 page not found", Kind.AWAY, "engine.base_url"),
        (405, "", Kind.AWAY, "engine.base_url"),
        (301, "", Kind.AWAY, "engine.base_url"),
        (429, error("slow down"), Kind.AWAY, "wait"),
        (500, error("boom"), Kind.AWAY, "log"),
        (503, None, Kind.AWAY, "log"),
        (400, error("too long", code="context_length_exceeded"), Kind.REFUSED, "engine.max_tokens"),
        (413, [], Kind.REFUSED, "engine.model"),
    ],
    unpack=True,
)
def test_each_status_is_one_line_and_a_setting(status: int, body: Any, kind: Kind, named: str) -> None:
    failure = of_status(status, body, {}, OPTIONS, "tiny", 0)
    assert failure.kind is kind
    assert named in failure.hint
    told = f"{failure.message} {failure.hint}"
    assert "\n" not in told
    assert "secret" not in told
    assert "hunter2" not in told
    assert str(status) in failure.message


@every_row(
    [
        (400, {"error": "'response_format.type' must be 'json_schema' or 'text'"}, Feature.FORMAT),
        (422, {"detail": "response_format: extra fields not permitted"}, Feature.FORMAT),
        (400, error("Invalid schema", param="response_format"), Feature.FORMAT),
        (500, error("failed to parse grammar"), Feature.FORMAT),
        (400, error("Unsupported parameter", param="max_tokens"), Feature.MAX_TOKENS),
        (400, error("Use 'max_completion_tokens' instead."), Feature.MAX_TOKENS),
        (400, error("Only the default (1) value is supported", param="temperature"), Feature.TEMPERATURE),
        (400, error("temperature must be 1"), Feature.TEMPERATURE),
    ],
    unpack=True,
)
def test_a_parameter_that_is_not_known_there(status: int, body: Any, feature: Feature) -> None:
    failure = of_status(status, body, {}, OPTIONS, "tiny", 0)
    assert (failure.kind, failure.feature) == (Kind.UNSUPPORTED, feature)


def test_a_url_without_v1_is_told_where_to_look() -> None:
    failure = of_status(404, {}, {}, EngineOptions("http://localhost:11434", "tiny"), "tiny", 0)
    assert failure.hint == "try http://localhost:11434/v1 as `engine.base_url`"


def test_what_busy_endpoints_ask_for_is_kept() -> None:
    assert of_status(429, "", {"retry-after": "3600"}, OPTIONS, "tiny", 0).retry_after_ms == 3_600_000


@every_row(
    [400, 401, 404, 422, 429, 500, 599, 418],
    [None, [], {}, {"error": None}, {"error": []}, {"error": {"message": 5, "code": 7}}, 3.5],
)
def test_any_body_will_do(status: int, body: Any) -> None:
    assert of_status(status, body, {}, OPTIONS, "tiny", 0).message


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES | st.text(max_size=8), inner, max_size=5),
)


@given(json_values | st.fixed_dictionaries({"choices": st.lists(st.fixed_dictionaries({"message": json_values}))}))
def test_any_body_is_a_reply_or_one_of_our_failures(body: Any) -> None:
    endpoint = Endpoint(OPTIONS, SimulatedClock(0))
    try:
        reply = endpoint.read(json.dumps(body).encode(), "application/json", "tiny")
    except EndpointError as error:
        told = f"{error.failure.message} {error.failure.hint}"
        assert "hunter2" not in told
    else:
        assert isinstance(reply.text, str)
        assert all(count is None or count >= 0 for count in (reply.tokens_in, reply.tokens_out))


@given(st.binary(max_size=40))
def test_any_bytes_are_a_reply_or_one_of_our_failures(content: bytes) -> None:
    with contextlib.suppress(EndpointError):
        Endpoint(OPTIONS, SimulatedClock(0)).read(content, "", "tiny")


def test_an_error_sent_as_if_all_were_well_is_taken_for_what_it_is() -> None:
    body = json.dumps({"error": {"code": 429, "message": "busy"}}).encode()
    with pytest.raises(EndpointError) as raised:
        Endpoint(OPTIONS, SimulatedClock(0)).read(body, "application/json", "tiny")
    assert (raised.value.failure.kind, raised.value.failure.passing) == (Kind.AWAY, True)


def test_a_message_in_parts_is_put_together() -> None:
    parts = [{"type": "text", "text": "{"}, {"type": "text", "text": "}"}, {"type": "image"}, {"text": None}]
    body = json.dumps({"choices": [{"message": {"content": parts, "reasoning_content": "x"}}]}).encode()
    assert Endpoint(OPTIONS, SimulatedClock(0)).read(body, "", "tiny").text == "{}"


@every_row(
    [
        ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1", "127.0.0.1:8080", None),
        ("https://me:pw@llm.example/v1", "https://llm.example/v1", "https://llm.example/v1", "llm.example", None),
        ("http://[::1]:1234", "http://[::1]:1234", "http://[::1]:1234", "[::1]:1234", None),
        ("unix:/run/llm.sock", "http://localhost/v1", "unix:/run/llm.sock:/v1", "unix:/run/llm.sock", "/run/llm.sock"),
        ("unix:/run/l.sock:/api", "http://localhost/api", "unix:/run/l.sock:/api", "unix:/run/l.sock", "/run/l.sock"),
        ("unix:///run/l.sock", "http://localhost/v1", "unix:/run/l.sock:/v1", "unix:/run/l.sock", "/run/l.sock"),
    ],
    unpack=True,
)
def test_addresses(base_url: str, url: str, shown: str, endpoint: str, socket: str | None) -> None:
    address = address_of(base_url)
    assert (address.url, address.shown, address.endpoint, address.socket) == (url, shown, endpoint, socket)
    assert "pw" not in repr(address)


@every_row(["", "localhost:8080", "ftp://x/v1", "http://", "http://x:port", "unix:rel.sock", "unix:/a:b"])
def test_what_cannot_be_a_url_is_refused_at_once(base_url: str) -> None:
    with pytest.raises(SoulmemError) as raised:
        address_of(base_url)
    assert raised.value.hint == "set `engine.base_url`"
