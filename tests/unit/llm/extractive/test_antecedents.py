"""Whom "she" of the next message means is told in its note where only one person can be meant, and nowhere else."""

from __future__ import annotations

from every_row import every_row
from soulmem.core.calendar import calendar_math
from soulmem.core.schema.note_requests import Role, Turn
from soulmem.llm.extractive.reading.statements import statements_of

AT = calendar_math.day_number(2026, 4, 13) * calendar_math.DAY_MS
MINUTE = 60_000

CERTAIN = [
    (["my sister Oluchi is coming on the 19th", "she can't have shellfish"], "nadia's sister Oluchi can't"),
    (["my brother Callum moved to Glasgow", "and he hates rain there"], "and nadia's brother Callum hates rain"),
    (["My aunt Ilse called.", "Her knee is worse again"], "nadia's aunt Ilse's knee"),
    (["我姐何雨十九号过来住", "她不能吃虾蟹，一吃喉咙就肿"], "nadia的姐何雨不能吃虾蟹"),
    (["我老公建国在银行上班", "他又加班到九点"], "nadia的老公建国又加班"),
    (["我爸身边跟了个老太太", "他跟我装糊涂"], "nadia的爸跟我装糊涂"),
    (["艳子那小店让人扒了", "她在家支个架子直播"], "艳子在家支个架子直播"),
    (["Dave told me his wife had a stroke.", "She can't speak yet."], "Dave's wife can't speak"),
    (["Callum has a girlfriend!", "Her name's Aoife."], "Callum's girlfriend's name's Aoife"),
    (["Mum's 70th is on Sunday, we booked the Fleece.", "Her name is Maureen."], "nadia's mum's name is Maureen"),
    (["my sister Ruth is 40 on Sunday", "I'll knit her a scarf"], "her (nadia's sister Ruth) a scarf"),
    (["my sister Ruth is 40 on Sunday", "i go to her party"], "her (nadia's sister Ruth's) party"),
    (["I'm seeing someone. his name is Emeka, we met at the gym", "he's a sound engineer"], "Emeka's a sound engineer"),
    (["my grandpa Olaf fell", "grumpy as ever haha. im gonna visit him"], "him (nadia's grandpa Olaf)"),
    (["男方叫司徒杰，三十岁", "他比我大四岁"], "司徒杰比nadia大四岁"),
    (["妈妈生日是二月初二", "我答应给她买个金镯子"], "她（nadia的妈妈）买"),
    (["my husband Li Wei is a cook", "我答应他早点回家"], "他（nadia's husband Li Wei）早点"),
    (["Bethan is his girl.", "She is two-and-twenty"], "Bethan is two-and-twenty"),
    (["they towed dad's Rover today.", "He'd already posted his licence back"], "nadia's dad had already posted"),
    (["Dad's Mick, 79, and he drives", "He'd rather walk now"], "nadia's dad Mick would rather walk"),
    (["Hazel knew me today, she sang the whole of Abide With Me.", "I held her hand till four"], "her (Hazel's) hand"),
    (["Sadhbh got home! Last night at ten.", "guess what, she has a boyfriend!"], "guess what, Sadhbh has"),
    (["Nell rang about the job.", "haha, good news: she got it"], "Good news: Nell got it"),
    (["晓棠到家了！昨晚十点四十到的", "你猜怎么着，她有对象了！"], "你猜怎么着，晓棠有对象了"),
    (["小芳来电话了。", "对了，跟你说，她搬走了"], "跟你说，小芳搬走了"),
    (["我弟弟在深圳上班", "不过他最近腰不好，在做理疗"], "不过nadia的弟弟最近腰不好"),
]
UNCERTAIN = [
    ["tomasz is off!! opening his own place. mei lin has his room and his title", "he left me his exam notes"],
    ["Tomasz is off! Robin has his room and his title.", "He left me his exam notes."],
    ["建国走了，晓东坐了他的位子", "他把笔记留给我了"],
    [
        "my mum lives in spain w a guy called terry. we do birthdays and thats it",
        "it was mo who taught me rockpools. she used to wake me up at 5",
    ],
    ["Big Trev took her home. Double-decker.", "He works the pit next to mine"],
    ["Town Hall, 22nd of August.", "I checked the fixtures before I checked with her"],
    ["Grace told me she's seeing a chap named Forrest, with a girl of nine called Poppy.", "I'm to be nice, she says!"],
    [
        "I'll walk Len's sheepdog Bramble.",
        "The window cleaner has put himself up to ten.",
        "I've told him I'll think on",
    ],
    ["孙玉兰买了菜", "我答应小石榴，开春教他骑自行车"],
    ["我表哥来了", "大胖小子，他爹让我起名"],
    ["ebba forgave me", "i think i like someone", "his name is elliot"],
    ["elliot was there", "his name is fun"],
    ["司徒杰来了", "他叫什么我忘了，他叫小王吧"],
    ["“春且住”，辛稼轩。", "他说爸，客人会不会以为是且慢交钱"],
    ["It's a line of Betjeman.", "he says dad, they'll think the place is shut"],
    ["小安来了", "门口还有个女生", "她一直在哭"],
    ["me and mom had a fight", "bunica is coming, she makes the best sarmale", "she has diabetes"],
    ["my dad lives with his new wife and her mother", "i dont like her"],
    ["我家狗生了", "子豪同我讲他长大想当消防员"],
    ["my mum and my sister Jo fell out", "she won't come to the wedding"],
    ["my brother Callum moved to Glasgow", "she misses the sea"],
    ["我爸和我叔叔吵架了", "他气得晚饭都没吃"],
    ["我姐何雨十九号过来住", "他不能吃虾蟹"],
    ["小区停电了", "他们说明天来修"],
    ["同事约我去坐索道", "豆花17号下周二打疫苗", "她今年四岁了还怕针"],
    ["Mum prays with us.", "I had a dog, you know. Duchess, a boxer. She passed in February"],
    ["Doyle's curate came.", "Doctor's nurse rang about the bloods. He's put the tablets up"],
    ["Lucia covered for him because he asked her to.", "I'm not mad he's marrying"],
    ["表哥那两万，我转了一万过去", "还剩一万", "我想了想还是算了", "今天好冷", "他醒了，走了"],
    ["Brother. New Zealand, a place called Timaru.", "Not spoken since 2004. He wanted the meadow sold"],
    ["我吃芒果嘴会肿，小时候肿成过海绵宝宝", "她是学播音的"],
]


