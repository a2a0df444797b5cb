"""Sentences of people's talk with the names in them marked, to measure the recogniser of names against.

`[…]` is the name of a person or of an animal somebody keeps, `{…}` a place or an organisation; what stands unmarked is
none, and the `PLAIN` sentences name nobody at all. Five lots: the first was written before the rules, each later one
after them and read once before anything was mended (the fourth is full of names that are words, the fifth is ordinary
talk); what a lot showed was mended in general, so the figures of the last ones tell most.
"""

from __future__ import annotations

FIRST_ZH = """
[陈默]住在{杭州}，每天坐地铁上班
昨天在[李雷]家吃的饭
[王芳]说她不来了
周末要跟[张伟]去爬山
[刘洋]是我大学室友
我同事[赵敏]辞职了，有点突然
[欧阳娜]的生日是三月
今天碰到[司马青]了，他胖了好多
[上官文]教我们书法
[诸葛明]跟我一个组
我女儿叫[林小满]
我妈给我介绍了一个对象，叫[周子航]
[小苇]今天发烧了
[阿强]又换工作了哈哈哈
[老王]借我的钱还没还
[团团]把沙发抓坏了！
我家猫叫[团团]，狗叫[煤球]
我妹妹[小芳]下个月结婚
表哥[阿杰]在{深圳}开了家火锅店
[玛丽亚·加西亚]是我的西语老师
[杰克]问我要不要一起去
昨晚和[汤姆]、[露西]打了一晚上游戏
[黄老师]今天表扬我了
[李医生]说要少吃盐
找[陈总]签个字
[何女士]您好
[吴阿姨]做的红烧肉绝了
[强哥]请客
[梅姨]住院了，明天去看她
我叫[陈默]
我是[李雷]，今年二十八
叫我[小陈]就行
大家好，我是新来的[宋雨桐]
我姓沈，叫[沈悦]
[高兴]昨天跟我说他要结婚了
[安静]是我们班班长
[文静]把作业借给我抄
[向阳]考上研究生了，真替他开心
[黎明]和[安静]分手了
我闺蜜[唐糖]失恋了
[许知远]写的那本书我看完了
我和[郭靖宇]从小一起长大
明天[曾婷]过生日，送什么好呢
我老公[方磊]不会做饭
把文件发给[孙丽]就好
被[周晨]放鸽子了，气死
[韩梅梅]考了第一名
我最好的朋友是[徐佳]
下午三点跟[林总]开会
[陆一鸣]昨天进医院了，急性阑尾炎
听说[郑爽]退圈了
跟[夏天]约好了周六看电影，他是我高中同学
我儿子[乐乐]三岁了
[豆豆]打完疫苗一直睡
[王建国]是我爸的名字
我奶奶叫[赵桂兰]
邻居[老张头]又在楼下下棋
我教练姓马，叫[马超]
昨天梦到外婆了，哦不，是梦到[李奶奶]
[刘德华]的演唱会门票太难抢了
[小李]，你明天来不来
谢谢[阿May]帮我带咖啡
[Tom]和[王芳]在一起了
我老板[David]又让我加班
[Jenny]说{星巴克}出新品了
[安娜]怀孕了，预产期十月
[诺诺]今天第一次叫妈妈
我导师[钱钟]人超好
[田甜]的妈妈是医生
我跟[石磊]吵了一架
[白雪]养了两只兔子
[金秀贤]来{上海}了
[小王]和[小李]都辞职了
初恋叫[顾晓]，早就没联系了
[马克]在{北京}学中文
[范老师]的课好难
[董小姐]是首歌，也是我同事的外号
[贝贝]掉牙了，哭了半天
[司徒雅]搬到{苏州}了
[慕容雪]在{腾讯}实习
[阿花]生了四只小猫
[任盈]胆子小，不敢坐过山车
昨天看见[吕布]了——我们家新养的仓鼠
[蒋欣然]答应帮我补数学
[冯工]，这个需求什么时候上线？
我妈妈叫[张秀英]，爸爸叫[陈国强]
[彼得]和[约翰]是兄弟
昨天[萧何]请我们吃饭，他升职了
[丁一]考上了{清华}
跟[尹航]去看了演唱会
[龙哥]的车被刮了
[于洋]对花生过敏
我怕[秦老师]
[孟瑶]：晚上一起吃饭吗
[江小白]不是酒，是我们班同学的外号
@[苏苏] 你看这个
想[小鱼]了
[老刘]退休后天天钓鱼
[子涵]和[梓轩]在抢玩具
她叫[李想]，特别爱笑
""".strip().splitlines()

