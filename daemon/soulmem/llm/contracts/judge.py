"""The contract of `judge`: do these notes answer the questions, and which of them helped (algorithms.md §3.5).

One call decides, gives credit, and says where to go on (§3.8). Invariants: every label was shown, each under its own
heading; confidence is 0..1. An answer that names only what is useful, or only what is missing, is completed by the one
from the other; one that says enough and names what is missing, or nothing that helped, is taken as enough and marked.
"""

from __future__ import annotations

from pydantic import Field

from soulmem.core.schema.engine_tasks import Judgement, JudgeRequest, Relation, Task
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import Flag, Labels, Number, Texts, one_line, within
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who
from soulmem.llm.contracts.parts.short_labels import Shown

MOST_MISSING = 5
LONGEST_MISSING = 200  # characters
QUESTION_TOKENS = 200
_UNKNOWN = {"en": "belongs to", "zh": "有关"}
_KINDS = {
    "en": {
        "association": "reminds of",
        "semantic": "belongs to",
        "abstract_of": "is the general case of",
        "trigger": "calls for",
        "evidence": "rests on",
        "supersedes": "replaces",
    },
    "zh": {
        "association": "让人想起",
        "semantic": "有关",
        "abstract_of": "概括了",
        "trigger": "引起",
        "evidence": "依据是",
        "supersedes": "取代了",
    },
}
_BOTH_WAYS = "association"
_NOTES = {"en": "{} not shown yet", "zh": "{}条还没看"}


class JudgeAnswer(Answer):
    sufficient: Flag
    confidence: Number = None
    missing: Texts = Field(default_factory=list)
    useful_nodes: Labels = Field(default_factory=list)
    useful_links: Labels = Field(default_factory=list)
    useful_dummies: Labels = Field(default_factory=list)
    follow: Labels = Field(default_factory=list)


def _arrow(kind: str, verb: str, lang: str) -> str:
    """What a link says, by its verb, else by its kind; an association is read both ways, so it has no head."""
    said = verb or _KINDS[lang].get(kind, _UNKNOWN[lang])
    return f"—{said}—" if kind == _BOTH_WAYS else f"—{said}→"


def _relation(each: Relation, lang: str) -> str:
    """A relation as it runs, with how much lies beyond it, not what."""
    beyond, arrow = f"({_NOTES[lang].format(each.count)})", _arrow(each.kind, each.verb, lang)
    return f"{beyond} {arrow} {each.src}" if each.is_backward else f"{each.src} {arrow} {beyond}"


def _variables(request: JudgeRequest, lang: str) -> dict[str, str]:
    asked = (
        f"{place}. {prompt_wording.told(text, QUESTION_TOKENS)}" for place, text in enumerate(request.subquestions, 1)
    )
    links = ((link.label, f"{link.src} {_arrow(link.kind, link.verb, lang)} {link.dst}") for link in request.links)
    dummies = ((link.label, f"{link.src} ⇢ {link.dst}") for link in request.dummies)
    relations = ((each.label, _relation(each, lang)) for each in request.relations)
    return {
        "who": who_is_who(request.cast, lang, speakers=[note.speaker for note in request.notes], persona=False),
        "questions": "\n".join(asked) or prompt_wording.or_nothing("", lang),
        "notes": prompt_wording.notes_of(request.notes, lang),
        "links": prompt_wording.listed(links, lang),
        "dummies": prompt_wording.listed(dummies, lang),
        "relations": prompt_wording.listed(relations, lang),
    }


def _read(answer: JudgeAnswer, request: JudgeRequest) -> Judgement:
    named = (*answer.useful_nodes, *answer.useful_links, *answer.useful_dummies)
    # A label is looked up among all that were shown: models put a link's label into the list of notes.
    notes = tuple(note.label for note in request.notes)
    links = tuple(link.label for link in request.links)
    dummies = tuple(link.label for link in request.dummies)
    relations = tuple(each.label for each in request.relations)
    shown = Shown((*notes, *links, *dummies, *relations))
    useful, follow = shown.all_meant(named), shown.all_meant(answer.follow)
    missing = tuple(dict.fromkeys(one_line(text)[:LONGEST_MISSING] for text in answer.missing))[:MOST_MISSING]
    if answer.sufficient is None and not missing and not useful:
        raise RejectedAnswerError("sufficient must be true or false")
    sufficient = not missing if answer.sufficient is None else answer.sufficient
    return Judgement(
        sufficient=sufficient,
        confidence=within(answer.confidence, 0, 1, 0.5),
        missing=() if sufficient else missing,
        useful_nodes=tuple(label for label in useful if label in notes),
        useful_links=tuple(label for label in useful if label in links),
        useful_dummies=tuple(label for label in useful if label in dummies),
        follow=() if sufficient else tuple(label for label in follow if label in relations),
        contradicts=sufficient and (bool(missing) or not set(useful).difference(relations)),
    )


JUDGE = Contract(Task.JUDGE, JudgeAnswer, _variables, _read, lambda asked: asked.subquestions)
