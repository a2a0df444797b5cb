"""What an encoder costs: its files, its memory, the time of a question and of what is embedded in the background.

Each runs in a process of its own, with its models where `soulmem model install` put them. Memory is what the process
holds more than before, once free memory was given back as a daemon does, after sixty batches; times are of the thread's
own processor time, median of the questions of `tests/support/lives/paraphrases_told.py`, so that they hold on a busy
machine.

    python -m benchmarks.speed.encoders [NAME...]
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from paraphrases_told import ROWS  # lies beside the tests
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.embed.base.model_manifest import E5, MINILM_INT8, MODELS_OF, MULTILINGUAL
from soulmem.ops.process import process_memory
from soulmem.ops.settings import default_paths

NAMES = (MINILM_INT8, MULTILINGUAL, E5, f"{MINILM_INT8}+{MULTILINGUAL}", f"{MINILM_INT8}+{E5}")
_BATCH = 8


def resident_mb() -> float:
    process_memory.give_back()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def measured(name: str) -> str:
    """One line about one encoder; in a process that has none yet."""
    import onnxruntime  # noqa: F401, PLC0415  # whoever embeds has it

    models = default_paths.models_directory(os.environ)
    process_memory.keep_few_arenas()
    before, began = resident_mb(), time.perf_counter()
    embedder, lacking = load_embedder(EmbedderSpec(name), models)
    if embedder.name != name:
        return f"{name}: {lacking}"
    loaded = time.perf_counter() - began
    line = [
        f"{sum(_size_mb(models / model) for model in MODELS_OF[name]):.0f} MB on the disk",
        f"loaded in {loaded:.2f} s",
    ]
    for language, places in (("English", (0, 1)), ("Chinese", (2, 3))):
        texts = [row[place] for row in ROWS for place in places]
        single = []
        for text in texts:
            at = time.thread_time()
            embedder.embed([text])
            single.append(time.thread_time() - at)
        at = time.thread_time()
        for start in range(0, len(texts), _BATCH):
            embedder.embed([f"{text} {start}" for text in texts[start : start + _BATCH]])
        each = (time.thread_time() - at) / len(texts)
        line.append(f"{language}: {1000 * statistics.median(single):.1f} ms alone, {1000 * each:.1f} ms in batches")
    for start in range(0, 60 * _BATCH, _BATCH):
        embedder.embed([f"{ROWS[place % len(ROWS)][2]} {place}" * 2 for place in range(start, start + _BATCH)])
    return f"{name:30} {', '.join(line)}, {resident_mb() - before:.0f} MB of memory"


def _size_mb(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.iterdir()) / 1e6


def main() -> int:
    names = sys.argv[1:] or NAMES
    if len(names) == 1:
        print(measured(names[0]))
        return 0
    for name in names:
        subprocess.run([sys.executable, "-m", "benchmarks.speed.encoders", name], check=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
