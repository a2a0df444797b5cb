"""What kind of thing is asked for, and which texts speak of one: English, Chinese and mixed."""

# Cases stand on long lines, as a table.
# ruff: noqa: E501

from __future__ import annotations

import time

import pytest

from every_row import every_row
from soulmem.core.questions.asked.asked_form import Form
from soulmem.core.search import answer_kind
from soulmem.core.search.answer_kind import is_of_kinds, kinds_of
from soulmem.core.search.answer_type import meets, read_calls
from soulmem.core.search.relevance_scoring import read_question
from soulmem.core.search.score_calibration import OTHER_KIND, read_fit
from soulmem.core.text.tokens import text_hashes

# A question, texts that may answer it, texts that do not, whatever else they share with it.
CASES = (
    ("What car do I drive?", ("I drive a green Skoda Fabia", "got Dad's old Volvo", "I'm driving a rented Kodiaq this week"), ("my driving test is on Friday", "I drive the school bus", "I drove to work in the rain")),
    ("我开什么车？", ("我开一辆白色的五菱", "换了辆本田飞度", "我的车是二手的", "上个月买了电动车"), ("我坐公交车上班", "我在火车站等他", "考驾照两次没过")),
    ("what instrument do I play", ("I play the viola", "started on the oboe at nine", "I've a lute at home"), ("I paint on Sundays", "my desk is oak")),
    ("我会什么乐器", ("我会拉二胡", "小时候学过古筝", "我在学吹埙"), ("我不会游泳", "我在学织围巾")),
    ("What is my favourite colour?", ("I love anything green", "purple is my favourite"), ("I drive a green van", "my favourite biscuit is a custard cream")),
    ("我最喜欢什么颜色", ("我最爱墨绿", "我喜欢蓝的"), ("我最喜欢的歌手是李健", "我开一辆白色的五菱")),
    ("what phone do I have?", ("I got a Pixel 9", "my new phone has a crack"), ("mum phoned last night", "we had a phone call")),
    ("我用什么手机", ("iPhone 换成 Pixel 了", "我换手机了", "买了个华为"), ("她给我打电话了", "我用什么都行")),
    ("when is my birthday?", ("I was born on 3 May", "I turn forty on Friday", "my birthday's in June"), ("I play since I was eleven", "the party is on Friday")),
    ("我生日是哪天", ("我是五月三号出生的", "下周五过三十岁生日"), ("那只老猫十三岁了", "他十八号回来")),
    ("what's my daughter called?", ("my girl is called Iris", "our daughter Mei", "she's called Iris"), ("my son is called Otto",)),
    ("我女儿叫什么", ("闺女叫小满", "我家丫头叫豆豆"), ("儿子欧阳一鸣读高三",)),
    ("阿芬的老公叫什么", ("阿芬嫁给了赵磊", "阿芬的丈夫是赵磊"), ("阿芬来帮忙，手脚快",)),
    ("what animal am I afraid of?", ("geese terrify me", "I'm scared of dogs since I was bitten"), ("we went to the zoo", "my cat sleeps all day")),
    ("我见了啥动物就走不动道", ("我最怵的是狗，听见狗叫腿就软", "我怕蛇"), ("国庆带她去动物园看长颈鹿", "家里养了只猫")),
    ("do I have a dog?", ("our beagle is nine", "I adopted a puppy"), ("the old cat sleeps all day", "we adopted a rabbit")),
    ("我养狗吗", ("我家那只柯基可皮了", "我养了条狗"), ("家里那只老猫叫煤球",)),
    ("which floor do I live on", ("we live on the third floor", "I'm at the top, no lift"), ("I live in Ghent",)),
    ("我住几楼", ("我住六楼", "我家在顶层"), ("我住在成都",)),
    ("what's my phone number", ("it's 0151 498 0211", "my number is on the card"), ("I owe her 200 euros",)),
    ("我的车位号是多少", ("车位在二排", "B2-117"), ("上下班四十分钟",)),
    ("我在哪里上的大学", ("我本科在川大", "我是哈工大毕业的"), ("我在食堂吃的饭",)),
    ("who is my boss?", ("my head of department is Mr Okoro", "组长姓郭"), ("my head hurts", "my shift starts at six")),
    ("我领导是谁", ("换组长了，新组长叫方敏", "我们部长是孙莉"), ("我弟弟叫林川", "我在厂里做质检")),
    ("what is my shoe size", ("I take a size 38",), ("I bought shoes",)),
    ("我穿多大码的鞋", ("我穿38码",), ("鞋子湿了",)),
    ("What's my daughter called?", ("our girl is called Isla",), ("Dylan's met a Kiwi girl called Aroha",)),
    ("How old is my son?", ("We've got a six-year-old, Milo", "our boy is six"), ("I'm 41", "my nephew is nine")),
    ("我女儿几岁？", ("我们有个五岁的小家伙",), ("我妈六十八了",)),
    ("我退休前做什么工作？", ("退休前在机床厂干了三十五年钳工",), ("退休金也涨了，一个月四千八百二",)),
    ("what does Vera do for a living?", ("she's a midwife", "Vera works for the council", "he runs a bakery", "studying to be a vet"), ("Vera and I go skating on Saturday", "she has half a year")),
    ("老何是做什么工作的", ("他是会计", "老何在厂里上班", "开出租的"), ("老何和我去钓鱼", "他家住四楼")),
    ("how old is my nephew?", ("my nephew is five", "he turned eleven", "my nephew's 9 today"), ("my nephew starts at Ford on 1 June 2026", "my nephew came for two weeks")),
    ("我外甥多大了", ("外甥今年九岁", "他属虎", "我外甥上周过生日"), ("外甥住三楼", "外甥去了两趟")),
    ("what breed is Olive?", ("Olive's a whippet", "she's a mongrel really"), ("my dog Olive stole the butter",)),
    ("what's my favourite film?", ("I love anything with a good ghost, that film is the best",), ("plays the fiddle like the devil", "I love anything green")),
    ("我最喜欢的歌手是谁", ("我最爱听罗大佑的歌",), ("我最爱吃饺子",)),
    ("what's my blood type?", ("I'm O negative", "blood type B"), ("a blood pressure pill", "they took blood")),
    ("what was my first car?", ("my first was a rusty Fiat", "I started out with a Mini van"), ("First one she's ever brought home", "we sold the Fiat")),
    ("which street do I live on", ("we live on Mill Lane", "moved to Canal Street"), ("I start at the bakery on Canal Street",)),
    ("which country does Vera want to move to?", ("Vera wants to live in Canada", "she'd go to Bhutan tomorrow"), ("Vera wants a bigger flat",)),
    ("What can't I eat?", ("im coeliac so no bread no joy", "I'm allergic to peanuts", "I can't have dairy any more", "prawns bring me out in a rash"), ("lunch was a jacket potato", "priya made me dhal which i can actually eat", "rice crackers in the bath", "anyway cant sleep", "he doesn't like eating alone")),
    ("what foods should Mara avoid?", ("Mara is lactose intolerant", "Mara doesn't eat pork"), ("Mara cooked a stew", "Mara can't drive")),
    ("do I have any food allergies", ("strawberries give me hives",), ("I ate strawberries",)),
    ("我有什么忌口？", ("我不吃羊肉", "豆制品和海鲜都要忌", "虾我是碰不得的", "我对芒果过敏"), ("晚上吃了碗面", "没吃完就走了", "我不会游泳")),
    ("我饮食上得避开哪两类东西？", ("痛风，豆制品和海鲜都要忌",), ("回来吃饭，添双筷子的事", "作文写我的理想是开饭馆")),
    ("is there anything Mara can't eat?", ("Mara is lactose intolerant",), ("Mara cooked a stew",)),
    ("老林不吃什么？", ("老林不吃羊肉", "他忌辣"), ("老林中午吃了面", "老林没吃完")),
    ("我什么东西不吃", ("我不沾羊肉",), ("我吃了两碗",)),
    ("我不能吃什么 food 吗？", ("我对 gluten 过敏", "I'm coeliac 所以不吃面包"), ("中午吃 pizza",)),
    ("我的护照号是多少", ("护照是 E12345678",), ("手机号换成 13900001111 了",)),
    ("阿杰想去哪个国家", ("阿杰想去加拿大读书", "他想飞不丹"), ("阿杰想换工作",)),
    ("which bank am I with", ("I bank with Monzo", "I opened an account"), ("got the card today",)),
    ("我学的什么专业", ("我学会计的", "中文系毕业的"), ("我毕业就来这儿了",)),
    ("我第一辆车是什么", ("我第一辆车是奥拓", "以前开过一辆桑塔纳"), ("电瓶车找到了",)),
    ("曲老师是哪里人", ("曲老师老家在烟台", "他是山东人"), ("曲老师一米八七",)),
    ("我妹妹叫什么", ("妹妹叫小满", "她叫小满"), ("我姐叫阿秀", "他对象叫小军")),
    ("what does Rory play?", ("Rory plays the fiddle", "he's mad on football", "Rory's in the school orchestra"), ("Rory's eight and would eat you out of house and home", "Rory lost a tooth")),
    ("how much did the roof cost?", ("two hundred and forty pound for a morning's work", "£300", "I paid the roofer fifty quid"), ("the wind took two slates off the roof", "the roof leaks")),
    ("how much was the vet?", ("the vet charged sixty euros", "ninety dollars, would you believe"), ("we spent Sunday at the vet", "he had two helpings")),
    ("我房租多少钱", ("房租涨到四千二了", "一个月3500"), ("房租又涨了",)),
    ("what number is our house?", ("number 27, the red door", "we live at 14", "we're at 9 Canal Street"), ("home by half two", "Mum's seventy-two and lives on her own")),
    ("what's my bank PIN?", ("the PIN is 4471", "my code's four-four-seven-one"), ("Mr Hegarty next door is seventy-nine", "the bank's shut on Monday")),
    ("what's the code for the gate?", ("the padlock is four-four-seven-one", "press 2209"), ("the gate sticks",)),
    ("what does Marek do for a living?", ("Marek mends bikes", "he's a solicitor", "Marek works at the depot"), ("Jean has taken in a lodger from Poland", "he bought a freezer", "Marek is a stranger to me")),
    ("when is my mother-in-law coming?", ("my mother-in-law comes in May", "she comes in May"), ("the bus comes at nine",)),
    ("我妈那几只鸡给谁了", ("我妈把鸡送人了",), ("隔壁来了三只猫",)),
    ("我孃孃住哪", ("嬢嬢住仁寿",), ("仁寿下雨",)),
    ("what does my dad do", ("baba works at the bank",), ("work was long",)),
    ("房东姓什么", ("房东姓马",), ("我同事姓马",)),
    ("林可 drives what car? what car is it", ("她开的是辆 Kona 电车",), ("she takes the bus", "她坐公交")),
)  # fmt: skip


