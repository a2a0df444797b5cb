"""Notes that links of given strengths tie to one, in a mind of a daemon."""

from __future__ import annotations

from checking import Checking


def tied(api: Checking, mind: str, strengths: list[float], **params: object) -> dict[str, float]:
    """Links from one note to as many others; their strengths by id."""
    centre = api.note(mind, "the harbour 港口", pinned=True)
    made = {}
    for number, strength in enumerate(strengths):
        other = api.note(mind, f"boat {number} 船{number}号", pinned=True)
        link = api.call("link.add", mind=mind, src=centre, dst=other, strength=strength, **params)
        made[link["id"]] = strength
    return made


def strengths(api: Checking, mind: str) -> dict[str, float]:
    return {link["id"]: link["strength"] for link in api.links(mind)}