FIRST_EN = """
[Tom] lives in {Leeds} and hates his job
my sister [ines] had a baby
i'm [tom] btw
call me [jo]
Hi [Pell], I am [Tom]
My name is [Siobhan O'Brien], nice to meet you
had lunch with [Anneke van der Berg] today
[Maria de la Cruz] is my new boss
[Yusuf al-Sayed] fixed my bike
my neighbour mr [patel] gave us mangoes
Dr. [Osei] says I need to rest
[J. R. Whitfield] wrote that
[J.K]. is what everyone calls him
[Jean-Luc] broke his arm
[José] and [Zoë] got engaged!!
[Will] is coming on Saturday
I saw [May] at the gym
[Rose] hates roses, funny right
[Hope] got into med school
my cousin [Hope] hopes to visit in May
talked to [Mark] about the rent
will [Will] will the house to [Grace]?
I gave [Bill] the bill
[Faith] lost her keys again
went hiking with [Chase] and [Summer]
my dog [Biscuit] ate a sock
we named her [Luna]
the cat's called Professor [Whiskers]
[Priya]'s wedding is in {Jaipur}
I met [Tom Hardy]'s cousin at a pub in {Bristol}
my daughter's name is [Wren]
Aunt [Carol] is visiting
uncle [bob] snores so loud
Grandma [Ruth] turned 90
my brother [Dmitri] moved to {Oslo}
Mrs [Dalloway] is our landlady
ask [Kwame] he knows
[Nguyen Thi Lan] runs the bakery
[Björn]'s band is playing tonight
my ex [Tyler] texted me
this is [Fatima], I'm running late
it's [beth] from work
[Oscar] the cat, not [Oscar] my uncle
[Chloe] said [Marcus] said no
me and [dave] went fishing
I work with [Ana Sofía Reyes]
my therapist Dr. [Lindqvist] is great
"no way", said [Imogen]
[Ludwig van Beethoven] is my favourite composer
[Leonardo da Vinci] painted it
thanks [Sam]!
[Sam], are you there?
are you there, [Sam]?
[Xiao Wei] taught me mahjong
my flatmate [Ravi] burns everything
we're having dinner at [Noor]'s place
[April] and [June] are sisters
My friend [Sky] moved in with us
[Theo]: can you pick up milk
I miss Nana [Jo]
my son [leo] started school
[Mia]'s allergic to cats
Mr. [Kowalczyk] retired
my boss, [Linda], quit
[Sean O'Malley] beat me at darts
I call her [Bunny]
my girlfriend [kate] hates olives
[Ali] & [Reza] opened a cafe
[Ibrahim ibn Khalid] is the landlord
they're naming the baby [Arlo]
[Angela Merkel] was on tv
we adopted a kitten and named him [Mochi]
I told [Pat] everything
[Pat]'s mum is a nurse
[Art] teaches art
please tell [Robin] I'm sorry
they call my brother [Jack] jack of all trades
my best friend is [Lucía]
[Zainab] and her husband [Omar] live in {Lyon}
[Max] threw up on the rug
Dear [Eleanor], thank you
happy birthday [Finn]!!
[Tariq] works at {Siemens}
We went to [Holly]'s barbecue
I've got a date with [Freya] on friday
had coffee w/ [Nadia]
[Svetlana Petrova] is my piano teacher
my grandson [Otis] is 4
[Sunny] never stops talking
saw [Harper] crying, no idea why
[Miles] walked five miles
[Joy] brings joy lol
""".strip().splitlines()