@every_row(CASES, unpack=True)
def test_a_text_speaks_of_the_kind_that_is_asked_for(
    question: str, answers: tuple[str, ...], others: tuple[str, ...]
) -> None:
    kinds = kinds_of(question)
    assert kinds
    assert [text for text in answers if not is_of_kinds(kinds, text)] == []
    assert [text for text in others if is_of_kinds(kinds, text)] == []


@every_row(
    ["why did Leila cry?", "who helped me move", "她为什么哭", "我答应了谁", "what did Otto say", "我们娘俩吃的啥"]
)
def test_a_question_for_no_such_kind_is_met_by_every_text(question: str) -> None:
    assert kinds_of(question) == ()
    assert is_of_kinds((), "anything")


def test_another_kind_costs_a_text_its_fit() -> None:
    calls = read_calls("What car do I drive?", "Nadia")
    assert meets(calls, "Nadia drives a green Skoda Fabia").other_kind is False
    found = meets(calls, "Nadia has a driving test on Friday")
    assert found.other_kind
    assert read_fit(1.3, found) <= 1.3 + OTHER_KIND + 0.2


def test_what_is_somebody_elses_is_not_the_askers() -> None:
    calls = read_calls("when is my birthday?", "Ray")
    assert meets(calls, "Grace's birthday is October 30").other_kind
    assert not meets(calls, "Ray's birthday is October 30").other_kind
    assert meets(read_calls("what instrument do I play?", "Mia"), "Mia's sister plays the oboe").subject < 0
    assert meets(read_calls("我会什么乐器", "罗琳"), "罗琳的表妹会拉二胡").subject < 0


