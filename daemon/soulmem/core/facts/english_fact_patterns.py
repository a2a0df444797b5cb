"""English patterns of what is so, has become so, or is so no more; read by `fact_reader`.

A pattern is sought in one clause; what stands before it says of whom. Its named groups: `o` the object, `k` what kind of
thing it is of, `n` who. Each stands with the words it cannot do without, so that most clauses cost nothing. Patterns
are bounded: no quantifier within another, no more than some words of object.
"""

# A pattern and its meaning stand on one line, as a table.
# ruff: noqa: E501

from __future__ import annotations

import re

from soulmem.core.facts.relations import ANY, EVENT, Mode
from soulmem.core.regex.lazy_regex import LazyPattern
from soulmem.core.regex.regex_prefilter import DIGIT, Needs, needs_of
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
_KIN = r"(?:girlfriend|boyfriend|wife|husband|partner|spouse|fianc[eé]e?|gf|bf|missus|hubby)"
_JOB = (
    r"(?:nurse|doctor|teacher|chef|cook|pilot|lawyer|student|artist|coach|vet|guide|clerk|intern|judge|freelance|barista|paralegal|housekeeper|au pair|electrician|copywriter|civil servant|postie|nun|monk|priest|nanny|"
    r"paramedic|mechanic|surgeon|secretary|therapist|dentist|scientist|journalist|florist|pharmacist|analyst|consultant|accountant|"
    r"\w{2,12}(?:eer|ner|cher|ger|ver|per|ker|ter|ler|sor|tor|rist|tist|list|gist|ician|arian|tant|man|woman))"
)
_NO_JOB = r"(?!(?:better|winter|sister|brother|daughter|mother|father|letter|dinner|number|member|corner|partner|lover|later|user|beginner|foreigner|owner|winner|loser|sinner|vegetarian|fan|believer|reader|listener|minor|junior|senior|single|bit|little|lot|big|huge)\b)"
_DATE = (
    r"(?:(?:on |at |till |until |for |by )?(?:(?:this|next|the|coming|early|late) ){0,2}(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:on )?(?:mon|tue|tues|wed|thu|thurs|fri|sat|sun)\b"
    r"|today|tonight|tomorrow|the day after tomorrow|(?:on |at |over )?(?:this|next|the) weekend|(?:this|next) (?:week|weekend|month|year|morning|afternoon|evening|spring|summer|autumn|fall|winter)"
    r"|(?:in |on |at |by )?(?:the )?\d{1,2}(?::\d\d|st|nd|rd|th|am|pm| ?[ap]m)?\b|(?:on |in |early |late )?(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)\b"
    r"|(?:at )?noon|the (?:week|month|day|weekend) after|in (?:a|an|one|two|three|four|five|six|\d+) (?:days?|weeks?|months?|fortnight)|christmas|easter|new year)"
)
_WHEN = rf"(?P<o>{_DATE}[^.;!?]{{0,40}})"
_ADV = r"(?:(?:now|currently|just|recently|finally|officially|already|actually|still|also|both|originally|always|only|mostly|usually|really) ){0,2}"
_STUFF = r"(?P<o>(?:(?:my|the|our|his|her|an?|that|old|two|three|new) ){0,3}[\w'’-]+(?: [\w'’-]+){0,4})"

