"""One small request for every task, in English and in Chinese: what a new endpoint is tried with.

Used by `soulmem doctor --model`, which times each. The talk is our own; nothing of a user's memory leaves for a trial.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from soulmem.core.calendar.iso8601 import parse_iso
from soulmem.core.schema.detail_tasks import (
    FadedDetail,
    MaskedNote,
    MisrememberRequest,
    ReconstructRequest,
    Segment,
    SegmentState,
)
from soulmem.core.schema.engine_tasks import (
    FeedbackRequest,
    IdentifyRequest,
    ImportanceRequest,
    InsightsRequest,
    JudgeRequest,
    Labelled,
    MergeRequest,
    NamePair,
    QueryRequest,
    ReconcileRequest,
    ReplayRequest,
    Task,
)
from soulmem.core.schema.note_requests import (
    Cast,
    LinkNode,
    LinkRequest,
    NoteKind,
    Role,
    SplitRequest,
    SummariseRequest,
    Summary,
    Turn,
)

_AT = parse_iso("2026-05-09T18:30:00Z")

_TALK = {
    "en": (
        ("Ann", "I moved to Lisbon on Monday, to a flat above a bakery."),
        ("Mira", "Above a bakery! How are the mornings?"),
        ("Ann", "They smell of cinnamon. And I finally told my sister that I am allergic to hazelnuts."),
        ("Mira", "How did she take it?"),
        ("Ann", "She laughed and threw away the whole jar of spread. We are having dinner on Friday."),
    ),
    "zh": (
        ("小苇", "我周一搬到了大理，住在一家面包店楼上。"),
        ("阿月", "面包店楼上！早上是什么感觉？"),
        ("小苇", "满屋子肉桂味。对了，我终于告诉姐姐我对榛子过敏了。"),
        ("阿月", "她怎么说？"),
        ("小苇", "她笑着把一整罐酱都扔了。我们周五一起吃晚饭。"),
    ),
}
_NOTES = {
    "en": (
        "Ann moved to Lisbon on 2026-05-04, to a flat above a bakery.",
        "Ann is allergic to hazelnuts.",
        "Ann and her sister have dinner on 2026-05-15.",
    ),
    "zh": ("小苇2026年5月4日搬到大理，住在一家面包店楼上。", "小苇对榛子过敏。", "小苇和姐姐2026年5月15日一起吃晚饭。"),
}
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "query": "Where does Ann live now, and what must she not eat?",
        "question": "What do we know about Ann's health?",
        "known": "Ann lives in Porto.",
        "twin": "Ann cannot eat hazelnuts because of an allergy.",
        "persona": "Mira is a warm, curious friend who remembers small things.",
        "mood": "cheerful",
        "clear": "Ann threw away a jar of ",
        "gist": "something sweet",
        "jar": "hazelnut spread",
        "name": "Ann",
        "full_name": "Annabel",
        "reply": "You live above a bakery in Lisbon.",
        "reaction": "Exactly, you remembered!",
    },
    "zh": {
        "query": "小苇现在住在哪里？她不能吃什么？",
        "question": "关于小苇的健康我们知道什么？",
        "known": "小苇住在昆明。",
        "twin": "小苇因为过敏不能吃榛子。",
        "persona": "阿月是个热心又好奇的朋友，记得住小事。",
        "mood": "开心",
        "clear": "姐姐扔掉了一罐",
        "gist": "甜的东西",
        "jar": "榛子酱",
        "name": "小苇",
        "full_name": "王小苇",
        "reply": "你住在大理一家面包店楼上。",
        "reaction": "没错，你还记得！",
    },
}


def sample(task: Task, language: str) -> Any:  # the request type of whichever task
    """A request for `task`; `language` is `en` or `zh`."""
    words = _WORDS[language]
    turns = tuple(
        Turn(seq, Role.USER if seq % 2 else Role.ASSISTANT, speaker, text, _AT + seq * 60_000)
        for seq, (speaker, text) in enumerate(_TALK[language], start=1)
    )
    noted = tuple(Labelled(f"N{place}", text, _AT) for place, text in enumerate(_NOTES[language], start=1))
    nodes = tuple(LinkNode(each.label, NoteKind.SEMANTIC, each.text, at_ms=_AT) for each in noted)
    match task:
        case Task.SUMMARISE:
            return SummariseRequest(None, turns, max_tokens=300, language=language)
        case Task.SPLIT:
            return SplitRequest(Summary(""), turns, cast=Cast(turns[1].speaker), language=language)
        case Task.LINK:
            hot = (LinkNode("H1", NoteKind.SEMANTIC, words["known"], at_ms=_AT, count=3, frequency=0.4),)
            return LinkRequest(nodes, hot, persona=words["persona"], mood=words["mood"], language=language)
        case Task.JUDGE:
            return JudgeRequest((words["query"],), noted, language=language)
        case Task.RATE_IMPORTANCE:
            return ImportanceRequest(noted, cast=Cast(persona=words["persona"]), language=language)
        case Task.ANALYSE_QUERY:
            return QueryRequest(words["query"], _AT, turns, words["persona"], words["mood"], language=language)
        case Task.RECONCILE:
            told = tuple(
                Labelled(f"F{place}", each.text, each.at_ms, turns[0].speaker)
                for place, each in enumerate(noted[:1], 1)
            )
            known = (Labelled("K1", words["known"], _AT - 86_400_000, turns[0].speaker),)
            return ReconcileRequest(told, known, language=language)
        case Task.INSIGHTS:
            return InsightsRequest(words["question"], noted, language=language)
        case Task.RECONSTRUCT:
            segments = (
                Segment(1, SegmentState.CLEAR, words["clear"], length=len(words["clear"])),
                Segment(2, SegmentState.BLUR, "", words["gist"], 15),
            )
            return ReconstructRequest((MaskedNote("N1", segments),), words["persona"], words["mood"], language=language)
        case Task.MERGE:
            return MergeRequest((noted[1], Labelled("N4", words["twin"], _AT)), language=language)
        case Task.FEEDBACK:
            return FeedbackRequest(words["query"], words["reply"], words["reaction"], language=language)
        case Task.MISREMEMBER:
            faded = FadedDetail("D1", words["jar"], words["gist"], words["clear"], at_ms=_AT)
            return MisrememberRequest((faded,), language=language)
        case Task.IDENTIFY:
            return IdentifyRequest(
                (NamePair("A1", words["name"], words["full_name"], noted[:1], noted[1:2]),), language=language
            )
        case Task.REPLAY:
            return ReplayRequest(noted, (("N1", "N3", "N2"),), language=language)
