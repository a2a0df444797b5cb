"""Passage benchmark: linked passages go in through the socket; multi-hop questions are asked flat and with the graph.

Run by `recall` when a set has `passages`. The mind gets one note a passage (kind `episodic`), one a concept (kind
`semantic`), and links: concept to concept with the verb of each given triple, passage to every concept it names, and
synonyms, cosine of two concepts at least 0.80, strength half of it, five a concept at most and none where a relation
is known (algorithms.md §10.3). Where a set gives neither entities nor triples, concepts are the titles and the names
found in the text. Same notes, same encoder, same run: the setting `recall.graph` alone differs between the figures.

Set: {name, passages: [{id, title, text, entities?, triples?}], questions: [{id, text, gold: [passage ids]}]}.
"""

from __future__ import annotations

import os
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.recall.lessons import lessons
from soulmem.client import Client
from soulmem.core.names import chinese_name_claims
from soulmem.core.names.english_names import names_in
from soulmem.embed.adapters.embedder_choice import EmbedderSpec, load_embedder
from soulmem.ops.settings import default_paths
from soulmem.ports import Embedder

CUTS = (2, 5)
ASKED_FOR = 10
STATED = 0.8  # strength of a link that a passage states
SYNONYM_FROM = 0.80
SYNONYM_SHARE = 0.5
SYNONYMS_EACH = 5
RESAMPLES = 2_000
MIND = "passages"

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_TOKEN = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*\.?|[^\w\s]")
_QUALIFIED = re.compile(r"\s*\([^()]*\)$")
_WITHIN_NAMES = frozenset(("of", "the", "de", "la", "von", "van", "der", "du", "del", "di"))

Call = tuple[str, Mapping[str, Any] | None]


# -- what a set says ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Concepts:
    """The concepts of a set and what is linked: by number, in order of appearance."""

    names: list[str] = field(default_factory=list)
    named_in: dict[tuple[int, int], None] = field(default_factory=dict)  # (passage, concept)
    relations: dict[tuple[int, int], str] = field(default_factory=dict)  # (concept, concept) -> verb
    _numbers: dict[str, int] = field(default_factory=dict)

    def number(self, name: str) -> int | None:
        """The concept of this name, however it is written; None for one without a word."""
        key = " ".join(_WORD.findall(name.casefold()))
        if not key:
            return None
        if key not in self._numbers:
            self._numbers[key] = len(self.names)
            self.names.append(" ".join(name.split()))
        return self._numbers[key]

    def mention(self, passage: int, name: str) -> int | None:
        concept = self.number(name)
        if concept is not None:
            self.named_in[passage, concept] = None
        return concept

    def relate(self, passage: int, triple: Sequence[Any]) -> None:
        if len(triple) != 3:
            return
        src, dst = self.mention(passage, str(triple[0])), self.mention(passage, str(triple[2]))
        if src is not None and dst is not None and src != dst:
            self.relations.setdefault((src, dst), str(triple[1])[:256])


def concepts_of(passages: Sequence[dict[str, Any]]) -> Concepts:
    """Concepts and links as the set gives them, or as they can be read off titles and texts."""
    found = Concepts()
    given = any(passage.get("triples") or passage.get("entities") for passage in passages)
    for place, passage in enumerate(passages):
        found.mention(place, passage["title"])
        if given:
            for name in passage.get("entities") or ():
                found.mention(place, str(name))
            for triple in passage.get("triples") or ():
                found.relate(place, triple)
        else:
            found.mention(place, _QUALIFIED.sub("", passage["title"]))
            text = passage["text"]
            for name in (*phrases(text), *(name for name, _ in chinese_name_claims.names_in(text))):
                found.mention(place, name)
    return found


def phrases(text: str) -> list[str]:
    """The names of a text, each as long as it is written: "Duke of Swabia", not "Duke" and "Swabia"."""
    named = set(names_in(text))
    found: dict[str, None] = {}
    run: list[str] = []

    def close() -> None:
        while run and run[-1].casefold() in _WITHIN_NAMES:
            run.pop()
        if run:
            found[re.sub(r"['’]s$", "", " ".join(run))] = None
        run.clear()

    for match in _TOKEN.finditer(text):
        word = match[0].rstrip(".")
        bare = re.sub(r"['’]s$", "", word)
        if word[:1].isupper() and (run or bare in named or len(word) == 1):
            run.append(word)
            if bare != word or (match[0] != word and len(word) > 2):
                close()
        elif run and word.casefold() in _WITHIN_NAMES:
            run.append(word)
        else:
            close()
    close()
    return list(found)


def synonyms(concepts: Concepts, embedder: Embedder) -> dict[tuple[int, int], float]:
    """Pairs of concepts that mean much the same, with their cosine."""
    vectors = np.concatenate(
        [embedder.embed(concepts.names[start : start + 256]) for start in range(0, len(concepts.names), 256)]
    )
    related = defaultdict(set)
    for src, dst in concepts.relations:
        related[src].add(dst)
        related[dst].add(src)
    found = {}
    for start in range(0, len(vectors), 1024):
        cosines = vectors[start : start + 1024] @ vectors.T
        for place, row in enumerate(cosines, start=start):
            row[place] = 0.0
            near = np.flatnonzero(row >= SYNONYM_FROM)
            for other in near[np.argsort(-row[near], kind="stable")][:SYNONYMS_EACH].tolist():
                if other not in related[place]:
                    found[min(place, other), max(place, other)] = min(1.0, float(row[other]))
    return found