_TABLE: tuple[tuple[str, str, str, Mode], ...] = (
    # -- where somebody lives
    (rf"\b(?:live|lives|living|reside|resides|residing|based|settled|'ve lived|’ve lived|have lived|has lived)\b(?: now| here| back| over| down| out| up){{0,2}}(?: (?:with|alone|together) (?:\w+ ){{0,3}}?)?(?:(?<= )| )(?:in|at|near|on|outside|by) {_O}", "liv|res|bas|set", "home", Mode.HOLDS),
    (rf"\b(?:moved|relocated|emigrated|resettled)\b(?: back| over| down| up| out| away| house| house again| in with \w+){{0,2}}(?: from [\w ]{{2,30}}?)? (?:to|into) (?!{_DATE})(?P<o>(?!(?:the )?(?:tears|sleep|front|back|side)\b)[^.;!?()\"“”]{{1,60}})", "mov|rel|emi|res", "home", Mode.CHANGED),
    (rf"\b(?:moving|relocating|emigrating) (?:back |over |down |up |away )?(?:from [\w ]{{2,30}}? )?to (?!{_DATE}){_O}", "mov|rel|emi", "home", Mode.AHEAD),
    (rf"\b(?:used to live|formerly lived|once lived) (?:in|at|near|on) {_O}", "liv", "home", Mode.PAST),
    (rf"\b(?:moved out of|moved away from|left) (?!(?:my|the|our) (?:job|company|phone|keys|wallet)\b|(?:my|the|our|his|her|their) [\w'’ -]{{2,24}}? (?:on|at|under|behind|in) (?:the|a|my|his|her|our)\b)(?=(?-i:[A-ZÀ-Þ])|the |my |our ){_O}", "mov|lef", ANY, Mode.ENDED),
    (rf"\bmy (?:new )?(?P<s>)(?:flat|apartment|house|place|room|studio|home) is (?:in|near|on|at) {_O}", "my", "home", Mode.HOLDS),
    (rf"(?:'m|’m|\bam|\bis|'re|’re|\bare) (?:now )?in {_NAMED}(?= now\b| these days\b)", "now|the", "home", Mode.CHANGED),
    (rf"\b(?:rent|rents|renting) (?:an? |my |our )?(?:\w+ )?(?:room|flat|apartment|house|studio|place) (?:in|near|on|at) {_O}", "ren", "home", Mode.HOLDS),
    (rf"\bhome is (?P<s>){_NAMED}", "hom", "home", Mode.HOLDS),
    # -- work
    (rf"\b(?:work|works|working)\b(?: now| full[- ]time| part[- ]time| remotely| nights| shifts| days| weekends| freelance){{0,2}} (?:at|for|with|in(?= (?:an?|the)\b)) (?!the (?:morning|evening|afternoon|garden|weekend)|night|home\b|a team|progress){_O}", "wor", "work", Mode.HOLDS),
    (rf"\b(?:joined|(?:started|begun|began)(?: working| work| my new job| a new job| my job| a job| an internship)?|(?:got|landed|found|took|accepted|have|has|got myself) (?:an? |my )?(?:new )?(?:job|role|position|gig|offer|internship)|got hired|signed|switched jobs|changed jobs)(?: now| today| last week| this week| yesterday)? (?:at|with|for|by|to|from) (?!(?:the )?(?:gym|club|choir|band|beginning|start|least|first|last|\d)){_O}", "joi|sta|beg|got|lan|fou|too|acc|hav|has|sig|swi|cha", "work", Mode.CHANGED),
    (rf"\bjoined (?=(?-i:[A-ZÀ-Þ])){_NAMED}", "joi", "work", Mode.CHANGED),
    (r"\b(?:joined|joining) (?P<o>(?:an? |the )?(?:[\w-]+ ){0,3}(?:start-?up|company|firm|agency|studio|practice|bakery|school|hospital|lab|bank|office|department|newspaper)\b[^.;!?]{0,30})", "joi", "work", Mode.CHANGED),
    (rf"(?:'m|’m|\bam|\bis) (?:now (?:at|with)|at|with) (?=(?-i:[A-ZÀ-Þ])){_NAMED}(?= now\b)?", "now", "work", Mode.CHANGED),
    (rf"(?:'m|’m|\bam|\bis) (?:an?|the) [\w -]{{2,30}}? (?:at|for) (?=(?-i:[A-ZÀ-Þ])){_NAMED}", "at|for", "work", Mode.HOLDS),
    (r"\b(?:teach|teaches|teaching) (?:[\w-]+ ){0,2}(?:at|in) (?P<o>(?:an? |the )?(?:[\w'’-]+ ?){1,5})", "tea", "work", Mode.HOLDS),
    (rf"\b(?:work|works|working) as (?:an? |the )?{_O}", "wor", "job", Mode.HOLDS),
    (rf"\b(?:became|become|promoted to|retrained as|trained as|qualified as|switched to being|made me) (?:an? |the )?(?:new )?(?P<o>(?:[\w-]+ ){{0,3}}{_NO_JOB}{_JOB})\b", "bec|pro|ret|tra|qua|swi|mad", "job", Mode.CHANGED),
    (rf"\b(?:made|promoted) me (?P<s>)(?:to )?(?:an? |the )?(?:new )?(?P<o>(?:[\w-]+ ){{0,3}}{_NO_JOB}{_JOB})\b", "mad|pro", "job", Mode.CHANGED),
    (rf"(?:'m|’m|\bam|\bis|'s|’s) {_ADV}(?:an?|the) (?P<o>(?:(?!fan|friend|bit)[\w-]+ ){{0,3}}{_NO_JOB}{_JOB})\b(?! of\b)(?=\s*(?:$|[,.!;]| (?:at|in|for|from|by|now|and|who|with|here)\b))", "a|an|the", "job", Mode.HOLDS),
    (r"\b(?:quit|left|resigned from|lost|leaving|quitted|handed in (?:my )?notice at|gave notice at|walked out of|gave up) (?:my |the |his |her |that |our |a )?(?:old |current |boring |crappy |part-time )?(?P<o>job|work|position|role|company|firm|office)\b", "qui|lef|res|los|lea|han|gav|wal", "work", Mode.ENDED),
    (r"\b(?:(?:got|was|been|were|am|'m|’m|getting) (?:just )?(?:fired|laid off|sacked|let go|made redundant)|handed in my notice|gave notice|resigned|out of work|unemployed|between jobs|retired(?! from the)|don['’]t work anymore|no longer work(?!\w| (?:at|for|in|as)))\b(?: from (?P<o>[\w ]{1,30}))?", "fir|lai|sac|let|mad|han|gav|res|out|une|bet|ret|don|no", "work", Mode.ENDED),
    (rf"\b(?:quit|left(?! (?:my|the|our|his|her|their) (?!job|work|post|team|course|school)[\w'’ -]{{2,24}}? (?:on|at|under|behind|in) (?:the|a|my|his|her|our)\b)|resigned from|retired from|fired from|laid off from|leaving|stopped working (?:at|for)|no longer (?:work|works|working|am|is) (?:at|for|with)|don['’]t work (?:at|for)|doesn['’]t work (?:at|for)) {_O}", "qui|lef|res|ret|fir|lai|lea|sto|no|don|doe", ANY, Mode.ENDED),
    # -- love
    (rf"\b(?:dating|seeing|married to|engaged to|going out with|in a relationship with|got together with|together with|back together with|married|proposed to) (?!(?:my|the|a|an|each|some|again|now|last|this|in|for|someone|nobody|him|her)\b){_NAMED}", "dat|see|mar|eng|goi|in|got|tog|bac|pro", "partner", Mode.CHANGED),
    (rf"\b(?:have|has|got|'ve got|’ve got|found) (?:an? )?(?:new )?{_KIN}(?: now)?(?:,? (?:called|named|(?:her|his|their) name(?: is|['’]s)))?,? {_NAMED}", "hav|has|got|fou", "partner", Mode.CHANGED),
    (rf"\b(?:broke up|broken up|breaking up|split up|splitting up|separated|got divorced|getting divorced|are divorced|divorced|parted ways|ended things|ended it|called it quits|are done|are over|not together anymore|no longer together|no longer dating|aren['’]t together anymore|not a couple anymore)\b(?: with (?:my (?:\w+ )?{_KIN},? ?)?(?P<o>[\w'’-]+(?: (?-i:[A-Z])[\w'’-]+)?)?)?", "bro|spl|bre|sep|got|get|are|div|par|end|cal|not|no|", "partner", Mode.ENDED),
    (r"(?P<s>)\b(?:(?:my|the) \w+|(?P<o>[\w'’-]{2,16})) (?:has |had |just |finally )?(?:dumped|left|ghosted|is divorcing|is leaving|broke up with|split up with) me\b", "dum|lef|gho|div|lea|bro|spl", "partner", Mode.ENDED),
    (rf"\b(?:dating|seeing|met|with) (?:an?|some|this|my) (?:new |lovely |great )?(?:guy|girl|man|woman|bloke|lad|someone|person)(?:,? (?:called|named))? {_NAMED}", "dat|see|met|wit", "partner", Mode.CHANGED),
    (rf"\b(?:my|our) (?P<s>)(?:\w+ )?{_KIN},? {_NAMED}(?= (?:is|works|and|has|lives|likes|loves|will|does|was)\b|,|['’]s\b|\s*$)", "my|our", "partner", Mode.HOLDS),
    (rf"\bbeen with {_NAMED} (?:for|since)\b", "bee", "partner", Mode.HOLDS),
    (r"\b(?:dating|seeing) (?:someone|somebody)\b", "dat|see", "partner", Mode.CHANGED),
    (r"(?:'m|’m|\bam|\bis|\bgot|\bbeen|\bwe['’]re|\bare) (?:(?:now|just|finally|officially|already|happily|newly|recently|still|so|very|totally|sadly) ){0,2}(?P<o>single|married|engaged|divorced|widowed|separated|pregnant|retired)\b", "sin|mar|eng|div|wid|sep|pre|ret", "status", Mode.HOLDS),
    (r"(?:\bare|['’]re|\bgot|\bhave been|['’]ve been) (?:now |back |still |happily )?(?:together|dating|a couple|an item|engaged|married)\b(?! any)", "tog|dat|cou|ite|eng|mar|an|a", "couple", Mode.HOLDS),
    # -- who somebody is
    (rf"\b(?:changed my name to|go by|goes by|is called|am called|'m called|’m called|call me) {_NAMED}", "cha|go|goe|is|am|m|cal", "name", Mode.HOLDS),
    (r"(?:'m|’m|\bam|\bis|\bturned|\bturning) (?:(?:now|just|already|only) ){0,2}(?P<o>\d{1,3})\b(?= years old|\s*$| now| today| yesterday| last| this|, )(?! ?(?:am|pm|kg|km|%))", f"{DIGIT}", "age", Mode.HOLDS),
    (r"(?:'m|’m|\bam|\bis|\bwent|\bgone|\bbecame|\bturned|\bbeen|\bgoing) (?:(?:now|fully|strictly|mostly|a|an) ){0,2}(?P<o>vegan|vegetarian|pescatarian|veggie|gluten[- ]free|keto|halal|kosher|teetotal)\b", "veg|pes|glu|ket|hal|kos|tee", "diet", Mode.HOLDS),
    (r"\b(?:eat|eating|eats) (?P<o>meat|fish|everything) (?:again|now)\b", "eat", "diet", Mode.CHANGED),
    (rf"\b(?:allergic to|intolerant to|intolerance to|allergy to) {_O}", "all|int", "allergy", Mode.HOLDS),
    (rf"\b(?:afraid of|scared of|terrified of|phobia of) {_O}", "afr|sca|ter|pho", "fear", Mode.HOLDS),
    (r"\b(?:study|studies|studying|go|goes|going|enrolled|transferred|switched|accepted|changed|moved) (?:at|to|into) (?P<o>(?:[\w'’-]+ ){0,4}(?:university|uni|college|school|academy|institute|polytechnic|high|primary|elementary|middle|MIT|ETH|UCL)\b(?: of [\w ]{2,20})?)", "stu|go|goe|goi|enr|tra|swi|acc|cha|mov", "school", Mode.HOLDS),
    (r"\b(?:dropped out of|graduated from|finished|left|expelled from) (?P<o>(?:[\w'’-]+ ){0,3}(?:university|uni|college|school|academy)\b)", "dro|gra|fin|lef|exp", "school", Mode.ENDED),
    (rf"\b(?:study|studies|studying|learning|majoring in|major in) (?!at\b|for\b|hard\b){_O}", "stu|lea|maj", "studies", Mode.HOLDS),
    # -- an attribute by its name: "my phone number is …", "my new gym is …"
    (r"\b(?:my|our|his|her|their|(?P<n>(?-i:[A-ZÀ-Þ])[\w-]*)['’]s) (?P<c>(?:brand )?new |current |latest |all-time |absolute )?(?P<k>[a-zé][\w-]*(?: [a-z][\w-]*){0,2}?)(?P<v> (?:is|are|was|has been) now| changed to| has changed to| got changed to| is| are|['’]s| was changed to| switched to|:)(?: (?:called|named))? (?P<o>[^.;!?()\"“”]{1,60})", "", "of", Mode.HOLDS),
    (rf"^(?:and |so |now |actually )?(?P<s>){_NAMED}(?: \d+)? (?:is|['’]s|are) (?:now )?my (?:new |all-time |absolute |current )?(?P<k>favou?rite \w+)", "fav", "of", Mode.HOLDS),
    (rf"\b(?:changed|switched|updated|moved) (?:my|our|the) (?P<k>[a-z][\w-]*(?: [a-z][\w-]*){{0,2}}?)(?: from [\w ]{{1,30}}?)? to {_O}", "cha|swi|upd|mov", "of+", Mode.CHANGED),
    (rf"^\W*(?:the |a )?new (?P<k>[a-z][\w-]*(?: [a-z][\w-]*){{0,2}}?)(?: is|['’]s|:) {_O}", "new", "of+", Mode.CHANGED),
    (r"\b(?:doing|finishing|writing|started|starting) (?:an?|my|the) (?P<o>(?:\w+ )?(?:phd|master['’]?s?|degree|bachelor['’]?s?|thesis|apprenticeship|mba|a-levels|course)\b[^.;!?]{0,30})", "doi|fin|wri|sta", "studies", Mode.HOLDS),
    # -- likings
    (rf"\b(?:don['’]t|do not|doesn['’]t|does not|can['’]t|cannot|no longer|never) {_ADV}(?:really |even )?(?:like|likes|love|loves|enjoy|enjoys|stand|bear|care for|fancy) {_O}", "don|do|doe|can|no|nev", "likes", Mode.ENDED),
    (rf"\b(?:hate|hates|dislike|dislikes|detest|detests|loathe|loathes|went off|gone off|over|sick of|tired of|fed up with|bored of|not into|allergic of) (?!(?:there|here|it|that|the (?:weekend|phone|moon|past|years?|last))\b){_O}", "hat|dis|det|loa|wen|gon|ove|sic|tir|fed|bor|not", "likes", Mode.ENDED),
    (rf"\b(?:like|likes|love|loves|enjoy|enjoys|adore|adores|really into|into|fond of|fan of|obsessed with|addicted to|crazy about|grown to like|fallen in love with) (?!(?:to (?:know|see|hear|go|have|get)|it|that|this|you|the (?:sound|idea))\b){_O}", "lik|lov|enj|ado|rea|int|fon|fan|obs|add|cra|gro|fal", "likes", Mode.HOLDS),
    # -- what is done no more
    (rf"\b(?:no longer|not) (?:have|has|own|owns|having|get|gets) {_STUFF}", "no|not", ANY, Mode.ENDED),
    (r"\bno longer (?:(?:go|goes|going) to (?:the )?)?(?P<o>(?:[\w'’-]+ ?){1,6})", "no", ANY, Mode.ENDED),
    (r"\b(?:don['’]t|do not|doesn['’]t|does not|isn['’]t|aren['’]t|not|never|ain['’]t) (?P<o>(?:[\w'’&.-]+ ){1,6})(?:any ?more|any longer)\b", "any", ANY, Mode.ENDED),
    (rf"\b(?:quit|stopped|gave up|given up|giving up|stop|dropped(?! [\w' ]{{1,20}} (?:in|on|down|into|off|by)\b)|cut out|swore off|kicked|ditched|closed|closed down|shut down|wound up|cancelled|canceled|got rid of|unsubscribed from|finished with|done with|off the|came off|stopped taking) (?:on |out of )?{_STUFF}", "qui|sto|gav|giv|dro|cut|swo|kic|dit|clo|shu|wou|can|got|uns|fin|don|off|cam", ANY, Mode.ENDED),
    (rf"\b(?:sold|gave away|given away|traded in|returned|scrapped|donated|rehomed|lost|threw out|threw away|crashed|totalled|broke(?! (?:up|down|even|out|into|my|the news))) {_STUFF}", "sol|gav|giv|tra|ret|scr|don|reh|los|thr|cra|tot|bro", ANY, Mode.ENDED),
    (rf"\b(?:took|taken|taking) me off (?P<s>){_STUFF}", "too|tak", ANY, Mode.ENDED),
    # -- belongings, animals, habits
    (r"\b(?:have|has|had|got|own|owns|adopted|bought|keep|keeps|rescued) (?P<o>(?:an? |two |three |four |my first |another |\d )(?:[\w'’-]+ ){0,4}?(?:dog|cat|puppy|kitten|hamster|rabbit|bunny|parrot|turtle|tortoise|horse|bird|guinea pig|ferret|lizard|snake|goldfish|fish|chickens?|dogs|cats|pug|corgi|poodle|beagle|labrador|retriever|terrier|husky)s?\b[^.;!?]{0,40})", "hav|has|had|got|own|ado|bou|kee|res", "pet", Mode.HOLDS),
    (r"\b(?:own|owns|bought|purchased|have|has|got|drive|drives|driving|ride|rides) (?P<o>(?:an? |the |my |two |three )(?:[\w'’-]+ ?){1,5})", "own|bou|pur|hav|has|got|dri|rid", "owns", Mode.HOLDS),
    (r"\b(?P<o>(?:smoke|smokes|drink|drinks|eat|eats|play|plays|practise|practice|collect|collects|speak|speaks|run|runs|swim|swims|jog|go to|goes to|volunteer|take|takes|wear|wears|use|uses|do|does|teach|teaches)\b(?! (?:it|that|this|you|not|so|the same|what)\b)(?: [\w'’-]+){0,6})", "smo|dri|eat|pla|pra|col|spe|run|swi|jog|go|goe|vol|tak|wea|use|do|doe|tea", "habit", Mode.HOLDS),
    (r"\b(?:my|our) (?P<s>)(?P<o>(?:(?:old|little|new|rescue|beloved) )?(?:dog|cat|puppy|kitten|hamster|rabbit|bunny|parrot|turtle|tortoise|horse|bird|pug|corgi|poodle|beagle|labrador|retriever|terrier|husky|budgie|ferret),? (?-i:[A-ZÀ-Þ])[\w-]+)(?! (?:died|passed|is dead|was put|didn))", "my|our", "pet", Mode.HOLDS),
    # -- death
    (r"\bput (?P<n>(?:(?:my|our) )?[\w'’-]+(?: [\w'’-]+)?) (?:down|to sleep)\b", "put", "life", Mode.ENDED),
    (r"\b(?:died|passed away|passed on|passed last|is dead|was put to sleep|put (?:him|her|it) (?:down|to sleep)|didn['’]t make it|is no longer with us|crossed the rainbow bridge)\b", "die|pas|dea|was|put|did|is|cro", "life", Mode.ENDED),
    # -- what is to come: its time, and that it will not
    (rf"\b(?:is |was |are |has been |have been |had to be |been |got |gets |getting |'s |’s )?(?:moved|pushed|shifted|rescheduled|postponed|delayed|brought forward|changed|bumped|put off|switched|rearranged)(?: back| forward| up| out)?(?: again)?(?: from [\w ]{{2,20}}?)? (?:to|until|till|for) {_WHEN}", "mov|pus|shi|res|pos|del|bro|cha|bum|put|swi|rea", EVENT, Mode.CHANGED),
    (rf"\b(?:moved?|push(?:ed)?|shift(?:ed)?|rescheduled?|postponed?|delay(?:ed)?|changed?|moving|pushing|brought|bring) (?P<n>(?:the |my |our |that )?(?:[\w'’-]+ ){{1,4}}?)(?:forward |back )?(?:from [\w ]{{2,20}}? )?(?:to|until|till) {_WHEN}", "mov|pus|shi|res|pos|del|cha|bro|bri", EVENT, Mode.CHANGED),
    (r"(?:\b(?:is|are|was|has been|got|been|getting|were)|['’]s) (?:now |all |sadly |just )?(?:off\b(?! (?:work|to|the|for|on))|cancelled|canceled|called off|scrapped|not happening|fallen through)|\b(?:fell through|isn['’]t happening|won['’]t happen|got axed)\b", "off|can|cal|scr|not|fal|fel|isn|won|got", EVENT, Mode.ENDED),
    (r"\b(?:cancel+ed|called off|scrapped|cancelling) (?P<n>(?!because|by|due|for|on|at|this|to|again|last|so|and)(?:the |my |our |that )?(?:[\w'’-]+ ?){1,5})", "can|cal|scr", EVENT, Mode.ENDED),
    (r"\b(?:not|never) (?:going|flying|coming|travel+ing|driving|meeting|doing) (?:to )?(?:the )?(?P<n>(?:[\w'’-]+ ?){1,5}?)(?: after all| any ?more| this time|\s*$)", "not|nev", EVENT, Mode.ENDED),
    (rf"\b(?:getting married|marrying|tying the knot)\b(?: to [\w'’-]+| [A-Z]\w+)? {_WHEN}", "get|mar|tyi", "wedding", Mode.HOLDS),
    (rf"\b(?:visiting|coming over|coming to visit|coming to stay|staying with (?:us|me)|coming|visits)(?: me| us)? {_WHEN}", "vis|com|sta", "visit", Mode.HOLDS),
    (r"^\W*(?P<n>(?:(?:my|the|an?|next) )?(?!i\b|we\b|he\b|she\b|it\b|they\b)(?:[\w'’-]+ ){1,3}?)(?P<o>(?:on|this|next|tomorrow|tonight|today)\b.{0,30})$", "on|thi|nex|tom|ton|tod", EVENT, Mode.HOLDS),
    (rf"\b(?P<n>(?:[\w'’-]+ ){{1,5}}?)(?:is|are|'s|’s|starts|takes place|will be|happens|falls|leaves|departs|begins|kicks off|opens) (?:now |actually |scheduled for |set for |planned for )?{_WHEN}", "", EVENT, Mode.HOLDS),
    (rf"\b(?:going to|flying to|travel+ing to|driving to|heading to|off to|seeing|visiting|meeting|having|have got|have|has|got|attending|doing|booked|playing) (?P<n>(?:[\w'’-]+ ){{1,5}}?){_WHEN}", "goi|fly|tra|dri|hea|off|see|vis|mee|hav|has|got|att|doi|boo|pla", EVENT, Mode.HOLDS),
)  # fmt: skip

