"""Which names a Chinese note states, as the gate asks for them: with their surname alone, or any part of a house's name.

Of `name_grounding`. Pure.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

from collections.abc import Iterable, Iterator

from soulmem.core.names import chinese_name_parts as parts
from soulmem.core.names import place_names
from soulmem.core.names.chinese_names import find
from soulmem.core.regex.lazy_regex import LazyPattern

_H = "\u4e00-\u9fff"
_BY_SURNAME = LazyPattern(rf"姓([{_H}])(?![{_H}]?名)")
_ENDS = "|".join(sorted(place_names.CHINESE_ENDS, key=len, reverse=True))
_PLACE_NAME = LazyPattern(
    rf"(?:在|去|到|从|往|回|离开|来自|毕业于|就职于|任职于|考上|考进|加入|进入|搬到|住在)了?([{_H}]{{2,7}}?(?:{_ENDS}))"
)
_PLACE_END = LazyPattern(rf"(?:{_ENDS})$")
_GENERIC = LazyPattern(
    r"[一两三几某那这该本各]|[家所间座个条片处块]|附近|当地|自己|公司|医院|大学|学校|医|大型|小型|新|旧|老|郊区|郊外|市区|城里|外|里|"
    r"的|他|她|它|我|你|们|工作|上班|了|去|来|回|到|在|住|儿童|人民|中心|第|国|名|公|私|立|海边|家乡|老家|隔壁|同|别|上海|爬|逛|看|游|互联网|科技|"
    r"软件|广告|设计|食品|外贸|建筑|律师|会计|研究|出版|音乐|动物|植物|森林|湿地|主题|游乐|火|汽|高铁|地铁|公交|国际|深|夜|乡|山|大|小"
)
_TITLED = tuple(sorted(parts.TITLES, key=len, reverse=True))


def names_in(text: str, known: Iterable[str] = ()) -> Iterator[tuple[str, bool]]:
    """Names a Chinese note states, each with whether a part of it is enough to have been said.

    Of a surname with a title the surname is, of a place or house with a telling word in it (成都第一医院) any two
    characters of its name. `known` names need no more saying.
    """
    known = frozenset(known)
    for span in find(text, known):
        if span.name not in known:
            title = next((each for each in _TITLED if span.name.endswith(each) and len(span.name) > len(each)), "")
            yield span.name.removesuffix(title), False
    for match in _BY_SURNAME.finditer(text):
        yield match[1], False
    for match in _PLACE_NAME.finditer(text):
        stem = _PLACE_END.sub("", match[1].rpartition("的")[2])
        if any(len(piece) >= 2 for piece in _GENERIC.split(stem)):
            yield stem, True
