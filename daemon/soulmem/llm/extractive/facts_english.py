"""English patterns of self-description: pattern, words it is never without, relation, and how the fact is worded.

Read by `facts.py`. The last group of a pattern is the object; where there are two, the first says what kind of
thing it is (a sister, a dog). `{s}` stands for the speaker, `{o}` for the object, `{k}` for the kind.
"""

# A pattern and its wording stand on one line, as a table.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.signs import DIGIT, Needs, needs_of

_ADVERB = (
    r"(?:really |absolutely |totally |also |just |still |truly |always |actually |still |now |currently |simply |so )*"
)
_BE = r"(?:['’]m| am|['’]m now| am now| am actually|['’]m actually)"
_OBJECT = r"([^.,;:!?()\[\]\n—–\"“”]{2,60})"
STOP_AT = re.compile(
    r"\s+-\s.*$|\s+(?:but|because|when|so|which|who|where|while|since|if|as|that|than|'cause|cause|too|either|very much|a lot|so much|more than|"
    r"these days|right now|now|last|this|next|yesterday|today|(?:in|since|on) (?:january|february|march|april|may|june|july|august|september|october|november|december|\d|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|anymore|any more|after|before|though|although|and (?:i|it|he|she|they|we|my|you|am|is|are|have|had|was|"
    r"would|want|hope|think|just|then|also|so|that|this|there|always|really|how|what|\w+ed|\w+ it)|(?:with|for|and|by|in|on|at) (?:my|me|it|them|you|all|the))\b.*$",
    re.IGNORECASE,
)
NO_OBJECT = re.compile(
    r"^(?:is|are|was|makes|means|gives|keeps|has|helps|a ton|a lot|lots|more|every|to$|about|making$|playing$|trying$|it|that|this|them|these|those|you|your|him|her|he|she|how|what|when|where|why|the way|the idea|to (?:(?:just|really|also|always|only|simply|quickly|first|then|even|actually|maybe) )+\w+|to (?:look|ask|know|hear|see|think|say|"
    r"be|help|thank|tell|go|do|get|make|give|share|have|keep|take|come|learn|try|hang|spend|ask)|seeing|being|having|hearing|"
    r"going|doing|getting|spending|sharing|so|very|all|my|our|their|his|its|the (?:support|sound|look|thought)|not|just)\b"
    r"|\b(?:you|your|it|this|that|them|him|her|me|us)\b|\b(?:to|the|a|of|and)$",
    re.IGNORECASE,
)
_JOB = (
    r"(?:nurse|doctor|teacher|engineer|developer|programmer|designer|artist|writer|lawyer|student|chef|cook|pilot|driver|dancer|"
    r"musician|singer|actor|actress|baker|accountant|manager|scientist|researcher|professor|photographer|journalist|editor|"
    r"therapist|counsell?or|dentist|vet|veterinarian|architect|carpenter|electrician|plumber|mechanic|farmer|soldier|police officer|"
    r"firefighter|paramedic|librarian|barista|waiter|waitress|banker|analyst|consultant|freelancer|entrepreneur|translator|"
    r"painter|potter|coach|trainer|pharmacist|surgeon|psychologist|biologist|chemist|physicist|mathematician|historian|"
    r"streamer|gamer|blogger|social worker|electrical engineer|software engineer|bus driver|truck driver|salesperson|clerk|intern|"
    r"florist|tailor|hairdresser|gardener|illustrator|director|producer|postman|cashier|secretary|tutor)"
)
_KIN = (
    r"(?:sister|brother|mom|mum|mother|dad|father|wife|husband|son|daughter|girlfriend|boyfriend|partner|grandma|grandmother|"
    r"grandpa|grandfather|aunt|uncle|cousin|niece|nephew|best friend|friend|boss|roommate|teacher|fianc[eé]e?)"
)
_ANIMAL = (
    r"(?:dog|cat|puppy|kitten|hamster|rabbit|bunny|parrot|turtle|tortoise|snake|horse|goldfish|fish|bird|guinea pig|lizard|ferret|"
    r"husky|corgi|poodle|beagle|labrador|retriever)"
)

# Names begin with a capital: "my name is mud" and "my sister is coming" name nobody.
_NAME = r"(?!(?:Not|Mud|The|In|On|At|And|But|Coming|Going|Later|Maybe|Crazy|Back)\b)[A-ZÀ-Þ][\w'’-]+"

