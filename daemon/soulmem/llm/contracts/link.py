"""The contract of `link`: what was on the mind together is tied, however unlike (algorithms.md §2.4).

The character himself speaks here, so the request carries persona and mood. Invariants: both ends were shown and differ;
one link a pair, kind and verb; at most `MOST_LINKS`. Whether a link's kind fits its ends is judged once more by
`core/linking/link_validation`; here a link that merely points the wrong way is turned round.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from soulmem.core.schema.engine_tasks import Task
from soulmem.core.schema.note_requests import LinkDraft, LinkKind, LinkNode, LinkRequest, NoteKind
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.contracts.parts.answer_fields import Choice, Items, ListAnswer, Number, Text, one_line, within
from soulmem.llm.contracts.parts.contract_base import Answer, Contract, RejectedAnswerError
from soulmem.llm.contracts.parts.prompt_roles import who_is_who
from soulmem.llm.contracts.parts.short_labels import Shown, shown_list

NOTE_TOKENS = 14  # a note need not be told in full to be tied
MOST_LINKS = 5  # a model that is asked for many invents them
PERSONA_TOKENS = 150
LONGEST_VERB = 40  # characters
_KINDS = ("association", "semantic", "abstract_of", "trigger")
_ALSO = {"abstract": "abstract_of", "triggers": "trigger", "associated": "association", "关联": "association",
         "联想": "association", "语义": "semantic", "抽象": "abstract_of", "触发": "trigger"}  # fmt: skip
_SITUATIONS = (NoteKind.TRIGGER, NoteKind.ABSTRACT, NoteKind.EPISODIC)
_KIND_NAMES = {
    "en": {
        NoteKind.EPISODIC: "event", NoteKind.ABSTRACT: "kind of situation", NoteKind.SEMANTIC: "fact or concept",
        NoteKind.PROCEDURAL: "habit", NoteKind.TRIGGER: "trigger", NoteKind.REFLECTION: "insight",
        NoteKind.PLAN: "plan", NoteKind.LORE: "lore",
    },
    "zh": {
        NoteKind.EPISODIC: "经历", NoteKind.ABSTRACT: "一类情境", NoteKind.SEMANTIC: "事实或概念",
        NoteKind.PROCEDURAL: "习惯", NoteKind.TRIGGER: "触发情境", NoteKind.REFLECTION: "感悟",
        NoteKind.PLAN: "打算", NoteKind.LORE: "设定",
    },
}  # fmt: skip
_TIMES = {"en": "recalled {} times", "zh": "想起过{}次"}


class LinkItem(Answer):
    src: Text = ""
    dst: Text = ""
    kind: Annotated[str | None, Choice(_KINDS, _ALSO)] = None
    verb: Text = ""
    strength: Number = None


class LinkAnswer(ListAnswer):
    links: Items[LinkItem]


def _node(node: LinkNode, lang: str) -> tuple[str, str]:
    told = [] if node.kind is NoteKind.EPISODIC else [_KIND_NAMES[lang][node.kind]]
    told += [_TIMES[lang].format(node.count)] if node.count else []
    text = prompt_wording.without_telling_day(node.text, node.speaker)
    before = prompt_wording.aside(0, prompt_wording.told_by(node.speaker, text), lang, *told)
    return node.label, before + prompt_wording.shortened(text, NOTE_TOKENS)


def _variables(request: LinkRequest, lang: str) -> dict[str, str]:
    speakers = [node.speaker for node in (*request.new, *request.hot)]
    return {
        "who": who_is_who(request.cast, lang, speakers=speakers, persona=False),
        "persona": prompt_wording.or_nothing(request.persona, lang, PERSONA_TOKENS),
        "mood": prompt_wording.or_nothing(request.mood, lang, 60),
        "new": prompt_wording.listed((_node(node, lang) for node in request.new), lang),
        "hot": prompt_wording.listed((_node(node, lang) for node in request.hot), lang),
        "most": str(_most(request)),
    }


def _most(request: LinkRequest) -> int:
    return min(MOST_LINKS, 2 * len(request.new) + len(request.hot))


def _read(answer: LinkAnswer, request: LinkRequest) -> tuple[LinkDraft, ...]:
    kinds = {node.label: node.kind for node in (*request.hot, *request.new)}
    shown = Shown(kinds)
    drafts: dict[tuple[str, str, LinkKind, str], LinkDraft] = {}
    for item in answer.links:
        src, dst = shown.meant(item.src), shown.meant(item.dst)
        if src is None or dst is None or src == dst:
            continue
        draft = _fitting(item, src, dst, kinds)
        ends = (draft.src, draft.dst)
        if draft.kind is LinkKind.ASSOCIATION:
            ends = (min(ends), max(ends))
        drafts.setdefault((*ends, draft.kind, draft.verb.casefold()), draft)
        if len(drafts) >= _most(request):
            break
    if answer.links and not drafts:
        raise RejectedAnswerError(f"no link joins two different notes of those shown: {shown_list(shown)}")
    return tuple(drafts.values())


def _fitting(item: LinkItem, src: str, dst: str, kinds: Mapping[str, NoteKind]) -> LinkDraft:
    """The link as its ends allow: turned round if that is all that is wrong, else an association."""
    verb = one_line(item.verb)[:LONGEST_VERB].strip()
    kind = LinkKind(item.kind or ("semantic" if verb else "association"))
    ends = (kinds[src], kinds[dst])
    match kind:
        case LinkKind.ABSTRACT_OF:
            if ends == (NoteKind.EPISODIC, NoteKind.ABSTRACT):
                src, dst = dst, src
            elif ends != (NoteKind.ABSTRACT, NoteKind.EPISODIC):
                kind = LinkKind.ASSOCIATION
        case LinkKind.TRIGGER:
            if ends[0] is NoteKind.PROCEDURAL and ends[1] in _SITUATIONS:
                src, dst = dst, src
            elif ends[1] is not NoteKind.PROCEDURAL or ends[0] not in _SITUATIONS:
                kind = LinkKind.ASSOCIATION
        case LinkKind.SEMANTIC if not verb:
            kind = LinkKind.ASSOCIATION
        case _:
            pass
    return LinkDraft(
        src=src,
        dst=dst,
        kind=kind,
        verb=verb if kind is LinkKind.SEMANTIC else "",
        intensity=round(within(item.strength, 0, 1, 0.5), 3),
    )


LINK = Contract(
    Task.LINK, LinkAnswer, _variables, _read, lambda asked: (each.text for each in (*asked.new, *asked.hot))
)
