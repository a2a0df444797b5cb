"""Comparison questions: whether a question asks how two things stand to each other ("was A or B born first").

Called when a question is read (`core.search.relevance_scoring`). It is answered by what is known of either, so neither
is the better answer: as in the comparisons of 2WikiMultiHopQA (Ho et al. 2020). Told by words alone, in Chinese and
English. Pure.
"""

from __future__ import annotations

from soulmem.core.regex.lazy_regex import CaselessPattern

_READ = 320  # characters

_MORE = (
    r"(?:first|last|earlier|later|sooner|older|elder|younger|longer|shorter|taller|bigger|larger|smaller|closer|nearer|farther|further"
    r"|cheaper|heavier|faster|better|worse|more \w+|less \w+|more recent(?:ly)?|most recent(?:ly)?|oldest|youngest)"
)
_COMPARED = CaselessPattern(
    rf"\b(?:who|which|whose|what)\b[^?]*\b{_MORE}\b[^?]*(?:[,:;–-]| between| of| out of) ?[^?]* (?:or|and) \S"
    rf"|\b(?:who|which)\b[^?]*[,:]? \S+ or \S+[^?]*\b{_MORE}\b"
    rf"|^\W*(?:was|were|is|are|did|do|does|has|have|will|can)\b[^?,]* or [^?]*\b{_MORE}\b"
    r"|^\W*(?:was|were|is|are|did|do|does|has|have|can)\b[^?]*\bboth\b[^?]* and [^?]*"
    r"|^\W*(?:was|were|is|are|did|do|does|has|have|can)\b[^?]* and [^?]*\b(?:both|the same|alike|share|in common)\b"
)
_MORE_CHINESE = r"(?:更|先|早|晚|大|小|老|年长|年轻|高|矮|长|短|远|近|贵|便宜|重|轻|快|慢|多|少|好|后)"
_CHINESE = CaselessPattern(
    rf"[和跟与同、或][^，。！？?]{{1,30}}[，,]?\s?(?:谁|哪(?:一)?[个位家部边只样件本首场])(?:比较|更|最)?[^，。！？?]{{0,8}}{_MORE_CHINESE}"
    rf"|(?:谁|哪(?:一)?[个位家部边只样件本首场])(?:比较|更|最)?[^，。！？?]{{0,8}}{_MORE_CHINESE}[^，。！？?]{{0,6}}[，,:：][^。！？?]{{1,30}}(?:还是|和|或)"
    r"|[和跟与同、][^，。！？?]{1,30}(?:是不是|是否|都是|是|都)?(?:同一|一样|同岁|同年|同乡|相同)[^，。！？]{0,14}[吗么？?]"
    r"|[和跟与、][^，。！？?]{1,16}(?:是不是|是否)?都[^，。！？?]{1,20}[吗么]"
)


def compares(text: str) -> bool:
    """Whether a question asks how two things compare, so that what is known of each of them is wanted."""
    read = text[:_READ]
    return _COMPARED.search(read) is not None or _CHINESE.search(read) is not None
