"""`make bench-answers SET=<recall set>`: is what `context.get` hands out enough for a model to answer from?

Each question of the set is put to a configured model with the context alone, beside a baseline of plainly found turns
within the same number of tokens (`cases`). Printed for each side: F1, BLEU-1 and exact dates after the LoCoMo protocol
(`answer_scores`), the share that a judge calls right, tokens and time of the context; the last line is JSON.

Without a model the prompts are written to FOLDER/prompts.jsonl; whoever answers them leaves FOLDER/answers.jsonl with
lines {"id", "answer"} and runs the command again, which scores them and writes FOLDER/verdict_prompts.jsonl; with
FOLDER/verdicts.jsonl ({"id", "verdict"}) the judge's share is printed too.

    python -m benchmarks.answers.answers SET --folder FOLDER [--limit N] [--questions N] [--tokens N]
        [--url URL --model NAME [--key-variable NAME]]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.answers import answer_scores, cases
from benchmarks.answers.cases import Case
from benchmarks.answers.reading import is_right, verdict_prompt
from benchmarks.recall.passages import interval
from benchmarks.recall.recall import daemon, percentiles, read_set, say
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.ops.settings import default_paths

_AT_ONCE = 4  # calls of the model
_SECONDS = 120.0


def gathered(file: Path, limit: int | None, questions: int | None, tokens: int) -> list[Case]:
    """The cases of both sides, from a daemon of our own."""
    talks = read_set(file, "conversations")["conversations"][:limit]
    embedder, warning = load_embedder(
        EmbedderSpec(os.environ.get("SOULMEM_EMBEDDER_NAME", "auto")), default_paths.models_directory(os.environ)
    )
    if warning:
        say(f"  {warning}")
    directory = Path(tempfile.mkdtemp(prefix="soulmem-bench-"))
    found: list[Case] = []
    try:
        with daemon(directory) as client:
            for talk in talks:
                chosen = cases.sampled(talk["questions"], questions, talk["id"])
                found += cases.of_product(client, talk, chosen, tokens)
                found += cases.of_turns(talk, chosen, tokens, embedder)
                say(f"  {talk['id']}: {len(chosen)} questions")
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    return found


def asking(url: str, model: str, key: str) -> Callable[[str], str]:
    """Asks a model behind an OpenAI-compatible endpoint."""
    import openai  # noqa: PLC0415  # it takes as long to load as all else

    client = openai.OpenAI(base_url=url, api_key=key or "none", timeout=_SECONDS, max_retries=3)

    def ask(prompt: str) -> str:
        try:
            answer = client.chat.completions.create(
                model=model, messages=[{"role": "user", "content": prompt}], temperature=0
            )
        except openai.OpenAIError as error:
            raise SystemExit(f"{url} does not answer: {str(error).splitlines()[0]}") from None
        return (answer.choices[0].message.content or "").strip()

    return ask


def obtained(
    folder: Path, name: str, part: str, wanted: Sequence[tuple[str, str]], ask: Callable[[str], str] | None
) -> dict[str, str]:
    """What was said to each prompt (id, prompt), read from the folder, the rest asked of the model and kept."""
    file = folder / f"{name}.jsonl"
    said = {str(row["id"]): str(row.get(part, "")) for row in cases.read_lines(file)}
    missing = [(identifier, prompt) for identifier, prompt in wanted if identifier not in said]
    if ask is not None and missing:
        try:
            with ThreadPoolExecutor(_AT_ONCE) as pool:
                for (each, _), answer in zip(missing, pool.map(ask, (prompt for _, prompt in missing)), strict=True):
                    said[each] = answer
        finally:  # what was answered before the model failed is not asked again
            cases.write_lines(file, ({"id": identifier, part: text} for identifier, text in said.items()))
    return said


def report(found: Sequence[Case], said: dict[str, str], verdicts: dict[str, str]) -> dict[str, Any]:
    """The scores of each side, over all that was answered and by category."""
    sides: dict[str, Any] = {}
    for side in (cases.PRODUCT, cases.TURNS):
        of_side = [case for case in found if case.side == side and case.id in said]
        by_category: defaultdict[str, list[Case]] = defaultdict(list)
        for case in of_side:
            by_category[case.category].append(case)
        taken = [case.context_ms for case in of_side if case.context_ms is not None]
        sides[side] = (
            _scored(of_side, said, verdicts)
            | {"context_tokens": answer_scores.mean([case.context_tokens for case in of_side])}
            | (percentiles(taken) if taken else {})
            | {"by_category": {name: _scored(by_category[name], said, verdicts) for name in sorted(by_category)}}
        )
    return sides


def _scored(of: Sequence[Case], said: dict[str, str], verdicts: dict[str, str]) -> dict[str, Any]:
    f1 = [answer_scores.f1_of(said[case.id], case.right, case.category) for case in of]
    answered = [case for case in of if case.category != answer_scores.ADVERSARIAL]
    dated = [answer_scores.has_dates(said[case.id], case.right) for case in answered]
    return {
        "questions": len(of),
        "f1": answer_scores.mean(f1),
        "f1_95": interval_of(f1),
        "bleu1": answer_scores.mean([answer_scores.bleu1(said[case.id], case.right) for case in answered]),
        "dates": answer_scores.mean([float(each) for each in dated if each is not None]),
        "right": answer_scores.mean([float(is_right(verdicts[case.id])) for case in of if case.id in verdicts]),
    }


def interval_of(values: Sequence[float]) -> Any:
    """The bootstrap interval of a mean; None of nothing."""
    return interval(np.array(values)) if values else None


def table(sides: dict[str, Any]) -> str:
    """The same for reading."""
    lines = [f"{'side':9}{'category':>10}{'n':>6}{'F1':>8}{'BLEU-1':>8}{'dates':>8}{'right':>8}"]
    for side, told in sides.items():
        for name, row in {"all": told, **told["by_category"]}.items():
            figures = "".join(
                f"{'-' if row[part] is None else format(row[part], '.3f'):>8}"
                for part in ("f1", "bleu1", "dates", "right")
            )
            lines.append(f"{side:9}{name:>10}{row['questions']:>6}{figures}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.partition("\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("set", type=Path, help="the recall set, JSON or gzipped JSON")
    parser.add_argument("--folder", type=Path, required=True, help="where prompts, answers and verdicts are kept")
    parser.add_argument("--limit", type=int, help="only the first N conversation objects")
    parser.add_argument("--questions", type=int, help="at most N questions of each, as many of every category")
    parser.add_argument("--tokens", type=int, default=1000, help="of a context, at most")
    parser.add_argument("--url", help="an OpenAI-compatible endpoint that answers and judges")
    parser.add_argument("--model", help="its model")
    parser.add_argument("--key-variable", default="", help="the variable of the environment that holds the key")
    given = parser.parse_args()
    if bool(given.url) != bool(given.model):
        parser.error("--url and --model belong together")
    try:
        found = cases.kept(given.folder)
        if not found:
            found = gathered(given.set, given.limit, given.questions, given.tokens)
            cases.keep(given.folder, found)
        ask = asking(given.url, given.model, os.environ.get(given.key_variable, "")) if given.url else None
        said = obtained(given.folder, "answers", "answer", [(case.id, case.prompt) for case in found], ask)
        if not said:
            say(f"{len(found)} prompts: {given.folder / 'prompts.jsonl'}; leave answers.jsonl beside it and run again")
            return 0
        judged = [
            (case.id, verdict_prompt(case.question, case.right, said[case.id], case.language))
            for case in found
            if case.id in said and case.category != answer_scores.ADVERSARIAL
        ]
        cases.write_lines(
            given.folder / "verdict_prompts.jsonl", ({"id": each, "prompt": text} for each, text in judged)
        )
        verdicts = obtained(given.folder, "verdicts", "verdict", judged, ask)
    except ValueError as error:
        print(f"{given.folder} holds what cannot be read: {error}", file=sys.stderr)
        return 2
    sides = report(found, said, verdicts)
    print(table(sides))
    print(
        json.dumps({"benchmark": "answers", "answered": len(said), "tokens": given.tokens, **sides}, ensure_ascii=False)
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
