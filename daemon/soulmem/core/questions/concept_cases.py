"""More of the table of concepts: kinds of things, each with many of its cases, in both languages.

Read by `core.questions.question_concepts`; the form is that of `core.questions.concept_table`. Whoever asks for a fruit is answered by a mango, and
no stemmer knows that.
"""

# A table stands on long lines.
# ruff: noqa: E501

from __future__ import annotations

CASES = """
animal pet creature 动物 宠物 > dog cat rabbit hamster gerbil parrot budgie canary tortoise turtle goldfish fish horse pony donkey goat sheep cow pig hen chicken duck goose snake lizard gecko frog ferret hedgehog squirrel fox deer owl spider bee 狗 猫 兔子 仓鼠 鹦鹉 乌龟 金鱼 马 驴 山羊 绵羊 牛 猪 鸡 鸭 鹅 蛇 蜥蜴 青蛙 刺猬 松鼠 狐狸 鹿 猫头 蜘蛛
fruit 水果 > apple pear banana mango orange lemon strawberry blueberry raspberry cherry grape grapefruit peach plum kiwi melon pineapple durian lychee coconut fig apricot 苹果 梨 香蕉 芒果 橙子 橘子 柠檬 草莓 蓝莓 樱桃 葡萄 柚子 桃子 李子 猕猴 西瓜 菠萝 榴莲 荔枝 椰子 枇杷 柿子 杨梅 火龙
vegetable 蔬菜 菜 > carrot potato tomato onion garlic cabbage broccoli cauliflower spinach lettuce celery cucumber pepper pea bean leek beetroot aubergine eggplant mushroom coriander cilantro pumpkin 萝卜 土豆 番茄 西红 洋葱 大蒜 白菜 西兰 菠菜 生菜 芹菜 黄瓜 青椒 豌豆 豆角 韭菜 茄子 蘑菇 香菜 南瓜 苦瓜 豆腐
nut nuts 坚果 > peanut peanuts hazelnut almond walnut cashew pistachio pecan 花生 榛子 杏仁 核桃 腰果 开心
seafood fish shellfish 海鲜 鱼 > shrimp prawn crab lobster mussel oyster clam squid salmon tuna cod 虾 螃蟹 龙虾 贝 生蚝 蛤蜊 鱿鱼 三文 金枪
herb spice 香料 调料 > coriander cilantro basil parsley mint thyme rosemary dill cumin cinnamon ginger 香菜 罗勒 薄荷 孜然 花椒 八角 姜 桂皮
food dish meal eat ate 食物 吃 > shellfish seafood prawns shrimp crab nuts peanuts almonds walnuts gluten dairy meat mushrooms coriander fruit 虾 蟹 虾蟹 海鲜 花生 坚果 核桃 香菜 芒果 辣 soup bread cheese pasta pizza rice noodles potato egg chicken beef pork lamb fish salad curry stew sandwich burger cake pie chocolate biscuit cookie pancake sushi tofu 汤 面包 奶酪 面条 米饭 鸡蛋 鸡肉 牛肉 猪肉 羊肉 鱼 沙拉 咖喱 三明 汉堡 蛋糕 饺子 包子 馒头 火锅 烧烤 豆腐 粽子 月饼 饼干 巧克
drink beverage 饮料 喝 > water coffee tea milk juice cola beer wine whisky vodka rum gin cider cocktail lemonade espresso latte matcha 水 咖啡 茶 牛奶 果汁 可乐 啤酒 红酒 白酒 黄酒 奶茶 豆浆 汽水 绿茶 红茶
dessert sweet sweets candy 甜点 甜品 甜食 > cake ice cream chocolate pudding pie cookie tiramisu 蛋糕 冰淇 巧克 布丁 饼干
job work profession occupation career living 工作 职业 > nurse doctor surgeon dentist vet pharmacist paramedic teacher professor tutor lecturer librarian engineer architect programmer developer designer artist painter sculptor musician singer actor actress writer author journalist editor translator interpreter lawyer judge accountant banker cashier clerk secretary receptionist manager consultant salesman estate agent waiter waitress barista bartender chef cook baker butcher farmer fisherman gardener florist carpenter electrician plumber mechanic builder welder tailor hairdresser barber cleaner driver trucker pilot steward sailor captain soldier policeman police firefighter postman courier guard scientist researcher biologist chemist physicist psychologist therapist social worker priest student apprentice intern freelance freelancer photographer dancer athlete coach trainer referee
job work profession occupation career living 工作 职业 上班 > 护士 医生 大夫 牙医 兽医 药师 老师 教授 讲师 图书 工程 建筑 程序 码农 设计 画家 雕塑 音乐 歌手 演员 作家 记者 编辑 翻译 律师 法官 会计 银行 收银 文员 秘书 前台 经理 顾问 销售 中介 服务 咖啡 调酒 厨师 面包 屠夫 农民 渔民 园丁 花艺 木匠 电工 水管 修 修车 焊工 裁缝 理发 保洁 司机 飞行 空姐 空乘 海员 船长 军人 警察 消防 邮递 快递 外卖 保安 科学 研究 心理 学徒 实习 自由 摄影 舞者 运动员 教练 裁判 钳工 工人 公务 主播 博主
sport sports 运动 体育 > football soccer basketball volleyball baseball cricket rugby hockey tennis badminton squash golf swimming diving surfing rowing sailing kayaking running marathon jogging cycling hiking climbing bouldering skiing snowboarding skating yoga pilates boxing karate judo taekwondo fencing archery riding gymnastics dance bowling darts 足球 篮球 排球 棒球 橄榄 网球 羽毛 乒乓 壁球 高尔 游泳 潜水 冲浪 划船 帆船 皮划 跑步 马拉 骑车 骑行 徒步 登山 攀岩 滑雪 滑冰 瑜伽 普拉 拳击 空手 柔道 跆拳 击剑 射箭 骑马 体操 跳舞 保龄 太极
hobby hobbies pastime interest 爱好 兴趣 > knitting crochet sewing embroidery painting drawing pottery gardening baking cooking fishing chess reading writing photography birdwatching stamps coins collecting models puzzles gaming hiking dancing singing calligraphy origami woodworking 编织 刺绣 缝纫 画画 陶艺 园艺 烘焙 做饭 钓鱼 下棋 看书 写作 摄影 观鸟 集邮 收藏 模型 拼图 打游 跳舞 唱歌 书法 折纸 木工 养花
instrument 乐器 > piano keyboard organ guitar bass ukulele violin viola cello harp flute clarinet oboe saxophone trumpet trombone tuba horn drums drum accordion harmonica banjo mandolin bagpipe 钢琴 键盘 风琴 吉他 贝斯 尤克 小提 大提 中提 提琴 竖琴 长笛 单簧 双簧 吹 弹 拉 萨克 小号 长号 架子 鼓 手风 口琴 古筝 古琴 琵琶 二胡 笛子 葫芦
colour color 颜色 色 > red blue green yellow orange purple violet pink black white grey gray brown beige teal turquoise navy gold silver maroon 红 蓝 绿 黄 橙 紫 粉 黑 白 灰 棕 米色 青 金色 银色
illness disease condition sick 病 疾病 毛病 > asthma diabetes cancer tumour tumor arthritis migraine epilepsy anaemia anemia hypertension cholesterol flu cold cough fever pneumonia bronchitis infection allergy eczema depression anxiety insomnia stroke heart attack ulcer gout dementia alzheimer parkinson thyroid kidney gallstones appendicitis 哮喘 糖尿 癌 肿瘤 关节 偏头 癫痫 贫血 高血 胆固 流感 感冒 咳嗽 发烧 肺炎 支气 感染 过敏 湿疹 抑郁 焦虑 失眠 中风 脑梗 心梗 心脏 溃疡 痛风 痴呆 甲状 肾 胆结 阑尾 胃病 脂肪
medicine medication drug tablet pill pills 药 吃药 > insulin penicillin antibiotic antibiotics aspirin ibuprofen paracetamol inhaler statin warfarin thinners iron vitamin vitamins antidepressant painkiller steroid metformin epipen 胰岛 青霉 头孢 抗生 阿司 布洛 吸入 他汀 铁剂 维生 抗抑 止痛 激素 二甲 降压
allergic allergy 过敏 > nuts peanuts hazelnuts kiwi shellfish shrimp prawns penicillin pollen dust cats eggs milk gluten bees wasp latex epipen 花生 榛子 虾 海鲜 青霉 花粉 尘螨 猫毛 鸡蛋 牛奶 芒果 蜂
body part limb 身体 部位 > head eye ear nose mouth tooth neck shoulder arm elbow wrist hand finger thumb chest back stomach hip leg knee ankle foot toe 头 眼睛 耳朵 鼻子 嘴 牙 脖子 肩膀 胳膊 手肘 手腕 手 手指 胸 背 肚子 腿 膝盖 脚踝 脚
hurt injure injured broke break 受伤 摔伤 伤 > wrist ankle arm leg rib collarbone shoulder knee finger toe stitches plaster cast crutches sprain sprained fracture fractured 手腕 脚踝 胳膊 腿 肋骨 锁骨 肩膀 膝盖 骨折 缝针 石膏 拐杖 扭伤 崴
afraid scared fear terrified frightened phobia 怕 害怕 恐惧 > heights flying spiders snakes dogs needles blood dark thunder water lift lifts elevator clowns wasps mice dentist 高 坐飞 蜘蛛 蛇 狗 打针 血 黑 打雷 水 电梯 小丑 虫 老鼠 牙医 坐船
family relative 家人 亲戚 > mother father sister brother son daughter husband wife aunt uncle cousin grandmother grandfather niece nephew 妈妈 爸爸 姐姐 妹妹 哥哥 弟弟 儿子 女儿 老公 老婆 阿姨 叔叔 舅舅 表哥 表妹 奶奶 爷爷 外婆
country abroad nation 国家 国外 出国 > england scotland ireland wales france germany spain portugal italy greece turkey poland netherlands belgium switzerland austria sweden norway denmark finland iceland russia ukraine egypt morocco kenya nigeria india china japan korea vietnam thailand indonesia australia canada mexico brazil argentina chile peru usa america 英国 法国 德国 西班 葡萄 意大 希腊 土耳 波兰 荷兰 比利 瑞士 瑞典 挪威 丹麦 芬兰 冰岛 俄罗 埃及 印度 日本 韩国 越南 泰国 印尼 澳大 新西 加拿 墨西 巴西 美国 新加 马来
city town 城市 > london paris berlin madrid lisbon rome milan vienna amsterdam brussels dublin edinburgh glasgow manchester leeds bristol oslo stockholm copenhagen helsinki prague warsaw budapest athens istanbul moscow cairo lagos nairobi delhi mumbai beijing shanghai tokyo kyoto osaka seoul bangkok hanoi singapore sydney melbourne toronto montreal vancouver boston chicago york angeles seattle austin 北京 上海 广州 深圳 杭州 南京 苏州 成都 重庆 武汉 西安 天津 长沙 青岛 厦门 大连 昆明 郑州 济南 合肥 福州 宁波 哈尔 沈阳 长春 香港 澳门 台北 东京 大阪 京都 首尔 伦敦 巴黎 纽约 大理 丽江 桂林 三亚
live home move based 住 住在 搬家 > london paris berlin madrid lisbon dublin edinburgh amsterdam oslo york boston flat house apartment cottage bungalow village town street road 公寓 小区 楼 街 路 村 镇 北京 上海 广州 深圳 杭州 成都 重庆 武汉 西安 南京 苏州
trip travel holiday vacation visit 旅行 旅游 度假 玩 > train flight ferry hotel beach mountains lake island camping airport tickets passport 火车 飞机 机票 酒店 海边 山 湖 岛 露营 机场 门票 护照
subject school study 科目 学科 专业 > maths mathematics physics chemistry biology history geography english french german latin music art law medicine engineering economics psychology philosophy literature nursing carpentry architecture computer 数学 物理 化学 生物 历史 地理 语文 英语 法语 音乐 美术 体育 法律 医学 工程 经济 心理 哲学 文学 护理 兽医 建筑 计算 会计 金融 地质 考古
language 语言 外语 > english french spanish german italian dutch portuguese polish russian arabic hindi gujarati mandarin cantonese japanese korean turkish greek swedish latin irish welsh 英语 法语 德语 西班 意大 荷兰 葡萄 俄语 阿拉 印地 普通 粤语 日语 韩语 方言 手语 维语 藏语
vehicle car drive 车 开车 > van truck lorry bus taxi motorbike scooter tractor caravan volvo toyota honda ford volkswagen golf bmw audi mercedes skoda fiat renault peugeot tesla mazda nissan hyundai kia 面包 卡车 货车 公交 出租 摩托 三轮 拖拉 房车 丰田 本田 大众 宝马 奥迪 奔驰 福特 比亚 特斯 五菱 桑塔
furniture 家具 > sofa couch bed table chair desk wardrobe shelf bookcase dresser cupboard lamp 沙发 床 桌子 椅子 书桌 衣柜 书架 柜子 灯
clothes wear clothing 衣服 穿 > coat jacket shirt jumper sweater dress skirt trousers jeans suit tie scarf hat gloves socks shoes boots trainers sandals 大衣 外套 衬衫 毛衣 裙子 裤子 牛仔 西装 领带 围巾 帽子 手套 袜子 鞋 靴子 凉鞋
gift present 礼物 送 > ring necklace bracelet watch flowers book scarf perfume album camera voucher 戒指 项链 手链 手表 花 围巾 香水 相册 相机 红包
book read 书 看书 读 > novel biography poems poetry thriller comic chapter library 小说 传记 诗集 漫画 章 回 《
film movie series show watch 电影 电视 剧 看 > comedy drama thriller horror documentary cartoon season episode cinema 喜剧 恐怖 纪录 动画 季 集 影院
music listen genre 音乐 听 > jazz rock pop classical opera folk techno metal rap hiphop symphony 爵士 摇滚 流行 古典 歌剧 民谣 电音 说唱 交响
weather 天气 > rain raining snow sun sunny wind windy storm thunder fog heat heatwave cold frost cloudy 雨 下雨 雪 晴 太阳 风 暴雨 打雷 雾 热 冷 霜 阴
celebrate celebration festival holiday 庆祝 节日 过节 > christmas easter birthday wedding anniversary halloween thanksgiving diwali eid new year 圣诞 春节 过年 元宵 清明 端午 中秋 国庆 生日 婚礼 除夕 七夕
happen happened wrong event 发生 出事 出什么 怎么了 > stolen broke broken lost died crash crashed accident fell burnt fire flood leak fired sacked won passed failed sick hospital sold moved born 被偷 坏了 丢了 去世 没了 车祸 摔 着火 漏水 被裁 住院 搬家 出生 分手 离婚 辞职 考过
promise promised swear 答应 保证 承诺 发誓 > call visit help pay back give up stop never every 打电 看望 帮忙 还 戒 再也 每天
secret confide confided 秘密 > don't tell anyone nobody knows 别告 谁也 不知 保密
quit stop stopped 戒 放弃 不再 > gave given smoking drinking meat coffee sugar job 烟 酒 肉 咖啡 糖
buy bought purchase order 买 买了 > new secondhand second hand paid cost 新 二手 花了
lose lost 丢 弄丢 掉了 > keys wallet phone ring passport bag umbrella glasses 钥匙 钱包 手机 戒指 护照 包 伞 眼镜
break broke broken 打碎 弄坏 摔坏 坏 > wrist leg window cup vase phone screen 手腕 腿 窗户 杯子 花瓶 手机 屏幕
ring 戒指 > 婚戒 钻戒 对戒 wedding
dog 狗 > greyhound whippet dachshund dalmatian husky pug boxer collie setter pointer mastiff rottweiler 柯基 腊肠 吉娃 萨摩 杜宾
married marry wedding 结婚 > 的婚 了婚
"""