def test_a_town_is_nobodys_name() -> None:
    calls = read_calls("what's my sister called?", "Ray")
    assert calls.form is Form.NAME
    assert meets(calls, "My sister moved to Lisbon").nameless
    assert not meets(calls, "My sister Leila moved to Lisbon").nameless


@pytest.mark.parametrize("piece", ["what car ", "my dog's ", "最喜欢的", "我的妈妈", "drive a "])
def test_the_work_stays_small(piece: str) -> None:
    began = time.perf_counter()
    is_of_kinds(kinds_of("what car does my dog's mother drive on holiday, 最喜欢的什么水果"), piece * 4_000)
    kinds_of(piece * 500)
    assert time.perf_counter() - began < 2


def test_what_was_given_up_is_no_gift() -> None:
    given_up = read_question("what have I given up?", (), at_ms=0).units
    quit_ = read_question("what did I quit?", (), at_ms=0).units
    assert set(given_up.terms.tolist()) == set(quit_.terms.tolist())
    assert set(read_question("what did I give Tom?", (), at_ms=0).units.terms.tolist()).isdisjoint(
        text_hashes("smoking").tolist()
    )


@pytest.mark.parametrize("question", ["Where do I live?", "who lives with me", "我住在哪里？", "Ivo 住在哪儿"])
def test_who_asks_where_one_lives_does_not_ask_for_work(question: str) -> None:
    asked = set(read_question(question, (), at_ms=0).units.terms.tolist())
    assert asked & set(text_hashes("moved to a new flat, 搬家了").tolist())
    assert not asked & set(text_hashes("an appointment with the dentist, the bus driver, a teacher").tolist())


