"""Words that English names are told by: given names, names that are words, and common words that are none.

The lists stand in `english_names.txt`, each with what it holds.
"""

from __future__ import annotations

from soulmem.core.text.word_file import read_sections

_LISTS = {name: frozenset(words.split()) for name, words in read_sections("core/names/english_names.txt").items()}

GIVEN = _LISTS["given"]
ONLY_NAMES = _LISTS["only_names"]
WORDS_IN_LOWER_CASE = _LISTS["words_in_lower_case"]
WORDS_FOR_NAMES = _LISTS["words_for_names"]
CAPITAL = _LISTS["capital"]
COMMON = _LISTS["common"]
ACTS = _LISTS["acts"]
DEMONYMS = _LISTS["demonyms"]
TITLES = _LISTS["titles"]
KIN = _LISTS["kin"]
PARTICLES = _LISTS["particles"]
MONTHS = _LISTS["months"]
DETERMINERS = _LISTS["determiners"]
PLACE_AHEAD = _LISTS["place_ahead"]
MOVES = _LISTS["moves"]
THING_AHEAD = _LISTS["thing_ahead"]
PERSON_AHEAD = _LISTS["person_ahead"]
SHORTENED = _LISTS["shortened"]
NO_SUBJECT_BEHIND = _LISTS["no_subject_behind"]
ADVERBS = _LISTS["adverbs"]
MATTERS = _LISTS["matters"]
TO_SOMEBODY = _LISTS["to_somebody"]
WORKS = _LISTS["works"]
MODALS = _LISTS["modals"]
COPULAS = _LISTS["copulas"]
NO_NAME_BEHIND_KIN = _LISTS["no_name_behind_kin"]
LOWER_AHEAD = _LISTS["lower_ahead"]
NO_CALLING = _LISTS["no_calling"]