PATTERNS: tuple[tuple[re.Pattern[str], Needs, str, str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), needs_of(words), relation, wording)
    for pattern, words, relation, wording in (
        (rf"\bmy name(?:['’]s| is) ((?-i:{_NAME}(?: {_NAME})?))", "my name", "name", "{s}'s name is {o}"),
        (rf"\b(?:(?<!don't )(?<!don’t )(?<!never )(?:please )?(?:you can )?call me|I{_BE} called) ((?-i:{_NAME}))\b(?! (?:if|when|on|at|about|back|for)\b)", "call|called", "name", "{s} is called {o}"),
        (rf"\bI{_BE} (?:an?|the) ((?:[\w-]+ ){{0,3}}{_JOB})\b", "i a|an|the", "occupation", "{s} is a {o}"),
        (rf"\bI (?:{_ADVERB})work as (?:an? )?((?:[\w-]+ ){{0,3}}[\w-]+)", "i work", "occupation", "{s} works as a {o}"),
        (rf"\bI {_ADVERB}work (?:at|for|in) ((?:an? |the )?{_OBJECT[1:-1]})", "i work", "works_at", "{s} works at {o}"),
        (rf"\bI {_ADVERB}live (?:in|near|on) {_OBJECT}", "i live", "lives_in", "{s} lives in {o}"),
        (rf"\bI(?:['’]ve| have)? (?:just |recently |finally )?moved (?:here )?(?:back )?(?:from [\w ]{{2,30}}? )?to {_OBJECT}", "i moved", "lives_in", "{s} moved to {o}"),
        (rf"\bI{_BE} (?:originally )?from {_OBJECT}", "i from", "from", "{s} is from {o}"),
        (rf"\bI (?:grew up|was born) in {_OBJECT}", "i grew|was", "from", "{s} comes from {o}"),
        (rf"\bI{_BE} {_ADVERB}allergic to {_OBJECT}", "i allergic", "allergic_to", "{s} is allergic to {o}"),
        (rf"\bI{_BE} {_ADVERB}(?:afraid|scared|terrified) of {_OBJECT}", "i afraid|scared|terrified", "afraid_of", "{s} is afraid of {o}"),
        (rf"\bI{_BE} {_ADVERB}(?:an? )?(vegan|vegetarian|pescatarian)\b", "i vegan|vegetarian|pescatarian", "diet", "{s} is {o}"),
        (rf"\bI (?:no longer|don['’]t|never|can['’]t) (?:eat|drink) {_OBJECT}", "i eat|drink", "diet", "{s} does not take {o}"),
        (rf"\bI{_BE} {_ADVERB}(single|married|engaged|divorced|pregnant|retired|a single (?:mom|mum|dad|parent)|an only child)\b", "i single|married|engaged|divorced|pregnant|retired|only", "status", "{s} is {o}"),
        (rf"\bI{_BE} {_ADVERB}(\d{{1,3}})(?=(?: years old)?(?: now| today)?(?:[,.!]|$| and\b)| years old)", f"i {DIGIT}", "age", "{s} is {o} years old"),
        (r"\bmy birthday(?:['’]s| is) (?:on )?([^.,;!?\n]{2,30})", "my birthday", "birthday", "{s}'s birthday is {o}"),
        (rf"\bI (?:have|own|adopted|got|['’]ve got) (?:an?|two|three|my|another) ((?:[\w-]+ ){{0,2}}{_ANIMAL}s?)[, ]+(?:named|called|and (?:his|her|its) name is|(?:his|her|its) name is) ((?-i:{_NAME}))", "i named|called|name", "pet", "{s} has a {o}"),
        (rf"\bmy (?:{_ANIMAL}|pet)(?:['’]s name is|(?: is)? (?:called|named)) ((?-i:{_NAME}))", "my name|called|named", "pet", "{s} has a pet named {o}"),
        (rf"\bI have (?:an?|two|three|four) ((?:[\w-]+ ){{0,2}}{_ANIMAL}s?)\b", "i have", "pet", "{s} has: {o}"),
        (rf"\bmy ({_KIN})(?:['’]s name is|(?: is)? (?:called|named)| is) ((?-i:{_NAME}))\b", "my is|called|named", "relative", "{s}'s {k} is {o}"),
        (rf"\bmy ({_KIN})(?: is|['’]s) (?:an? )((?:[\w-]+ ){{0,2}}{_JOB})\b", "my a|an", "relative", "{s}'s {k} is a {o}"),
        (rf"\bmy (?:all-time |absolute )?favou?rite ([\w ]{{2,25}}?) (?:is|are|has to be|would be) {_OBJECT}", "my favourite|favorite", "favourite", "{s}'s favourite {k} is {o}"),
        (rf"\bI{_BE} (?:studying|majoring in|learning(?: to (?:play|speak))?) {_OBJECT}", "i studying|majoring|learning", "studies", "{s} is studying {o}"),
        (rf"\bI {_ADVERB}(?:study|major in) {_OBJECT}", "i study|major", "studies", "{s} studies {o}"),
        (rf"\bI {_ADVERB}(?:hate|dislike|detest|can['’]t stand|cannot stand|don['’]t (?:really )?like) {_OBJECT}", "i hate|dislike|detest|stand|like", "dislikes", "{s} dislikes {o}"),
        (rf"\bI {_ADVERB}(?:love|like|enjoy|adore|prefer) {_OBJECT}", "i love|like|enjoy|adore|prefer", "likes", "{s} likes {o}"),
        (rf"\bI{_BE} {_ADVERB}(?:a (?:big|huge) fan of|(?:really )?into|obsessed with|crazy about|fond of) {_OBJECT}", "i fan|into|obsessed|crazy|fond", "likes", "{s} likes {o}"),
        (rf"\bI (?:often |usually |regularly |sometimes |mostly )?(?:play|collect) {_OBJECT}", "i play|collect", "activity", "{s} plays or collects {o}"),
    )
)  # fmt: skip