def turns(lines: list[str], gap_ms: int = MINUTE) -> list[Turn]:
    return [Turn(seq, Role.USER, "nadia", text, AT + seq * gap_ms) for seq, text in enumerate(lines, 1)]


@every_row(CERTAIN, unpack=True)
def test_the_one_person_of_the_message_before_is_named(lines: list[str], told: str) -> None:
    statement = statements_of(turns(lines))[-1]
    assert told in statement.text
    assert [source.seq for source in statement.sources] == [1, 2], "what names the person is a source too"
    assert statement.named_by is not None


@every_row(UNCERTAIN)
def test_nobody_is_named_where_two_may_be_meant(lines: list[str]) -> None:
    statement = statements_of(turns(lines))[-1]
    assert not statement.resolved
    assert {source.seq for source in statement.sources} == {len(lines)}


@every_row(CERTAIN, unpack=True)
def test_a_break_or_another_person_makes_it_uncertain(lines: list[str], told: str) -> None:
    assert told not in statements_of(turns(lines, 60 * MINUTE))[-1].text
    first, second = turns(lines)
    between = Turn(7, Role.ASSISTANT, "Otis", "My friend Ann knows that. 我的朋友小安也知道。", first.at_ms + 1)
    assert told not in statements_of([first, between, second])[-1].text
    asks = Turn(7, Role.ASSISTANT, "Otis", "Really? 真的吗？", first.at_ms + 1)
    assert told in statements_of([first, asks, second])[-1].text


def test_whoever_calls_the_same_person_by_the_word_for_kin_names_nobody_new() -> None:
    first, second = turns(["My gran in Aarhus fell.", "She raised me, you know."])
    between = Turn(7, Role.ASSISTANT, "Otis", "Oh no, poor Gran.", first.at_ms + 1)
    assert "nadia's gran raised me" in statements_of([first, between, second])[-1].text


@every_row(
    [
        (
            "my nan raised me basically",
            "Noted. Tell me about your nan!",
            "her names maureen",
            "nadia's nan's names maureen",
        ),
        ("我是奶奶带大的", "那说说你奶奶吧。", "她叫林素梅，七十四了", "nadia的奶奶叫林素梅"),
        ("my nan raised me", "那说说您的nan吧, your nan sounds fun", "she swims", "nadia's nan swims"),
    ],
    unpack=True,
)
def test_whose_kin_is_asked_for_names_nobody_new(told: str, asked: str, then: str, read: str) -> None:
    first, second = turns([told, then])
    between = Turn(7, Role.ASSISTANT, "Otis", asked, first.at_ms + 1)
    assert any(read in each.text for each in statements_of([first, between, second]))


def test_what_lies_between_and_names_nobody_changes_nothing() -> None:
    lines = ["my brother Callum moved to Glasgow", "The bus was late.", "he misses the sea"]
    assert "nadia's brother Callum misses the sea" in statements_of(turns(lines))[-1].text
    lines = ["Callum came on Tuesday.", "Ellie's mum did the folding.", "He's been dumped, then."]
    assert "Callum's been dumped" in statements_of(turns(lines))[-1].text
    lines = ["昨天和司徒杰去看展了", "我们在一起了", "他比我大四岁", "今天好冷", "他养了一只陆龟"]
    assert "司徒杰养了一只陆龟" in statements_of(turns(lines))[-1].text


def test_what_was_said_before_a_request_names_too() -> None:
    first, second = turns(CERTAIN[0][0])
    (statement,) = statements_of([second], [first])
    assert "Oluchi" in statement.text


def test_the_two_of_us_are_not_one_of_us() -> None:
    [statement] = statements_of([Turn(1, Role.USER, "玉珍", "老魏来了，完了我俩一块儿下楼遛弯儿", AT)])
    assert "玉珍俩" not in statement.text


@every_row(
    [("孩子们补课，摔跤挪到礼拜天了。", "学校要其木格当副校长。她没应。"), ("My kids are at camp.", "She hated it.")],
    unpack=True,
)
def test_one_person_is_none_of_several(before: str, told: str) -> None:
    turns = [Turn(1, Role.USER, "玉珍", before, AT), Turn(2, Role.USER, "玉珍", told, AT + 60_000)]
    assert all("孩子们没应" not in each.text and "kids hated" not in each.text for each in statements_of(turns))


@every_row(
    [
        ("Dad rang. He's Gordon, seventy-four. Lives in Whitby on his own.", "Gordon, seventy-four. Lives in Whitby"),
        ("My brother's Callum. Works at Tesco.", "My brother's Callum. Works at Tesco"),
    ],
    unpack=True,
)
def test_a_sentence_that_leaves_out_of_whom_it_tells_is_kept_with_the_one_before(text: str, kept: str) -> None:
    told = [each.text for each in statements_of([Turn(1, Role.USER, "Nadia", text, AT)])]
    assert kept in told[-1]
