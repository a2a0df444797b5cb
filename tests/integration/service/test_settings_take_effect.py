"""Settings that no other test turns: each of them changes what a running daemon does."""

from __future__ import annotations

import functools
from pathlib import Path

from checking import checking
from daemon_fixture import daemon_process
from household import DAY, START, Home


def links_left(house: Home, **settings: object) -> int:
    """How many of three links of middling strength are left after a night under these settings."""
    mind = house.mind(settings=settings)
    notes = [house.api.note(mind, f"a note numbered {place}, 第{place}条") for place in range(4)]
    for other in notes[1:]:
        house.api.call("link.add", mind=mind, src=notes[0], dst=other, strength=0.6)
    house.pass_time(DAY)
    house.api.call("idle.run", mind=mind)
    return len(house.api.links(mind))


def test_delete_below_says_what_is_forgotten(house: Home) -> None:
    assert links_left(house) == 3
    assert links_left(house, **{"forgetting.delete_below": 0.8}) == 0


def test_the_clock_is_doubted_and_trusted_again_as_it_is_set(tmp_path: Path) -> None:
    for folder, env, doubted in (
        ("a", {}, [False, True, True]),
        ("b", {"SOULMEM_CLOCK_JUMP_LIMIT_S": "86400"}, [False, False, False]),
        ("c", {"SOULMEM_CLOCK_SETTLE_S": "60"}, [False, True, False]),
    ):
        (tmp_path / folder).mkdir()
        with daemon_process(tmp_path / folder, "--simulated-clock", START, env=env) as daemon:
            api = checking(daemon)
            jump = functools.partial(api.call, "clock.jump")
            seen = [jump(seconds=0)["suspect"], jump(seconds=2 * 3600)["suspect"]]
            api.call("clock.advance", seconds=300)
            assert [*seen, jump(seconds=0)["suspect"]] == doubted, folder
