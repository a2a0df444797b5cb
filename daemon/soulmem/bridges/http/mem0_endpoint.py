"""The paths of Mem0's server, and those of its platform, over the class that stands for Mem0 here.

Invariant: what a request means is decided by `soulmem.mem0` alone. A call that stores or deletes is carried to its end
even if its client hangs up: half of it would be neither done nor undone. What the platform has and a memory daemon has
not is refused by one line that names what does it here, never answered as if something had been done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from soulmem.bridges.http.http_replies import HttpRefusal, json_reply
from soulmem.bridges.http.mem0_requests import NOT_BY_APP, arguments_of, whole_number
from soulmem.bridges.http.request_bodies import read_object
from soulmem.mem0 import AsyncMemory, Mem0ValidationError, MemoryConfig
from soulmem.mem0.input_errors import MemoryNotFoundError

_DIGESTING, _OTHERS = 8, 24  # calls under way at once: together what one connection carries
_MOST_LISTED, _PAGE = 10_000, 100
_BATCHES = ("batch_update", "batch_delete")
_LONG = ("add", "delete_all", *_BATCHES)
ENTITIES = {"user": "user_id", "agent": "agent_id", "run": "run_id"}


@dataclass(frozen=True, slots=True)
class Operation:
    """A call of the class, and where it is made; `does` None: what the method says of itself."""

    verb: str
    paths: tuple[str, ...]
    method: str
    handler: str = "call"
    does: str | None = None

    @property
    def has_body(self) -> bool:
        return self.verb in ("POST", "PUT") or self.method in _BATCHES


def _of(verb: str, *paths: str, method: str, handler: str = "call", does: str | None = None) -> Operation:
    return Operation(verb, paths, method, handler, does)


OPERATIONS = (
    _of("POST", "/memories", "/v1/memories", "/v3/memories/add", method="add"),
    _of("GET", "/memories", "/v1/memories", method="get_all"),
    _of("POST", "/v2/memories", "/v3/memories", method="get_all", handler="page", does="A page of them, oldest first."),
    _of("DELETE", "/memories", "/v1/memories", method="delete_all"),
    _of("POST", "/search", "/v1/memories/search", "/v2/memories/search", "/v3/memories/search", method="search"),
    _of("GET", "/memories/{memory_id}", "/v1/memories/{memory_id}", method="get", handler="one"),
    _of("PUT", "/memories/{memory_id}", "/v1/memories/{memory_id}", method="update"),
    _of("DELETE", "/memories/{memory_id}", "/v1/memories/{memory_id}", method="delete"),
    _of("GET", "/memories/{memory_id}/history", "/v1/memories/{memory_id}/history", method="history"),
    _of("PUT", "/v1/batch", method="batch_update"),
    _of("DELETE", "/v1/batch", method="batch_delete"),
    _of("GET", "/entities", "/v1/entities", method="users"),
    _of("DELETE", "/entities/{kind}/{name}", "/v1/entities/{kind}/{name}", "/v2/entities/{kind}/{name}",
        method="delete_all", handler="entity"),
    _of("POST", "/reset", method="reset", handler="reset"),
)  # fmt: skip
# what is no call of the class: verb, path, and who answers
OTHERS = (("GET", "/configure", "configuration"), ("POST", "/configure", "configure"), ("GET", "/v1/ping", "ping"))


class Mem0Endpoint:
    """One mind for all requests."""

    def __init__(self, socket: Path | None, mind: str) -> None:
        self.mind = mind
        self._memory = AsyncMemory({"soulmem": {"mind": mind, "socket": socket}})
        self._digesting = asyncio.Semaphore(_DIGESTING)
        self._others = asyncio.Semaphore(_OTHERS)

    def routes(self) -> list[Route]:
        """Where all of it stands."""
        made = []
        for operation in OPERATIONS:
            answer = _Answering(self, operation)
            made += [Route(path, answer.to, methods=[operation.verb]) for path in operation.paths]
        made += [Route(path, getattr(self, name), methods=[verb]) for verb, path, name in OTHERS]
        return made + refusing_routes()

    async def close(self) -> None:
        await self._memory.close()

    async def ping(self, _request: Request) -> Response:
        """What the client of Mem0's platform asks first."""
        return json_reply({"status": "ok", "org_id": "soulmem", "project_id": self.mind, "user_email": None})

    async def configuration(self, _request: Request) -> Response:
        """Which mind it is."""
        return json_reply({"version": "v1.1", "soulmem": {"mind": self.mind}})

    async def configure(self, request: Request) -> Response:
        """Take a configuration, which changes nothing: one client does not choose for all others.

        Raises HttpRefusal: it is none, or says something that is said where the server starts.
        """
        given = await read_object(request)
        if "soulmem" in given:
            raise HttpRefusal("invalid_params", "soulmem: this is said where the server starts", "--mind, --socket")
        try:
            MemoryConfig(**given)
        except (Mem0ValidationError, TypeError) as error:
            raise HttpRefusal("invalid_params", str(error)) from error
        return json_reply({"message": "Configuration set successfully", "without_effect": sorted(given)})

    async def call(self, method: str, arguments: Mapping[str, Any]) -> Any:
        """Raises HttpRefusal: something in the call is wrong, or there is no such memory."""
        places: AbstractAsyncContextManager[None] = self._others
        if method in _LONG:
            places = self._digesting
        try:
            async with places:
                return await getattr(self._memory, method)(**arguments)
        except MemoryNotFoundError as error:
            raise HttpRefusal("not_found", str(error)) from error
        except Mem0ValidationError as error:
            raise HttpRefusal("invalid_params", str(error)) from error


