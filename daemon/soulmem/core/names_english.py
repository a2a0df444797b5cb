"""Names in English wording: which capitalised words of a note must have been said by somebody.

Data and one function, used by the gate through `core/names`. Months and weekdays are dates and not looked at here.
Within a sentence a capital is a name; at its beginning only what is surely one: a known given name, a possessor, or
what acts or is something without an article and is no common word. In doubt a word is common.
"""

# Word lists stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator

from soulmem.core.patterns import LazyPattern

_WORD = LazyPattern(r"[A-Za-zÀ-ɏ](?:[A-Za-zÀ-ɏ0-9'’&-]*[A-Za-zÀ-ɏ0-9])?")
_OPENS = LazyPattern(r"(?:^|[.!?:;…。！？：；\n\"“”「『(（\[*—–-])\s*[\"“「『(（*]*\s*$")

# Capitalised wherever they stand, and nobody's name.
_CAPITAL = frozenset(
    """
    i i'm i've i'll i'd ok okay tv pc ac dj id ai it hr uk us usa eu un phd mba ceo cto diy bbq atm faq gps usb wifi wi-fi
    app mr mrs ms miss dr prof sir madam st jr sr mom mum mommy dad daddy mama papa grandma grandpa granny aunt auntie
    uncle cousin god internet christmas easter halloween thanksgiving ramadan diwali hanukkah xmas eve valentine's new
    year year's monday tuesday wednesday thursday friday saturday sunday january february march april may june july
    august september october november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov
    dec user assistant human bot ai the a an am pm asap rsvp ps lol omg btw diy vip q a
    """.split()  # noqa: SIM905 (a list of words reads best as words)
)
# Open a sentence without being a name.
_COMMON = frozenset(
    """
    this that these those he she it they we you there here who what when where why how which whose someone somebody
    anyone everyone everybody nobody nothing something everything anything one two three both all some many most few
    several each every either neither another other others none my your his her its our their mine yours hers ours
    and but or so because if although though while since until before after during despite however also then still yet
    even only just maybe perhaps sometimes often usually always never once twice again recently lately now today
    tonight tomorrow yesterday later soon earlier eventually finally meanwhile instead besides overall apparently
    clearly actually currently originally in on at by for from of with without about around as to into over under
    between through against towards like unlike near not no yes please thanks hello hi hey oh well ah wow dear
    life work school home music food love time money health family dinner lunch breakfast coffee tea water sleep
    weather traffic rent art history science math maths biology chemistry physics nature summer winter spring autumn
    fall people kids children friends parents men women students teachers colleagues neighbours neighbors dogs cats
    things days weeks months years mornings evenings weekends nights breakfasts pets plants books films movies games
    yoga football soccer tennis basketball swimming chess cooking baking painting gardening hiking running climbing
    therapy college university class practice training progress luck rain snow sunshine bread cheese wine beer fish
    meat chocolate pizza pasta rice fruit housework homework laundry insomnia anxiety stress pain surgery chemotherapy
    business management customers clients guests visitors security staff nurses doctors police everyone's nobody's
    mother father sister brother wife husband son daughter grandmother grandfather boss dog cat
    """.split()  # noqa: SIM905 (as above)
)
_ACTS = frozenset(
    """
    is was has had will would can could does did likes loves hates enjoys prefers lives lived works worked studies
    studied plays played wants wanted needs needed went goes moved bought sold got gets said says told tells thinks
    thought feels felt plans planned hopes hoped knows knew met married divorced adopted owns owned runs ran teaches
    taught writes wrote visited visits comes came left started stopped began became grew drives drove drinks eats ate
    keeps kept collects speaks spoke sings dances cooks paints travels traveled travelled graduated retired died
    called asked answered promised gave sent invited helped cried laughed suffers dislikes fears misses missed admires
    """.split()  # noqa: SIM905 (as above)
)
_GIVEN = frozenset(
    """
    james john robert michael david william richard joseph thomas charles christopher daniel matthew anthony mark
    donald steven paul andrew joshua kenneth kevin brian george timothy ronald edward jason jeffrey ryan jacob gary
    nicholas eric jonathan stephen larry justin scott brandon benjamin samuel gregory alexander patrick frank raymond
    jack dennis jerry tyler aaron jose adam nathan henry douglas zachary peter kyle noah ethan jeremy walter christian
    keith roger terry austin sean gerald carl dylan harold jordan jesse bryan lawrence arthur gabriel bruce logan
    albert willie alan juan elijah oliver liam lucas mason leo max felix hugo oscar lars erik sven ivan igor pierre
    mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty sandra margaret ashley
    kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca sharon laura cynthia dorothy amy
    kathleen angela shirley emma brenda pamela nicole anna ann anne samantha katherine christine helen debra rachel
    carolyn janet maria catherine heather diane olivia julie joyce victoria ruth virginia lauren kelly christina joan
    evelyn judith andrea hannah megan cheryl jacqueline martha madison teresa gloria sara janice kathryn abigail
    sophia frances jean alice judy isabella julia grace amber denise danielle marilyn beverly charlotte natalie
    theresa diana brittany doris kayla alexis lori marie bob bill tom tim jim joe mike dave steve dan ben sam alex
    nick tony chris matt greg jeff fred ned ted billy bobby tommy jimmy johnny danny sally molly polly lily emily
    lucy lola mia zoe chloe ella nora ingrid greta olga elena sofia carlos pedro luis ahmed mohammed omar fatima
    yuki kenji hiroshi priya raj arjun mei wei
    """.split()  # noqa: SIM905 (as above)
)
DEMONYMS = frozenset(
    """
    english british scottish welsh irish american canadian mexican brazilian argentinian chilean peruvian colombian
    spanish portuguese french german italian dutch belgian swiss austrian polish czech hungarian romanian bulgarian
    greek turkish russian ukrainian swedish norwegian danish finnish icelandic estonian latvian lithuanian serbian
    croatian chinese japanese korean vietnamese thai indian pakistani bangladeshi indonesian malaysian filipino
    australian egyptian moroccan nigerian kenyan ethiopian israeli iranian iraqi arab arabic european asian african
    latin mandarin cantonese hindi catholic christian muslim jewish buddhist hindu
    """.split()  # noqa: SIM905 (as above)
)


