"""Attribute filtering: a recall that asks for attributes is told what has them, before anything is searched."""

from __future__ import annotations

from dataclasses import replace

from soulmem.store.session.mind_session import OpenMind
from soulmem.store.views.attribute_matches import passing
from soulmem.working.recall.recall_request import RecallRequest


async def filtered(memory: OpenMind, wanted: RecallRequest, now_exp: int) -> RecallRequest:
    """The recall, with nothing in it but what has the attributes that it asks for, if it asks for any."""
    if wanted.attributes is None:
        return wanted
    having, lacking = await memory.database.read(passing, wanted.attributes, now_exp)
    return replace(wanted, exclude=wanted.exclude | lacking, having=having)