class _Answering:
    """One operation, as a path answers it."""

    def __init__(self, endpoint: Mem0Endpoint, operation: Operation) -> None:
        self._call = endpoint.call
        self._operation = operation

    async def to(self, request: Request) -> Response:
        given = dict(request.query_params)
        if self._operation.has_body:
            given = {**given, **await read_object(request)}
        given |= request.path_params
        return json_reply(await getattr(self, self._operation.handler)(given))

    async def call(self, given: dict[str, Any]) -> Any:
        return await self._call(self._operation.method, arguments_of(self._operation.method, given))

    async def one(self, given: dict[str, Any]) -> Any:
        found = await self.call(given)
        if found is None:
            raise HttpRefusal("not_found", f"Memory with id {given['memory_id'][:80]} not found")
        return found

    async def reset(self, given: dict[str, Any]) -> Any:
        await self.call(given)
        return {"message": "All memories reset"}

    async def entity(self, given: dict[str, Any]) -> Any:
        if given["kind"] == "app":
            raise HttpRefusal("invalid_params", NOT_BY_APP)
        if given["kind"] not in ENTITIES:
            raise HttpRefusal("not_found", f"there is no {given['kind'][:40]!r}", ", ".join(ENTITIES))
        more = {name: value for name, value in given.items() if name not in (*ENTITIES.values(), "app_id")}
        return await self.call(more | {ENTITIES[given["kind"]]: given["name"]})

    async def page(self, given: dict[str, Any]) -> Any:
        number = whole_number(given, "page", 1, _MOST_LISTED)
        size = whole_number(given, "page_size", _PAGE, _MOST_LISTED)
        found = (await self.call({**given, "top_k": _MOST_LISTED}))["results"]
        is_more, at = number * size < len(found), self._operation.paths[-1]
        return {
            "count": len(found),
            "next": f"{at}/?page={number + 1}&page_size={size}" if is_more else None,
            "previous": f"{at}/?page={number - 1}&page_size={size}" if number > 1 else None,
            "results": found[(number - 1) * size : number * size],
        }


_VERBS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
_EXPORTS = "POST /v3/memories lists those of a scope, soulmem export writes the whole mind"
_PROFILES = "POST /rpc/profile.get tells what is known of somebody, profile.list of whom"


@dataclass(frozen=True, slots=True)
class _Refused:
    """What a path does there, and what to use here."""

    paths: tuple[str, ...]
    what: str
    instead: str

    async def answer(self, _request: Request) -> Response:
        raise HttpRefusal("not_offered", f"{self.what} of Mem0's platform are not offered here", self.instead)


_REFUSED = (
    _Refused(("/v1/exports", "/v1/exports/get"), "exports by a schema", _EXPORTS),
    _Refused(("/v1/summary",), "summaries", "POST /rpc/context.get tells that of a conversation"),
    _Refused(("/v1/feedback",), "ratings", "POST /rpc/feedback, with the recall_id that POST /rpc/recall answers"),
    _Refused(("/v2/entities/user/{name}/profile", "/v2/profiles/{rest:path}"), "profiles", _PROFILES),
    _Refused(("/api/v1/webhooks/{rest:path}",), "webhooks", "GET /events streams what happens"),
    _Refused(("/api/v1/orgs/{rest:path}",), "projects", "a project is a mind: POST /rpc/mind.get and mind.update"),
)


def refusing_routes() -> list[Route]:
    """The paths that are refused, where they stand on the platform."""
    return [Route(path, each.answer, methods=_VERBS) for each in _REFUSED for path in each.paths]
