"""What the features of change weigh, and the grams of its tone: `benchmarks/changes/changes.py --write` wrote it.

Read by `change_probability` and `change_tone`. `LIKELY` is a score in logits; a line of `TONE` is a
weight and, parted by tabs, the grams that have it (`|` is a pause, `#` a number).
"""

# A table stands on long lines.
# ruff: noqa: E501

from __future__ import annotations

LIKELY = 0.4
BIAS = -3.71
WEIGHTS = {
    "shared": 1.09,
    "shared_much": 1.42,
    "shared_first": 0.75,
    "concepts": 1.09,
    "named": 0.85,
    "only_named": 1.23,
    "same_owner": 0.67,
    "other_owner": 0.28,
    "new_person": -0.58,
    "value_differs": -0.21,
    "differs_shared": 1.41,
    "differs_alone": 1.16,
    "value_alike": 1.11,
    "value_only_new": -0.5,
    "ended_shared": 2.58,
    "opposed": 2.03,
    "tone": 1.88,
    "tone_shared": 2.87,
    "tone_named": 1.17,
    "once": -0.31,
    "long": -0.61,
}
TONE_BIAS = -0.6
TONE = """
-2.9	| 我
-2.4	我	的
-2.0	| i
-1.7	| my
-1.3	同
-1.2	is	周
-1.1	今	今 天	天
-1.0	on	| i'm	| 今
-0.9	in	live	my	在
-0.8	at	i	live in	五	会	年	要
-0.7	a	| the	我 在	打	猫
-0.6	have	have a	i've got	work	| 同	| 周	| 邻	三	发	吃	同 事	多	家	居	邻	邻 居
-0.5	at #	bus	cat	for the	friday	i have	i'd	i'm	late	learn	our	today	well	| our	搬 到	机	红
-0.4	as well	everi	friday |	i work	if	is at	is on	love	may |	on friday	on wednesday	six	three	was	we have	well |	went to	work at	| we're	| 家	| 这	买 了	了 一	住 在	南	周 五	周 六	坏	坏 了	居 家	我 同	我 家	我 表	房 租	手 机	把	沙	沙 发	狗	真	聚 会	要 是	车	邻 居 家
-0.3	# |	an	broken	cousin	do you	eleven	four	friend	go	go to	hour	i live	i play	i take	i'm a	i'm allerg	i'm learn	is a	late |	law |	lunch	may	meet	my son	octob	on tuesday	play	rent	road	saturday	saturday |	son	take	take the	the boiler	the bus	the shop	this week	to bristol	too	too |	tuesday	want to	we've got	wednesday	went	year	york	| do	| if	| 他	| 你	| 昨	| 红	| 给	| 要	三 年	不 吃	不 吃 了	不 打	买	了 两	事	二	五 千	今 天 不	以 前	会 |	住	儿	六	六 百	养	养 了	千	午	卖 了	只	吃 了	同 学	四	天 不	女	奶	奶 奶	好	妹 妹	学	岁	年 级	我 要	戒 烟	戒 烟 了	改 到	改 到 周	昨	晚	月	有	果	桌	每	涨 到	烟 了	照	爸	班 |	的 了	的 猫	素	级	聚	色	花	表	试	话	金	长	驾
-0.2	# now	# on	a meet	a new	an old	and found	april	april |	at eight	bed	befor	bike	birthday is	blue	bristol	cardiff	cat die	cat is	cinema	class	coat	coffe	colleagu	colour	cost	cost #	deliv	desk	dog	drive a	eleven hundr	engag to	fifteen	fli	fli to	for	goe to	got a	got netflix	had a	hate	have lunch	hour |	hundr |	i book	i bought	i didn't	i do	i drive	i gave	i lost	i love	i might	i move	i ran	i sold	i use	i want	i was	i wish	i'm go	i'm marri	if i	in #	in a	in march	in may	in octob	in york	is #	is dr	is four	is in	kid	kitchen	law	librari	lotteri	love coffe	madrid	might	my boss	my colleagu	my dad	my friend	my neighbour	my wife	night	nurseri |	octob |	off to	on #	on saturday	opera	oskar	other	paint	parti	pay	pick	plant	puregym	ran	ran #	rome	rosa	second	shop	should i	sink	sink |	sister	six |	smoke |	sofa	sofa |	spain	spaniel	spanish	speak	stay in	the bin	the blue	the cinema	the concert	the kitchen	the librari	the lotteri	the opera	the sink	the wash	this	thursday |	to rome	tom	train leav	up to	use	vegetarian	was #	was move	was pack	wash	we fli	we went	we're off	wed is	wednesday |	weekend	went up	wife	wish	with my	year ago	york |	| bex	| mum	| rent	| should	| tobi	| tom	| work	| 儿	| 又	| 女	| 奶	| 她	| 朋	| 楼	| 洗	| 狗	| 隔	| 驾	一	一 下	一 个	七 十	三 年 级	上 海	下 雨	不 学	不 能	不 要	不 要 把	丢	丢 了	九 号	了 四	了 好	了 好 多	了 新	事 的	五 |	五 岁 了	五 月	他	他 的	休 金	休 金 涨	住 院	住 院 了	你	你 说 我	侄	侄 女	便	便 宜	儿 子	冒	出 差	到 大	到 大 理	前	匙 丢	匙 丢 了	十 点	千 五	半	单	卖	厨 房	友	友 的	口	古 筝	只 橘	只 橘 猫	同 事 的	同 桌	员 |	周 二	周 末	咳	啡 |	喝 咖	喝 咖 啡	园	在 周	块	块 |	壁	多 肉	太	女 儿	她	好 多	妹	婆	学 小	学 小 提	定	定 在	宜	宝	宝 上	客	客 户	家 有	家 的	家 的 猫	家 里	小	小 提	小 提 琴	就 好	就 好 了	居 家 的	岁 了	州	工	差	师 是	干	年 了	年 去	年 去 了	开 会	想	我 不 吃	我 住	我 侄	我 侄 女	我 养	我 养 了	我 同 事	我 同 学	我 喜	我 喜 欢	我 妹	我 妹 妹	我 早	我 有	我 每	我 的	我 结	我 结 婚	我 表 弟	我 要 不	我 钥	我 钥 匙	我 闺	我 闺 蜜	手 机 坏	打 太	打 太 极	打 算	把 沙	把 沙 发	换 了 新	提 琴	搬 到 大	改 到 四	数	斤 |	新	日 |	明	昨 天	是	有 五	朋 友 的	末	本	机 坏	机 坏 了	果 |	柜	楼 下	橘	橘 猫	死	死 了	每 天	没 喝	洗	洗 衣	洗 衣 机	涨	烟	热	爸 戒	爸 爸	猫 死	猫 死 了	琴	画 画	百	的 密	的 密 码	的 猫 死	的 电 动	的 聚	看	看 了	筝	练	结 婚	结 婚 了	老 师 是	考 试	肉	色 的	蜜	衣 机	表 弟	要 不	要 不 要	要 去	要 把	见	订	试 改 到	话 了	说 我 要	象	贵	资	辞 职	过 了	这	这 周	退 休 金	部	金 涨	金 涨 了	钥 匙 丢	闺	闺 蜜	阳	隔	隔 壁	面	鞋	预	饭	驾 照
-0.1	# goe	# km	a guy	a lot	a month	a vegetarian	allerg	allerg to	alway	an iphon	and the	anna	anoth	appoint	bad	bed |	bedroom	bedroom |	bee |	beechwood nurseri	been broken	birthday	boiler	book a	bought a	broken sinc	broken |	bus #	bus |	car	carmen	coffe |	colour |	cork	daughter	denis	didn't	dinner at	do pilat	drive	earn	eat nut	ever	exam	fiat	flatmat	flew	flew to	fli |	from octob	galleri	go out	goe	gran	guy	guy call	had dinner	haircut	hamster	has move	has three	have an	have two	her |	holiday	hoover	hundr	i cook	i drink	i finish	i flew	i go	i paid	i plant	i saw	i took	i went	i'm #	i've a	i've start	ice	in cork	in hospit	in leed	insulin	insulin |	is broken	is seventi	joanna	job |	just for	kid |	km	km today	learn the	leav at	leed |	lesson	lidl |	logo	look at	look for	lost	lost my	lost the	lot of	love the	low	low |	lunch |	machin	machin |	math	math at	max	me on	meet on	meet with	mill road	milo	move to	mum	my cousin	my daughter	my exam	my flatmat	my job	my niec	my parent	my sister	neighbour	niec	night |	nine |	number is	nut	obo	obo |	of fli	old	on a	on mill	on sunday	on the	opera |	oslo	out on	paint |	parent	pay #	phone is	piano	piano lesson	pilat on	pilot |	pip	plant |	pm |	priya |	reckon	rent eleven	rent went	saw	school |	see a	sell	sell the	seventi	shop on	should	shout	sicili in	singl	size	smell	spain |	speak to	spent	stone |	studi	sunday	support	test is	that |	the galleri	the hall	the hoover	the meet	the obo	the violin	the weather	the weekend	them	think	ticket for	to beechwood	to learn	to sell	to sicili	to spain	to work	to york	tobi goe	today becaus	today |	took the	treasur	tri	up at	use to	vegetarian |	violin	violin |	walk	walk |	was late	way	we had	weather	weekend |	when	when i	wife is	win	with his	with mina	you reckon	you think	| anna	| bus	| i'd	| joanna	| 二	| 五	| 外	| 没	| 爸	| 预	一 口	一 只	一 起	七	三 十	三 号	三 年 了	上 去	下 |	不 走	不 走 了	业	东 西	两	两 千	个 月	中 了 彩	书	买 了 辆	了 一 下	了 一 只	了 四 十	了 彩	了 彩 票	了 条	五 一	五 岁	产 期	人 |	会 我	会 改 到	伤	伤 了	作	修 好	修 好 了	儿 园	儿 园 了	儿 子 不	养 了 一	刘 艳	到 两	到 四	到 省	到 省 城	到 长	到 长 沙	前 的	加 班	包	包 |	十	十 四	千 |	千 四	午 饭	单 位	南 |	厨	去 看	去 看 了	取	取 消	取 消 了	古	只 猫	叫	台 上	号 是	号 生	号 生 日	吃 |	吗	吗 |	吵	咖	咖 啡	啡	喝 |	四 了	四 月	四 点	园 了	圆	在 学	士	外	外 甥	大 理	天 喝	天 打	天 没	婚 礼 定	孕 了	客 户 骂	家 吃	家 里 空	密	密 码	密 码 是	对	对 象	小 区	岁 |	岛	工 |	工 资	差 |	年 五	幼	幼 儿	幼 儿 园	广	强	彩 票	快	怀 孕 了	我 一	我 住 在	我 吃 素	我 周	我 妈	我 开	我 想	我 把	我 把 旧	我 搬 到	我 是	我 有 一	我 每 天	我 爸	我 表 哥	我 订	我 跟 老	户	户 骂	户 骂 了	房	打 算 去	打 羽	打 羽 毛	把 吉	把 吉 他	把 旧	搬 到 省	搬 到 长	放	新 开	方 圆	旧	早	昆	昆 明	是 中	是 中 了	月 三	月 了	月 生	有 一	柜 子	根	检 |	步 |	每 周	每 周 一	毛	泳	消	消 了	涨 了	涨 到 两	游	游 泳	点	点 |	烟 |	片	猫 |	玉	玉 珍	珍	理	生 |	甥	电	电 影	画	的 捷	的 捷 达	的 日	的 电	的 话	皮	省 城	码 改 成	礼 定	礼 定 在	种	租	空 调	空 调 坏	窗	窝	窝 我	算 去	红 包	红 米	约 了	级 |	职	肉 |	胖	胖 虎	腰	艳	苦	苹	苹 果	营	虎	衣	表 姐	被 客	被 客 户	西 |	要 是 中	试 |	试 改	说 话	调 坏	调 坏 了	谈	起	车 |	车 卖	车 卖 了	车 送	辆	辞	辞 职 了	还 要	这 个	这 个 月	里 空	里 空 调	长 |	阿	阿 强	院	雨	露	露 营	预 产	预 产 期	食	食 堂	馆 |	骂	骂 了	鲜 奶	鹉	鹦	鹦 鹉	麻
+0.1	# #	# kg	# th	# 了	# 岁	a day	a fag	a flat	a hous	a samsung	a studio	ana	at dunn	barbecu	bea	biolog	buddi	buddi is	call it	can	canada	cello	centr	chang his	choir	choir |	cleo	co	cold	compost	cough	cross	die in	do	doesn't	dr field	drink wine	drive test	dunn	dunn co	easter	eat	eat meat	egg	email	eye patch	fag	favourit	field	field |	film |	fine |	finish	five	five |	floor	flower	flower shop	food	forti	go |	grandpa	grandpa joe	gym buddi	hall	have the	high	hint	hint is	his mind	hot	i drop	i've had	in bristol	in for	intel	intel |	interview got	is cancel	is ms	it marin	jack	jack in	joe	joyc	kg	kg |	landlord is	lena	lidl	like fish	lindt	lisinopril	lot	lot |	love cilantro	make	manag	marin	marin biolog	marvel	marvel movi	master	master in	me and	me off	ms	ms lindt	my brother	my favourit	my flight	my old	my password	my playstat	my therapist	nuno	oak	of the	oliv	oliv |	one	org	org |	out my	out to	own	pass my	passport	password hint	patch	phd |	pim	pixel |	place	polo	portugues	rainbow	robin	room	ruffl	rufus	samsung	samsung |	shelter |	side |	sister move	sister |	standup	street	team is	team meet	th	the allot	the cello	the council	the gym	the mortgag	the team	the van	theo	thesi	they chang	they gave	to a	to be	to canada	to myself	to thursday	togeth	turn	turn out	tutor	twelv	two	up on	utrecht	vape	vape |	vespa	vespa |	vet	wed |	week now	weigh	wifi code	with a	| day	| eye	| interview	| mog	| org	| priya	| 别	| 到	| 叫	| 喝	| 国	| 大	| 就	| 报	| 捷	| 无	| 日	| 最	| 爷	| 票	| 离	| 科	| 精	| 膝	| 自	| 还	| 高	| 黄	一 把 过	一 百 三	上 周	下 了	下 周	下 周 一	下 来	不 好	不 当	不 成	不 是 两	不 来 了	世	世 了	两 千 六	个 女 儿	个 姓	丰	乐	九 了	也 不	习	了 个	了 个 姓	事 没	交	亲	亲 得	亲 得 像	今 年 不	价	价 了	休	休 了	伙	伙 了	伽 课 改	体	体 检	假	做 了	儿 子 转	儿 我	儿 我 撂	全 家	全 家 搬	六 十 五	六 号	减 到 一	出 租 车	出 院	出 院 了	分 手	分 手 了	利 率	利 索	利 索 了	到 周 日	到 期	剪	办 |	务	助	千 九 了	千 六	压 药	压 降	原	去 不 成	又 开	又 开 始	可	可 以	员 我	周 日	和 好 了	哭	唐 |	喜 欢 的	四 千 九	回 家	回 来	回 老	回 老 家	在 不	在 在	在 小	在 跟	地 铁	大 |	奕	奕 迅	奶 茶	妈 是	姐 |	姐 不	姥	姥 姥	嫂	嫂 子	子 转	子 转 学	完	实 验	小 米	少 |	就 剩	已	已 经	师 了	带	带 孩	带 孩 子	平	年 不	店	废	废 了	张 卡	当	得 下	总	成 |	我 |	我 不 喝	我 哥	我 妈 是	我 撂	我 撂 挑	我 涨	我 爸 妈	我 跟	我 跟 阿	我 身	我 这	我 退 出	戒 了	房 贷	把 我	把 过	拿	挑 子	挑 子 了	挤	挪 到 周	排 班	接	提 了	撂	撂 挑	撂 挑 子	撞	收	改 周	改 成	敏	散	散 伙	散 伙 了	文 了	无 锡	日 了	旺	旺 财	是 两	是 两 千	是 个 女	是 陈	是 陈 奕	晚 上	最	最 爱 的	月 十 号	月 起	来 了	杯	板	板 叫	查 了	检	欢 的	正	步 了	每 月	没 空	注	活 儿 我	流 浪	浪	海 鲜	涨 价	涨 价 了	满 六	满 六 十	点 才	爱	爱 的	爱 的 电	爸 妈	率	现 在 不	现 在 在	百 三	盖	盖 不	盖 不 行	目 三	看 错	看 错 了	码 才	神	票 没	离 了	离 婚	科 目 三	租 车	空 |	签	管	索	索 了	终	老 板	老 板 叫	膝	膝 盖	膝 盖 不	舍 不	节	薪	薪 了	血 压 降	行 了	要 四	让 我	论	论 文	话 说	说 开	说 开 了	调 了	财	贷	走 了	起 三	跑 步 了	跟 阿	辞 了	迅	迅 |	过 敏	近	进	远	迟 到 下	迟 到 十	退 休 了	退 出	送 人	送 人 了	那 两	那 两 万	那 张	那 张 卡	里	里 办	铁 |	锡	间 |	陈 奕	陈 奕 迅	降 压	降 压 药	顶 上	飞 了	香	验	鱼 了
+0.2	# from	# st	a baker	a hundr	a week	after |	allot |	allow	am	an extens	and i'm	are fine	at a	aunt	babi	babi |	bacon	baker	band	be	been	been put	bergen	better |	biscuit	bite	bite my	bob	book club	boss is	brought forward	but	call off	came home	came off	can have	can't make	cello |	chang the	clinic	close	code is	cottag	council	crete	dad is	day a	delay	deloitt	divorc	divorc |	do it	don't	done |	drink	drink |	engag |	everyth |	extens	favourit band	fifth	fifti |	find	fire	first |	fix	flood	flood |	for a	for good	for me	forward to	found a	fox got	from now	full	gate	gave him	get	get on	girl |	given up	good |	got her	got the	grandma	green	had her	had my	hairdress	half eight	hall |	hand in	hang	has given	haven't	here	high |	him	hospit	hospit |	hotel	hundr and	i broke	i did	i don't	i start	i told	i'm on	i've been	i've move	instead	instead |	is move	is number	it a	it the	job at	just	kidney	knee |	knock	last month	last week	leav |	lent	like a	locker	locker is	made	made me	man	manag |	me a	meat	middlemarch	middlemarch |	mom	month	move out	move the	much	my aunt	my grandma	my hairdress	my knee	my mom	my nail	my nicknam	my salari	myself	myself |	never	new boss	nibbl	nicknam	nicknam is	nine	not #	not the	now on	number #	of my	okafor	okafor |	onli	paid	password	physio	plumber	portugues |	post	put the	quid	quid a	rang	rang |	read it	reschedul	retir |	ritalin	ritalin |	run	said no	say	say i'm	sertralin to	she was	shelter	shift	shut	so i've	so no	so the	so |	someon	someth	sorri	sorri |	speedi	spring	spring |	stay |	stop take	studio	take ritalin	the babi	the choir	the cottag	the gate	the hospit	the hous	the portugues	the rent	the sertralin	the shelter	the thesi	the town	the wed	there was	they made	they're	thing go	third	till i	to his	told	told you	took	took me	town	turn #	twenti	uni	uni |	universiti	universiti |	up |	was a	was in	watch	we found	we've	weird	wifi	with her	work |	yari	you wrong	| all	| book	| can't	| dinner	| doctor	| everyth	| flight	| grandpa	| haven't	| i've	| me	| monday	| move	| nibbl	| sorri	| stop	| that	| theo	| they're	| we	| we've	| weird	| 一	| 上	| 不	| 主	| 乐	| 体	| 公	| 六	| 合	| 回	| 婚	| 实	| 年	| 店	| 总	| 房	| 手	| 提	| 搬	| 改	| 烟	| 瑜	| 电	| 话	| 说	| 那	| 酒	| 面	一 周	一 天	一 天 两	一 杯	一 点	一 百	万	三 |	上 |	上 个	上 个 月	上 班 了	下 去	下 周 三	不 下	不 了	不 是 六	不 用	不 行	不 过	不 过 敏	个 女	主	九 月	事 |	人	人 了	住 |	住 了	做	做 |	停	停 了	全	公 司	六 |	关	再	减 到	出 来	出 租	分 了	利	别 人	到 #	到 |	到 一	到 一 天	到 下	到 下 周	到 十	到 十 月	到 期 没	前 了	医 生 让	十 九	十 五 了	千 九	卖 掉	卖 掉 了	卡	压	去 不	去 了	发 |	叫 李	号 了	司	司 |	吧	吧 |	和	和 好	唐	在 #	在 一 周	在 是 陈	城 里	大	天 两	妈 搬	妈 搬 到	始	始 吃	婚 礼 改	子 了	子 生	学 到	家 了	家 搬	小 唐	开 始	开 始 吃	往	往 后	总 算	成 了	我 再	我 弟	我 搬	我 搬 家	我 改	我 离	我 老 公	我 脱	我 身 高	房 子	手 了	托	报	报 了	挪	挪 到	换 了	换 到	掉	掉 了	掰	掰 了	提 前	提 前 了	撑	救	无	日	是 个	是 六	月 十	期	期 没	期 没 续	杯 |	没 续	活	活 儿	清	清 了	满	现 在 一	现 在 跟	理 了	生 让	生 让 我	生 说 我	用	由	男	男 朋	男 朋 友	的 钱	礼	礼 改	离 婚 了	离 职	离 职 了	给	续 |	老 公	肾	肾 衰	脱	舍	菜 了	血	行 |	衰	衰 |	裁	调 到	费	跟 我	跟 着	跳	转 学 到	过	过 |	还	还 了	还 清	还 清 了	那 边	酒	酒 了	铁	陈	降 到	香 菜 了
+0.3	#	# kilo	a girl	a pixel	actual	after all	all |	ani	ani more	away in	away |	back to	better	brought	call	came through	cano	code	dad	die |	doctor	done	down as	dr	drop out	eat fish	finish middlemarch	fish	fish again	flat	flight got	forward	girl	given	good	grown	hand	has swap	home	hous	hous |	i can	i eat	i left	i'm not	in his	in on	is green	it #	januari	kilo	kilo |	landlord	last	let	like	monday |	more |	my gym	nail	nail |	neighbour |	new |	no longer	no |	number	paid my	pass away	pixel	reloc	reloc to	retrain	retrain as	run again	said	scale	sleep	so we're	st	start at	step	tbh	tbh |	team	test	that	transfer	transfer to	up the	us	we sold	without	wrong |	yesterday	yesterday |	| #	| and	| cancel	| concert	| crete	| dr	| final	| finish	| landlord	| lena	| paid	| physio	| start	| they've	| turn	| 三	| 换	| 是	下	从	以 后	公	减	别	到 了	剩	医 生 说	十 五	十 六	员 了	地	学 了	实	师	我 又	我 又 开	我 换	我 转	才	换 成	搬 家	文	来	班	班 了	生	生 说	脚	自	走	转 学	退 了	钱	错	错 了
+0.4	as a	back |	cancel |	club	day |	everyth	fell	fell through	fifti	gym	had to	her	i let	is now	is off	knee	left |	longer	morn	morn |	my new	over	put	she	sold	start	swap	switch	the cano	thing	this morn	till	time	time |	week	with	wrong	| dad	| had	| new	| she	| sold	| 新	| 跟	不 是	九	出	分	去 |	员	啦	啦 |	在 是	我 退	推	推 迟	推 迟 到	现 在 是	续	行	让	调	迟	迟 到	降
+0.5	can't	down to	first	flight	i got	i stop	it was	monday	no more	off the	on |	out of	pass	retir	these	these day	they've	through |	to #	| got	| 现	医	医 生	后	回	得	改	没	那
+0.6	as	away	die	drop	gave	gone |	he	i've	it |	me |	off |	quit	sold the	stop	up	| 医	成	我 现	我 现 在	离	跟	转
+0.7	after	all	anymor |	down	final	had	his	more	new	through	| gave	| he	| no	| not	去	退
+0.8	again	again |	chang	gone	left	move	out	they	| they	到
+0.9	anymor	day	i quit	| so	换
+1.0	and i	came
+1.2	cancel	me	| it
+1.3	back	no	off	to
+1.4	not	the
+1.5	from	不
+1.6	and
+1.7	got	so
+1.8	现	现 在
+1.9	now |
+2.0	it
+2.3	now
+2.6	了
+5.7	了 |
"""
