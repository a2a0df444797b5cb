"""English patterns of self-description: pattern, words it is never without, relation, and how the fact is worded.

Read by `self_facts.py`. The last group of a pattern is the object; where there are two, the first says what kind of
thing it is (a sister, a dog). `{s}` stands for the speaker, `{o}` for the object, `{k}` for the kind.
"""

# ruff: noqa: E501 (a pattern and its wording stand on one line, as a table)

from __future__ import annotations

from soulmem.core.dates.english_date_words import OF_MONTHS
from soulmem.core.regex.lazy_regex import CaselessPattern, LazyPattern
from soulmem.core.regex.regex_prefilter import Needs, needs_of
from soulmem.core.text.word_file import read_rows

_ADVERB = (
    r"(?:really |absolutely |totally |also |just |still |truly |always |actually |still |now |currently |simply |so )*"
)
_BE = r"(?:['’]?m| am|['’]?m now| am now| am actually|['’]?m actually)"
_OBJECT = r"([^.,;:!?()\[\]\n—–\"“”]{2,60})"
STOP_AT = CaselessPattern(
    r"(?<!\s)\s+(?:btw|lol|tbh|haha|lmao|tho|though|rn|atm|anyway|by the way|with (?:her|his|their)|these|nowadays)\b.*$|(?<!\s)\s+-\s.*$|(?<!\s)\s+(?:but|because|when|so|which|who|where|while|since|if|as|that|than|'cause|cause|too|either|very much|a lot|so much|more than|"
    rf"these days|right now|now|last|this|next|yesterday|today|(?:in|since|on) (?:{OF_MONTHS}|\d|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|anymore|any more|after|before|though|although|and (?:hate|love|like|live|work|have|has|drive|speak|moved|can['’]?t|don['’]?t|never|i|it|he|she|they|we|my|you|am|is|are|have|had|was|"
    r"would|want|hope|think|just|then|also|so|that|this|there|always|really|how|what|\w+ed|\w+ it)|(?:with|for|and|by|in|on|at) (?:my|me|it|them|you|all|the))\b.*$"
)
NO_OBJECT = CaselessPattern(
    r"^(?:is|are|was|makes|means|gives|keeps|has|helps|a ton|a lot|lots|more|every|to$|about|making$|playing$|trying$|it|that|this|them|these|those|you|your|him|her|he|she|how|what|when|where|why|the way|the idea|to (?:(?:just|really|also|always|only|simply|quickly|first|then|even|actually|maybe) )+\w+|to (?:look|ask|know|hear|see|think|say|"
    r"be|help|thank|tell|go|do|get|make|give|share|have|keep|take|come|learn|try|hang|spend|ask)|seeing|being|having|hearing|"
    r"going|doing|getting|spending|sharing|so|very|all|my|our|their|his|its|the (?:support|sound|look|thought)|not|just)\b"
    r"|\b(?:you|your|it|this|that|them|him|her|me|us)\b|\b(?:to|the|a|of|and)$"
)
JOB = (
    r"(?:nurse|doctor|teacher|engineer|developer|programmer|designer|artist|writer|lawyer|student|chef|cook|pilot|driver|dancer|"
    r"musician|singer|actor|actress|baker|accountant|manager|scientist|researcher|professor|photographer|journalist|editor|"
    r"therapist|counsell?or|dentist|vet|veterinarian|architect|carpenter|electrician|plumber|mechanic|farmer|soldier|police officer|"
    r"firefighter|paramedic|librarian|barista|waiter|waitress|banker|analyst|consultant|freelancer|entrepreneur|translator|"
    r"painter|potter|coach|trainer|pharmacist|surgeon|psychologist|biologist|chemist|physicist|mathematician|historian|"
    r"streamer|gamer|blogger|social worker|electrical engineer|software engineer|bus driver|truck driver|salesperson|clerk|intern|"
    r"florist|tailor|hairdresser|gardener|illustrator|director|producer|postman|cashier|secretary|tutor)"
)
FAMILY = (
    "sister|brother|mom|mum|mother|dad|father|wife|husband|son|daughter|girlfriend|boyfriend|partner|grandma|grandmother|"
    "grandpa|grandfather"
)
_KIN = rf"(?:{FAMILY}|aunt|uncle|cousin|niece|nephew|best friend|friend|boss|roommate|teacher|fianc[eé]e?)"
_ANIMAL = (
    r"(?:dog|cat|puppy|kitten|hamster|rabbit|bunny|parrot|turtle|tortoise|snake|horse|goldfish|fish|bird|guinea pig|lizard|ferret|"
    r"husky|corgi|poodle|beagle|labrador|retriever)"
)

