"""The same said twice in English and twice in Chinese, with hardly a word in common: one everyday statement a line."""

from __future__ import annotations

_LINES = """
I lost my job in March | The company let me go this spring | 我三月份失业了 | 公司开春时把我裁了
My sister is expecting a baby | She'll be a mother soon, my sibling | 我姐姐怀孕了 | 姐快要当妈妈了
I can't eat peanuts | Nuts give me a terrible rash | 我对花生过敏 | 吃坚果会让我起疹子
We are moving to Shanghai | Our family will relocate to the big city on the Huangpu | 我们要搬去上海 | 全家准备迁居魔都
I haven't slept well for weeks | Insomnia has been torturing me lately | 我好几个星期没睡好觉了 | 最近老是失眠
My boss yelled at me | The manager told me off in a loud voice | 老板冲我大吼 | 我被领导狠狠训了一顿
Our car broke down on the motorway | The vehicle died halfway home | 我们的车在高速上抛锚了 | 汽车半路坏掉，动不了了
I gave up smoking | No more cigarettes for me | 我戒烟了 | 我再也不抽香烟
My son got into university | The boy was admitted to college | 儿子考上大学了 | 孩子被高校录取了
I adopted a stray cat | A homeless kitten lives with me now | 我收养了一只流浪猫 | 捡了只没家的小猫回来养
My knee hurts when I climb stairs | Going up steps is painful for my leg | 我爬楼梯时膝盖疼 | 上台阶腿就难受
I am learning to play the piano | I take keyboard music lessons | 我在学钢琴 | 最近开始上琴课
We bought a flat near the river | Our new apartment overlooks the water | 我们在河边买了房 | 新家紧挨着江，能看到水
My grandfather passed away | We buried grandpa last week | 爷爷去世了 | 上周送走了祖父
I am afraid of flying | Aeroplanes make me panic | 我害怕坐飞机 | 一登机我就恐慌
She broke up with her boyfriend | Their relationship is over, she left him | 她和男朋友分手了 | 他俩的恋情结束了，她走了
I run five kilometres every morning | Jogging at dawn is my daily habit | 我每天早上跑五公里 | 清晨慢跑是我的日常习惯
I am a vegetarian | I don't touch meat | 我吃素 | 荤的东西我一概不碰
He won the lottery | A jackpot made him rich | 他中了彩票 | 一夜之间他得了大奖发财
My laptop was stolen | Somebody took my computer from the café | 我的笔记本电脑被偷了 | 有人在咖啡馆顺走了我的电脑
I am allergic to penicillin | That antibiotic could kill me | 我青霉素过敏 | 那种抗生素会要我的命
It snowed all night | The whole town woke up white | 下了一夜的雪 | 早上起来满城都白了
I have an exam on Friday | There's a test at the end of the week | 我星期五有考试 | 周末前要参加一次测验
My mother is a nurse | Mum cares for patients in a hospital | 我妈妈是护士 | 母亲在医院照顾病人
I sold my motorcycle | Somebody bought my old bike with the engine | 我把摩托车卖了 | 那辆机车已经转手了
We got married in June | Our wedding was at the beginning of summer | 我们六月结的婚 | 婚礼是初夏办的
I hate crowds | Places full of people make me uneasy | 我讨厌人多 | 拥挤的地方让我不自在
I broke my arm skiing | On the slopes I fractured a bone | 我滑雪时摔断了胳膊 | 在雪场骨折了
My neighbour plays loud music | The guy next door is so noisy at night | 邻居放音乐很吵 | 隔壁那家夜里闹得厉害
I owe the bank a lot of money | My debts are enormous | 我欠银行很多钱 | 身上背着一大笔贷款
My daughter loves dinosaurs | My little girl can't get enough of T. rex | 我女儿喜欢恐龙 | 小丫头迷上了霸王龙
I work night shifts | I'm on duty while others sleep | 我上夜班 | 别人睡觉的时候我在值班
The doctor says my blood pressure is too high | I was diagnosed with hypertension | 医生说我血压太高 | 我被诊断出高血压
I wrote a novel | My book of fiction is finished | 我写了一本小说 | 我的长篇故事完稿了
I dream of living by the sea | One day I want a house on the coast | 我梦想住在海边 | 将来想在沿海有个家
He speaks four languages | He is fluent in several tongues | 他会说四种语言 | 他精通好几国的话
My phone battery dies by noon | The mobile won't hold a charge | 我手机电池撑不到中午 | 电话充了电也用不久
I volunteer at an animal shelter | I look after abandoned dogs for free | 我在动物收容所当志愿者 | 我义务照看被遗弃的狗
My team lost the final | We were beaten in the deciding match | 我们队决赛输了 | 冠军战被对手击败
I prefer tea to coffee | A cup of oolong beats any espresso for me | 比起咖啡我更爱喝茶 | 乌龙比什么拿铁都强
I failed my driving test | They didn't give me a licence | 我驾照没考过 | 路考挂了，没拿到证
The roof is leaking | Water drips from the ceiling when it rains | 屋顶漏水 | 一下雨天花板就滴水
My best friend moved abroad | My closest mate emigrated | 我最好的朋友出国定居了 | 闺蜜移民走了
I started my own company | I'm an entrepreneur now | 我自己开了公司 | 我现在创业当老板
I forgot my wife's birthday | It slipped my mind that she was turning forty | 我忘了老婆的生日 | 太太过寿我竟没记住
Prices have gone up terribly | Everything costs more these days | 物价涨得厉害 | 现在什么都变贵了
I am teaching my kid to swim | My child is learning to float in the pool | 我在教孩子游泳 | 带娃在泳池练漂浮
He was in hospital for a week | The clinic kept him for seven days | 他住院一周 | 病房里躺了七天
I can't stand spicy food | Chilli burns my mouth | 我吃不了辣 | 一碰辣椒嘴就像着火
The train was three hours late | The railway made us wait half the afternoon | 火车晚点三小时 | 铁路害我们等了半个下午
"""

ROWS: tuple[tuple[str, str, str, str], ...] = tuple(
    (first, second, third, fourth)
    for first, second, third, fourth in (
        [part.strip() for part in line.split("|")] for line in _LINES.strip().splitlines()
    )
)
