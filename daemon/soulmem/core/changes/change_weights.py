"""What the features of change weigh, and the grams of its tone: `benchmarks/changes.py --write` wrote it.

Read by `change_probability` and `change_tone`. `SURE` and `LIKELY` are scores in logits; a line of `TONE` is a
weight and, parted by tabs, the grams that have it (`|` is a pause, `#` a number).
"""

# A table stands on long lines.
# ruff: noqa: E501

from __future__ import annotations

SURE = 4.0
LIKELY = 0.4
BIAS = -3.5
WEIGHTS = {
    "shared": 1.15,
    "shared_much": 1.44,
    "shared_first": 1.12,
    "concepts": 1.12,
    "named": 1.27,
    "only_named": 1.14,
    "same_owner": 0.61,
    "other_owner": 0.28,
    "new_person": -0.57,
    "value_differs": -0.34,
    "differs_shared": 1.33,
    "differs_alone": 1.18,
    "value_alike": 1.16,
    "value_only_new": -0.74,
    "ended_shared": 2.29,
    "opposed": 1.62,
    "tone": 1.53,
    "tone_shared": 2.61,
    "tone_named": 1.06,
    "once": -0.36,
    "long": -1.12,
}
TONE_BIAS = -0.51
TONE = """
-2.4	| 我
-2.2	我
-1.8	的
-1.5	| i
-1.4	| my
-1.2	今
-1.1	is	| 今	周
-1.0	a	i
-0.9	at	live	on	| i'm	在
-0.8	in	live in	今 天	年
-0.7	have	三	五	会	天
-0.6	for the	i have	my	同	打	要
-0.5	at #	bus	have a	i'm	love	our	work	| our	| the	| 周	| 邻	吃	居	我 在	机	猫	话	邻	邻 居
-0.4	# |	cat	go to	i'd	i'm a	if	is on	learn	on friday	six	three	was	we have	work at	york	| we're	上	住 在	发	周 五	周 六	多	房 租	把	狗	聚 会	车
-0.3	as well	bike	birthday	bristol	broken	cost	cousin	dog	everi	friday	friday |	friend	i gave	i live	i take	i work	i've got	in york	is a	is at	kitchen	late	may |	meet	move to	my dad	my son	sister	son	take the	the bus	the kitchen	to bristol	today	up to	want to	well	went	went to	york |	| 儿	| 同	一	三 年	不 吃	不 吃 了	不 打	买 了	今 天 不	今 年	会 |	六 百	养 了	单	南	只	吃 了	同 事	同 学	四	坏	坏 了	块	块 |	天 不	女	妹 妹	学	家	小	居 家	我 同	我 家	我 脱	戒 烟	戒 烟 了	手 机	搬 到	改 到 周	早	有	沙	沙 发	涨 到	烟 了	照	班 |	的 了	真	素	红	聚	脱	色	花	要 是	试	邻 居 家	饭
-0.2	# for	# km	# now	# on	a new	an	april	april |	at eight	birthday is	blue	cat is	cinema	class	colleagu	cost #	dentist	do you	drive a	fli	fli to	for	four	go	hamster	hate	have an	hour	i book	i bought	i lost	i love	i might	i move	i play	i ran	i run	i sold	i want	i was	i'm allerg	i'm go	i'm learn	if i	in #	in leed	insulin	insulin |	is #	is dr	is in	key |	kim	kim and	km	law	law |	leed	librari	lidl |	lost my	lotteri	love coffe	lunch	madrid	math	may	might	my colleagu	my cousin	my friend	my neighbour	neighbour	octob	on #	on saturday	on tuesday	on wednesday	opera	oskar	other	parti	pay	phone is	play	ran	ran #	rent	rosa	school	second	seven	seven |	smoke |	sofa	sofa |	spain	spanish	take	talk	the boiler	the cinema	the concert	the librari	the lotteri	the meet	the opera	to sell	today |	tom	too	train leav	was #	was move	we fli	we went	we're	weekend	well |	went up	wife	you	| do	| if	| kim	| mum	| tom	| 他	| 你	| 又	| 女	| 家	| 朋	| 狗	| 给	| 要	| 这	| 驾	七 十	三 年 级	上 海	不 学	不 能	个	个 月	为	九 号	买	了 一	了 一 只	了 两	了 四	事	五 千	五 月	他	他 的	以 前	休 金	休 金 涨	住	住 院	住 院 了	你	便	便 宜	儿	八	六	养	养 了 一	冒	出 差	到 四	十 四	千	午	华	华 为	卖 了	厨	厨 房	去 看	友	友 的	员 |	周 二	周 去	周 末	啡 |	喝 咖	喝 咖 啡	在 周	城	多 肉	天 喝	女 儿	妹	学 小	学 小 提	定 在	宜	宝	宝 上	家 的	家 的 猫	寄	小 提	小 提 琴	就 不	居 家 的	岁	岁 |	州	工	差	差 |	干	年 了	年 去	年 去 了	年 级	广	开 会	想	我 不 吃	我 养	我 养 了	我 同 学	我 周	我 喜	我 喜 欢	我 妹	我 妹 妹	我 开	我 早	我 有	我 每	我 的	我 表	我 要	我 闺	我 闺 蜜	战	手 机 坏	提 琴	改 到	改 到 四	日 |	明	月	朋 友 的	末	本	机 坏	机 坏 了	果	每	每 天	涨	涨 了	涨 到 两	烟	爸	爸 戒	爸 爸	画 画	百	的 猫	的 电 动	的 聚	看	粉	级	练	结 婚	结 婚 了	考 试	肉	色 的	蜜	表 弟	要 去	要 把	试 改 到	话 了	贵	资	车 |	过 了	退 休 金	金	金 涨	金 涨 了	长	闺	闺 蜜	驾	驾 照	麻
-0.1	# goe	a lot	a meet	an iphon	an old	anna	appoint	at siemen	bed	bed |	bedroom	bedroom |	befor	best	book a	bought a	broken |	bus #	bus to	bus |	by	call rosa	car	coat	colour	crete in	daughter	denis	dinner	dinner at	do pilat	drink |	drum	eat nut	exam	exam in	exam is	fiat	flatmat	from octob	got rid	grandmoth	had dinner	haircut	has move	has three	have lunch	have two	hockey	hockey |	hoover	i cook	i didn't	i do	i drink	i drive	i finish	i go	i plant	i speak	i went	i wish	i'm #	i'm marri	i've a	in a	in hospit	in march	in may	is broken	is four	is my	is seventi	job |	karl work	kid	kid |	km today	learn the	leav at	leed |	look for	lot	lot of	manag	marri	marri to	math at	max	meet on	meet with	milo	mum is	my back	my exam	my flatmat	my grandpa	my other	my parent	my sister	my wife	nine |	number is	nut	of may	open	opera |	oskar |	oslo	pack	paint	parent	pay #	phone	piano	pilat on	pilot |	pip	plant	pm |	priya |	rent went	rid	rid of	rome	rosa |	saturday	saturday |	school |	seventi	should i	siemen	singl	six |	smell	spain |	speak	studi	support	test is	the blue	the dog	the drum	the hoover	the piano	the shop	the violin	the weather	there a	think	this week	thursday |	ticket for	to crete	to learn	to oskar	to rome	to spain	to york	too |	train	tuesday	vegetarian	vegetarian |	violin	violin |	want	we had	we've got	weather	wednesday	weekend |	when	when i	wife is	win	wish	with my	year old	year |	you think	| anna	| bus	| i'd	| on	| should	| work	| 二	| 外	| 洗	| 爸	| 阿	一 |	一 下	一 个 月	一 口	一 只	一 只 猫	一 起	七	三 十	三 年 了	下 雨	不 走	不 走 了	两 千	中 了 彩	书	了 三	了 只	了 四 十	了 彩	了 彩 票	五 岁	会 改 到	伤	伤 了	修 好	修 好 了	儿 子	刘 艳	到 两	到 两 千	到 周	到 省	到 省 城	到 长	到 长 沙	动 车	十 |	十 一	千 |	千 五	午 饭	南 |	去 看 了	口	只 猫	叫	号 生	号 生 日	吃 花	吃 花 生	吗	吗 |	咖	咖 啡	啡	喜	喜 欢	喜 欢 喝	四 了	四 月	圆	在 周 二	在 学	场	坐	士 |	外	天 打	天 跑	奶 奶	好	婆	孕 了	安	定	家 有	家 猫	对	小 区	小 时	就	岛	工 资	弟 在	强	彩	彩 票	怀 孕 了	我 一	我 住 在	我 吃 素	我 同 事	我 家 猫	我 想	我 把	我 把 旧	我 有 一	我 每 天	我 老 婆	我 表 哥	我 订	房	打 太	打 太 极	打 算	打 羽	打 羽 毛	把 吉	把 吉 他	把 旧	搬 到 省	搬 到 长	放	教	教 资	斤 |	方	方 圆	旧	早 上	昆	昆 明	是	是 中	是 中 了	晚	月 三	月 生	有 一	有 五	服	欢	欢 喝	步 |	毛	泳	洗	洗 衣	洗 衣 机	游	游 泳	热	爷	爷 爷	狗 |	猫 |	玉	玉 珍	王	珍	生 |	电 动 车	画	百 |	的 日	的 电	的 话	的 面	的 面 试	皮	省	省 城	看 了	眼	码 改 成	租	等	粉 肖	粉 肖 战	约 了	老 婆	肉 |	肖	肖 战	能 吃 花	艳	蓝	衣	衣 机	表	要 是 中	订	试 改	话 剧	谈	路	车 卖	车 卖 了	还 要	这 个	这 个 月	长 |	门 |	闹	阿 强	鞋	预
+0.1	# kg	# th	# 岁	a day	a junior	a pixel	a samsung	ago	ago |	as	at a	at dunn	aunt	barbecu	be	bea	biolog	broke up	buddi	buddi is	came off	can't stand	cello	cello |	chang his	chang the	cleo	club	co	cold	cough	crete	cross	day a	die in	dr field	drink wine	dunn	dunn co	egg	email	eye patch	fine	first	flat in	flower	flower shop	forti	gate	grandma is	grandpa	grandpa joe	green	gym buddi	high	his mind	i get	i start	i'm do	in bristol	in my	intel	intel |	interview got	is green	is move	it marin	job	joe	joyc	judo	junior	kg	kg |	kidney	knee is	lena	like fish	lisinopril	love cilantro	make	marin	marin biolog	marvel	marvel movi	me a	me off	middlemarch	middlemarch |	monday |	my aunt	my nephew	my old	my playstat	nephew	nokia	nuno	oak	oliv	oliv |	onli	org	org |	paid	patch	phd	pilat	pim	pixel	pixel |	polo	rainbow	read	rufus	run	said	sam	samsung	samsung |	say	shelter |	sister move	someon	stand	standup	stop take	street	team is	team meet	test	th	th |	the cello	the gate	the rent	the team	theo	thesi	they chang	they gave	thing	third	this morn	to a	to thursday	tuesday |	turn out	tutor	vape	vape |	vespa	vespa |	vet	weigh	wifi code	with sam	| and	| dr	| eye	| interview	| just	| mog	| org	| 乐	| 别	| 团	| 总	| 房	| 报	| 提	| 烟	| 精	| 还	| 面	| 高	| 黄	一 天 两	三 |	三 千 二	上 |	下 周	不 下	不 喝	不 当	不 是 两	两 千 六	个 女 儿	九 了	习	二 十	人 |	从	以 后	休 了	伽 课 改	住 了	体 检	儿 |	儿 子 转	六 十 五	六 号	关 了	减 到 一	出 租 车	分 手	分 手 了	利	别 人	到 一	到 一 天	到 一 百	前 天	助	十 五 了	千 九 了	千 二	千 六	压 药	去 不	又	又 开	又 开 始	可	可 以	司 |	吧	吧 |	员 我	呢	呢 |	周 日	和 好	唐 |	唱	四 |	回 家	回 来	在 不	在 在	大 |	天 两	奕	奕 迅	妈 是	始	姐	姐 不	婚 礼 改	嫂	嫂 子	子 了	子 转	子 转 学	完 了	实 习	家 搬	小 米	师 了	年 糕	开 始	当	影	我 不	我 妈 是	我 弟	我 最	我 涨	我 跟 阿	我 身 高	我 这	手 了	才	把 我	报	挪	收	改 了	改 周	改 成	文	日 语	旺	旺 财	是 两	是 两 千	是 个 女	是 陈	最	月 十 六	月 起	期 了	来 |	板	板 叫	检	楼	槽	正	死	每 月	没 空	活 儿	海 鲜	满 六	满 六 十	点 半	烟 戒	烟 戒 了	爱	现 在 不	现 在 在	班	理 了	盖 不	盖 不 行	看 错	看 错 了	着	礼	礼 改	离 婚	租 车	空	空 |	签	糕	续 |	网	老 师	老 板	老 板 叫	膝 盖 不	舍	节	药	要 四	调 了	财	跟 我	跟 着	跟 阿	跳	跳 槽	迅	还	迟 到 下	迟 到 十	退 休 了	送 人	送 人 了	那 两	那 两 万	酒	钢	钢 琴	钱	陈 奕	陈 奕 迅	降 压	降 压 药	香	鱼 了	鲜
+0.2	#	# #	# from	# st	# 了	a baker	a flat	a hous	a week	actual	after all	after |	all |	allot	allot |	an extens	and i'm	ani more	at half	away in	baker	becaus	becaus of	been	bergen	book club	boss is	brother	brought forward	call	call it	call off	came home	can have	can't make	canada	cano	choir	choir |	clinic	code is	compost	cottag	dad	dad is	delay	deloitt	divorc	divorc |	doesn't	don't drink	dr	drive test	drop out	engag	engag |	extens	favourit band	fire	flat |	flight got	floor	for me	forward to	found	found a	given	given up	go |	good	got her	grandma	hairdress	half	half eight	hand in	hang	has given	have the	haven't	high |	him	hospit	hospit |	hotel	hous	hundr	hundr and	i broke	i let	i told	i've	in on	is cancel	is number	it #	it the	landlord	last month	last week	let	locker	locker is	meat	mill	mom	month |	more |	morn	morn |	my grandma	my hairdress	my knee	my mom	my nail	my nicknam	my salari	myself	myself |	nail	nail |	netflix	netflix |	never	new boss	nibbl	nicknam	nicknam is	no |	nokia |	not the	number	number #	of my	of the	okafor	okafor |	old nokia	own	physio	plumber	portugues	portugues |	quid	read it	reschedul	ritalin	ritalin |	robin	see	she	she was	shelter	shut	so we're	so |	sorri	sorri |	speedi	st	stay	stay |	take ritalin	team	the allot	the choir	the cottag	the hospit	the portugues	the shelter	the thesi	they've	thursday	till	time |	to canada	to myself	told	told you	took me	turn	turn #	twelv	uni	universiti	universiti |	up the	we found	weird	wifi	yari	you wrong	| book	| crete	| dinner	| doctor	| flight	| grandpa	| had	| haven't	| landlord	| move	| nibbl	| paid	| priya	| she	| sorri	| stop	| theo	| we	| weird	| 主	| 体	| 六	| 回	| 大	| 婚	| 实	| 年	| 店	| 手	| 换	| 搬	| 改	| 日	| 是	| 瑜	| 电	| 说	一 周	一 杯	一 百	万	上 班 了	下 周 一	下 周 三	不 了	不 是 六	不 行	不 过	不 过 敏	个 女	九 月	交	人 了	住 |	做	做 |	停	停 了	公	六 |	关	再	减 到	出 租	出 院	出 院 了	分 了	到 #	到 下	到 下 周	到 了	到 十	到 十 月	前 了	剩	医 生 让	卖 掉	卖 掉 了	卡	压	去 了	叫 李	号 了	唐	在 #	在 一 周	在 是 陈	妈 搬	妈 搬 到	始 吃	子 生	学 到	实 验	家 了	小 唐	开 始 吃	张 卡	往	往 后	我 不 喝	我 搬	我 搬 家	我 改	我 老 公	我 跟	我 转	戒 了	房 子	掉	掉 了	排 班	掰	掰 了	提 前	提 前 了	撑	救	无	无 锡	是 个	是 六	月 十	期	步 了	活	清	清 了	片 |	现 在 一	生 让	生 让 我	生 说 我	男	男 朋	男 朋 友	离 了	离 婚 了	离 职	离 职 了	米	给	老	老 公	脚	菜 了	行 |	裁	调	跑 步 了	转 学 到	还 了	还 清	还 清 了	进	送	那 张	那 张 卡	酒 了	锡	陈	香 菜 了	验
+0.3	# kilo	ani	away |	back to	back |	band	brought	can	code	die |	eat fish	fish	fish again	forward	grown	gym	had to	hand	hous |	i can	i eat	i left	i'm not	is now	it was	januari	job at	just	kilo	kilo |	knee	left |	my brother	my gym	neighbour |	new |	no longer	not #	out of	pass away	reloc	reloc to	retrain	retrain as	run again	sleep	sold	spring	spring |	start at	swap	tbh	tbh |	that	transfer	transfer to	up |	we sold	week |	wrong |	yesterday	yesterday |	| #	| concert	| lena	| new	| physio	| sold	| start	| turn	| 三	| 不	| 新	| 跟	下	人	减	出	分	别	医 生 说	十 五	十 六	去 |	员	员 了	啦	啦 |	大	学 了	实	得	我 又	我 又 开	我 换	我 离	我 退	换 成	搬 家	来	班 了	生	生 说	续	职 了	自	让	转 学	退 了	那	错	错 了	降
+0.4	all	as a	can't	cancel |	doctor	down	down to	drop	fell	fell through	flat	for a	gone	had	he	her	his	home	i stop	is off	it |	longer	monday	month	my new	no more	off the	over	pass	put	quit	start	switch	the cano	through |	took	up	week	wrong	| he	九	去	后	回	在 是	师	成	推	推 迟	推 迟 到	改	现 在 是	行	迟	迟 到
+0.5	day |	flight	gone |	i got	i quit	last	more	new	off |	on |	retir	sold the	these	these day	through	to #	| dad	| got	| so	| 医	| 现	不 是	医	医 生	我 现	我 现 在	没	离	跟	转	退
+0.6	after	anymor |	away	came	day	die	final	gave	stop	到	换
+0.7	and i	anymor	back	left	me |	move	they	| gave	| no	| not	| they
+0.8	again |	chang	out
+0.9	again	and	so	| it	不
+1.0	me	no
+1.1	cancel
+1.2	not	the
+1.3	off	to
+1.4	from	现
+1.5	现 在
+1.6	it	now |
+1.8	got
+1.9	now
+2.6	了
+4.8	了 |
"""
