"""A recall set of statements that come back in other words: is the partner found though it shares no word?

    python -m benchmarks.recall.paraphrases [--among N] SET... > paraphrases.json
    python -m benchmarks.recall.recall paraphrases.json --profiles assistant --no-baselines

The statements are those of `tests/support/lives/paraphrases_told.py`, one of each pair told, the other asked: within
English, within Chinese, and across. They stand alone among N other messages (3,000) drawn from the recall sets that are
named. The categories of the report are the directions.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

from benchmarks.recall.recall import read_set
from paraphrases_told import ROWS  # lies beside the tests

# column asked -> column told: English, English in other words, Chinese, Chinese in other words
DIRECTIONS = {"en-en": (0, 1), "zh-zh": (2, 3), "zh-en": (2, 1), "en-zh": (0, 3)}
AT = "2026-03-01T08:00:00Z"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path, help="recall sets to draw other messages from")
    parser.add_argument("--among", type=int, default=3_000, help="other messages")
    given = parser.parse_args()
    draw = random.Random(20260301)
    messages = []
    for number, file in enumerate(given.sets):
        talks = read_set(file, "conversations")["conversations"]
        texts = sorted({message["content"] for talk in talks for message in talk["messages"]})
        for place, text in enumerate(draw.sample(texts, min(len(texts), given.among // len(given.sets)))):
            messages.append(_message(f"other{number}-{place}", f"d{number}-{place // 20}", text))
    for row, texts in enumerate(ROWS):
        messages += [_message(f"s{row}-{column}", f"s{row}-{column}", texts[column]) for column in (1, 3)]
    draw.shuffle(messages)
    questions = [
        {"id": f"{name}-{row}", "text": texts[asked], "gold": [f"s{row}-{told}"], "category": name}
        for name, (asked, told) in DIRECTIONS.items()
        for row, texts in enumerate(ROWS)
    ]
    talk = {"id": "paraphrases", "language": "zh", "messages": messages, "questions": questions}
    print(json.dumps({"name": "paraphrases", "conversations": [talk]}, ensure_ascii=False))


def _message(identifier: str, conversation: str, text: str) -> dict[str, str]:
    return {
        "id": identifier, "conversation": conversation, "role": "user", "speaker": "Ann", "content": text, "at": AT,
    }  # fmt: skip


if __name__ == "__main__":
    main()