ILLNESS = (
    r"(?:(?:(?:type (?:1|2|one|two)|chronic|severe|mild|bad|terrible|early|late|stage \w+|breast|lung|skin|prostate|colon|brain|blood|stomach) )*"
    r"(?:asthma|diabetes|cancer|migraines?|adhd|add|autism|depression|anxiety|arthritis|epilepsy|dementia|alzheimer['’]?s|parkinson['’]?s|ptsd|ocd|"
    r"bipolar|insomnia|anaemia|anemia|eczema|psoriasis|lupus|hiv|hepatitis|tinnitus|vertigo|endometriosis|pcos|ibs|crohn['’]?s|c(?:o?e)liac|scoliosis|glaucoma|"
    r"leuk(?:a?e)mia|lymphoma|covid|pneumonia|sciatica|gout|dyslexia|hypertension|multiple sclerosis|sleep apn(?:o?e)a|heart disease|kidney disease|"
    r"(?:high|low) blood pressure|(?:high) cholesterol|a (?:weak|bad) (?:heart|back|knee|stomach)|an? (?:\w+ )?(?:condition|disorder|tumou?r|syndrome|hernia|ulcer|pacemaker|stoma|heart murmur))(?: disease)?)"
)
_DOSED = r"(?:(?:once|twice|three times) (?:a|per) (?:day|week)|every (?:day|morning|evening|night|week|\w+ hours)|daily|at night|in the mornings?|before (?:bed|meals|breakfast)|for (?:my|the|a) [\w ]{2,25})"
_OFTEN = r"(?:every (?:single )?(?:day|morning|evening|night|week|weekend|month|year|summer|winter|other \w+|second \w+|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)|(?:once|twice|three times|\w+ times) a (?:day|week|month|year)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekends|most (?:days|mornings|evenings|nights))"

# Names begin with a capital: "my name is mud" and "my sister is coming" name nobody.
_NAME = r"(?!(?:Not|Mud|The|In|On|At|And|But|Coming|Going|Later|Maybe|Crazy|Back)\b)[A-ZÀ-Þ][\w'’-]+"

_I = LazyPattern(r"(?<!\S)i(?!\S)")  # "im", too, is how it is spelt

_INNER = _OBJECT[1:-1]  # without its group
PATTERNS: tuple[tuple[LazyPattern, Needs, str, str], ...] = tuple(
    (CaselessPattern(pattern), needs_of(_I.sub("i|im|ive", words)), relation, wording)
    for relation, wording, words, pattern in read_rows("llm/extractive/facts/english_self_facts.txt", globals())
)

# What is said of oneself without a subject: "allergic to peanuts btw", "moved to Lisbon last week".
FRAGMENT = CaselessPattern(
    r"(?P<was>born and raised in|born in|raised in)|(?P<am>(?:(?:also|still|now|just|really|very|super|so|severely|deathly|terribly|mildly|originally|currently|recently|newly) )*"
    r"(?:allergic to|afraid of|scared of|terrified of|originally from|from (?-i:[A-Z])|vegan|vegetarian|pescatarian|pregnant|married|divorced|single|engaged|"
    r"retired|diabetic|asthmatic|lactose|gluten|working (?:at|for|as|in|nights|from)|living (?:in|with|at|near)|based in|studying|majoring|learning|"
    r"obsessed with|(?:not )?an? (?:big |huge )?fan of|not (?:really )?into|dating|diagnosed)\b)"
    r"|(?P<do>(?:(?:just|also|still|recently|finally|really|always|actually|absolutely|totally|only|now) )*"
    r"(?:live (?:in|at|near|on)|moved (?:to|here|back|from)|work (?:at|as|for|in|nights|from|part|full)|have (?:an? |two |three |four |asthma|diabetes|adhd|migraines)|"
    r"got (?:an? |two |diagnosed)|adopted (?:an? |two )|own an?|hate|love|enjoy|dislike|detest|adore|can['’]?t (?:stand|eat|drink|have)|cannot (?:stand|eat)|"
    r"don['’]?t (?:eat|drink|like)|never (?:eat|drink)|speak (?-i:[A-Z])|study|grew up in|was born|take \w+ (?:for|every|daily|once|twice)|suffer from|"
    r"play (?:the )?\w+|drive an?|turned \d|go to|run every|no longer (?:eat|drink))(?!\w))"
)
OWN = CaselessPattern(r"(?:\w+ ){0,2}?I\b|i['’]?m\b|my name")  # a sentence about oneself
