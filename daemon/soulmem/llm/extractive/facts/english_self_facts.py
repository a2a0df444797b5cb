"""English patterns of self-description: pattern, words it is never without, relation, and how the fact is worded.

Read by `self_facts.py`. The last group of a pattern is the object; where there are two, the first says what kind of
thing it is (a sister, a dog). `{s}` stands for the speaker, `{o}` for the object, `{k}` for the kind.
"""

# A pattern and its wording stand on one line, as a table.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.regex.regex_prefilter import DIGIT, Needs, needs_of

_ADVERB = (
    r"(?:really |absolutely |totally |also |just |still |truly |always |actually |still |now |currently |simply |so )*"
)
_BE = r"(?:['’]?m| am|['’]?m now| am now| am actually|['’]?m actually)"
_OBJECT = r"([^.,;:!?()\[\]\n—–\"“”]{2,60})"
STOP_AT = re.compile(
    r"(?<!\s)\s+(?:btw|lol|tbh|haha|lmao|tho|though|rn|atm|anyway|by the way|with (?:her|his|their)|these|nowadays)\b.*$|(?<!\s)\s+-\s.*$|(?<!\s)\s+(?:but|because|when|so|which|who|where|while|since|if|as|that|than|'cause|cause|too|either|very much|a lot|so much|more than|"
    r"these days|right now|now|last|this|next|yesterday|today|(?:in|since|on) (?:january|february|march|april|may|june|july|august|september|october|november|december|\d|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|anymore|any more|after|before|though|although|and (?:hate|love|like|live|work|have|has|drive|speak|moved|can['’]?t|don['’]?t|never|i|it|he|she|they|we|my|you|am|is|are|have|had|was|"
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
JOB = (
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

_I = re.compile(r"(?<!\S)i(?!\S)")  # "im", too, is how it is spelt

PATTERNS: tuple[tuple[re.Pattern[str], Needs, str, str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), needs_of(_I.sub("i|im|ive", words)), relation, wording)
    for pattern, words, relation, wording in (
        (rf"\bmy name(?:['’]s| is) ((?-i:{_NAME}(?: {_NAME})?))", "my name", "name", "{s}'s name is {o}"),
        (rf"\b(?:(?<!don't )(?<!don’t )(?<!never )(?:please )?(?:you can )?call me|I{_BE} called) ((?-i:{_NAME}))\b(?! (?:if|when|on|at|about|back|for)\b)", "call|called", "name", "{s} is called {o}"),
        (rf"\bI{_BE} (?:an?|the) ((?:[\w-]+ ){{0,3}}{JOB})\b", "i a|an|the", "occupation", "{s} is a {o}"),
        (rf"\bI (?:{_ADVERB})work as (?:an? )?((?:[\w-]+ ){{0,3}}[\w-]+)", "i work", "occupation", "{s} works as a {o}"),
        (rf"\bI (?:have|['’]ve got|got|suffer from|(?:was|got|have been|['’]ve been|['’]m|am) (?:just |recently )?diagnosed with) ({ILLNESS})", "i have|ve|got|suffer|diagnosed", "illness", "{s} has {o}"),
        (r"\bI (?:was|got|have been|['’]ve been) (?:just |recently )?diagnosed with ((?:an? )?[\w' -]{3,40}?)(?=[,.!]|$| in| last| this| when)", "i diagnosed", "illness", "{s} was diagnosed with {o}"),
        (rf"\bI{_BE} {_ADVERB}(diabetic|asthmatic|epileptic|lactose intolerant|gluten intolerant|colou?r ?blind|anaemic|anemic|bipolar|autistic|dyslexic|deaf|blind|hiv positive)\b", "i diabetic|asthmatic|epileptic|lactose|gluten|color|colour|anaemic|anemic|bipolar|autistic|dyslexic|deaf|blind|hiv", "illness", "{s} is {o}"),
        (rf"\bI {_ADVERB}take ((?:\w+ ){{0,3}}\w+) {_DOSED}", "i take", "medicine", "{s} takes {o}"),
        (r"\bI (?:have to |need to )?(?:take|inject|carry) ((?:my |an? )?(?:insulin|metformin|antidepressants?|blood thinners?|statins?|beta blockers?|painkillers|sertraline|prozac|lithium|ritalin|adderall|warfarin|epi-?pens?|an? inhaler|inhaler|the pill|thyroxine|levothyroxine|antihistamines?))\b", "i take|inject|carry", "medicine", "{s} takes {o}"),
        (rf"\bI{_BE} (?:back )?on (insulin|metformin|antidepressants?|blood thinners?|statins?|beta blockers?|painkillers|sertraline|prozac|lithium|ritalin|adderall|warfarin|antibiotics|chemo)\b", "i on", "medicine", "{s} takes {o}"),
        (rf"\bI {_ADVERB}speak ((?:fluent |some |a bit of |a little )?[A-Z]\w+(?:(?:,| and|, and| but also) (?:fluent |some |a bit of |a little )?[A-Z]\w+)*)", "i speak", "languages", "{s} speaks {o}"),
        (rf"\b(?:everyone|everybody|people|my (?:friends|family|mates|parents)|friends|they all|they) (?:just )?calls? me ((?-i:{_NAME}))", "call me", "nickname", "{s} is called {o}"),
        (rf"\b(?:you can call me|please call me|just call me|I go by) ((?-i:{_NAME}))", "call|go", "nickname", "{s} is called {o}"),
        (r"\bmy (?:new )?(?:phone(?: number)?|mobile(?: number)?|cell(?: number)?|number)(?:['’]s| is|:) (\+?[\d][\d ()-]{4,20}\d)", "my phone|mobile|cell|number", "phone", "{s}'s phone number is {o}"),
        (r"\bmy (?:new )?e-?mail(?: address)?(?:['’]s| is|:) (\S+@\S+\.\w+)", "my email|e", "email", "{s}'s email is {o}"),
        (r"\bmy (?:new )?(?:home )?address(?:['’]s| is|:) ([^;!?\n]{4,60})", "my address", "address", "{s}'s address is {o}"),
        (r"\bI (?:now )?live at (\d+[a-z]? [^,;!?\n.]{3,40}|(?:[A-Z]\w+ ){1,3}\d+[a-z]?)", "i live", "address", "{s} lives at {o}"),
        (rf"\bI{_BE} (?:married|engaged) to (?:a \w+ )?(?:\w+ (?:called|named) )?((?-i:{_NAME}))", "i married|engaged", "partner", "{s} is with {o}"),
        (rf"\b(?:me and|my partner|I and) ((?-i:{_NAME})) (?:just |finally )?(?:got|are getting|are) (?:engaged|married|together)", "me|my|i", "partner", "{s} is with {o}"),
        (rf"\b((?-i:{_NAME})) and I (?:just |finally |have )?(?:got|are getting|are|were) (?:engaged|married|together|dating)", "i and", "partner", "{s} is with {o}"),
        (r"\bI(?:['’]?m| am) an? (aries|taurus|gemini|cancer|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces)\b", "i a|an", "zodiac", "{s} is a {o}"),
        (rf"\bI{_BE} (between jobs|unemployed|out of work|self-employed|on maternity leave|on sick leave|on parole|sober|adopted|left-handed|bilingual)\b", "i between|unemployed|out|self|on|sober|adopted|left|bilingual", "status", "{s} is {o}"),
        (rf"\bI{_BE} (?:dating|seeing|going out with|in a relationship with) (?:a \w+ )?(?:called |named )?((?-i:{_NAME}))", "i dating|seeing|going|relationship", "partner", "{s} is with {o}"),
        (r"\bI {ADV}drive ((?:an? )?(?:old |new |used |red |blue |white |black |grey |second-?hand )*[A-Z]\w+(?: \w+)?)".replace("{ADV}", _ADVERB), "i drive", "owns", "{s} drives {o}"),
        (r"\bI (?:own|run|['’]ve bought|just bought|bought) ((?:an? |my own |our |two |three )(?:\w+ ){0,3}(?:house|flat|apartment|car|bike|motorbike|boat|van|farm|cottage|bakery|shop|café|cafe|restaurant|bar|business|company|studio|guitar|piano|violin|camera|laptop|horse|cabin|caravan|garden))", "i own|run|ve|just|bought", "owns", "{s} has {o}"),
        (rf"\bI (?:usually |always |normally |mostly |try to )?((?:go|run|swim|cycle|bike|meditate|pray|play|practi[sc]e|train|work out|do|walk|cook|bake|read|write|paint|volunteer|visit|call|teach|jog|hike|row|dance|sing|fast|journal|climb|ride|stretch|lift)\b[^.,;!?\n]{{0,40}}?{_OFTEN})", "i", "habit", "{s} {o}"),
        (r"\bI (?:work|['’]m working|am working|do) ((?:the )?(?:nights|night shifts?|late shifts?|early shifts?|weekends|part[- ]time|full[- ]time|from home|remotely|shifts|freelance))\b", "i work|working|do", "schedule", "{s} works {o}"),
        (rf"\bI {_ADVERB}work (?:at|for|in) ((?:an? |the )?{_OBJECT[1:-1]})", "i work", "works_at", "{s} works at {o}"),
        (rf"\bI {_ADVERB}live (?:in|near|on) {_OBJECT}", "i live", "lives_in", "{s} lives in {o}"),
        (rf"\bI(?:['’]ve| have)? (?:just |recently |finally )?(?:have )?moved (?:here )?(?:back )?(?:from [\w ]{{2,30}}? )?to {_OBJECT}", "i moved", "lives_in", "{s} moved to {o}"),
        (rf"\bI{_BE} (?:originally )?from {_OBJECT}", "i from", "from", "{s} is from {o}"),
        (rf"\bI (?:was born and raised|was born and grew up|was raised) in {_OBJECT}", "i was", "from", "{s} comes from {o}"),
        (rf"\bI (?:grew up|was born) in {_OBJECT}", "i grew|was", "from", "{s} comes from {o}"),
        (rf"\bI{_BE} {_ADVERB}allergic to {_OBJECT}", "i allergic", "allergic_to", "{s} is allergic to {o}"),
        (rf"\bI{_BE} {_ADVERB}(?:afraid|scared|terrified) of {_OBJECT}", "i afraid|scared|terrified", "afraid_of", "{s} is afraid of {o}"),
        (rf"\bI{_BE} {_ADVERB}(?:an? )?(vegan|vegetarian|pescatarian)\b", "i vegan|vegetarian|pescatarian", "diet", "{s} is {o}"),
        (rf"\bI (?:no longer|don['’]?t|never|can['’]?t) (?:eat|drink|have) {_OBJECT}", "i eat|drink|have", "diet", "{s} does not take {o}"),
        (rf"\bI{_BE} {_ADVERB}(single|married|engaged|divorced|pregnant|retired|a single (?:mom|mum|dad|parent)|an only child)\b", "i single|married|engaged|divorced|pregnant|retired|only", "status", "{s} is {o}"),
        (rf"\bI{_BE} {_ADVERB}(\d{{1,3}})(?=(?: years old)?(?: now| today)?(?:[,.!]|$| and\b)| years old)", f"i {DIGIT}", "age", "{s} is {o} years old"),
        (r"\bmy birthday(?:['’]s| is) (?:on )?([^.,;!?\n]{2,30})", "my birthday", "birthday", "{s}'s birthday is {o}"),
        (rf"\bI (?:have|own|adopted|got|['’]ve got) (?:an?|two|three|my|another) ((?:[\w-]+ ){{0,2}}{_ANIMAL}s?)[, ]+(?:named|called|and (?:his|her|its) name is|(?:his|her|its) name is) ((?-i:{_NAME}))", "i named|called|name", "pet", "{s} has a {o}"),
        (rf"\bmy (?:new |other |little |old )?({_ANIMAL}|pet)(?:['’]s name is|(?:['’]s| is)? (?:called|named)) ((?-i:{_NAME}))", "my name|called|named", "pet", "{s}'s {k} is called {o}"),
        (rf"\bI (?:have|got|adopted|bought|own) ((?:an?|two|three|four) (?:[\w-]+ ){{0,2}}{_ANIMAL}s?)\b", "i have|got|adopted|bought|own", "pet", "{s} has {o}"),
        (rf"\bmy ({_KIN})(?:['’]s name is|(?:['’]s| is)? (?:called|named)) ((?-i:{_NAME}))\b", "my called|named|name", "relative", "{s}'s {k} is called {o}"),
        (rf"\bmy ({_KIN})(?: is|['’]s) ((?-i:{_NAME}))\b(?! \w+ing\b)", "my", "relative", "{s}'s {k} is {o}"),
        (rf"\bmy ({_KIN})(?: is|['’]s) (?:an? )((?:[\w-]+ ){{0,2}}{JOB})\b", "my a|an", "relative", "{s}'s {k} is a {o}"),
        (rf"\bmy (?:all-time |absolute )?favou?rite ([\w ]{{2,25}}?) (?:is|are|has to be|would be) {_OBJECT}", "my favourite|favorite", "favourite", "{s}'s favourite {k} is {o}"),
        (rf"\bI{_BE} (?:studying|majoring in|learning(?: to (?:play|speak))?) {_OBJECT}", "i studying|majoring|learning", "studies", "{s} is studying {o}"),
        (rf"\bI {_ADVERB}(?:study|major in) {_OBJECT}", "i study|major", "studies", "{s} studies {o}"),
        (rf"\bI {_ADVERB}(?:hate|dislike|detest|can['’]t stand|cannot stand|don['’]?t (?:really )?like) {_OBJECT}", "i hate|dislike|detest|stand|like", "dislikes", "{s} dislikes {o}"),
        (rf"\bI{_BE} not (?:really |exactly )?(?:an? (?:big |huge )?fan of|into|fond of|keen on) {_OBJECT}", "i not", "dislikes", "{s} dislikes {o}"),
        (rf"\bI {_ADVERB}(?:love|like|enjoy|adore|prefer) {_OBJECT}", "i love|like|enjoy|adore|prefer", "likes", "{s} likes {o}"),
        (rf"\bI{_BE} {_ADVERB}(?:a (?:big|huge) fan of|(?:really )?into|obsessed with|crazy about|fond of) {_OBJECT}", "i fan|into|obsessed|crazy|fond", "likes", "{s} likes {o}"),
        (rf"\bI (?:often |usually |regularly |sometimes |mostly )?(?:play|collect) {_OBJECT}", "i play|collect", "activity", "{s} plays or collects {o}"),
    )
)  # fmt: skip

# What is said of oneself without a subject: "allergic to peanuts btw", "moved to Lisbon last week".
FRAGMENT = re.compile(
    r"(?P<was>born and raised in|born in|raised in)|(?P<am>(?:(?:also|still|now|just|really|very|super|so|severely|deathly|terribly|mildly|originally|currently|recently|newly) )*"
    r"(?:allergic to|afraid of|scared of|terrified of|originally from|from (?-i:[A-Z])|vegan|vegetarian|pescatarian|pregnant|married|divorced|single|engaged|"
    r"retired|diabetic|asthmatic|lactose|gluten|working (?:at|for|as|in|nights|from)|living (?:in|with|at|near)|based in|studying|majoring|learning|"
    r"obsessed with|(?:not )?an? (?:big |huge )?fan of|not (?:really )?into|dating|diagnosed)\b)"
    r"|(?P<do>(?:(?:just|also|still|recently|finally|really|always|actually|absolutely|totally|only|now) )*"
    r"(?:live (?:in|at|near|on)|moved (?:to|here|back|from)|work (?:at|as|for|in|nights|from|part|full)|have (?:an? |two |three |four |asthma|diabetes|adhd|migraines)|"
    r"got (?:an? |two |diagnosed)|adopted (?:an? |two )|own an?|hate|love|enjoy|dislike|detest|adore|can['’]?t (?:stand|eat|drink|have)|cannot (?:stand|eat)|"
    r"don['’]?t (?:eat|drink|like)|never (?:eat|drink)|speak (?-i:[A-Z])|study|grew up in|was born|take \w+ (?:for|every|daily|once|twice)|suffer from|"
    r"play (?:the )?\w+|drive an?|turned \d|go to|run every|no longer (?:eat|drink))(?!\w))",
    re.IGNORECASE,
)
OWN = re.compile(r"(?:\w+ ){0,2}?I\b|i['’]?m\b|my name", re.IGNORECASE)  # a sentence about oneself