PATTERNS: tuple[Pattern, ...] = tuple(
    Pattern(LazyPattern(pattern, re.IGNORECASE), needs_of(needs) if needs.strip("|") and not needs.endswith("|") else (), relation, mode)
    for pattern, needs, relation, mode in _TABLE
)  # fmt: skip

CLAUSE_END = LazyPattern(
    r"(?<![.!?;…\n])[.!?;…\n]+(?=\s|$)|(?<!\s)\s++[-–—]++\s+|,\s+|(?<![.!?;])[.!?;]++\s*+$"
    r"|(?<!\s)\s++(?:and|but|so|because|cause|cuz|although|though|while|which|who|then|when|after|before|until|since)\s+"
    r"(?=(?:i|i['’]m|i['’]ve|im|ive|we|we['’]re|my|our|he|she|they|it|now|then|also|just|finally|works?|lives?|moved|quit|left|got|started|joined|have|has|am|is|"
    r"switched|sold|bought|stopped|gave|adopted|the|play|plays|love|loves|like|likes|hate|hates|no)\b)",
    re.IGNORECASE,
)
UNREAL = LazyPattern(
    r"\b(?:if|wish|would|wouldn['’]t|might|maybe|perhaps|could|thinking (?:of|about)|considering|dream(?:t|ed|ing)? (?:of|about|that)|imagine|pretend|"
    r"hope to|hoping to|want to|wants to|wanna|plan to|planning to|should|almost|nearly|supposed to|as if|remember when|did you|do you|are you|is it|should i)\b",
    re.IGNORECASE,
)
TAIL = LazyPattern(
    r"(?<![\s,])[\s,]+(?:now|currently|these days|nowadays|at the moment|right now|again|too|as well|instead|though|already|lately|recently|any ?more|any longer|actually|lol|haha|btw|tbh|"
    r"xd|ok|okay|yay|finally|so far|for now|with (?:my|our|his|her|the|a|two|three|\w+$)|since|because|cause|for (?:a|an|the|about|over|\d+|two|three|four|five|six|ten|good|now|work|years|months|ages|last|past)\b|"
    r"last (?:week|month|year|night|summer|spring|autumn|fall|winter|\w+day)|this (?:week|month|year|morning|summer|spring)|yesterday|today|tomorrow|next (?:week|month|year|\w+day|summer)|"
    r"(?:in|on|since|until|from) (?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|sept|oct|nov|dec|\d|mon|tues|wednes|thurs|fri|satur|sun|the \d)|"
    r"(?:a (?:few|couple of)|two|three|four|\d+) (?:years?|months?|weeks?|days?|times)\b|every (?:day|week|morning|night|evening|\w+day)|once a|twice a|ago|when|where|who|which|that|so|but|to (?:be|work|live|study)|by|tho)\b.*$",
    re.IGNORECASE,
)
LEAD = LazyPattern(
    r"^(?:\W+|(?:so|and|but|well|yeah|yes|yep|yup|nope|no|ok|okay|oh|hey|hi|um|uh|btw|fyi|by the way|ps|update|news|big news|good news|bad news|sad news|quick update|small update|guess what|also|"
    r"anyway|anyways|actually|honestly|sadly|unfortunately|luckily|finally|it turns out|turns out|tbh|now|currently|today|yesterday|these days|nowadays|just|recently|officially|the \w+ (?:says|said|told me|thinks)(?: that)?|\w+ (?:says|said|told me)(?: that)?|"
    r"then|still|really|already|even|as you know|did i (?:tell|mention)(?: you)?(?: that)?|remember|last (?:week|month|year|night|summer|\w+day)|this (?:week|month|year|morning|afternoon|evening)|"
    r"since (?:last )?\w+|as of (?:\w+ )?\w+|in (?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4})|on \w+day|a (?:week|month|year|while) ago|two \w+ ago|"
    r"the other day|after (?:that|\w+ years?)|long story short|plot twist|wow|lol|haha|omg|ugh|argh|hm+|oh well|i think|i guess|you know)\b)+",
    re.IGNORECASE,
)
FILLING = LazyPattern(
    r"(?:\W|\b(?:have|has|had|am|is|are|was|were|been|be|being|do|does|did|will|shall|gonna|going to|'m|'ve|'re|'s|'ll|just|now|currently|recently|finally|officially|already|actually|still|also|both|"
    r"really|only|even|never|always|then|it|both|all|about|to|got|get|sadly|unfortunately|luckily|totally|completely|originally|mostly|usually|often|sometimes|today|yesterday|always|used|old|new|a|an|"
    r"in the end|last (?:week|month|year|night|\w+day)|this (?:week|month|year|morning)|after all|again|kind of|kinda|simply|too|so|decided|had|not|don['’]t|doesn['’]t|isn['’]t|never))",
    re.IGNORECASE,
)
SPEAKER = LazyPattern(
    r"(?:i|we|me|myself|im|ive|i['’]m|i['’]ve|i['’]d|i['’]ll|we['’]re|we['’]ve|we['’]ll)", re.IGNORECASE
)
PRONOUN = LazyPattern(
    r"(?:he|she|they|it|this|that|him|her|them|you|he['’]s|she['’]s|they['’]re|it['’]s|you['’]re)", re.IGNORECASE
)
POSSESSED = LazyPattern(
    r"(?:(?:my|our)\s+|(?=(?:mum|mom|mummy|mommy|dad|daddy|grandma|granny|grandpa|granddad|nana|gran|auntie)\b))(?P<thing>[\w'’-]+(?: [\w'’-]+){0,3})",
    re.IGNORECASE,
)
NAME = LazyPattern(r"(?P<name>[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*){0,2})(?:['’]s (?P<thing>[\w'’-]+(?: [\w'’-]+){0,2}))?")
COUPLE = LazyPattern(
    r"(?:(?:my \w+,? )?(?P<n>[A-ZÀ-Þ][\w-]*)|my \w+) and (?:i|me)|(?:me|i) and (?:my \w+,? )?(?P<m>[A-ZÀ-Þ][\w-]*)?(?:my \w+)?",
    re.IGNORECASE,
)
ALSO = LazyPattern(
    r"\b(?:also|too|as well|part[- ]time|on the side|second job|side (?:gig|job|hustle)|another|weekends|in addition|besides|sometimes)\b",
    re.IGNORECASE,
)
PASSING = LazyPattern(
    r"\b(?:for (?:the|a) (?:weekend|week|night|few days|couple of days)|on (?:holiday|vacation|business)|visiting|temporarily|this weekend|a few days|tonight)\b",
    re.IGNORECASE,
)
BEFORE = LazyPattern(
    r"\b(?:in|during|until|from) (?:\w+ )?(?:19|20)\d\d\b|\b(?:used to|formerly|previously|once|back then|as a (?:kid|child|student)|when i was|years ago|in my (?:childhood|youth|twenties))\b",
    re.IGNORECASE,
)
ITS_NAME = LazyPattern(
    r"(?:(?:he|she|it|they)['’]s |(?:is |are )?(?:called|named) |(?:his|her|its|their) names? (?:is|are) )(?P<o>[A-Za-zÀ-ɏ][\w-]{1,20}(?: [A-Z][\w-]{1,20})?)"
    r"|(?-i:(?P<p>[A-ZÀ-Þ][\w-]{1,20})(?:,? (?:and|&) (?P<q>[A-ZÀ-Þ][\w-]{1,20}))?)",
    re.IGNORECASE,
)
COUNTED = LazyPattern(r"^(?:an?|the|my|our|his|her|their) ", re.IGNORECASE)
# What somebody is or does as a rule: in the present, and no more than said.
PLAIN = LazyPattern(
    r"(?:i|we)(?:['’]m|['’]re|['’]ve got| am| are| have| have got)? (?:(?:now|also|always|usually|mostly|currently|often|really|still) ){0,2}"
    r"(?!(?:was|were|had|did|didn['’]t|will|won['’]t|would|can|can['’]t|could|couldn['’]t|might|may|must|should|went|got|came|saw|met|took|made|ate|drank|bought|sold|lost|found|felt|thought|said|told|left|"
    r"gave|ran|won|slept|spent|broke|wrote|read|heard|forgot|think|guess|hope|know|mean|feel|remember|wonder|believe|need|want|wish|don['’]t|not|so|just|very|too|going|sorry|glad|happy|sad|tired|sure|back|home|fine|ok|okay|here|done|late)\b|\w+ed\b)"
    r"(?P<o>[\w'’-]{2,}[^.;!?]{0,80})$",
    re.IGNORECASE,
)
