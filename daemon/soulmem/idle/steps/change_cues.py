"""Words by which a statement may be saying that something is no more as it was.

Used to decide about which statements a model is asked, because asking costs; what they change is not decided here. Of
words that mostly speak of a change one is enough; of those that may, more must speak for it. Values of one thing may
take each other's place without a word of change. Pure.
"""

# Word lists stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import re
from enum import IntEnum

from soulmem.core.regex.lazy_regex import KeptPattern

_PLAIN = KeptPattern(
    r"\b(?:no longer|not any ?more|any ?more|any longer|instead|after all|turned out|from now on|update|"
    r"change[ds]?|moved|switch(?:ed|es)|swap(?:ped|s)|replaced|renamed|quits?|left (?:the|my|h[ie][sr]|their|home|school)|stopped|g[ai]ve up|dropp?(?:ed|ing) out|resign(?:ed|s)|retire[ds]|"
    r"fired|laid off|sacked|promoted|sold|stolen|died|dead|passed away|fell through|broke up|broken up|split up|divorc\w*|separated|dumped|back together|"
    r"cancel\w*|called (?:it )?off|postponed|rescheduled|push(?:ed|es) back|put off|brought forward|delayed|staying put|selling up|"
    r"bumped|shifted|ghosted|evicted|(?:closed|shut) down|kicked out|not happening|(?:is|are|was|it's) off(?! to)|can't make it|fell out|on a break|"
    r"didn't (?:work|pan) out|went bust|(?:backed|pulled) out|turned (?:it|me|him|her|them|us) down|took over|back from|"
    r"isn't|isnt|won't|wont|never again|not (?:going|coming|moving|the)|wrong|mistaken|i meant|correction)\b|, not \w+"
    r"|不再|再也|改[到成为期了去签口名]|换[到成了个工手]|搬[到去家走了]|挪到|调[到去职]|转[到学行专]|[升降涨跌]到|[升降涨跌]了|辞|离职|离婚|退[休学租]|跳槽|开除|裁员"
    r"|不干了|[去来做办]不[成了]|没成|闹翻|拉黑|关门|倒闭|落选|录取|谈了个|在一起了|拆线|定[在了到]"
    r"|[说记搞打写弄]错|分手|吹了|掰了|复合|没了|去世|过世|死了|卖[了掉]|戒[了掉]|取消|推迟|延[期后]|泡汤|黄了|变卦|反悔|也改了|过了|不是[^，。！？]{1,10}[，,]?\s*是"
    r"|不[^，。！？]{0,8}了(?![^，。！？]*[吗呢])|不去",
    re.IGNORECASE,
)
_FAINT = KeptPattern(
    r"\b(?:used to|actually|in fact|back to|by now|new|now|yet|already|finally|over|ended|ends|finished|completed|passed|failed|lost|hired|raise|pregnant|engaged|married|"
    r"start(?:s|ed|ing)?|join\w*|signed|adopted|bought|got|booked|confirmed|going with|settled on|chose|picked|these days|"
    r"agreed|decided|mind|healed|recovered|grown|earlier than|later than|don't|dont|doesn't|doesnt|aren't|can't|cannot)\b"
    r"|开始|签了|买了|拿到|到了|加入|[改换搬挪调转升降涨]|走了|丢了|坏了|停了|放弃|提前|算了|变|成了|通过|挂了|考[上过]|好了|痊愈|出院|住院|结束|入职|结婚|订婚|怀孕|出生|现在|如今|已经|终于|其实|原来|没想到|结果|还是|重新|新|没[^，。！？]{0,6}了|不来|不想|不会",
    re.IGNORECASE,
)


class Change(IntEnum):
    """How plainly a statement speaks of a change."""

    NONE = 0
    FAINT = 1
    PLAIN = 2


def change_in(text: str) -> Change:
    """How plainly a statement says that something has changed, has ended or will not be."""
    text = text.replace("’", "'")
    if _PLAIN.search(text):
        return Change.PLAIN
    return Change.FAINT if _FAINT.search(text) else Change.NONE
