"""Sharing in a mind too large for memory: what may be seen is found behind all that may not."""

from __future__ import annotations

import json
import os
from itertools import product
from pathlib import Path

from checking import Wire, checking, ids_of
from daemon_fixture import daemon_process

START = "2026-03-01T08:00:00Z"
LONG = 3_800 if os.environ.get("SOULMEM_TORTURE") else 300  # messages in which nothing is told
SCOPED = ["participants", "conversation"]


def test_a_mind_too_large_for_memory_finds_what_is_ours_behind_what_is_not(tmp_path: Path) -> None:
    """Hundreds of hidden messages fit better than the one that may surface; they must not crowd it out either."""
    env = {"SOULMEM_MEMORY_MAX_ROWS_IN_RAM": "0"}
    lines = [("pub", "Bo", "a heron by the river, 河边有一只白鹭")]
    lines += [("tea", "Ann", f"heron heron {n} 白鹭白鹭") for n in range(400)]
    lines += [("attic", "Cy", f"nothing {n} 没什么") for n in range(LONG)]
    with daemon_process(tmp_path, "--simulated-clock", START, env=env) as daemon:
        api = checking(daemon)
        api.call("mind.create", mind="m")
        with Wire(daemon, timeout=60.0) as wire:
            for first in range(0, len(lines), 30):
                part = lines[first : first + 30]
                for number, (conversation, speaker, text) in enumerate(part):
                    said = {"mind": "m", "role": "user", "content": text, "speaker": speaker}
                    call = {"jsonrpc": "2.0", "id": number, "method": "message.add"}
                    wire.send(json.dumps({**call, "params": {**said, "conversation": conversation}}).encode())
                assert all("result" in (wire.receive() or {}) for _ in part)
        secret = api.note("m", "Ann's heron 白鹭", conversation="tea")
        for sharing, query in product(SCOPED, ("heron", "白鹭", "heron 白鹭 river")):
            api.call("mind.update", mind="m", settings={"recall.sharing": sharing})
            found = api.found("m", query, conversation="pub", k=50)
            assert [item["text"] for item in found][:1] == [lines[0][2]]
            assert {item["sources"][0]["conversation"] for item in found} == {"pub"}
            ours = api.found("m", query, conversation="tea", k=500)
            hidden = ids_of(daemon, "m").blind(secret)
            assert hidden in {item["id"] for item in ours}
            assert {item["sources"][0]["conversation"] for item in ours if item["sources"]} == {"tea"}