PLAIN_ZH = """
我对花生过敏
小石头硌脚
我高中休过学
今天好高兴啊
图书馆特别安静
向阳的房间更暖和
黎明前最冷
她性格很文静
马上就到
我方便的时候给你打电话
何必呢
白天睡觉晚上上班
黄瓜比黄油便宜
周末去钓鱼
周一开会周二出差
万一下雨怎么办
金融专业太卷了
钱包丢了
夏天太热了
江边风大
高铁晚点了
石头剪刀布
张开嘴，啊——
任何时候都可以
曾经的我也很胖
于是我就回家了
方法不对
史上最难考试
程序又崩了
毛衣起球了
林子里有蘑菇
温度降了十度
汤太咸
熊猫好可爱
龙虾真贵
雷声好大
时间过得真快
成绩出来了，挂了两科
常去的那家店关了
宁愿饿着也不吃食堂
老板又画饼
老家在农村
小时候养过蚕
小区停电了
小狗跟着我回家
阿姨今天做了鱼
老师布置了好多作业
医生让我戒酒
我妈和我爸吵架了
妹妹考上高中了
外婆走了三年了
团团围住
天天加班
常常失眠
慢慢来
我住三楼
去医院看了牙
工作好累不想上班
同事都在摸鱼
我怕黑
明天体检不能吃早饭
安全第一
和平分手
全家去旅游
严重怀疑他在骗我
许多人都这么说
项目延期了
支付宝到账五十块
一张纸两条鱼
老人和小孩先上
""".strip().splitlines()

PLAIN_EN = """
will you come?
May I ask something
In May we moved
hope you're well
Hope you're well!
Rose from the table and left
mark my words
the bill was huge
i'm tired
I'm so done with this
I am happy today
i'm allergic to peanuts
My sister is pregnant
My Dog ate my homework
Bouldering was fun
Honestly I don't care
Monday was rough
Christmas at home
Work sucks
Pizza again
Summer is too short
I love autumn
Chase the bus, miss the bus
Grace period ends Friday
Frank discussion today
Just woke up
Nothing much
The doctor called
Coffee first
Call me later
call me when you can
call me crazy but I liked it
This is great
This is ridiculous
it's raining
it's me
I'm from the north
I'm vegan
my neighbour is loud
my mom makes the best soup
Dad is sick
Grandma turned 90
Happy birthday!!
Dear diary
Thanks a lot
Ok see you
LOL that was wild
OMG no
I bought a new TV
my boyfriend cooks
with friends and family
talked to mom yesterday
ask around
Running late
Got promoted!!
Two cats and a dog
Yes please
Sunday roast
Best day ever
I can't stand olives
""".strip().splitlines()

# -- the second lot: written when the rules stood; no rule was made for any of them --------------------------

