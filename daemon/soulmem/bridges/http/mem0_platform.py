"""What Mem0's platform has and a memory daemon has not: each path is refused by one line that names what does it here.

Invariant: none of them is answered as if something had been done, for code would go on as if it had.
"""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from soulmem.bridges.http.http_replies import HttpRefusal

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
    """Where they stand there."""
    return [Route(path, each.answer, methods=_VERBS) for each in _REFUSED for path in each.paths]
