"""Forms of English verbs that no rule makes: what happened by one word, and what has been done.

Read by whoever tells the tense of a clause, and by whoever says somebody's sentence anew. Data.
"""

from __future__ import annotations

IRREGULAR_PAST = frozenset(
    """
    went got took saw met found bought came won gave lost ran made told felt left sold ate wrote drove flew
    broke fell grew kept heard spent taught thought built chose caught sang swam wore quit began became brought
    drank forgot held knew led meant paid rode said sent slept spoke stood stuck stole swore threw understood
    woke
    """.split()
)
# These too are of the past, where they are read and not said anew.
READ_AS_PAST = IRREGULAR_PAST | frozenset(
    """
    arose bent bit blew bled bred drew dug dreamt fed fought froze hid hung knelt laid lay learnt lent lit rang
    rose shook shot showed sat sank spun stung struck swept tore burnt wept wound bumped ended
    """.split()
)
PARTICIPLES = frozenset(
    """
    been seen gone done taken given written eaten spoken driven flown known shown grown begun broken chosen fallen
    forgotten hidden ridden risen sung sunk swum thrown torn woken worn become come run
    """.split()
)