def names_in(text: str) -> Iterator[str]:
    """The words of `text` that must be grounded; parts of a hyphenated word one by one."""
    words = list(_WORD.finditer(text))
    long = [word[0][0].isupper() for word in words if len(word[0]) > 3]
    headline = len(long) >= 4 and all(long)
    for number, match in enumerate(words):
        word = match[0]
        plain = word.casefold().replace("’", "'")
        bare = plain.removesuffix("'s")
        short = "'" in bare and bare.partition("'")[0] not in {"o", "d", "l"}  # don't, I'm; but O'Brien
        if not word[0].isupper() or bare in _CAPITAL or plain in _CAPITAL or len(bare) < 2 or short:
            continue
        opens = headline or _OPENS.search(text, max(0, match.start() - 6), match.start()) is not None
        following = words[number + 1][0].casefold() if number + 1 < len(words) else ""
        if opens and not _surely_named(bare, plain, following):
            continue
        for part in re.split(r"[-&]", word):
            name = re.sub(r"['’]s$", "", part)
            if len(name) > 1 and name[0].isupper() and name.casefold() not in _CAPITAL:
                yield name


def _surely_named(bare: str, plain: str, following: str) -> bool:
    """Whether a word that opens a sentence is a name."""
    if bare in _GIVEN:
        return True
    if bare in _COMMON or bare.endswith(("ing", "ly", "tion", "ness", "ment", "ity")):
        return False
    return plain.endswith("'s") or following in _ACTS


def is_demonym(name: str) -> bool:
    return name.casefold().removesuffix("s") in DEMONYMS or name.casefold() in DEMONYMS


def is_common_capital(word: str) -> bool:
    """Whether a word is written with a capital though it names nobody: a month, a title, an abbreviation."""
    return word.casefold() in _CAPITAL
