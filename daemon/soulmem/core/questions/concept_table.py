"""The table of concepts: words that ask for the same thing, and the words by which an answer says it, in both languages.

Read by `core.questions.question_concepts`. One concept a line: what stands before `>` asks for it and says it; what stands behind it says
it and does not ask for it (whoever asks for a pet is told of a cat, whoever asks for a cat is not told of a dog).
Chinese words have one or two characters, because those are the terms of the index. The lists are everyday words of
conversation, so that a question in other words than the answer's is still known to be answered.
"""

# A table stands on long lines.
# ruff: noqa: E501

from __future__ import annotations

TABLE = """
mother mum mom mama mommy mummy 妈妈 母亲 老妈 我妈 娘 > parents 爸妈 父母 妈
father dad daddy papa pa 爸爸 父亲 老爸 我爸 爹 > parents 爸妈 父母 爸
parents folks 爸妈 父母 爹妈 > mother father mum mom dad 妈妈 爸爸
grandmother grandma granny nan nana 奶奶 外婆 姥姥 祖母
grandfather grandpa granddad 爷爷 外公 姥爷 祖父
sister 姐姐 妹妹 姐妹 老姐 老妹 我姐 我妹 > 姐 妹
brother 哥哥 弟弟 兄弟 老哥 老弟 我哥 我弟 > 哥 弟
siblings 兄弟姐妹 姊妹 > sister brother twin 姐姐 妹妹 哥哥 弟弟
wife husband spouse partner married 老婆 太太 妻子 媳妇 老公 丈夫 爱人 老伴 先生 对象 另一半 > marry wedding anniversary 结婚 嫁给 娶
girlfriend boyfriend partner dating 女友 男友 女朋 男朋 对象 恋人 > date 约会 恋爱
children kids child son daughter twins 孩子 儿子 女儿 闺女 小孩 娃 双胞 > toddler baby born boy girl 女孩 男孩 生了 宝宝 出生
son boy 儿子 > kids children twins 孩子 娃
daughter girl 女儿 闺女 > kids children twins 孩子 娃
grandson granddaughter grandchild 孙子 孙女 外孙
family relatives 家人 亲戚 亲人 > mother father sister brother wife husband 妈妈 爸爸 姐姐 妹妹 哥哥 弟弟
friend mate buddy pal 朋友 闺蜜 哥们 死党 > 战友 同学
roommate flatmate housemate share 室友 合租 同住
neighbour neighbor neighbours 邻居 隔壁 楼上 楼下 > door upstairs 对门
boss manager supervisor supervise chief 老板 领导 上司 主管 经理 > 导师 lead
colleague coworker workmate 同事 > team 部门
teacher teach tutor coach instructor taught 老师 教练 导师 教授 教 > professor lesson 教课
landlord landlady 房东
pet animal 宠物 动物 > dog cat puppy kitten hamster rabbit parrot tortoise turtle fish horse guinea beagle 狗 猫 兔子 仓鼠 鹦鹉 乌龟 金鱼 小狗 小猫
dog puppy pup hound 狗 小狗 狗狗 犬 > beagle labrador retriever terrier poodle spaniel greyhound collie corgi husky 柯基 边牧 金毛 泰迪 柴犬 哈士 拉布
cat kitten kitty 猫 小猫 猫咪 > tabby siamese 橘猫 布偶 英短
breed 品种 > beagle labrador retriever terrier poodle spaniel greyhound collie corgi husky 橘猫 布偶 英短 柯基 边牧 金毛 泰迪 柴犬
job work profession occupation career living employed 工作 职业 上班 干活 任职 做事 就业 > company office hired start shift nurse doctor engineer teacher baker bakery chef lawyer designer programmer developer editor driver accountant retire fix repair sell run business shop 公司 单位 入职 报到 护士 医生 工程 老师 厨师 律师 设计 程序 编辑 司机 会计 退休 开店 师傅 木匠 局里
workplace office company employer firm 公司 单位 > bakery hospital school workshop shop start 上班 工作 报到 医院
quit resign fired laid 辞职 离职 裸辞 被裁 > left leave retire 退休
retire retired 退休
pension 退休金 养老
live home house flat apartment address reside 住 家住 住址 地址 住处 住在 > moved move rent floor street room fourth bought 搬家 搬到 搬去 租 楼 小区 房子
city town 城市 > live move 住
floor storey 楼层 几楼 > lift elevator stairs 电梯 楼
rent 房租 租金 租 > landlord 房东
move moving moved relocate 搬家 搬到 搬去 搬 > leaving leave 去
hometown from born grow grew 老家 家乡 出生 哪里人 > childhood 小时 长大
university college uni degree graduate graduated major 大学 毕业 专业 读研 本科 > campus bachelor master phd student 考研 博士 研究生 大二 大三 大四
school 学校 上学 念书 读书 > class classroom kindergarten student teacher grade primary secondary college university 高中 中学 小学 幼儿 初中 年级 大学 读研 考研 留学
kindergarten nursery preschool 幼儿 > 中班 大班 小班
study research 研究 学习 专业 > thesis 论文 实验
learn learning learned learnt 学 学习 学会 > lesson class course taught teach 课 教 报班
exam test 考试 测验 > pass fail licence license 及格 挂科 考
scholarship fellowship grant prize award win won 奖学 奖 获奖 得奖 > medal 奖章 拿到
food eat ate meal dish 吃 饭 菜 食物 吃饭 > dinner lunch breakfast cook vegetarian vegan bread meat pasta cilantro restaurant 做饭 素 肉 餐 早餐 午餐 晚餐 面 炖
diet vegetarian vegan meat 素食 吃素 肉 不吃 忌口 > eat eating 吃
bread pasta gluten wheat 面包 > coeliac celiac 麸质
milk dairy 牛奶 奶 > lactose cheese yogurt 乳糖 奶茶
drink beverage alcohol booze 喝 喝酒 酒 饮料 > beer wine coffee tea rum whisky sober 啤酒 咖啡 茶 白酒 戒酒
restaurant diner cafe 餐厅 饭店 餐馆 饭馆 > place dinner 馆子 店
cook bake recipe 做饭 做菜 烹饪 烤 > baking oven 厨房 菜谱
allergic allergy allergies 过敏 > swell swelled swollen react epipen 肿
intolerant intolerance coeliac celiac lactose 不耐 > bread milk 牛奶
ill sick illness disease condition 生病 病 疾病 身体 不舒 舒服 > diabetes diabetic asthma cancer flu cold fever migraine pressure anaemic anemic pain hurt ache infection 糖尿 哮喘 癌 感冒 发烧 高血 贫血 疼 痛 头疼 腰疼
hurt hurts ache pain sore painful 疼 痛 不舒 舒服 难受 伤 > bad back knee broken broke cut stitches 腰 膝盖 摔
injury injured hurt broke broken 受伤 伤 骨折 摔 > crash stitches cut ankle collarbone 缝 划
diabetes diabetic 糖尿 > insulin sugar 胰岛
surgery operation operate operated 手术 开刀 动刀 > replacement replaced transplant removed 换 置换 移植
medicine medication drug pill pills tablet tablets 药 吃药 服药 > insulin antibiotic penicillin iron ibuprofen inhaler 胰岛 铁剂 抗生 青霉
doctor physician gp 医生 大夫 > clinic hospital therapist 医院 诊所
hospital clinic 医院 诊所 > surgery doctor 医生 手术
dentist teeth tooth 牙医 牙 拔牙 智齿 > canal filling 补牙
therapy therapist counselling counseling 心理 咨询 治疗
pressure 血压
smoke smoking cigarette cigarettes 抽烟 吸烟 烟 戒烟 > quit
sleep asleep insomnia 睡 睡觉 失眠 睡不 > awake 吵
pregnant baby birth 怀孕 宝宝 生孩
die died dead death passed funeral lost 去世 死 过世 离世 走了 没了 > buried grave funeral 葬礼 出殡 节哀 drowned drown killed 淹死 没了 不在
funeral burial 葬礼 出殡 追悼
birthday born turn turned 生日 大寿 寿 满岁 > old age years 岁
age old 年龄 年纪 多大 几岁 岁数 > turn turned birthday born 岁 大寿 寿 满
wedding marry marriage anniversary engaged proposal propose 结婚 婚礼 领证 求婚 订婚 纪念 > ring 戒指 嫁 娶 honeymoon 蜜月
propose proposal engaged 求婚 订婚 > ring 戒指
divorce divorced split separated breakup 离婚 分手 > ex relieved 前任
gift present gave 礼物 送 > album 收到
buy bought purchase purchased ordered 买 购买 入手 下单 > order
sell sold sale 卖 卖掉 出售 转手
cost price pay paid much expensive 价格 价钱 多少钱 花 钱 费 > euros euro pounds dollars pound dollar timber rent 块 元 千 万
money owe debt salary savings 钱 欠 债 工资 收入 存款 > euros pounds dollars pay lent borrowed 块 还 借
salary wage earn income pay 工资 薪水 收入 挣 月薪 涨薪 加薪 薪资 > paid 赚 月给 年薪 到手
owe owed debt 欠 债 > pay back lent borrowed 还 借
car vehicle drive 车 开车 汽车 轿车 > volvo toyota honda ford bmw tesla audi 比亚 特斯 丰田 本田 大众 奔驰 宝马
bike bicycle 自行 单车 电动 > cycling stolen 骑
motorbike motorcycle 摩托 > bike helmet
phone mobile smartphone 手机 > iphone android 华为 小米
computer laptop pc 电脑 笔记 > macbook thinkpad
tablet ipad 平板
travel trip holiday vacation visit visited journey 旅行 旅游 度假 玩 出差 去过 假期 > flight ferry hotel beach going train abroad fly 飞 机票 酒店 海边 火车 高铁 打算去
flight fly plane 航班 飞 机票 飞机 > airport booked 机场 订
visa passport 签证 护照
hotel hostel 酒店 宾馆 民宿 > booked 住
book read reading novel author writer 书 看书 读 小说 作家 > finished 看完 《
author writer 作家 作者 > book novel 书
movie film cinema 电影 影院 片 > watch watched 看
horror scary 恐怖 吓人
music song band singer listen 音乐 歌 歌手 乐队 听歌 > concert composer album 演唱 作曲
composer 作曲
instrument play 乐器 弹 演奏 > flute piano guitar violin drums drum cello saxophone trumpet 钢琴 吉他 小提 古筝 琵琶 二胡 架子 鼓 琴 笛
sing singing choir singer 唱 唱歌 合唱 歌手 > bass tenor soprano alto 低音 高音
rehearsal practice rehearse 排练 练习 > choir band 合唱
sport exercise workout 运动 健身 锻炼 > run ran swim climbing football basketball tennis yoga ski skiing cycling hike marathon 跑步 游泳 爬山 足球 篮球 网球 瑜伽 滑雪 骑车 羽毛 公里
climb climbing hike hiking 爬 爬山 登山 徒步 攀岩
swim swimming 游泳 > 会水 水性
run ran running marathon jog 跑 跑步 公里 马拉
football soccer 足球 球队
hobby hobbies interest pastime 爱好 兴趣 > keep keeping started collect knitting painting gardening bees 喜欢 开始 养 收藏
game games play 游戏 玩 > chess cards cribbage poker 象棋 围棋 扑克 麻将 下棋
language speak talk 语言 语 讲 > english french spanish german dutch italian chinese mandarin japanese korean hindi gujarati arabic sign 英语 法语 日语 德语 西班 普通 粤语 维语 韩语 手语 方言
dislike hate stand detest loathe 讨厌 不喜 受不 不爱 > soap never 恶心
afraid scared fear terrified phobia frightened nervous 怕 害怕 恐惧 担心 > terrifies scary 吓 紧张 怵
worried worry anxious nervous stress stressed 担心 焦虑 紧张 发愁 压力 > afraid 怕 愁
happy glad excited 高兴 开心 快乐 > 激动
sad upset cry cried 难过 伤心 哭
angry mad furious annoyed 生气 气死 愤怒 > 烦
complain complained complaint 抱怨 投诉 嫌 > loud noise 吵
weather climate 天气 气候 > rain snow sunny heat cold 下雨 下雪 热 冷 晴
heat hot 热 > summer 暑
cold 冷 > winter 冻
plan plans intend going 计划 打算 安排 > want think thinking 想 准备
promise promised 答应 承诺 保证
wish dream become grow 愿望 梦想 长大 > hope wants 希望
start starts begin began started 开始 入职 报到 上任 > first monday 第一 下周
end finish finished done 结束 完成 看完
meet met know meeting encounter bumped ran 认识 见面 遇见 碰见 遇到 碰到 > introduced 介绍 战友 同学
visit visiting visits guest come coming staying 来 拜访 做客 > stay 住几
appointment appointments booking 预约 约 > dentist doctor checkup root surgery 看病 拔牙 体检 手术
deliver delivered delivery arrive arrived come 送到 到货 快递 送 > planks package parcel 包裹
repair fix fixed broken broke broke plumber 修 维修 坏 师傅 > boiler died 漏
see saw 看见 看到 见到 瞧见
steal stolen stole theft robbed 偷 被偷 丢 抢
lose lost missing 丢 弄丢 掉
hide hidden hid 藏 > behind 后头
crash accident crashed 车祸 事故 撞 出事 > broken 摔 骨折
teach taught learn 教 > cheats lesson 学
save rescue rescued saved 救 > pulled 捞
borrow lend lent borrowed 借 > hers
cut cutting less reduce 少吃 减 戒 > salt sugar 盐 糖
tattoo ink 纹身 纹 刺青
hearing ears ear deaf 耳朵 听力 助听 > aid
colour color 颜色 色 > red blue green yellow black white purple pink orange teal brown grey gray 红 蓝 绿 黄 黑 白 紫 粉 橘 墨绿 灰 棕
tall 身高 多高 > cm feet metres 厘米 米
weight weigh 体重 > kg kilos 公斤 斤
size sizes 尺码 码 > shoe 鞋
long length 长 多长 > foot feet metres meters km hours 米 公里 小时
password pin code passcode 密码 口令 > hint digits 位数
number 号码 > digits
email mail 邮箱 邮件
speech speeches speaking public 讲话 演讲 发言 > words 当众 讲几
stars meteor aurora lights northern 流星 极光 星 > sky 天台
wood timber planks lumber 木头 木料 木材 > oak pine sawmill 松木
boat ship dinghy 船 舢板 > sail sailed ferry 渡轮 帆
clothes wear wearing dress 衣服 穿 戴 > coat jacket shirt 大衣 外套 裙
war army military served soldier 当兵 部队 军队 参军 > veteran 战友
religion church god pray 信仰 教堂 教会 寺 > choir chapel 礼拜
party celebrate celebration celebrated 聚会 庆祝 派对 > birthday 大寿 办
police crime 警察 报警
stay staying 住 待 > with 陪
call rang ring 打电 > phone 电话
study thesis dissertation 论文 > chapter defence 答辩 章
defence defense viva 答辩
garden gardening plants 花园 种花 院子 > tomatoes roses flower 花 菜地
uncle aunt auntie 舅舅 叔叔 伯伯 阿姨 姑姑 姨妈 婶婶 舅妈
cousin 表哥 表姐 表弟 表妹 堂哥 堂弟 堂姐 堂妹
nephew niece 侄子 侄女 外甥
mother-in-law father-in-law in-laws 婆婆 公公 岳母 岳父 丈母 丈人
husband 老公 丈夫 先生 爱人 老伴 > wife marry spouse partner 结婚
wife 老婆 太太 妻子 媳妇 老伴 爱人 > husband marry spouse partner 结婚
fiance fiancee engaged 未婚
surname family last 姓氏 贵姓 全名 大名
nickname 外号 昵称 绰号 小名 > call 喊 叫我
baby newborn infant 宝宝 婴儿 > born pregnant due birth 预产 出生 怀孕
due expecting expected 预产
subject subjects class lesson course 科目 学科 课程 课 > teach taught math maths chemistry physics history biology geography english 数学 语文 英语 物理 化学 历史 地理 生物 体育 美术
teacher taught teaching 老师 教书 教师 > subject pupils students class 教
road motorway highway traffic 马路 公路 高速 > roundabout drive driving 开车 环岛
frightened scared afraid fear terrified nervous phobia 怕 害怕 恐惧 胆小 > scary spider heights flying dark thunder dog 吓 打雷 恐高 怕黑 蜘蛛
chess 象棋 围棋 下棋 棋 棋友
fish fishing 鱼 钓鱼 钓
mountain hiking hike hill 山 爬山 登山 > squirrel deer summit 山顶 松鼠
animal animals 动物 > squirrel deer fox bird snake bear cow sheep horse monkey hedgehog rabbit 松鼠 鸟 蛇 猴 刺猬 鹿 狐狸 牛 羊
health body 身体 健康 毛病 > blood pressure diabetes heart cough 血压 血糖 高血 糖尿 心脏 咳嗽 关节 腰 腿 胃
heart 心脏 > stent bypass valve 支架 搭桥 瓣膜
stomach belly tummy 胃 肚子 > ulcer gastritis 胃炎
eye eyes sight vision glasses 眼睛 视力 眼镜 > cataract shortsighted contacts 白内 近视
knee leg foot ankle 膝盖 腿 脚 脚踝
back spine 腰 背 > disc slipped 椎间
血型 > type
vaccine vaccination jab shot vaccinated 疫苗 打针
vegetarian vegan 吃素 素食
meat 肉 荤 > pork beef lamb chicken fish 猪肉 牛肉 羊肉 鸡肉 肥肉 鱼
fruit 水果 > apple banana mango orange strawberry grapefruit durian 苹果 香蕉 芒果 草莓 西瓜 榴莲 葡萄
vegetable vegetables 蔬菜 菜 > carrot celery cabbage tomato onion aubergine coriander 胡萝 芹菜 白菜 茄子 香菜
stand bear tolerate hate loathe dislike disgusting 讨厌 受不 不爱 恶心 > can't never soap 难吃
coffee 咖啡 > latte espresso cappuccino flat 拿铁 美式
tea 茶 茶叶 > green black oolong 绿茶 红茶 乌龙
sweet dessert cake chocolate sugar 甜 甜点 蛋糕 甜品
breakfast 早餐 早饭 早点
lunch 午饭 午餐 中饭
dinner supper 晚饭 晚餐
cake 蛋糕 > tiers icing birthday baked
money savings bank account 钱 存款 存折 银行 > loan mortgage 贷款 房贷
bank 银行 > account card 账户 存折
loan mortgage 贷款 房贷
pay paid cost price spend spent 花 付 多少钱 > fee bill rent euros pounds dollars hundred thousand 百 千 万 块 元
insurance 保险
tax taxes 税
raise promotion promoted 升职 涨薪 加薪 涨 > salary 工资
interview 面试 > offer 录用
company firm employer startup business 公司 企业 单位 创业 > work office hired shop 上班
customer client clients 客户 顾客
project presentation meeting report 项目 汇报 会议 报告 方案
shift shifts 班 夜班 早班 > night early 值班
deadline due 截止 到期 > submit hand 交
quit resigned fired laid-off 辞职 离职 裁员 > leave last notice 交接
business shop store run open 店 开店 生意 > bakery café cafe restaurant 开了
apartment flat house home 公寓 房子 家 > floor rooms bedroom lift stairs bungalow cottage 楼 层 室 厅 小区
roommate flatmate housemate 室友 > moved share 合租
garden yard balcony 花园 院子 阳台 > roses tomatoes plants 种
plant plants flower flowers 植物 花 盆栽 > monstera cactus orchid roses 多肉 绿萝 玫瑰 桔梗
furniture sofa bed table chair 家具 沙发 床 桌子
kitchen 厨房
key keys 钥匙
wallet purse bag 钱包 包 > lost stolen
umbrella 伞
alarm security 闹钟 警报
code pin password passcode 密码 口令 验证 > digits alarm wifi
wifi internet network 网络 无线
password passcode 密码 口令
secret secrets 秘密 > nobody don't anyone 别告 不说 知道
ring necklace jewellery jewelry 戒指 项链 首饰
watch clock 手表 表
camera photo photos picture pictures 相机 照片 拍照 > film lens 镜头 胶卷
shoes shoe boots 鞋 鞋子 靴子 > size 码
hair haircut 头发 理发 剪发 > cut dyed blonde 染
glasses spectacles 眼镜
bag suitcase luggage 包 行李
train station railway 火车 高铁 车站 > ticket 票
bus 公交 巴士
taxi cab uber 出租 打车
subway metro underground tube 地铁
ticket tickets 票 门票
beach sea ocean 海 海边 沙滩
lake river 湖 河 江
island 岛
museum gallery exhibition 博物 美术 展览 画展
park 公园
concert gig festival 演唱 音乐会 音乐节 > band ticket 票
theatre theater play musical opera 剧 话剧 歌剧 音乐剧
show series tv television programme 电视 剧 综艺 追剧 > season episode watching 集 季
game video console playstation 游戏 > switch xbox nintendo steam
paint painting draw drawing art artist 画 画画 绘画 美术 > watercolour oil sketch portrait 水彩 油画 素描
photography photographer 摄影
write writing writer novel blog poem diary 写 写作 小说 诗 日记
calligraphy 书法 毛笔
dance dancing dancer ballet 跳舞 舞蹈 舞
knit knitting sew sewing crochet 织 编织 缝
yoga pilates 瑜伽
tennis badminton squash 网球 羽毛
basketball 篮球
football soccer 足球 > team match goal club 球队 比赛
team club 球队 俱乐
ski skiing snowboard 滑雪
cycle cycling bike 骑车 骑行 自行
marathon race 马拉松 比赛
gym fitness 健身 > workout training 锻炼
weekend 周末
christmas xmas 圣诞
easter 复活
halloween 万圣
thanksgiving 感恩
new-year eve 除夕 过年 新年 春节 年夜
wedding marry married bride groom ceremony 婚礼 结婚 办酒 婚纱 > ring venue dress 酒席 订婚
anniversary 纪念日 周年
honeymoon 蜜月
engaged engagement 订婚 求婚
break broke split up breakup separated 分手 吹了 分开 > ex 前任 性格
date dating seeing relationship 约会 恋爱 交往 对象 谈恋 > boyfriend girlfriend met together single 单身
ex 前任 前男 前女
kiss hug 亲 抱
fight fought argue argued quarrel argument row 吵架 争吵 打架 吵 > angry mad 生气 冷战
apologise apologize sorry 道歉 对不 > forgive 原谅
forgive 原谅
missing 想念 思念
proud 骄傲 自豪
lonely alone 孤独 寂寞 一个人
stress stressed pressure overwhelmed 压力 累
tired exhausted 累 疲惫 困
bored boring 无聊
surprise surprised 惊喜 意外
news 新闻 消息 好消息
secret 秘密
rule rules law 规则 规定
war soldier army navy military served 打仗 当兵 参军 部队 服役
vote election politics political party 选举 投票 政治
god religion religious church mosque temple pray faith believe 宗教 信仰 教堂 寺庙 信佛
star zodiac sign horoscope 星座 属相 生肖 > aries taurus gemini leo virgo libra scorpio 属 白羊 金牛 双子 狮子 处女 天秤 天蝎
rain storm thunder snow 雨 下雨 打雷 雪 > weather
weather 天气 > rain snow storm wind sunny cold hot 风 雨 雪
pandemic covid virus flu 疫情 新冠 病毒 流感
accident crash collision 车祸 事故 > hit hurt injured 撞
stolen theft thief robbed burglary burgled 偷 小偷 失窃 > police
fire burned burnt 火 着火 烧
flood leak leaking burst pipe 漏水 淹 水管
broken break broke smashed cracked 坏 碎 打碎 摔坏 > repair fix 修
repair mend fix fixed plumber electrician mechanic 修 维修 师傅
clean cleaning tidy wash washing laundry 打扫 洗 收拾 洗衣
cook cooking bake baking chef recipe 做饭 烧菜 烤 下厨
dish dishes meal 菜 道菜 拿手
knock knocked spill spilled spilt 打翻 碰倒 撞倒
eat ate eaten food meal 吃 饭 > pizza soup salad sandwich curry ramen noodles rice sushi burger steak stew chicken eggs toast pancakes waffles dumplings tacos chips fries sausage pie cheese porridge oatmeal roast barbecue takeaway leftovers snack 煎饼 饺子 面条 火锅 米饭 包子 烧烤 寿司 披萨 汉堡 牛排 米粉 馒头 馄饨 炒饭 炸鸡 沙拉 外卖 零食 粥 烤鸭 烤鱼 小笼
adopt adopted adoption rescue shelter 领养 收养 > shelter 救助
vet veterinary 兽医 宠物医院 > shots ear infection 疫苗 绝育
walk walking 散步 遛 走
run running jog jogging 跑步 跑
train training course workshop 培训 训练
volunteer volunteering charity donate 志愿 义工 公益 捐
meet met bumped 碰到 遇到 碰见 遇见 见到 见 > coffee together 一起
visit visited visiting guest guests 来 看望 做客 拜访 > came come stay stayed 来了
called rang 打电 > phone 电话 视频
text message texted 短信 消息 微信
email mail letter post parcel package 邮件 信 快递 包裹
language languages speak fluent 语言 外语 会说 > english french spanish german italian chinese japanese korean 英语 法语 日语 德语 韩语 普通 粤语 西班
country nationality citizen 国家 国籍 > from born
hometown born grew birthplace 老家 出生 籍贯 > originally from 长大 人
weight kilo kilos heavy 体重 多重 重 > kg pounds overweight 公斤 斤 胖
often frequently regularly 多久 经常 频率 > every daily weekly twice once 每天 每周
speed fast 速度 快
distance far 多远 距离 > km miles kilometres 公里
shape round square 形状
material wood metal plastic wool cotton 材料 材质
brand make model 牌子 品牌 型号
famous celebrity 名人 明星
nightmare dreamt 梦 做梦 噩梦
wish hope 希望 愿望 想要
fear afraid scared 害怕 怕 恐惧
goal goals resolution aim target 目标 打算
advice recommend suggest recommended 建议 推荐
difference change changed 变化 改变
problem trouble issue wrong 问题 麻烦 > broke broken 坏
result score grade mark marks 成绩 结果 分数 > passed failed 分
win won winner prize award medal 赢 获奖 得奖 奖 > first champion 冠军 第一
lose lost 输 丢 弄丢
finish finished complete completed 完成 结束
cancel cancelled canceled off 取消 黄了 不去
postpone postponed moved delayed rescheduled 推迟 改期 延期 改到
surgery operation surgeon 手术 开刀 主刀 > gallbladder appendix cataract stent 胆 阑尾 支架
inherit inherited left 留给 遗产 > will
smell scent 味道 气味
noise noisy loud 吵 噪音
door doorbell 门 门口
window 窗
roof 屋顶 楼顶
tree trees 树
bird birds 鸟
horse 马
bee bees 蜜蜂 蜂
cow sheep goat 牛 羊
chicken hen hens 鸡 母鸡
"""
IRREGULAR = """
be was were been|begin began begun|bite bit bitten|blow blew blown|break broke broken|bring brought|build built
burn burnt burned|buy bought|catch caught|choose chose chosen|come came|cut cut|dig dug|do did done|draw drew drawn
dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought
find found|fly flew flown|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten
give gave given|go went gone|grow grew grown|hang hung|hear heard|hide hid hidden|hit hit|hold held|hurt hurt
keep kept|know knew known|lay laid|lead led|learn learnt learned|leave left|lend lent|lie lay lain|light lit
lose lost|make made|mean meant|meet met|pay paid|quit quit|read read|ride rode ridden|ring rang rung|rise rose risen
run ran|say said|see saw seen|sell sold|send sent|sew sewn|shake shook|shoot shot|show showed shown|sing sang sung
sink sank|sit sat|sleep slept|speak spoke spoken|spend spent|stand stood|steal stole stolen|stick stuck|swear swore
sweep swept|swim swam swum|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown
understand understood|wake woke woken|wear wore worn|win won|write wrote written|child children|man men|woman women
person people|foot feet|tooth teeth|mouse mice|wife wives|life lives|knife knives|die death dead died
"""
"""The forms of a word that no stemmer brings together, each group between bars."""
