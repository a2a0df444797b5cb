"""What goes over the wire: every task in both languages, word for word, in a form that the protocol knows."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest
from pydantic import ConfigDict, TypeAdapter, with_config

from engine_bench import Bench
from goldens.requests_sent import request
from misbehaviours import M
from scripted_endpoint import ScriptedEndpoint
from soulmem.core.schema.engine_tasks import Task
from soulmem.llm.contracts import TABLE
from soulmem.llm.engine.answer_schema import strict_schema
from soulmem.llm.prompts import LANGUAGES

GOLDENS = Path(__file__).parents[2] / "goldens" / "prompts"
# what holds an answer to its form, by what the endpoint refuses
RUNGS = {M.NONE: "json_schema", M.NO_JSON_SCHEMA: "json_object", M.NO_RESPONSE_FORMAT: None}


@functools.cache
def protocol() -> TypeAdapter[Any]:
    """A request's form, with no field that it does not know."""
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming  # noqa: PLC0415 - it takes a second to read

    return TypeAdapter(with_config(ConfigDict(extra="forbid"))(CompletionCreateParamsNonStreaming))


@pytest.mark.parametrize("refuses", RUNGS, ids=lambda did: did.value)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_task_is_sent_as_its_golden_says(endpoint: ScriptedEndpoint, language: str, refuses: M) -> None:
    endpoint.misbehaviour = refuses
    rung = RUNGS[refuses]
    async with Bench(endpoint) as bench:
        for task in Task:
            before = len(endpoint.requests)
            asked = request(task, language)
            await getattr(bench.engine, task.value)(asked, bench.journal.call(f"{task.value}-{language}"))
            sent = [each.body for each in endpoint.requests[before:] if each.task is task]
            assert sent, f"{task} was not put to the endpoint"
            body = sent[-1]
            protocol().validate_python(body)
            system, user = (message["content"] for message in body["messages"][:2])
            golden = GOLDENS.joinpath(language, f"{task.value}.md").read_text("utf-8").removesuffix("\n")
            form = body.get("response_format")
            assert (form or {}).get("type") == rung
            if rung == "json_schema":
                assert f"{system}\n=====\n{user}" == golden
                assert form["json_schema"]["schema"] == strict_schema(TABLE[task])
            else:  # the form is told in words behind the rest
                assert f"{system}\n=====\n{user}".startswith(golden)
                assert all(name in user for name in strict_schema(TABLE[task])["properties"])