# -- into the mind and out of it ------------------------------------------------------------------------------


def put_in(client: Client, data: dict[str, Any], embedder: Embedder) -> tuple[dict[str, str], dict[str, float]]:
    """Fill the mind; returns passage ids by note id, and counts and times."""
    passages = data["passages"]
    concepts = concepts_of(passages)
    alike = synonyms(concepts, embedder)
    client.call("mind.create", {"mind": MIND, "profile": "assistant"})
    started = time.perf_counter()
    notes = [("episodic", f"{passage['title']}\n{passage['text']}") for passage in passages]
    notes += [("semantic", name) for name in concepts.names]
    added = client.call_many(("note.add", {"mind": MIND, "kind": kind, "text": text}) for kind, text in notes)
    ids = [str(result["id"]) for result in added]  # type: ignore[index]  # a failed call was raised
    noted_s = time.perf_counter() - started
    links = list(link_calls(ids, len(passages), concepts, alike))
    client.call_many(links)
    linked_s = time.perf_counter() - started - noted_s
    while client.call("system.status")["embed_backlog"]:
        time.sleep(0.2)
    counts = {"passages": len(passages), "concepts": len(concepts.names), "links": len(links)}
    times = {"notes_s": noted_s, "links_s": linked_s, "total_s": time.perf_counter() - started}
    known = {identifier: passage["id"] for identifier, passage in zip(ids, passages, strict=False)}
    return known, counts | {name: round(taken, 1) for name, taken in times.items()}


def link_calls(
    ids: Sequence[str], passages: int, concepts: Concepts, alike: Mapping[tuple[int, int], float]
) -> Iterator[Call]:
    """Every link as a call of `link.add`; `ids` are of the passages, then of the concepts."""

    def call(src: str, dst: str, kind: str, strength: float, verb: str = "") -> Call:
        link = {"src": src, "dst": dst, "kind": kind, "strength": strength, "confidence": 1.0, "verb": verb}
        return "link.add", {"mind": MIND, **link}

    for (src, dst), verb in concepts.relations.items():
        yield call(ids[passages + src], ids[passages + dst], "semantic", STATED, verb)
    for passage, concept in concepts.named_in:
        yield call(ids[passage], ids[passages + concept], "association", STATED)
    for (src, dst), cosine in alike.items():
        yield call(ids[passages + src], ids[passages + dst], "association", SYNONYM_SHARE * cosine)


def ask(client: Client, questions: Sequence[dict[str, Any]], known: Mapping[str, str]) -> tuple[Any, list[float]]:
    """(share of gold at each cut, one row a question; milliseconds each took)."""
    rows, taken = [], []
    for question in questions:
        wanted = {"mind": MIND, "query": question["text"], "k": ASKED_FOR, "kinds": ["episodic"], "record": False}
        started = time.perf_counter()
        items = client.call("recall", wanted)["items"]
        taken.append((time.perf_counter() - started) * 1000)
        ranking = [known.get(item["id"]) for item in items]
        gold = set(question["gold"])
        rows.append([len(gold.intersection(ranking[:cut])) / len(gold) for cut in CUTS])
    return np.array(rows), taken


# -- the report -----------------------------------------------------------------------------------------------


def interval(values: Any) -> list[float]:
    """A 95 % bootstrap interval of the mean."""
    drawn = np.random.default_rng(0).choice(values, (RESAMPLES, len(values))).mean(axis=1)
    return [round(float(bound), 4) for bound in np.percentile(drawn, (2.5, 97.5))]


def figures(rows: Any, taken: Sequence[float]) -> dict[str, Any]:
    line: dict[str, Any] = {}
    for place, cut in enumerate(CUTS):
        line[f"recall@{cut}"] = round(float(rows[:, place].mean()), 4)
        line[f"recall@{cut}_95"] = interval(rows[:, place])
    return line | {f"p{share}_ms": round(float(np.percentile(taken, share)), 2) for share in (50, 95)}


def run(client: Client, data: dict[str, Any]) -> dict[str, Any]:
    """Fill a mind with the set, ask every question flat and with the graph; returns the line to print."""
    embedder, _ = load_embedder(EmbedderSpec(), default_paths.models_directory(os.environ))
    questions = [question for question in data["questions"] if question["gold"]]
    known, made = put_in(client, data, embedder)
    line: dict[str, Any] = {"set": data["name"], "n": len(questions), "import": made}
    line["embedder"] = client.call("system.status")["embedder"]
    found = {}
    for name, follows in (("flat", False), ("graph", True)):
        client.call("mind.update", {"mind": MIND, "settings": {"recall": {"graph": follows}}})
        ask(client, questions[:1], known)  # the index and the graph are in memory before the clock runs
        found[name], taken = ask(client, questions, known)
        line[name] = figures(found[name], taken)
    gained = found["graph"] - found["flat"]
    for place, cut in enumerate(CUTS):
        line[f"gain@{cut}"] = round(float(gained[:, place].mean()), 4)
        line[f"gain@{cut}_95"] = interval(gained[:, place])
    line["learning"] = lessons(client, MIND, questions, known)
    return line