SECOND_ZH = """
[顾晓曼]昨天又迟到了，老板脸都绿了
我前夫叫[程浩]，离了快五年
[梁静茹]的歌循环了一天
今晚[阿豪]他们来我家打麻将
[老周]说他儿子考上{同济}了
跟[欧阳]去吃了顿日料
[夏侯渊]是我们导师的笔名
[何苗]和[何淼]是双胞胎
被[郝建]坑了两千块
[莫小鱼]请假了，你替她一下
小区门口那个[秦大爷]特别热心
我闺女小名叫[糯米]，大名[沈知夏]
[可可]今天打了狂犬疫苗
楼下咖啡店老板[Leo]是意大利人
[克里斯蒂娜]给我寄了明信片
我叫[温岚]，温柔的温
大家都叫我[阿飞]
[贾队]让我们六点集合
给[邓阿姨]带了点特产
[苏念]不爱说话
[安然]跟我借了两百块还没还
[晓雯]明天手术，有点担心
室友[魏子轩]打呼噜
[叶医生]建议我少熬夜
哎 [胖虎]又把花盆打翻了
[胖虎]是我家的橘猫
昨天和[罗勇]、[罗刚]兄弟俩喝酒
[马可]送了我一条围巾
你认识[丁薇]吗
我想[乔乔]了
[康康]会走路了！！
[侯老师]退休那天我们都哭了
[唐一菲]好像在跟[江涛]谈恋爱
隔壁[王婶]又来借酱油
[林黛玉]式的性格
[武艺]最近在学潜水
[黎明]给我打电话了，说他到{上海}了
听[文静]说你要搬家？
[高兴]是我表弟，名字有点搞笑
[白洁]的婚礼定在十月
我和[常远]是[方圆]介绍认识的
[安东尼奥]教我做披萨
[雷蕾]摔断了腿
给[芳姐]转了三百
导师姓钟，叫[钟楚红]
[钟楚红]？不是那个明星
[段誉]：在吗
@[周小川] 明天记得带电脑
[李明]的妈妈做饭超好吃
我跟[张三丰]学太极，哈哈开玩笑，是跟[章师傅]
[万茜]演得真好
爱[小桃]一辈子
[史密斯]先生很严格
[穆罕默德]开的烤肉店在{义乌}
[司马懿]这局太秀了
我弟弟[成成]高三了
我后桌[尤佳]转学了
外甥[壮壮]胖得像个球
[石头]是我发小的外号
[冯·诺依曼]提出的
约[蓝心]看展
[华仔]永远的神
[傅总]？我们公司没有姓傅的
[钱多多]是只仓鼠
[于谦]说相声
[关晓彤]和[鹿晗]
[祝英台]和[梁山伯]
我老公[Kevin]不会中文
[Yuki]从{大阪}来看我
把[子墨]送去幼儿园了
""".strip().splitlines()

SECOND_EN = """
[Ingrid] can't eat gluten
ran into [Desmond] at the laundromat
my stepdad [Gary] is retiring
[Tunde Adeyemi] is coaching us now
her name was [Ottoline]
im [priyanka], new here
this is my husband [Anders]
you can call me [Mags]
[Eoghan] and I broke up
my landlord Mr [Fitzgerald] raised the rent
Sister [Agnes] taught me piano
[Hans-Peter] brews his own beer
We named the puppy [Waffles]
[Waffles] chewed my charger
[Rosa Luxemburg] wrote that
[Emre], can you hear me?
I told [hannah] not to worry
[Jun'ichiro] is visiting from {Sapporo}
[Abu Bakr al-Rashid] sold me the car
dinner with [Lakshmi] and [Devika] tomorrow
[Dawn] called at dawn
[Grant] got the grant
I hope [Hope] is ok
[May] may come in May
did [Bill] pay the bill
[Autumn] is my niece
[Ivy]'s been poorly
is [Jasper] your cat?
[Marguerite de Navarre] wrote novels
[Raj]'s mum made biryani
coach [Bianchi] yelled at us
tell [Beatriz] happy birthday
grandpa [Joe] fought in the war
[Ximena]'s quinceañera was so fun
[D'Angelo] can really cook
I'm seeing [Caoimhe] on Thursday
my manager ([Fiona]) is on leave
she's dating a guy called [Lars]
[Wolfgang] snores like a bear
the baby is called [Ezra James]
me & [tasha] made up
ok so [Benji] the dog escaped
[Charlotte]: where r u
[Nikolaj Coster-Waldau] is so good in it
love you [Gran]
signed, [Katya]
[Femi] owes me 20 quid
Happy bday [Oluwaseun]!
[Rob] robbed me of the win
[Frankie] said hi
I've been thinking about [Mateusz] a lot
[Gwendolyn] thinks I'm wrong
[Pearl] lost her pearl earring
[Elif Şafak] is my favourite author
my twin [alex] is taller
named after [Nelson Mandela]
[Sandy]'s beach house
gave [Thandiwe] my old phone
""".strip().splitlines()

