"""Who is who in a prompt: whose memory it is, who speaks with it, who asks (algorithms.md §0.3).

Used by every contract's `describe`. A model that is not told confuses the character with the people, takes advice for
a habit and puts the words of one into the mouth of another. Invariant: only names that people use are shown; a mind's
technical name never is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from soulmem.core.schema.note_requests import Cast, Role, Turn
from soulmem.llm.contracts.parts import prompt_wording
from soulmem.llm.extractive.wording.standalone_sentences import display_name

NAME_TOKENS = 40
PERSONA_TOKENS = 60  # where the prompt has no place of its own for the persona
MOST_PEOPLE = 12
_NAMELESS = {"en": "the companion", "zh": "这位同伴"}
_IS = {"en": "this is {0}'s memory", "zh": "{0}是这份记忆的主人"}
_PERSONA = {"en": " ({0})", "zh": "（{0}）"}
_TALK = {"en": "; {1} talk{2} with {0}", "zh": "；{1}在和{0}说话"}
_ASKS = {"en": "; {0} is the one who asks now", "zh": "；现在提问的是{0}"}
_AND = {"en": " and ", "zh": "和"}
_COMMA = {"en": ", ", "zh": "、"}
_END = {"en": ".", "zh": "。"}


def character_of(cast: Cast, lang: str, turns: Sequence[Turn] = ()) -> str:
    """The name of whoever remembers: as it was given, else as it speaks, else a word for it."""
    generic = display_name("assistant", lang)
    given = prompt_wording.told(display_name(cast.character, lang), NAME_TOKENS)
    if given and given != generic:
        return given
    spoken = (display_name(turn.speaker, lang) for turn in turns if turn.role is Role.ASSISTANT)
    return next((prompt_wording.folded(name)[:60] for name in spoken if name and name != generic), _NAMELESS[lang])


def people_of(cast: Cast, lang: str, turns: Sequence[Turn] = (), speakers: Iterable[str] = ()) -> list[str]:
    """Everybody else, each once: who spoke, who told a note, who is known besides."""
    # As on the lines: whoever gave no name is called there what he is.
    said = [prompt_wording.speaker_of(turn, lang) for turn in turns if turn.role is not Role.ASSISTANT]
    named = (
        prompt_wording.folded(display_name(name, lang))[:60] for name in (*said, *speakers, *cast.people, cast.asker)
    )
    own = character_of(cast, lang, turns)
    generic = display_name("assistant", lang)
    return list(dict.fromkeys(name for name in named if name and name not in {own, generic}))[:MOST_PEOPLE]


def who_is_who(
    cast: Cast, lang: str, turns: Sequence[Turn] = (), speakers: Iterable[str] = (), *, persona: bool = True
) -> str:
    """One sentence that names the character, the people and the one who asks.

    `persona`: whether a few words of the persona stand behind the character's name.
    """
    own = character_of(cast, lang, turns)
    told = _IS[lang].format(own)
    if persona and cast.persona.strip():
        told += _PERSONA[lang].format(prompt_wording.folded(prompt_wording.shortened(cast.persona, PERSONA_TOKENS)))
    people = people_of(cast, lang, turns, speakers)
    if people:
        listed = _COMMA[lang].join(people[:-1]) + (_AND[lang] if people[:-1] else "") + people[-1]
        told += _TALK[lang].format(own, listed, "" if len(people) > 1 else "s")
    asker = prompt_wording.folded(display_name(cast.asker, lang))[:60]
    told = told[:1].upper() + told[1:]
    return told + (_ASKS[lang].format(asker) if asker else "") + _END[lang]
