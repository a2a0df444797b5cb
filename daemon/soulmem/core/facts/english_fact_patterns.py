"""English patterns of what is so, has become so, or is so no more; read by `fact_reader`.

A pattern is sought in one clause; what stands before it says of whom. Its named groups: `o` the object, `k` what kind of
thing it is of, `n` who. Each stands with the words it cannot do without, so that most clauses cost nothing. Patterns
are bounded: no quantifier within another, no more than some words of object.
"""

# ruff: noqa: E501 (patterns stand on long lines, as tables)

from __future__ import annotations

from soulmem.core.dates.english_date_words import OF_MONTHS
from soulmem.core.facts.relations import Mode
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.regex.regex_prefilter import Needs, needs_of
from soulmem.core.text.word_file import read_rows
from soulmem.fast_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    """`relation` `of`: an attribute, named by the group `k`. `subject`: the group `n` says of what."""

    pattern: LazyPattern
    needs: Needs
    relation: str
    mode: Mode


_O = r"(?P<o>[^.;!?()\"“”]{1,60})"
_NAMED = r"(?P<o>(?-i:[A-ZÀ-Þ])[\w'’-]*(?: (?-i:[A-ZÀ-Þ])[\w'’-]*){0,2})"
_STREET = r"(?:(?-i:[A-ZÀ-Þ])[\w'’-]* ){1,3}(?-i:Street|Road|Close|Lane|Avenue|Drive|Crescent|Terrace|Gardens|Grove|Square|Row|Mews|Court)\b"
_KIN = r"(?:girlfriend|boyfriend|wife|husband|partner|spouse|fianc[eé]e?|gf|bf|missus|hubby)"
_JOB = (
    r"(?:nurse|doctor|teacher|chef|cook|pilot|lawyer|student|artist|coach|vet|guide|clerk|intern|judge|freelance|barista|paralegal|housekeeper|au pair|electrician|copywriter|civil servant|postie|nun|monk|priest|nanny|"
    r"midwife|roofer|welder|builder|tailor|sailor|author|gardener|paramedic|mechanic|surgeon|secretary|therapist|dentist|scientist|journalist|florist|pharmacist|analyst|consultant|accountant|"
    r"\w{2,12}(?:eer|ner|cher|ger|ver|per|ker|ter|ler|sor|tor|rist|tist|list|gist|ician|arian|tant|man|woman))"
)
_NO_JOB = r"(?!(?:better|winter|sister|brother|daughter|mother|father|letter|dinner|number|member|corner|partner|lover|later|user|beginner|foreigner|owner|winner|loser|sinner|vegetarian|fan|believer|reader|listener|minor|junior|senior|single|bit|little|lot|big|huge)\b)"
_DATE = (
    r"(?:(?:on |at |till |until |for |by )?(?:(?:this|next|the|coming|early|late) ){0,2}(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:on )?(?:mon|tue|tues|wed|thu|thurs|fri|sat|sun)\b"
    r"|today|tonight|tomorrow|the day after tomorrow|(?:on |at |over )?(?:this|next|the) weekend|(?:this|next) (?:week|weekend|month|year|morning|afternoon|evening|spring|summer|autumn|fall|winter)"
    rf"|(?:in |on |at |by )?(?:the )?\d{{1,2}}(?::\d\d|st|nd|rd|th|am|pm| ?[ap]m)?\b|(?:on |in |early |late )?(?:{OF_MONTHS}|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)\b"
    r"|(?:at )?noon|the (?:week|month|day|weekend) after|in (?:a|an|one|two|three|four|five|six|\d+) (?:days?|weeks?|months?|fortnight)|christmas|easter|new year)"
)
_WHEN = rf"(?P<o>{_DATE}[^.;!?]{{0,40}})"
_ADV = r"(?:(?:now|currently|just|recently|finally|officially|already|actually|still|also|both|originally|always|only|mostly|usually|really) ){0,2}"
_STUFF = r"(?P<o>(?:(?:my|the|our|his|her|an?|that|old|two|three|new) ){0,3}[\w'’-]+(?: [\w'’-]+){0,4})"

_TABLE = read_rows("core/facts/english_fact_patterns.txt", globals())

PATTERNS: tuple[Pattern, ...] = tuple(
    Pattern(CaselessPattern(pattern), needs_of(needs) if needs.strip("|") and not needs.endswith("|") else (), relation, Mode[mode])
    for relation, mode, needs, pattern in _TABLE
)  # fmt: skip