SECOND_PLAIN_ZH = """
白雪皑皑的山顶真美
我喜欢安静的咖啡馆
今天是黎明起床的一天
春天来了花都开了
康复训练好痛苦
石榴快熟了
温泉泡得好舒服
江南的雨下个不停
单位组织去团建
时光飞逝
连续加班三周
关于房租的事再说吧
明年想去学潜水
金牌拿到手软
包子一块五一个
严格控制饮食
平安到家了
解决方案还没定
房间太乱了
车坏在路上
成为一名护士是我的梦想
万圣节要扮什么
经常失眠
马路对面新开了奶茶店
张望了半天没看到人
乐观一点
小雨转中雨
小朋友们太吵了
老婆做的饭最香
阿拉是上海话
""".strip().splitlines()

SECOND_PLAIN_EN = """
Rain all week
Joy is underrated
Dawn was beautiful
will do
Might as well
may be late
Faith matters to me
Rich people problems
I need a nick of time
Bill me later
what a drag
The kids are asleep
Therapy helps
Running a marathon in spring
Mum's the word
i'm pretty sure
i'm more of a tea person
call me maybe
It's Tuesday
Nobody came
Sorry about that
Lunch at noon
Dating apps are hell
my cat hates baths
My boss is a nightmare
Penicillin makes me sick
Got a flu shot
Fourth time this week
She said yes!
Broke my ankle skiing
""".strip().splitlines()

# -- the third lot: what the figures are read from ------------------------------------------------------------

THIRD_ZH = """
[傅云深]的车停在楼下
我男朋友叫[裴然]，程序员
[裴然]他妈来了，我好慌
听[戴琳]说公司要裁员
[倪萍]阿姨送的粽子
[卓越]同学获得二等奖
明天要见[魏总]和[刘经理]
[姜小禾]又双叒叕迟到
我叫[谢安琪]，不是那个歌手哈
叫我[老谢]也行
[阿宁]帮我改了简历
我哥[褚健]在{成都}卖房
[毛毛]一个月大了
[圈圈]是我养的乌龟
上次[洪老师]夸我字好看
[童佳慧]住我对门
和[殷桃]合租两年了
[康敏]的航班延误了
把猫托付给[石敏]
被[阿坤]拉去蹦迪
[宋祖儿]演的那部剧看完了
爷爷叫[凌志远]，八十二
[夏雨]和[冬梅]都来了
[路遥]的书我最喜欢《平凡的世界》
跟[高峰]打球崴脚了
[金鑫]是我高中同桌
[艾米丽]的中文进步好快
[伊万]喝了两斤白酒
房东[申阿姨]涨了五百
[阮玲]：到家了吗
[申屠教练]让我练核心
[欧阳修远]说下次还来
昨晚[朱迪]哭了好久
谢谢[黎姐]照顾
[元宝]拉肚子了，明天带它去看兽医
我闺蜜[麦琪]怀二胎了
[邱天]对芒果过敏
[甄珍]是我外婆的名字
今天面试我的是[单总]
想念姥姥
[海洋]跟我表白了
梦见[薛之谦]给我唱歌
[聂远]还我钱了
[庄妍]、[庄婧]姐妹俩长得一模一样
我给儿子取名[江望舒]
[大刘]喝多了
[萧潇]请我看话剧
[Amy]和[陆川]要去{冰岛}度蜜月
[杜若]喜欢养多肉
[张晓明]家的狗丢了
""".strip().splitlines()

