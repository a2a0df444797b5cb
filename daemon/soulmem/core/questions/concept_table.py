"""The table of concepts: words that ask for the same thing, and words by which an answer says it, in two languages.

Read by `core.questions.question_concepts`; the words lie beside it in `concepts.txt`. One concept a line: what stands
before `>` asks for it and says it; what stands behind it says it and does not ask for it (whoever asks for a pet is
told of a cat, whoever asks for a cat is not told of a dog). Chinese words have one or two characters, because those
are the terms of the index. The lists are everyday words of conversation, so that a question in other words than the
answer's is still known to be answered.
"""

from __future__ import annotations

from soulmem.core.text.word_file import read_sections

_SECTIONS = read_sections("core/questions/concepts.txt")
TABLE = _SECTIONS["concepts"]
CASES = _SECTIONS["cases"]
"""Kinds of things with many of their cases: whoever asks for a fruit is answered by a mango, as no stemmer knows."""
IRREGULAR = _SECTIONS["irregular"]
"""The forms of a word that no stemmer brings together, each group between bars."""