CLAUSE_END = CaselessPattern(
    r"(?<![.!?;…\n])[.!?;…\n]+(?=\s|$)|(?<!\s)\s++[-–—]++\s+|,\s+|(?<![.!?;])[.!?;]++\s*+$"
    r"|(?<!\s)\s++(?:and|but|so|because|cause|cuz|although|though|while|which|who|then|when|after|before|until|since)\s+"
    r"(?=(?:i|i['’]m|i['’]ve|im|ive|we|we['’]re|my|our|he|she|they|it|now|then|also|just|finally|works?|lives?|moved|quit|left|got|started|joined|have|has|am|is|"
    r"switched|sold|bought|stopped|gave|adopted|the|play|plays|love|loves|like|likes|hate|hates|no)\b)"
)
UNREAL = CaselessPattern(
    r"\b(?:if|wish|would|wouldn['’]t|might|maybe|perhaps|could|thinking (?:of|about)|considering|dream(?:t|ed|ing)? (?:of|about|that)|imagine|pretend|"
    r"hope to|hoping to|want to|wants to|wanna|plan to|planning to|should|almost|nearly|supposed to|as if|remember when|did you|do you|are you|is it|should i)\b"
)
TAIL = CaselessPattern(
    r"(?<![\s,])[\s,]+(?:now|currently|these days|nowadays|at the moment|right now|again|too|as well|instead|though|already|lately|recently|any ?more|any longer|actually|lol|haha|btw|tbh|"
    r"xd|ok|okay|yay|finally|so far|for now|with (?:my|our|his|her|the|a|two|three|\w+$)|since|because|cause|for (?:a|an|the|about|over|\d+|two|three|four|five|six|ten|good|now|work|years|months|ages|last|past)\b|"
    r"last (?:week|month|year|night|summer|spring|autumn|fall|winter|\w+day)|this (?:week|month|year|morning|summer|spring)|yesterday|today|tomorrow|next (?:week|month|year|\w+day|summer)|"
    rf"(?:in|on|since|until|from) (?:{OF_MONTHS}|jan|feb|sept|oct|nov|dec|\d|mon|tues|wednes|thurs|fri|satur|sun|the \d)|"
    r"(?:a (?:few|couple of)|two|three|four|\d+) (?:years?|months?|weeks?|days?|times)\b|every (?:day|week|morning|night|evening|\w+day)|once a|twice a|ago|when|where|who|which|that|so|but|to (?:be|work|live|study)|by|tho)\b.*$"
)
LEAD = CaselessPattern(
    r"^(?:\W+|(?:so|and|but|well|yeah|yes|yep|yup|nope|no|ok|okay|oh|hey|hi|um|uh|btw|fyi|by the way|ps|update|news|big news|good news|bad news|sad news|quick update|small update|guess what|also|"
    r"anyway|anyways|actually|honestly|sadly|unfortunately|luckily|finally|it turns out|turns out|tbh|now|currently|today|yesterday|these days|nowadays|just|recently|officially|the \w+ (?:says|said|told me|thinks)(?: that)?|\w+ (?:says|said|told me)(?: that)?|"
    r"then|still|really|already|even|as you know|did i (?:tell|mention)(?: you)?(?: that)?|remember|last (?:week|month|year|night|summer|\w+day)|this (?:week|month|year|morning|afternoon|evening)|"
    rf"since (?:last )?\w+|as of (?:\w+ )?\w+|in (?:{OF_MONTHS}|\d{{4}})|on \w+day|a (?:week|month|year|while) ago|two \w+ ago|"
    r"the other day|after (?:that|\w+ years?)|long story short|plot twist|wow|lol|haha|omg|ugh|argh|hm+|oh well|i think|i guess|you know)\b)+"
)
FILLING = CaselessPattern(
    r"(?:\W|\b(?:have|has|had|am|is|are|was|were|been|be|being|do|does|did|will|shall|gonna|going to|'m|'ve|'re|'s|'ll|just|now|currently|recently|finally|officially|already|actually|still|also|both|"
    r"really|only|even|never|always|then|it|both|all|about|to|got|get|sadly|unfortunately|luckily|totally|completely|originally|mostly|usually|often|sometimes|today|yesterday|always|used|old|new|a|an|"
    r"in the end|last (?:week|month|year|night|\w+day)|this (?:week|month|year|morning)|after all|again|kind of|kinda|simply|too|so|decided|had|not|don['’]t|doesn['’]t|isn['’]t|never))"
)
SPEAKER = CaselessPattern(r"(?:i|we|me|myself|im|ive|i['’]m|i['’]ve|i['’]d|i['’]ll|we['’]re|we['’]ve|we['’]ll)")
PRONOUN = CaselessPattern(
    r"(?:he|she|they|it|this|that|him|her|them|you|he['’]s|she['’]s|they['’]re|it['’]s|you['’]re)"
)
POSSESSED = CaselessPattern(
    r"(?:(?:my|our)\s+|(?=(?:mum|mom|mummy|mommy|dad|daddy|grandma|granny|grandpa|granddad|nana|gran|auntie)\b))(?P<thing>[\w'’-]+(?: [\w'’-]+){0,3})"
)
NAME = LazyPattern(r"(?P<name>[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*){0,2})(?:['’]s (?P<thing>[\w'’-]+(?: [\w'’-]+){0,2}))?")
COUPLE = CaselessPattern(
    r"(?:(?:my \w+,? )?(?P<n>[A-ZÀ-Þ][\w-]{0,40})|my \w+) and (?:i|me)|(?:me|i) and (?:my \w+,? )?(?P<m>[A-ZÀ-Þ][\w-]{0,40})?(?:my \w+)?"
)
ALSO = CaselessPattern(
    r"\b(?:also|too|as well|part[- ]time|on the side|second job|side (?:gig|job|hustle)|another|weekends|in addition|besides|sometimes)\b"
)
PASSING = CaselessPattern(
    r"\b(?:for (?:(?:the|a) (?:weekend|week|night|few days|couple of days)|\w+ (?:nights|days|weeks))|on (?:holiday|vacation|business)|visiting|temporarily|this weekend|a few days|tonight)\b"
)
BEFORE = CaselessPattern(
    r"\b(?:in|during|until|from) (?:\w+ )?(?:19|20)\d\d\b|\b(?:used to|formerly|previously|once|back then|as a (?:kid|child|student)|when i was|years ago|in my (?:childhood|youth|twenties))\b"
)
ITS_NAME = CaselessPattern(
    r"(?:(?:he|she|it|they)['’]s |(?:is |are )?(?:called|named) |(?:his|her|its|their) names? (?:is|are) )(?P<o>[A-Za-zÀ-ɏ][\w-]{1,20}(?: [A-Z][\w-]{1,20})?)"
    r"|(?-i:(?P<p>[A-ZÀ-Þ][\w-]{1,20})(?:,? (?:and|&) (?P<q>[A-ZÀ-Þ][\w-]{1,20}))?)"
)
COUNTED = CaselessPattern(r"^(?:an?|the|my|our|his|her|their) ")
# What somebody is or does as a rule: in the present, and no more than said.
PLAIN = CaselessPattern(
    r"(?:i|we)(?:['’]m|['’]re|['’]ve got| am| are| have| have got)? (?:(?:now|also|always|usually|mostly|currently|often|really|still) ){0,2}"
    r"(?!(?:was|were|had|did|didn['’]t|will|won['’]t|would|can|can['’]t|could|couldn['’]t|might|may|must|should|went|got|came|saw|met|took|made|ate|drank|bought|sold|lost|found|felt|thought|said|told|left|"
    r"gave|ran|won|slept|spent|broke|wrote|read|heard|forgot|think|guess|hope|know|mean|feel|remember|wonder|believe|need|want|wish|don['’]t|not|so|just|very|too|going|sorry|glad|happy|sad|tired|sure|back|home|fine|ok|okay|here|done|late)\b|\w+ed\b)"
    r"(?P<o>[\w'’-]{2,}[^.;!?]{0,80})$"
)
I_FIRST = CaselessPattern(r"\W*(?:(?:and|so|but|then|well|yes|no|now) )?(?:i|we)\b")
# Somebody of whom something is said, or who is only named: what follows without a subject is of them ("abi's older, lives
# in cardiff"). By whose relative (`who`) or by name.
_IS = (
    r"(?=['’]s (?:the |my |our )?(?:old|young|eld|big|small|middle|only|twin|married|single|retired"
    r"|a (?!bit|lot|mess|shame|pity)))"
)
OTHER_HEAD = CaselessPattern(
    r"(?:(?:and|so|but|then) )?(?:(?P<who>(?:my|our) (?:\w+ ){0,2}?(?:mother|mum|mom|father|dad|sister|brother"
    r"|son|daughter|girl|boy|lad|aunt|uncle|cousin|nan|gran|grandma|grandpa|niece|nephew|friend|boss|landlord|landlady"
    rf"|neighbou?r|flatmate|housemate)(?: (?-i:[A-ZÀ-Þ])[\w-]+)?)(?=$|, who|{_IS})"
    r"|(?P<name>(?!(?:it|that|this|what|who|where|there|here|he|she|how|everything|everyone|nothing|something|today|tonight"
    rf"|tomorrow|life|time)\b)[a-zà-ÿ]{{3,12}}){_IS})"
)