THIRD_EN = """
[Niamh] hates horror movies
my grandma [Ottilie] was a seamstress
had drinks with [Bongani] and [Liesl]
[Chiara Bellini] from work is moving to {Turin}
yo it's [dev]
i am [keisha]
people call me [Tuck]
our puppy [Nugget] swallowed a coin
[Nugget] is fine now
Ms. [Abara] hmm
text [Soren] back
is [Faye] coming?
[Esra]'s exam went great
[Hope] and [Will] split up
[June] hates June
can you remind [rosa] about the keys
[Per-Olof] and his wife [Gunilla]
my tutor is named [Zhenya]
Baron [von Richthofen] flew planes
[Elena de los Santos] won the raffle
[Mary-Kate O'Donnell] is my godmother
Prof [Iyer] gave me an extension
wrote a song about [Delphine]
[Kurt] quit
[Ash] forgot my birthday
lol [marcus] fell asleep
[Quinn] told [Riley] a secret
Mum's friend [Bev] makes jam
[Hamish], get down!
my brother in law [Ruairi] is a pilot
told my auntie no
[Gus] the goldfish died
saw [Taylor Swift] live
my crush [Emil] waved at me
[Lola] says hi
Mr [B] is strict
[Jade] bought a jade ring
happy for [Anouk]!
[Raquel] hasn't called since Tuesday
she named the twins [Thor] and [Odin]
""".strip().splitlines()

THIRD_PLAIN_ZH = """
方向盘有点抖
安排一下时间
常温牛奶就行
成语接龙玩吗
高血压药忘吃了
金鱼死了
白天太短
毛毯洗了还没干
余额不足
路过菜市场买了条鱼
解释不清楚
关灯睡觉
黄昏的海边真好看
何时放假
于心不忍
单身三年了
施工吵死了
宁静的午后
项链断了
谷歌搜一下
艾草味好浓
马尾辫扎歪了
钟点工请假
车厘子自由
""".strip().splitlines()

THIRD_PLAIN_EN = """
Joyful little thing
Grant me patience
May 3rd is the date
Rose tea please
I'm tired of this
Pat yourself on the back
Jack up the price
Olive oil ran out
what time is it
This sucks
My therapist says hi
Hazel eyes
I'm in love
Woke up at 5
Lost my keys
Art class was fun
call me tonight
Wow ok
Grandpa passed away
We eat late
""".strip().splitlines()

# -- the fourth lot: held back; what the rules reach on sentences they have not seen -----------------------------

FOURTH_ZH = """
[苗苗]昨天数学考了满分
中午跟[邵峰]他们去吃了兰州拉面
我二姨给[梁雪]包了个大红包
[窦晓月]说她想辞职去{大理}
隔壁办公室的[老秦]天天抽烟
我闺女班上有个叫[谭子谦]的老欺负人
[杭天琪]是我妈的偶像
[阿芳]，酱油没了
请转告[戚先生]我明天到
被[丁大夫]骂了一顿，说我不按时吃药
[殷悦]把我微信拉黑了
[柏原]和[柏青]是堂兄弟
[乔安娜]在{柏林}读研
我外甥[果果]上幼儿园了
[贺老板]答应给涨工资了
和[闻静]聊到凌晨两点
[楚楚]把耳机落我车上了
[汪峰]的歌太吵
家里那只仓鼠叫[花卷]
我叫[尤美]，你呢？
我是[卫东]，您的快递到了
[简宁]哭着给我打电话
我弟媳[樊丽]刚生了个女儿
我跟[宁浩]还有[徐峥]合了影！
听[小赵]说食堂涨价了
[费雪]老师的瑜伽课约满了
[奥利弗]送我一束向日葵
[娜塔莎]不吃猪肉
昨天[屈原]来面试，对就叫这名，笑死
[耿直]这个名字太好记了，他是我们新来的实习生
爸爸的老战友[卢叔]来家里住几天
我最近在跟[易凡]学滑板
咱班[温文]好像喜欢[冷月]
[纪念]要去{新西兰}留学了，舍不得
明早[高师傅]来修水管
[骆冰]：我到楼下了
约了[应采儿]下午茶
[毕然]家的WiFi真快
想起[沈从文]的《边城》
[司空明]今天值班
[郎朗]弹得真好
我和[安然]、[高兴]约好了去爬山
[陶陶]一岁半，会叫爸爸了
[盛夏]的生日在冬天
""".strip().splitlines()

