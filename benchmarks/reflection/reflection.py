"""`python -m benchmarks.reflection.reflection`: what a mind concludes from a month of talk, to be read by a person.

Tells each invented life of `lives` to a real daemon on a simulated clock, a session an evening, lets it sleep between
them, and prints every reflection with what it rests on. Checks on the way what can be counted: evidence is there, trees
are bounded, runs are as many as the accumulator called for, the file is sound. The last line on stdout is JSON.

    python -m benchmarks.reflection.reflection [--language en|zh|all] [--threshold 150] [--notes]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path[:0] = [str(path) for path in (Path(__file__).parents[2] / "tests" / "support").iterdir() if path.is_dir()]

from benchmarks.content.content_data import Life, Line, read_life  # noqa: E402 - tests/support is found only now
from benchmarks.content.content_telling import told  # noqa: E402 - as above
from soulmem.store.session.verify import damages  # noqa: E402 - as above

LIVES = Path(__file__).with_name("lives")


def live(life: Life, root: Path, threshold: float, *, shows_notes: bool) -> dict[str, Any]:
    """Tell one life, print what the mind concluded; the counts."""
    directory = root / life.mind
    with told(life, directory, {"SOULMEM_EMBEDDER_NAME": "auto"}) as telling:
        telling.call("mind.update", settings={"reflection.threshold": threshold})
        for session in life.sessions:
            telling.wait_until(session.at)
            telling.settle()
            for step in session.steps:
                if isinstance(step, Line):
                    telling.say(step, session.conversation)
        telling.rest()
        notes = telling.listed("note.list")
        found = telling.listed("reflection.list")
        jobs = [job for job in telling.listed("job.list") if job["step"] == "reflect"]
        flaws = damages(directory / "state" / "minds" / f"{life.mind}.db")
    observed = [note for note in notes if note["kind"] != "reflection"]
    weight = sum(10 * note["importance"] for note in observed)
    print(f"\n{life.mind} ({life.language}): {len(observed)} notes, {weight:.0f} of importance")
    for note in observed if shows_notes else ():
        print(f"    {note['id']:>5} {str(note['at'])[:10]}  {note['rendered']}")
    for each in found:
        print(f"  {each['id']}  {each['text']}  [{', '.join(on['id'] for on in each['evidence'])}]")
    known = {note["id"] for note in notes}
    return {
        "mind": life.mind, "notes": len(observed), "weight": round(weight),
        "runs": sum(job["result"]["runs"] for job in jobs), "most_runs": int(weight // threshold),
        "reflections": len(found), "depth": max((each["depth"] for each in found), default=0),
        "lost_evidence": sum(on["id"] not in known for each in found for on in each["evidence"]), "flaws": flaws,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--language", choices=("en", "zh", "all"), default="all")
    parser.add_argument("--threshold", type=float, default=150.0)
    parser.add_argument("--notes", action="store_true")
    wanted = parser.parse_args()
    lives = [read_life(path) for path in sorted(LIVES.glob("*.life"))]
    with tempfile.TemporaryDirectory(prefix="soulmem-reflection-") as root:
        rows = [
            live(life, Path(root), wanted.threshold, shows_notes=wanted.notes)
            for life in lives
            if wanted.language in (life.language, "all")
        ]
    print(json.dumps(rows, ensure_ascii=False))
    if any(row["flaws"] or row["lost_evidence"] or row["runs"] > row["most_runs"] for row in rows):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
