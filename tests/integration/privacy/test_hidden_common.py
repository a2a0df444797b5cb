"""What everybody knows shows nothing of talk that is hidden: not how often it was recalled there, nor what was learnt.

Two minds with the same common notes; in front of the twin they are asked for, praised, retold and slept over in a
conversation of which nobody else may know. Whatever can be read of them elsewhere must be the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from checking import IdForms, Json, ids_of
from daemon_fixture import daemon_process
from household import DAY, START, Home
from soulmem.client import SoulmemRemoteError
from spread import spread

COMMON = {
    "en": ["Mara mended the copper kettle in the boathouse.", "The kettle stands on the blue shelf.",
           "Mara sails to the island each Sunday."],
    "zh": ["阿宁在船屋修好了那把铜壶。", "铜壶放在蓝色的架子上。", "阿宁每个星期天都坐船去岛上。"],
}  # fmt: skip
ASKED = {"en": "Who mended the copper kettle in the boathouse?", "zh": "谁在船屋修好了铜壶？"}
PLAIN, TWIN = "plain", "twins"
READ = [
    "note.list",
    "note.get",
    "note.history",
    "note.forecast",
    "link.list",
    "graph.get",
    "recall",
    "context.get",
    "profile.get",
    "profile.list",
    "plan.list",
    "reflection.list",
]
_OWN = {"elapsed_ms", "recall_id"}


@pytest.fixture(scope="module", params=["conversation", "participants"])
def minds(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with daemon_process(tmp_path_factory.mktemp("common"), "--simulated-clock", START) as daemon:
        home = Home(daemon)
        for mind in (PLAIN, TWIN):
            for language, texts in COMMON.items():
                _found(home, f"{mind}-{language}", texts, request.param)
        for language in COMMON:
            _told_in_secret(home, f"{TWIN}-{language}", language)
        for mind in (PLAIN, TWIN):
            for language in COMMON:
                home.api.call("idle.run", mind=f"{mind}-{language}")
                home.api.settle(f"{mind}-{language}")
        home.pass_time(30 * DAY)
        yield home


def _found(home: Home, mind: str, texts: list[str], sharing: str) -> None:
    home.api.call("mind.create", mind=mind, settings={"recall.sharing": sharing, "forgetting.clock": "wall"})
    home.api.say(mind, "Good morning. 早上好。", speaker="Bo", conversation="pub")
    notes = [home.api.note(mind, text) for text in texts]
    for src, dst in pairwise(notes):
        home.api.call("link.add", mind=mind, src=src, dst=dst, kind="semantic", verb="goes with")
    home.api.settle(mind)


def _told_in_secret(home: Home, mind: str, language: str) -> None:
    """Ann asks for it day after day, says it again, and praises what came."""
    for day in range(5):
        home.api.say(mind, f"{ASKED[language]} ({day})", speaker="Ann", conversation="tea", recall=True)
        home.api.say(mind, COMMON[language][day % 3], speaker="Ann", conversation="tea")
        answer = home.api.call("recall", mind=mind, query=ASKED[language], conversation="tea")
        used = [item["id"] for item in answer["items"] if item["kind"] != "message"][:2]
        assert used, "what is common is found there"
        home.api.call(
            "feedback", mind=mind, recall_id=answer["recall_id"], verdict="good", used=used, conversation="tea"
        )
        home.api.call("idle.run", mind=mind)
        home.api.settle(mind)


def _read(home: Home, mind: str, language: str, method: str) -> Any:
    ids = ids_of(home.daemon, mind)
    first = ids.blind("n1")
    asked: dict[str, Json] = {
        "recall": {"query": ASKED[language], "record": False, "explain": True},
        "context.get": {"query": ASKED[language]},
        "note.get": {"id": first}, "note.history": {"id": first}, "note.forecast": {"id": first},
        "graph.get": {"around": first}, "profile.get": {"name": {"en": "Mara", "zh": "阿宁"}[language]},
    }  # fmt: skip
    try:
        answer = home.api.call(method, mind=mind, conversation="pub", **asked.get(method, {}))
    except SoulmemRemoteError as error:  # whose name has faded is known no more
        return error.name
    return _alike(answer, mind, ids)


def _alike(value: Any, mind: str, ids: IdForms) -> Any:
    """An answer with its ids in the plain form: what is common was made before all else, so those are the same."""
    if isinstance(value, dict):
        return {key: _alike(each, mind, ids) for key, each in value.items() if key not in _OWN}
    if isinstance(value, list):
        return [_alike(each, mind, ids) for each in value]
    return ids.plain(value.replace(mind, "?")) if isinstance(value, str) else value


@pytest.mark.parametrize(("language", "method"), spread(COMMON, READ))
def test_what_everybody_knows_is_as_if_nobody_had_spoken_in_secret(minds: Home, language: str, method: str) -> None:
    plain = _read(minds, f"{PLAIN}-{language}", language, method)
    assert plain
    assert _read(minds, f"{TWIN}-{language}", language, method) == plain