FOURTH_EN = """
[Thandi] plays bass in our band
my step brother [Callum] is a paramedic
went to see [Padraig] in hospital
[Ngozi Okonkwo] taught me how to braid
heyy it's [lottie]
i'm [femi], we met at the gym
call me [Izzy] please
the kids named the hamster [Gandalf]
[Gandalf] escaped again
Mrs. [Ferreira] left cookies at our door
dinner at [Kenji]'s was amazing
lunch w/ [Saoirse] tmrw
[Wei Ling] asked me to be her bridesmaid
[Joaquín]'s abuela is in {Guadalajara}
Sgt. [Pepper] is their parrot
can't believe [Ottavia] eloped!
my old roommate [Brandon] owes me money
[Faith] has no faith in me
[Will] won't come but [May] might
saw [Mark] mark the papers
[Daisy] planted daisies
I asked [Art] about art
[Rich] isn't rich lol
is [Sunny] coming tonight?
[Ludo van der Meer] fixed our roof
[Inés de la Torre] is our guide
her dad [Abdullah] runs a shop
told [mateo] he can stay
[Yara], stop that
happy anniversary [Bea] and [Tom]
[Charlie] the dog bit [Charlie] the neighbour
this is my nephew [Elio]
I named my car [Betsy]
[Anselm] called, wants his drill back
we lost Grandpa [Lou] last spring
emailed Prof. [Whitcombe] twice
Mr [Bean] is on
my pen pal [Hyun-woo] wrote back
according to [Gudrun] it closes at five
[Rafa]: omw
""".strip().splitlines()

FOURTH_PLAIN_ZH = """
马甲穿反了
江米条好甜
成熟一点好吗
时差还没倒过来
任务完成
万万没想到
水费又涨了
常规检查没问题
元旦放三天
应该没事吧
温度计坏了
石膏拆了
毛血旺好辣
牛油果熟过头了
白噪音助眠
连夜赶回来的
项目黄了
车票卖完了
于公于私都不该
何时是个头
""".strip().splitlines()

FOURTH_PLAIN_EN = """
Hope this helps
Rain check?
Cash or card
I'm up early
I'm off to bed
My foot hurts
My Uber is late
June was hot
Sky looks grey
Chance of rain
Frankly I'm over it
Candy is bad for you
Love you
Call mum
Sticky rice is the best
Half past six
Meh
Nope nope nope
God I'm tired
Easter was quiet
""".strip().splitlines()

# -- the fifth lot: ordinary talk, unseen by the rules ------------------------------------------------------------

FIFTH_ZH = """
[钱晓红]周末结婚，份子钱给多少合适
我爸跟[老孙]下棋又输了
[蒋文博]今天没来上课
[宋医生]说我血压偏高
下午陪[吴婷]去看房子
我男朋友[罗毅]是消防员
[许佳怡]和[许佳明]是兄妹
[小杨]帮我修好了电脑
家里的狗叫[旺财]，十二岁了
[潘子豪]欠我的钱什么时候还
我跟[秦岚]不熟
给[韩阿姨]打了个电话
我叫[董浩然]，在{武汉}上大学
[邓婕]生了个儿子，七斤二两
昨天[蔡老师]在群里发了成绩
你还记得[孟凡]吗
[田雨]今天请假
我妈总拿我跟[姚晨曦]比
[江涵]送了我一盆多肉
[马丽]演小品特别逗
听[郝雷]说{青岛}很好玩
[果果]不肯睡午觉
我室友[丁浩]打游戏到三点
[曾老板]的店要转让
祝[薛梅]生日快乐
[方圆圆]考上公务员啦
我闺蜜[白若溪]去{冰岛}追极光了
[强子]唱歌跑调
[余秀华]的诗写得真好
跟[金宇]约了打羽毛球
我弟[龚杰]下个月参军
[魏薇]：你到哪了？
[阿杜]请我们吃了烤羊
我外公叫[黎永福]
昨晚又梦见[谭倩]了
[陆老师]退休了
[康康]和[乐乐]打架了
[袁莉]，周末来我家吃饭吧
我领导[尹总]要求周六加班
[安吉拉]是我外教
""".strip().splitlines()
