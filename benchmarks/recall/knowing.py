"""Does a mind know that it does not know: how well the fit of an answer tells what was told from what never was.

Every question of the invented lives (`tests/corpora/lives.txt`, and the half `dev` of `content/`) and of the weeks of
plain talk (`weeks/told`) is put to an index of the messages that came before it. What speaks for the first ten
(`core.search.score_calibration`) is the data of a logistic curve: of each question with an answer the right item that
fits best, of each without one whatever fits best.
Printed are the weights fitted to it, scaled to the floor, beside those in use, and for several floors (`min_score`), of
lives and of weeks, the share of unanswerable questions that bring up nothing, of answerable ones that keep a right
item, how many of the ten items come back, and the share of those that the labels call right, with 95 % bootstrap
intervals. In use, coverage weighs less than fitted on lives alone: plain talk is asked about in other words.

    python -m benchmarks.recall.knowing [--embedder auto|minilm-int8|hashing]
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import invented_lives
from benchmarks.content.content_data import LANGUAGES, Line, Question, lives
from benchmarks.content.content_keys import holds
from benchmarks.recall.passages import interval
from benchmarks.weeks.week_data import weeks
from soulmem.core.schema import two_part_vectors
from soulmem.core.search import score_calibration
from soulmem.core.search.answer_type import meets, read_calls
from soulmem.core.search.hard_filters import Query
from soulmem.core.search.index_columns import ItemKind
from soulmem.core.search.memory_index import SearchIndex
from soulmem.core.search.question_coverage import Covered
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.text.tokens import text_hashes
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.ops.settings import default_paths
from soulmem.ops.settings.setting_sections import RecallSettings
from soulmem.ports import BLIND_BELOW, Embedder
from soulmem.working.recall.answer_check import by_worth, calibrated
from soulmem.working.recall.recall_request import legibility

Floats = NDArray[np.float64]
Rise = NDArray[np.float32] | None
# What speaks for an answer, with the sign its weight may have.
FEATURES = {
    "BOTH_READ": 1,
    "LIKE_READ": 1,
    "ANSWERS": 1,
    "FAR": 1,
    "UNHEARD": -1,
    "FORMLESS": -1,
    "OF_ANOTHER": -1,
    "OF_ASKER": 1,
    "OTHER_KIND": -1,
    "NAMELESS": -1,
}
_STEPS, _RATE, _DECAY, _ROUNDS = 2_500, 0.5, 5e-4, 15
_UNKNOWN_WEIGHT = 2.0  # of a question without an answer: there are half as many


@dataclass(slots=True)
class Told:
    """Messages of one life as far as they were told, and what is known of each."""

    asker: str
    index: SearchIndex
    source: str = "lives"
    texts: list[tuple[str, str, str]] = field(default_factory=list)  # text, speaker, role

    def hear(self, text: str, speaker: str, role: str, at_ms: int, embedder: Embedder) -> None:
        self.texts.append((text, speaker, role))
        key = len(self.texts)
        self.index.add(
            ItemKind.MESSAGE, key, conversation=1, seq=key, speaker=speaker, terms=text_hashes(text), at_ms=at_ms
        )
        if embedder.coverage(text) >= BLIND_BELOW:
            self.index.set_vectors(ItemKind.MESSAGE, key, np.asarray(embedder.embed([text])[0], dtype=np.float32))


@dataclass(frozen=True, slots=True)
class Case:
    """One question: what speaks for the first items found, which answer it, and whether anything does (`known`)."""

    source: str
    language: str
    known: bool
    features: Floats
    right: NDArray[np.bool_]
    scores: Floats  # of the items as recall returns them, best first,
    returned: NDArray[np.bool_]  # and which of those are right


def asked(told: Told, text: str, language: str, right: set[int] | None, embedder: Embedder) -> Case:
    """Put one question; `right`: the numbers of the messages that answer it, None where none does."""
    source = told.source
    question = read_question(text, told.index.speakers_within(None), at_ms=told.index.newest_within(None))
    read = embedder.coverage(question.embed_text)
    vector = None
    if read >= BLIND_BELOW:
        vector = np.asarray(embedder.embed([question.embed_text])[0], dtype=np.float32)
    seen: list[tuple[Covered, Rise, Rise, Rise]] = []
    fits = score_calibration.fits

    def noted(
        covered: Covered, rise: Rise, beyond: Rise = None, answers: Rise = None, *, asks: bool = True
    ) -> NDArray[np.float32]:
        seen.append((covered, rise, beyond, answers))
        return fits(covered, rise, beyond, answers, asks=asks)

    score_calibration.fits = noted
    try:
        found = told.index.search(Query(question, vector, k=60, legible=legibility(read)))
    finally:
        score_calibration.fits = fits
    hits = found[: score_calibration.LOOKED_AT]
    if not hits or not seen:
        none = np.zeros(0, dtype=np.bool_)
        return Case(source, language, right is not None, np.zeros((0, len(FEATURES))), none, np.zeros(0), none)
    covered, rise, beyond, answering = seen[-1]
    own = (score_calibration.UNSEEN_RISE if rise is None else score_calibration.BLIND_RISE) * covered.content
    calls = read_calls(text, told.asker)
    met = [meets(calls, *told.texts[hit.key - 1]) for hit in hits]
    ranked = by_worth(found) if question.asks else found
    come = [
        hit._replace(fit=score_calibration.read_fit(hit.fit, meets(calls, *told.texts[hit.key - 1])))
        for hit in ranked[: score_calibration.LOOKED_AT]
    ]
    come = calibrated(come, 0.0, asking=question.asks)
    columns = [
        np.minimum(covered.content, covered.names)[: len(hits)],
        (own if rise is None else np.maximum(rise, own))[: len(hits)],
        np.zeros(len(hits)) if answering is None else (covered.names * np.nan_to_num(answering))[: len(hits)],
        np.zeros(len(hits)) if beyond is None else beyond[: len(hits)],
        np.full(
            len(hits),
            covered.unheard * (1.0 if rise is None else score_calibration.UNHEARD_SEEN / score_calibration.UNHEARD),
        ),
        np.array([each.form < 0 and not each.nameless for each in met]),
        np.array([each.subject < 0 for each in met]),
        np.array([each.subject > 0 for each in met]),
        np.array([each.other_kind for each in met]),
        np.array([each.nameless for each in met]),
    ]
    answers, returned = (np.array([hit.key in (right or ()) for hit in each]) for each in (hits, come))
    scores = np.array([hit.score for hit in come])
    return Case(
        source, language, right is not None, np.stack(columns, axis=1).astype(np.float64), answers, scores, returned
    )


def _index(embedder: Embedder) -> SearchIndex:
    return SearchIndex(shared_from=two_part_vectors.shared_from(embedder.fingerprint))


def questions(embedder: Embedder) -> Iterator[tuple[Told, str, str, set[int] | None]]:
    """Each question when it is asked: what was told by then, its text and language, the messages that answer it.

    None: nothing does. What was told grows from question to question, so each has to be put at once.
    """
    for life in invented_lives.lives():
        told = Told(life.speaker, _index(embedder))
        for place, (day, speaker, text) in enumerate(life.messages):
            at_ms = invented_lives.BEGAN + day * 86_400_000 + place * 60_000
            told.hear(text, speaker, "assistant" if speaker == "assistant" else "user", at_ms, embedder)
        for text, answers in life.questions:
            yield told, text, life.language, set(answers) or None
    for each in lives(LANGUAGES, ("dev",)):
        told = Told(each.user, _index(embedder))
        for session in each.sessions:
            for step, line in enumerate(session.steps):
                if isinstance(line, Line):
                    at = session.at.replace(tzinfo=dt.UTC).timestamp() + 40 * step
                    told.hear(line.text, line.speaker, line.role, int(at * 1_000), embedder)
                elif isinstance(line, Question) and line.kind != "time":
                    musts = [each.statements[name].must for name in line.of]
                    right = {
                        key
                        for key, (text, _, _) in enumerate(told.texts, start=1)
                        if any(holds(must, text) for must in musts)
                    }
                    yield told, line.text, each.language, right if musts else None
    for week in weeks(LANGUAGES):
        told = Told(week.life.user, _index(embedder), "weeks")
        for session in week.life.sessions:
            for step, line in enumerate(session.steps):
                assert isinstance(line, Line)
                told.hear(line.text, line.speaker, line.role, int(session.at.timestamp() + 40 * step) * 1_000, embedder)
        for each_asked in week.asked:
            right = {
                key
                for key, (text, _, role) in enumerate(told.texts, start=1)
                if role == "user" and holds(each_asked.right, text)
            }
            yield told, each_asked.text, week.life.language, right if each_asked.right else None


def cases(embedder: Embedder) -> Iterator[Case]:
    for told, text, language, right in questions(embedder):
        yield asked(told, text, language, right, embedder)


def fitted(data: list[Case]) -> tuple[Floats, float]:
    """Weights of a logistic curve, none of the wrong sign, and its offset."""
    signs = np.array(list(FEATURES.values()))
    weights, offset = np.where(signs > 0, 1.0, -0.5), -1.0
    for _ in range(_ROUNDS):
        rows, known = [], []
        for case in data:
            fits = case.features @ weights
            among = np.flatnonzero(case.right) if case.known else np.arange(len(fits))
            if len(among):
                rows.append(case.features[among[np.argmax(fits[among])]])
                known.append(case.known)
        chosen, truth = np.array(rows), np.array(known, dtype=np.float64)
        worth = np.where(truth > 0, 1.0, _UNKNOWN_WEIGHT)
        for _ in range(_STEPS):
            off = worth * (1 / (1 + np.exp(-(chosen @ weights + offset))) - truth)
            weights = weights - _RATE * (chosen.T @ off / worth.sum() + _DECAY * weights)
            weights = np.where(signs > 0, np.maximum(weights, 0), np.minimum(weights, 0))
            offset -= _RATE * float(off.sum() / worth.sum())
    return weights, offset


def curve(data: list[Case], source: str, floor: float) -> str:
    """For each language of one source, of what comes back with this floor: unanswerable questions left without any,
    answerable ones with a right item, items of an answerable one and the share of them that is right."""
    said = []
    for language in LANGUAGES:
        cases = [case for case in data if (case.source, case.language) == (source, language)]
        stays = [case.scores >= floor for case in cases]
        silent = [not stay.any() for case, stay in zip(cases, stays, strict=True) if not case.known]
        asked = [(case, stay) for case, stay in zip(cases, stays, strict=True) if case.known and case.right.any()]
        kept = [bool(case.returned[stay].any()) for case, stay in asked]
        count = float(np.mean([stay.sum() for _, stay in asked]))
        precise = [float(case.returned[stay].mean()) for case, stay in asked if stay.any()]
        said.append(
            f"{language} ({len(silent)}, {len(asked)}): silent {_share(silent)}, kept {_share(kept)}, "
            f"items {count:.1f}, right {_share(precise)}"
        )
    return "   ".join(said)


def _share(values: list[bool] | list[float]) -> str:
    low, high = interval(np.array(values, dtype=np.float64))
    return f"{np.mean(values):.2f} [{low:.2f}, {high:.2f}]"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="auto")
    embedder, warning = load_embedder(
        EmbedderSpec(parser.parse_args().embedder), default_paths.models_directory(os.environ)
    )
    if warning:
        print(warning, file=sys.stderr)
    data = list(cases(embedder))
    floor = RecallSettings().min_score
    in_use = np.array([getattr(score_calibration, name) for name in FEATURES])
    weights, offset = fitted(data)
    scale = in_use[0] / weights[0]
    print(f"{len(data)} questions; weights in use and fitted (scaled to the first; offset {offset:.2f}):")
    for name, used, found in zip(FEATURES, in_use, weights * scale, strict=True):
        print(f"  {name:10} {used:6.2f} {found:6.2f}")
    for each in sorted({0.0, 0.1, 0.15, 0.2, floor, 0.3, 0.4, 0.5, 0.7}):
        mark = " <- the default" if each == floor else ""
        for source in ("lives", "weeks"):
            print(f"  floor {each:.2f} {source}  {curve(data, source, each)}{mark}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