@pytest.mark.parametrize("question", ["What does Ivo do for a living?", "how does she earn her living"])
def test_who_asks_what_one_lives_on_asks_for_work(question: str) -> None:
    asked = set(read_question(question, (), at_ms=0).units.terms.tolist())
    assert asked & set(text_hashes("Ivo is a dentist").tolist())
    assert not asked & set(text_hashes("moved to a new flat").tolist())


def test_an_animal_is_no_pronoun() -> None:
    assert not is_of_kinds(kinds_of("do I have a dog?"), "her name's Farah, she lives with our old cat")
    assert is_of_kinds(kinds_of("what is my brother allergic to?"), "he's allergic to kiwi")


@every_row(
    ["my ", "Our ", "his ", "their ", "a ", "any ", "Tom's ", "Tom’s ", "the Smiths' ", "我", "她", "老张的", ""]
)
def test_who_asks_of_kin_is_understood_whatever_stands_before(lead: str) -> None:
    asked_of = 0
    for word in ("mother", "sister", "son", "boss", "dog", "妈妈", "弟弟", "老婆", "老师", "房东"):
        question = f"{lead}{word}?"
        wanted = [said for asked, said in answer_kind._KIN_ROWS if asked.search(question)]
        assert set(wanted) <= set(kinds_of(question))
        asked_of += len(wanted)
    assert asked_of


@pytest.mark.parametrize(
    ("question", "works", "seen"),
    [
        ("What do I do for a living?", ("I drive a delivery van", "I'm a dentist"), ("Doctor's put me up to 10mg", "I fear the dentist")),
        ("我是做什么工作的？", ("我是牙医",), ("我最怕看牙医，打小就怕", "医生让我多走路")),
    ],
)  # fmt: skip
def test_whom_somebody_goes_to_is_not_his_work(question: str, works: tuple[str, ...], seen: tuple[str, ...]) -> None:
    calls = read_calls(question, "Gareth")
    assert not any(meets(calls, text, "Gareth").other_kind for text in works)
    assert all(meets(calls, text, "Gareth").other_kind for text in seen)
