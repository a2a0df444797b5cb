"""Words that English names are told by: given names, names that are words, and common words that are none.

Data of `english_names`.
"""

# Word lists stand on long lines, as tables.
# ruff: noqa: E501

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Given names that are hardly ever words.
GIVEN = _words(
    """
    aaliyah aarav aarne aaron abdul abdullah abebe abel abena abigail abraham achieng ada adaeze adam adebayo adele aditi aditya adrian adriana afonso agatha agnes agnieszka agus ahmad ahmed aida aiden aiko ainhoa aino ainsley aisha aitor aja akari akira akosua akua alan alana alasdair alba albert alberto aldo alejandra alejandro aleksandr
    aleksei alena alessandra alessandro alessia alex alexander alexis alfie alfonso alfred ali alice alina alisa alison alistair allan allison alma alva alvaro alvin alyosha alyssa ama amal amanda amara amaya amelia amelie ami amina aminah aminata amir amira amit amos amparo amrita amy ana anastasia anatoly anaya anders andre andrea andreea
    andrei andres andrew andrés aneesa angela angharad angus anh anika anil anis anita anja anjali anke ankit ann anna annabel annalise anne anneke anneliese annette annie annika anouk ansel ante anthony antoine anton antonia antonio antti anya aoi aoife apolline aqsa archie areeba ari aria ariana ariel arjun arkady arlo armand arne arnold
    arslan arthur arturo arya asa asha asher ashley ashok astrid athena attila aubrey audrey augustus aurelie aurora ava avery avi awa axel ayaan ayesha ayla ayodele aziz babak bambang bao baptiste barbara barney barry bart bartosz basma bazza bea beatrice beatriz becca becky bela belinda bella ben bence benedict bengt benjamin benji bereket
    bernadette bernard bernat bernie bert bertha beth bethany betty bev beverley beverly bianca bilal billy binky birgit birgitta bjarni bjorn björn blake blanca bob bobby bogdan bohdan bola bongani bonnie boris boyd brad bradley brandi brandon brenda brendan brent brett bria brian bridget brigitte britt brittany bronwen bruce bruno bryan
    bryce bryony budi bushra caio caitlin caleb callum calvin cameron camila camille candace caoimhe cara carina carl carla carlo carlos carly carmela carmen carol caroline carolyn carrie carter carys casey cassandra cassie catherine catriona cecil cecilia cedric celeste celia celine cerys cesar chad chaminda chandra chantal charles charlie
    charlotte cheikh chelsea chen cheryl chiara chidi chioma chipo chiyo chloe chris christian christina christine christopher chuck chukwu ciara ciaran cillian cindy citlali claire clara clarissa claude claudia clem clemence clementine cleo clifford clint clive coco cody cole colette colin colleen conan concetta connor conor conrad constance
    consuelo cooper cora coralie cordelia corentin corey corinne cormac cornelia courtney craig cristina curtis cynthia cyrus dagny daiki daisuke dalia damian damien dan dana daniel danielle danny dante daphne daria dario darius darla darnell darren darryl dave davi david davide dawit daz dean deb debbie deborah debra deepak deepika deirdre
    delia delilah della delphine demi denis denise dennis deshawn desmond detlef devon dewi dex diana diane diarmuid diego dieter dilini dilip dimitri dina dinesh dion dirk divya diya dmitri dmytro dolores dominic dominique don donald donna dora doreen doris dorota dorothy doug douglas dragan driss duc duncan dung dustin dwayne dylan earl
    ebba eddie edgar edith edmund edna edoardo eduardo edward edwin eero effie efua eileen eilidh einar eino eirik ekaterina elaine eleanor elena eleni eli elias elijah elin elina elio elisa elise eliza elizabeth ella elle ellen ellie elliot elliott elmer elodie eloise elsa elsie elton elvira emeka emil emile emilia emilio emily emma emmanuel
    emre enid enrique enzo eoghan eric erica erich erik erika erin ernest ernesto esme esmeralda esperanza estelle esther eszter ethan ethel etta eugene eunice eunji eva evan evangeline evelina evelyn evie ewa ewan ezra fabian fabio fabricio fadi faisal fanny farah farai farid farida farouk fatima fatou fay federica federico felicia felicity
    felix femi ferdinand fergus fernanda fernando ffion fifi finlay finley finn finnegan fiona fionn flavia fletcher flo florence florian florin floss floyd folake fran frances francesca francesco francine francis francisco franco francois franzi françois fraser frauke fred freddie freddy frederick freja freya frida fritz gabe gabor gabriel
    gabriela gabriella gabs galina gareth gary gaspard gauri gavin gaz geeta gemma gene genevieve gennady geoff geoffrey george georgia georgina gerald gerard gerd gerhard gertrude gethin giacomo giada gianluca gianmarco gianna gideon gilbert gillian gina ginevra ginny giorgio giovanni giselle gita giulia gladys gloria goncalo goran gordon
    gorka gosta graham grainne greg gregory greta gretchen gretel griffin grisha grzegorz guadalupe gudrun guilherme guillermo gunilla gunnar gunther gus gustav gustavo gwen gwilym gwyneth habib hadley haeun hakim hal hala hamid hamish hamza hana hank hanka hanna hannah hannes hans harish harold harper harriet harris harry haruto hassan
    hattie havard hayley heather heba heidi heike heinrich heitor helen helena helga hend henrietta henrik henry herbert herman hermione hichem hilary hilda himari hina hiro hiroshi hiwot hoang honoka horace horst howard hubert huda hugh hugo hung huong hussain hussein hyejin hyun ian iara ibrahim ida idris ifeoma ignacio ignatius igor iker
    ikram ilaria ilmari iman imani immy imogen imran ina indira ines inez inga inge ingeborg ingrid inés ioana iona ionut ira irene irina irma iryna isaac isabel isabella isabelle isaiah ishaan ishita isla ismail isolde issy istvan itzel ivan ivana ivar ivo izzy jacinta jackie jackson jacob jacqueline jago jaime jake jakob jakub jamal james
    jamie jan jana jane janelle janet janice janine janis janne jared jarek jarvis jasmine jason jasper javier jax jay jaya jayden jean jed jeff jeffrey jemima jenna jenni jennie jennifer jenny jens jeremy jermaine jerome jerry jess jesse jessica jessie jiho jill jillian jim jimmy jin jing jiri jisoo jo joachim joan joanna joanne joao joaquim
    joaquin jocelyn jodie joe joel joelle joerg johan johann johanna johannes john johnathan johnny jon jonah jonas jonathan joni joon jordan jordi jorg jorge jose josef josefina joseph josephine josh joshua josie jovana joyce juan juanita judah judith judy juergen juha jukka jules julia julian juliana julie juliet juliette julius juma
    jungkook junko jurgen justin justine kacper kaede kai kaito kamal kamala kamau kamil kara karan kareem karen karim karima karin karina karl karla kasper kasun katalin katarina katarzyna kate katerina kateryna katharina katherine kathleen kathryn kathy katie katja katrin katrina katy katya kavita kavya kay kayla kayode kazuki kazuo keiko
    keira keisha keith kelly kelsey ken kendra kendrick kenji kenneth kenya kerry kerstin ketut kev kevin khadija khalid khoa kiara kieran kiki kimberley kimberly kira kiran kirsten kirsty klara klaus kofi konstantin kris krish krishna kristen kristian kristina krzysztof kumar kurt kwabena kwame kwesi kyle kylie lacey laila lakisha lakshmi
    lalita lan lana lance lara larissa larry lars lasith laszlo lata latisha latoya laura lauren lauri lavinia lawrence layla lea leah leandro lee leila leilani lena lenka lennart lenny leo leon leona leonard leonardo leonie leonor leopold leslie leticia levi lewis lexi leyla lia liam liana liesl lila lilian lilith lillian lina lincoln linda
    lindiwe lindsay lindsey linh linus lionel lisa lisbeth liv livia liz liza lizzie lloyd logan lois loki lola lorenzo loretta lori lorraine lotta lottie lou louis louisa louise lourdes loveday luana luca lucas lucia lucian luciana lucie lucille lucy lucía ludmila ludwig luigi luis luka lukasz luke luna lupe lydia lyla lyle lynette lynn
    lyudmila mabel macarena mack macsen madalena maddie madeleine madeline madison mae maelys maeve magda magdalena maggie magnus mags mahmoud mai maia mairi maisie maja malcolm malee malgorzata malia malik mallory mamadou mandy manfred manon manuel manuela marc marcel marcela marcella marcelo marcia marco marcos marcus marek maren margaret
    margarita margaux margherita margot maria mariam mariama mariana marianne mariano maribel marie marija marilyn marina mario marion marisa marisol marit marius marjorie marlene marlon marnie marta martha martin martina marty marvin marwa mary maryam mason massimo mateo mateusz mathias mathilda mathilde mathis matias matilda matilde matt
    matteo matthew matthias maud maura maureen maurice mauricio mavis max maxim maxine maya meena meera meg megan mehmet mei mel melanie melinda melissa melvin merce mercedes meredith meriem merle meron meryl mia micah michael michaela michel michele michelle michiko mick micky miguel mihai mika mikael mike mikhail mikko mila mildred milena
    milica millie milly milo milos mimi mina minerva minh minho minji minjun minnie mio mira miranda miriam misha mitch mitchell mohammed moira molly mona monica monique montserrat monty morag morgan morris morwenna moses moshe muhammad murray mustafa mustapha mwangi myra myrtle nabil nabila nadezhda nadia nadine naima nana nanami nancy
    nandini nanette naoko naomi natalia natalie nataliya natasha nate nathalie nathan nathaniel natsuki nattapong ned neema neha neil nell nellie nelson nenad nerea nerys neus neville ngozi nguyet nia niall niamh niccolo nicholas nick nico nicola nicolas nicole niels nigel nikhil niki nikita nikki nikola nikolai nikolas nils nina ning nisha
    nitin njeri nneka noah noel noelle noemi nomsa noor noora nora norah norma norman nour nuno nunzia nuria nurul nuwan nyla obinna oceane octavia odette odin oisin okafor oksana olaf olafur ole oleg olena olga oliver olivia oliwia ollie olu omar omari ondrej oriol orla orlando orson osama oscar oskar osman otieno otis ottavia ottilie otto
    ottoline ousmane owain owen ozzy pablo padma padraig paige paivi paloma pam pamela paola paolo parker parvati pascal pasquale patrice patricia patricio patrick patrik patty pau paul paula paulina pauline paulo pavel pawel pedro peggy pekka per-olof percy perry petar peter petra petros petya phil philip philippa philippe phillip phoebe
    phuong phyllis pierre pilar piotr piper polina polly pooja portia prakash preeti preston prisca priscilla priya priyanka putri quang quentin quincy quinn rachael rachel rachid radha radhika rafael rafaela raffaele ragnhild rahim rahul raisa raj rakesh ralph raluca ramesh ramon ramona randall randi randy rania raphael rasha rashid rashida
    raul ravi rayan raymond razvan rebeca rebecca reggie regina reginald reid reina reinhard rekha ren renata rene renee rené resi reuben rex reza rhea rhiannon rhoda rhodri rhonda rhys riaz ricardo riccardo richard richie rick ricky rico riikka rika rima rin rina rishi rita robert rocio roger rohan roisin roland rolf roman romeo ron rona
    ronald ronan ronja ronnie rory rosa rosalie rosalind rosanna rosie roslyn ross rowan roxana roxanne roy ruairi ruben rudo rudolf rudy rui rupert ruqayya russell rustam ruth ruwan ryan ryo ryota saad saanvi sabine sabrina sachin sade sadie saeed safiya saga sagar sakura salim sally salma salman salvador salvatore sam samantha samar samara
    sami samia samina samir samira samuel sana sanaa sandra sanjay sanna santiago saoirse sara sarah sarita sascha sasha satoshi saul savannah scarlett scott seamus sean sebastian selam selena selma seojun sepp serena sergei sergio seth shane shanice shaniqua shannon sharmila sharon shaun shauna shawn shaz sheila shelby sheldon shelly shira
    shirin shirley shivani shota shreya sian sid sidney sidra siegfried sienna sigga signe sigrid sigurd silas silke silvia simon simona simone sindre sinead siobhan siobhán sioned sipho siriporn siti skylar sneha socorro sofia sofie solange solene solomon solveig somchai sonia sonja soojin sooyoung sophia sophie soren sota soukaina spencer
    stacey stacy stan stanley stefan stefano stella sten steph stephan stephanie stephen steve steven stewart stjepan stu stuart suki sumaya sunita suraj suresh susan susanna susanne susie suzanne suzie sven svenja svetlana swati sybil sydney sylvia sylvie søren tabitha tad tadeusz tadhg taeyang taj takeshi takumi talia tamar tamara tamika
    tammy tanisha tanner tanvi tanya tara taras tarek tariq tasha tatiana tatyana taylor ted teddy tegan temitope tendai terence teresa tereza terrell terrence terry tesfaye tess tessa thabo thalia thandi thandiwe thanh thea thelma themba theo theodora theodore theresa thiago thibault thilini thomas thora thorsten thuy tia tiago tibor tiffany
    tihana tilda tilly tim timo timothy tina titus tobias toby todd tom tomas tomasz tommaso tommy tomoko tomás toni tony tonya tori tova tracey tracy trang travis trent trevor tricia trina trisha tristan troy trudy tuan tunde tuomas tuuli tuva tyler tyra tyrell tyrone tyson uche udo ulla ulrich uma umar unai ursel ursula usha usman uwe
    vaclav valentin valentina valeria valerie vanessa varun vasily vera verena veronica vicki vicky victor victoria vidya vihaan vijay vikram vince vincent vincenzo vinicius viola violeta virgil virginia vitaliy vito vittoria vivek vivian vivienne vlad vladimir vladislav volodymyr vroni waleed walid wally walt walter wanda wanjiru warren
    wayan wayne wei wendell wendy werner wesley whitney wiebke wilbur wilfred wilhelm willa willem william willie willow wilma winifred winnie winona winston wojciech wolfgang xander xavier ximena xin xiomara xochitl yaa yael yan yaroslav yasmin yasmina yasmine yemi yesenia yestin yevgeny ying yolanda yosef youssef yui yuka yuki yuko yulia
    yumi yuna yuri yusuf yuto yves yvette yvonne zac zach zachariah zachary zack zadie zahra zahraa zain zainab zane zanele zara zawadi zdenka zeinab zeke zelda zeynep zhang zhenya ziad zina zoe zofia zoltan zora zoran zoya zoé zoë zsofia zuri zuzanna
    """
)
# Of them, those that are no words in lower case either.
ONLY_NAMES = _words(
    """
    aaliyah aarav aarne aaron abdul abdullah abebe abel abena abigail abraham achieng adaeze adam adebayo adele aditi aditya adrian adriana afonso agatha agnes agnieszka agus ahmad ahmed aida aiden aiko ainhoa aino ainsley aisha aitor akari akira akosua akua alan alana alasdair albert alberto aldo alejandra alejandro aleksandr aleksei alena
    alessandra alessandro alessia alex alexander alexis alfie alfonso alfred ali alice alina alisa alison alistair allan allison alva alvaro alvin alyosha alyssa amal amanda amara amaya amelia amelie amina aminah aminata amir amira amit amos amparo amrita amy ana anastasia anatoly anaya anders andre andrea andreea andrei andres andrew andrés
    aneesa angela angharad angus anika anil anis anita anja anjali anke ankit anna annabel annalise anne anneke anneliese annette annie annika anouk ansel ante anthony antoine anton antonia antonio antti anya aoife apolline aqsa archie areeba aria ariana arjun arkady arlo armand arne arnold arslan arthur arturo arya asha asher ashley ashok
    astrid athena attila aubrey audrey augustus aurelie aurora avery axel ayaan ayesha ayla ayodele aziz babak bambang baptiste barbara barney barry bart bartosz basma bazza beatrice beatriz becca becky bela belinda bella ben bence benedict bengt benjamin benji bereket bernadette bernard bernat bernie bert bertha beth bethany betty beverley
    beverly bianca bilal billy binky birgit birgitta bjarni bjorn björn blake blanca bob bobby bogdan bohdan bongani bonnie boris boyd brad bradley brandi brandon brenda brendan brent brett bria brian bridget brigitte britt brittany bronwen bruce bruno bryan bryce bryony budi bushra caio caitlin caleb callum calvin cameron camila camille
    candace caoimhe cara carina carl carla carlo carlos carly carmela carmen caroline carolyn carrie carys casey cassandra cassie catherine catriona cecil cecilia cedric celeste celia celine cerys cesar chad chaminda chandra chantal charles charlie charlotte cheikh chen cheryl chiara chidi chioma chipo chiyo chloe chris christina christine
    christopher chuck chukwu ciara ciaran cillian cindy citlali claire clara clarissa claude claudia clem clemence clementine cleo clifford clint clive cody cole colette colin colleen conan concetta connor conor conrad cora coralie cordelia corentin corey corinne cormac cornelia courtney craig cristina curtis cynthia cyrus dagny daiki daisuke
    dalia damian damien dan dana daniel danielle danny dante daphne daria dario darius darla darnell darren darryl dave davi david davide dawit debbie deborah debra deepak deepika deirdre delia delilah della delphine demi denis denise dennis deshawn desmond detlef dewi diana diane diarmuid diego dieter dilini dilip dimitri dina dinesh dion
    dirk divya diya dmitri dmytro dominic dominique donald donna dora doreen doris dorota dorothy doug douglas dragan driss duncan dung dustin dwayne dylan ebba eddie edgar edith edmund edna edoardo eduardo edward edwin eero effie efua eileen eilidh einar eino eirik ekaterina elaine eleanor elena eleni eli elias elijah elin elina elio elisa
    elise eliza elizabeth ella elle ellen ellie elliot elliott elmer elodie eloise elsa elsie elton elvira emeka emil emile emilia emilio emily emma emmanuel emre enid enrique enzo eoghan eric erica erich erik erika erin ernest ernesto esme esmeralda esperanza estelle esther eszter ethan ethel etta eugene eunice eunji eva evan evangeline
    evelina evelyn evie ewan ezra fabian fabio fabricio fadi faisal fanny farah farai farid farida farouk fatima fatou federica federico felicia femi ferdinand fergus fernanda fernando ffion fifi finlay finley finn finnegan fiona fionn flavia fletcher florian florin floss floyd folake fran frances francesca francesco francine francis
    francisco franco francois franzi françois fraser frauke fred freddie freddy frederick freja freya frida fritz gabe gabor gabriel gabriela gabriella gabs galina gareth gary gaspard gauri gavin geeta gemma genevieve gennady geoff geoffrey george georgina gerald gerard gerd gerhard gertrude gethin giacomo giada gianluca gianmarco gianna
    gideon gilbert gillian gina ginevra ginny giorgio giovanni giselle gita giulia gladys gloria goncalo goran gordon gorka gosta graham grainne greg gregory greta gretchen gretel griffin grisha grzegorz guadalupe gudrun guilherme guillermo gunilla gunnar gunther gustav gustavo gwen gwilym gwyneth habib hadley haeun hakim hala hamid hamish
    hamza hana hanka hannah hannes hans harish harold harriet harris haruto hassan hattie havard hayley heather heba heidi heike heinrich heitor helen helena helga hend henrietta henrik henry herbert herman hermione hichem hilary hilda himari hina hiro hiroshi hiwot hoang honoka horace horst howard hubert huda hugh hugo hung huong hussain
    hussein hyejin hyun ian iara ibrahim idris ifeoma ignacio ignatius igor iker ikram ilaria ilmari iman imani immy imogen imran indira ines inez inga inge ingeborg ingrid inés ioana iona ionut irene irina irma iryna isaac isabel isabella isabelle isaiah ishaan ishita isla ismail isolde issy istvan itzel ivan ivana ivar izzy jacinta jackie
    jacob jacqueline jago jaime jake jakob jakub jamal james jamie jana jane janelle janet janice janine janis janne jared jarek jarvis jason javier jaya jayden jeff jeffrey jemima jenna jenni jennie jennifer jenny jens jeremy jermaine jerome jerry jess jesse jessica jessie jiho jill jillian jim jimmy jing jiri jisoo joachim joan joanna
    joanne joao joaquim joaquin jocelyn jodie joe joel joelle joerg johan johann johanna johannes john johnathan johnny jon jonah jonas jonathan joni joon jordi jorg jorge jose josef josefina joseph josephine josh joshua josie jovana joyce juan juanita judah judith judy juergen juha jukka jules julia julian juliana julie juliet juliette
    julius juma jungkook junko jurgen justin justine kacper kaede kaito kamal kamala kamau kamil kara karan kareem karen karim karima karin karina karl karla kasper kasun katalin katarina katarzyna kate katerina kateryna katharina katherine kathleen kathryn kathy katie katja katrin katrina katy katya kavita kavya kayla kayode kazuki kazuo
    keiko keira keisha keith kelly kelsey kendra kendrick kenji kenneth kenya kerry kerstin ketut kevin khadija khalid khoa kiara kieran kiki kimberley kimberly kira kiran kirsten kirsty klara klaus kofi konstantin kris krish krishna kristen kristian kristina krzysztof kumar kurt kwabena kwame kwesi kyle kylie lacey laila lakisha lakshmi
    lalita lana lara larissa larry lars lasith laszlo latisha latoya laura lauren lauri lavinia lawrence layla leah leandro leila leilani lena lenka lennart lenny leo leon leona leonard leonardo leonie leonor leopold leslie leticia lewis lexi leyla liam liana liesl lila lilian lilith lillian lina lindiwe lindsay lindsey linh linus lionel lisa
    lisbeth livia liza lizzie lloyd logan lois loki lola lorenzo loretta lori lorraine lotta lottie louis louisa louise lourdes loveday luana luca lucas lucia lucian luciana lucie lucille lucy lucía ludmila ludwig luigi luis luka lukasz luke lupe lydia lyla lyle lynette lynn lyudmila mabel macarena mack macsen madalena maddie madeleine
    madeline maelys maeve magda magdalena maggie magnus mags mahmoud maia mairi maisie malcolm malee malgorzata malik mallory mamadou mandy manfred manon manuel manuela marc marcel marcela marcella marcelo marcia marco marcos marcus marek maren margaret margarita margaux margherita margot maria mariam mariama mariana marianne mariano maribel
    marie marija marilyn mario marion marisa marisol marit marius marjorie marlene marlon marnie marta martha martin martina marty marvin marwa mary maryam massimo mateo mateusz mathias mathilda mathilde mathis matias matilda matilde matt matteo matthew matthias maud maura maureen maurice mauricio mavis maxim maxine maya meena meera megan
    mehmet melanie melinda melissa melvin merce meredith meriem merle meron meryl mia micah michael michaela michel michele michelle michiko mick micky miguel mihai mika mikael mikhail mikko mila mildred milena milica millie milly milo milos mimi mina minerva minh minho minji minjun minnie mira miranda miriam misha mitch mitchell mohammed
    moira molly mona monica monique montserrat monty morag morgan morris morwenna moses moshe muhammad murray mustafa mustapha mwangi myra nabil nabila nadezhda nadia nadine naima nanami nancy nandini nanette naoko naomi natalia natalie nataliya natasha nate nathalie nathan nathaniel natsuki nattapong neema neha neil nell nellie nenad nerea
    nerys neus neville ngozi nguyet niall niamh niccolo nicholas nico nicola nicolas nicole niels nigel nikhil niki nikita nikki nikola nikolai nikolas nils nina ning nisha nitin njeri nneka noah noel noelle noemi nomsa noor noora nora norah norma norman nour nuno nunzia nuria nurul nuwan nyla obinna oceane octavia odette oisin okafor oksana
    olaf olafur oleg olena olga oliver olivia oliwia ollie omar omari ondrej oriol orla orlando orson osama oscar oskar osman otieno otis ottavia ottilie otto ottoline ousmane owain owen ozzy pablo padma padraig paivi pamela paola paolo parvati pascal pasquale patrice patricia patricio patrick patrik patty paul paula paulina pauline paulo
    pavel pawel pedro peggy pekka per-olof percy perry petar peter petra petros petya phil philip philippa philippe phillip phoebe phuong phyllis pierre piotr polina polly pooja portia prakash preeti preston prisca priscilla priya priyanka putri quang quentin quincy quinn rachael rachel rachid radha radhika rafael rafaela raffaele ragnhild
    rahim rahul raisa rakesh raluca ramesh ramon ramona randall randi randy rania raphael rasha rashid rashida raul ravi rayan raymond razvan rebeca rebecca reggie regina reginald reid reina reinhard rekha renata renee rené resi reuben reza rhea rhiannon rhoda rhodri rhonda rhys riaz ricardo riccardo richard richie rick ricky rico riikka rika
    rima rina rishi rita robert rocio roger rohan roisin roland rolf romeo rona ronald ronan ronja ronnie rory rosa rosalie rosalind rosanna rosie roslyn roxana roxanne ruairi ruben rudo rudolf rudy rupert ruqayya russell rustam ruth ruwan ryan ryota saad saanvi sabine sabrina sachin sade sadie saeed safiya saga sagar sakura salim salma
    salman salvador salvatore samantha samar samara sami samia samina samir samira samuel sana sanaa sandra sanjay sanna santiago saoirse sara sarah sarita sascha sasha satoshi saul scarlett scott seamus sean sebastian selam selena selma seojun sepp serena sergei sergio seth shane shanice shaniqua shannon sharmila sharon shaun shauna shawn
    shaz sheila shelby sheldon shelly shira shirin shirley shivani shota shreya sian sidney sidra siegfried sigga signe sigrid sigurd silas silke silvia simon simona sindre sinead siobhan siobhán sioned sipho siriporn siti skylar sneha sofia sofie solange solene solomon solveig somchai sonia sonja soojin sooyoung sophia sophie soren sota
    soukaina spencer stacey stacy stan stanley stefan stefano stella sten steph stephan stephanie stephen steve steven stewart stjepan stuart suki sumaya sunita suraj suresh susan susanna susanne susie suzanne suzie sven svenja svetlana swati sybil sylvia sylvie søren tabitha tadeusz tadhg taeyang takeshi takumi talia tamar tamara tamika
    tammy tanisha tanvi tanya tara taras tarek tariq tasha tatiana tatyana tegan temitope tendai terence teresa tereza terrell terrence terry tesfaye tess tessa thabo thalia thandi thandiwe thanh thea thelma themba theo theodora theodore theresa thiago thibault thilini thomas thora thorsten thuy tiago tibor tiffany tihana tilda tilly timo
    timothy tina titus tobias toby todd tomas tomasz tommaso tommy tomoko tomás toni tonya tori tova tracey tracy trang travis trent trevor tricia trina trisha tristan trudy tuan tunde tuomas tuuli tuva tyler tyra tyrell tyrone tyson uche ulla ulrich umar unai ursel ursula usha usman vaclav valentin valentina valeria valerie vanessa varun
    vasily vera verena veronica vicki vicky vidya vihaan vijay vikram vince vincent vincenzo vinicius violeta virgil vitaliy vito vittoria vivek vivian vivienne vlad vladimir vladislav volodymyr vroni waleed walid walter wanda wanjiru warren wayan wayne wendell wendy werner wesley whitney wiebke wilbur wilfred wilhelm willa willem william
    willie wilma winifred winnie winona winston wojciech wolfgang xander xavier ximena xiomara xochitl yael yaroslav yasmin yasmina yasmine yemi yesenia yestin yevgeny ying yolanda yosef youssef yuka yuki yuko yulia yumi yuna yuri yusuf yuto yves yvette yvonne zach zachariah zachary zack zadie zahra zahraa zain zainab zane zanele zara zawadi
    zdenka zeinab zeke zelda zeynep zhang zhenya ziad zina zoe zofia zoltan zora zoran zoya zsofia zuri zuzanna
    """
)
# Given names that are words where they are written small.
WORDS_IN_LOWER_CASE = _words(
    """
    hung dung bola bao dean earl floss gene hank saga signe mina lan nan tad taj tori flo rick stan del lee kit jing chuck patty randy merle percy perry manon merce coco anil anis lupe pau rui sten stu mags troy bea bart bert mack mai rex sid sol tan ama ante ave demi duc gus hal jay kay ken lia lila lou mick ned pat pip ray rob sage sky
    sunny
    """
)
# Given names, and names of animals, that are words: their use decides.
WORDS_FOR_NAMES = _words(
    """
    ace alexandria amber angel april art ash aspen august austin autumn baker bandit basil bear bill birch biscuit bishop blue brandy briar brook brooklyn buck buddy bunny candy carolina cash chance charity chase cherry chester clay cliff colt cookie coral cruz crystal daisy dale dallas dash dawn destiny dev dick dixie dot dream drew duke
    earnest ebony echo ember eve faith fern flora fluffy forest frank gale ginger glen grace grant guy ham happy harley harmony hazel heath heaven herb hero holly honey hope houston hunter indigo iris ivy jack jade jet jewel journey joy june justice kent king kit lane lark laurel legend lily link lion lucky mac major mark marsh maverick may
    melody mercy merry miles ming misty mittens mochi nan norm nova nugget oak ocean olive onyx opal otter oz page paris pat patches patience pax peace pearl peg penny pepper phoenix pickles pierce pip poppy porter precious prince prudence quest rain ram raven ray rebel reed reef reign rich rio river rob robin rocky rod rook rose rosemary
    royal ruby rune rusty sage sailor saint salem sandy scout shadow sherry sierra skip sky smokey sol spike spring star sterling stew stone storm stormy story sue sultan summer sunny sutton tiger trinity tucker vale van vic violet wade waffles washington whiskers wilder will winter wolf woody wren young zen
    """
)
# Capitalised wherever they stand, and nobody's name.
CAPITAL = _words(
    """
    ac adhd ai am an app apr april asap assistant atm aug august aunt auntie bbq bmi bot btw ceo christmas cousin covid ct cto dad daddy dec december diwali diy dj dna dr easter eu eve faq feb february fri friday gif god gps grandma grandpa granny halloween hanukkah hiv hr human i i'd i'll i'm i've iban id internet ios iq it jan january jpg
    jr jul july jun june lol madam mama mar march may mba miss mom mommy mon monday mondays tuesdays wednesdays thursdays fridays saturdays sundays mr mri mrs ms mum new nhs nov november oct october ok okay omg papa pc pdf phd pin pm png prof ps ptsd ramadan rsvp sat saturday sep sept september sir sms sr ssn st sun sunday thanksgiving the thu thursday tue tuesday tv ui uk un uncle url us usa usb user ux
    valentine's vip wed wednesday wi-fi wifi xmas year year's q a
    """
)
# Common words: at the beginning of a sentence no names.
COMMON = _words(
    """
    able about absolutely account acting action actor actress actually adhd advice after afternoon again against age ah aha ahem air airport alarm alas album alcohol all allergies allergy almond almonds almost alone along already alright also although always amazing amazon amen and anger angry animal animals ankle anniversary announcement
    annoying another answer anxiety anxious anyone anything apartment app apparently apple apples appointment archery argh argument arm army around art arthritis article as asap asked asleep aspirin asthma at ate attention attic audio aunt authors autism autumn average avocado avocados awake award awesome awful awkward aww baby back backpack
    bacon bad badminton bag bags baguette bah baked bakery baking balance balcony ball ballet banana bananas band bank bar barbecue bark baseball basement basil basket basketball bath bathroom battery beach bean beans beard beautiful beauty because bed bedroom bee beef beer bees before beige being belly besides best bet better between big
    bike bikes bills biology bird birds birth birthday birthdays bit bitter black bladder blame blanket bless blind blog blood blue board boat body boiler bologna bone bones book booked books boring boss both bottle bottom bought bowl bowling box boy boyfriend boys brain brave bread break breakfast breakfasts breath bride bridge bright bring
    broccoli broke broken brother brothers brown brunch budget bug bugs bus buses business busy but butter button buy by bye cab cabin cable cafe café cake cakes call calligraphy calls came camera camp camping can cancer candle candles cappuccino car card cards care career careful carpet carrot carrots cars case cash cashews cat cats cause
    caution cavities cello ceramics cereal chair change changes chapter charge charger cheap check cheek cheers cheese cheesecake chemistry chemotherapy chess chest chicken child childhood children chill chin chips chocolate choir cholesterol chores church cinema circle city class classes clean clear clearly client clients climbing clock
    clothes cloud clouds cloudy club coach coat code coffee cold colleague colleagues college color colour come comedy comfort comfy coming company complete computer concert confession congrats congratulations contact content contract conversation cook cooked cookies cooking cool copy corn cost couch cough could country couple courage course
    court cousin cousins cow cows cozy crap crazy cream cricket crisis crochet croissant crossfit crowd cry cup curious currently curry curtains customer customers cut cute cycling dad daily dairy damn dance dancer dancing dang danger dark darts data date dates daughter daughters day days dead deadline deadlines deal dear death debt decision
    deep definitely degree delay delicious delivery dentist depends depression desert desk despite dessert details diabetes dialogue diary did diet difference different difficult dinner dinners director dirt dishes dishwasher disney distance divorce doctor doctors does dog doggo dogs doing done door doubt down drama drank dream dreams dress
    drill drink drinks drive driver driving drop drugs drums dry dude duh dumplings during dusk dust duty dyslexia each ear earlier early ears earth easy eating editor eek eggs eh eight eighty either elbow electricity elephant elephants elevator eleven else email emails emergency emotions empty end energy engine english enjoy enough entire
    entrance equal error escalator escape especially espresso essay even evening evenings event events eventually every everybody everyone everyone's everything evidence evil ew exactly exam exams excellent except excited exciting exercise exhausted exhausting expensive experience eye eyebrow eyes face facebook fact facts failed failure fair
    fake falafel fall false family famous fan fancy fantastic far farm fashion fast fat father fathers fault favorite favourite fear feedback feel feeling feelings feet fell felt fence fencing fever few fiction field fight fights film films final finally finals financially fine finger fingers finished fire first fish fishing fit five flat
    flight flights flip floor flour flower flowers flu flute fog follow following food foods fool foot football for force forecast forehead forever forget forgot fork form forty found four free freedom french fresh friday fridge fried friend friends friendship frog from front frozen fruit full fully fun funeral funny furniture future gah
    gallery game games garage garbage garden gardening garlic gas gate geez get getting gift gifts gin girl girlfriend girls give glad glass glasses glorious gloves gluten goal goals goat gods going gold golf gone good goodbye goodness google gosh gossip got government grades grain gran grandfather grandma grandmother grandpa grandparents
    grapes grass gray great green grey grief groceries grocery ground group growing guess guests guitar gums gutter gym ha had haha hair haircut half hall hammer hand hands happiness hard harsh hat hate have having hazelnuts he head headache headaches heading health healthy hear heard heart heat heater heating heavy heel hehe height
    helicopter hello help helpful her here hers hey hi high highlight hike hiking hill hip his history hit hiya hm hmm hobbies hobby hockey hold holiday holidays home homes homesick homework honest honestly honey horrible horse horses hospital hot hotel hour hours house houses housework how howdy however hug huge huh human humans hummus humor
    humour hundred hungry hurry hurt hurts husband ibuprofen ice idea ideas idiot if ignore ill illness imagine immediately important impossible improv in incredible indeed independent information ingredients injury innocent insane insects inside insomnia instagram instead insulin insurance interesting internet interview interviews into
    introverts invite is island issues it items its jacket jam jaw jazz jealous jeans jeez job jobs joke jokes journal joys judo juice jumper junk just justice karate keep ketchup kettle key keyboard keys kid kidney kids kimchi kind kindness kitchen kitten kittens kitty knee knees knew knife knitting knock knowledge lactose ladder lady lake
    lamb lamp land landlord language languages laptop last late lately later latex latte laughing laughter laundry law lawn lawyer lawyers lazy lead learn leave lectures left leg legs lemon lemonade lemons lesson lessons let lets letter letters lettuce liar library lie lies life lift light lights like lilies limited line lines lion lions lips
    list listen literally literature little live liver living load loads loan local location lock lol lonely long look lord loser loss lost lots loud love lovely lover low luck luckily luggage lunch lunches lung lungs mac machine mad made magic mail main makeup making man management manager managers managing many map marathon marathons march
    market marriage married masks massage match matcha math maths matter mattress maybe meals meaning meanwhile meat meditation meeting meetings meh melon member members memories memory men menu mess message messages met metal microsoft microwave middle midnight migraine migraines mild milk mind minds mine minor minus mirror miso mistake
    mistakes mixed mmm model mom moment mommy moms monday money monitor month months mood moon more morning mornings mosquitoes most mother mothers motorcycle mountain mountains mouse mouth move moved movie movies moving mower much mud mum mums murder muscles museum museums mushroom mushrooms music musicians mustard my myself myth nachos nah
    nail nails naked name names nap naturally nature near nearly neck necklace need neighbors neighbours neither nephew nerves nervous netflix never new news newspapers next nice niece night nightmare nightmares nights nine ninety no nobody nobody's noise none noodles noon nope normal normally north nose not note notes nothing notice novel
    now nuclear nudity number numbers nurse nurses nuts oat oatmeal oats object oddly of off offer office often oh oi oil okay old olives omelette on once one onion onions online only oof ooh oops open opening opera opinion or orange oranges order origami originally other others ouch our ours out outside oven over overall own owner owners
    pace package packing page pain pains paint painting pair pajamas pale pancakes panic paper paperwork paracetamol parents parking part partner party passed passion passport password past pasta pastry patience pay payday payment peace peanut peanuts pears peas pecans pen pencil penicillin people peppers perfect perfume perhaps period person
    personally pet pets pharmacy phew phone phones photo photography photos physics physio piano picture pictures pie pies pig pigeons pigs pilates pillow pills pineapple pink pinky pizza pizzas place places plan plane planned plans plant plants plastic plates play playing please plenty plot plus pocket poem poetry point police policy polite
    politics pollen pool poor pop popcorn pork positive possible possibly post pot potato potatoes pottery power practice prayer prayers pregnant present presents pressure pretty price prices printer priorities prison private probably problem problems profit program progress project projects promise promises promotion proof proud psst public
    pudding pull pumpkin punk pup puppies puppy pure purple puzzle puzzles quality queen question questions quick quickly quiet quietly quit quite rabbit rabbits race radiator radio rain rainbow rainy ramen random rap rare rarely rather raw read reading ready real realised reality really reason reasons recently recipe recipes reckon record
    red regarding reggae regret regrets relationship relationships relax religion remember reminder rent reply report request research respect rest restaurant restaurants results retirement revenge review rib rice rich ride rides right ring rip rising road roads roast robot robots rock rocks romance roof room roommates rough round router
    routine rowing rude rug rugby rule rules run running rush sad sadly safe safety said sailing salad salads salary sale salmon salsa salt same sandwich saturday sauce sausage sausages save saw say scared scary scented school schools science score scratch screen screwdriver scuba sculpture sea search season seasons seat seats second secret
    secrets security see seems self selfish sell send senior sense series serious seriously service sesame session set seven seventy several sewing sex shame shampoo share sharp she shed sheep shellfish shelter shh shift shirt shit shock shoes shop shopping shops short shorts shoulder show shower showers shows shrimp shut shy siblings sick
    side sight sign signs silence silly silver simple since singers single sister sisters situation six sixty size skating skiing skills skin skirt skull sleep sleepless sleepy slept slow slowly small smart smile smoke smoking snack snacks snake snakes snooker snow so soap soccer social socks soda sofa soft software sold soldiers solution
    some somebody somehow someone something sometimes somewhere son songs sons soon sorry sort soul sound sounds soup soups sour south space spaghetti speaking special speech speed spend spent spicy spider spiders spinach spine spoiler spoon sports spotify spring squirrels staff stage stairs standard stars start started starting station stay
    steak step steps stick still stomach stones stop stopped stories strange stranger strangers strawberries strawberry street streets stress strict string strong student students studies study studying stuff stupid style subject success such suddenly sugar suggestions suicide suit summer sun sunburn sunday sunglasses sunlight sunscreen
    sunset sunsets sunshine sup supper support sure surely surf surfing surgery surprise surprised surprisingly sushi swear sweater sweet sweets swim swimming swords symptoms syrup system ta table tablet tacos tada tail take taking talent talk talking tall tango tasks taste tax taxes taxi tea teacher teachers team teams tears technically
    techno technology teenagers teeth television tell tempeh ten tennis tent terrible terribly test tests text thank thanks that the theater theatre their them theme then theoretically therapist therapists therapy there these they thing things think thinking third thirsty thirty this those though thought thoughts thousand three thrilled
    throat through thumb thunder thursday thus ticket tickets tidy tie tiger tigers tiktok time times tiny tip tips tired title to toast toaster tobacco today toe toes tofu together toilet told tomato tomatoes tomorrow tongue tonight tons too took tools tooth top total touch tough tour tourists towards towel towels town toy toys traffic train
    training trains trash travel tree trees tried trip trips trouble truck true truly trust truth try trying tuesday tummy tuna turkey turn turns turtle turtles twelve twenty twice twins twitter two type typical ugh ugly uh um umbrella uncle under understanding unfortunately university unless unlike until up upgrade upstairs us usually
    vacation vaccine vaccines vacuum valid value van vanilla various vegan vegetables vegetarian vegetarians very video videos view village vinegar violence violin virus visit visitors vitamins voice voila volleyball volunteers voting wait walk walking walks wall walls walnuts want war warm warning wasps waste watch water watermelon waves we
    weak wealth weather website wedding weddings wednesday weed week weekend weekends weekly weeks weight weird welcome well welp went west wet whales what whatever wheat wheels when whenever where wherever which while whiskey whisky white who whoa whole whoops whose why wife wifi wild wind window windows wine wings winter wish wishes with
    without woah woke wolves woman women won wonder wonderful woo wood wool word words work worker workers working workout workouts works world worms worried worry worse worst worth would wound wow wowza wrist writers writing wrong yard yay yeah year years yeast yellow yep yes yesterday yet yikes yo yoga yogurt you young your yours youtube
    yup zebras zero zombies zoo zucchini
    """
)
# What a person does or is: behind a capitalised word that opens a sentence.
ACTS = _words(
    """
    admires adopted adored adores agreed and answered apologised apologized asked ate babysat babysits baked bakes beat became began borrowed bought brings broke brought burned burns burnt called calls came can can't cares carries cheated chose collects comes complained cooks could couldn't counts cried cries dances did didn't died dislikes
    divorced does doesn't draws dreams drinks drives dropped drove eats emailed ended enjoys expects explains fears feels felt fights figured finds fixed flew flies follows forgets forgot gave gets gives goes got got's graduated grew grows had hadn't has hasn't hated hates heard hears held helped helps hiked hikes holds hoped hopes hosted
    hosts hugged hugs hurt insisted introduced invited invites is isn't joined joked jokes jumps keeps kept kicks kissed kisses knew knits knows laughed laughs leads leans learns leaves left lends lent let lets lied lies liked likes listens lived lives looked looks loses lost loved loves makes married means meets mentioned met minds missed
    misses moved moves nags names needed needs offers opened opens orders organised organized owed owes owned owns painted paints passed pays phoned picked picks planned plans played plays prays prefers promised promises proposed pulls pushes puts quit ran rang reads reckons recommended recommends refused remembered remembers retired rides
    rings rode rules runs said sat says screamed seemed seems sends sent sets shares shouts showed shows shuts sings sits skips sleeps slept smells smiled smokes snored snores sold sounded sounds speaks spends spent spoke stands stares started starts stayed stays steals stole stood stopped stops studied studies suffers suggested swam swears
    swims swore takes talked talks taught teaches tells texted texts thinks thought threw throws told traveled travelled travels tried tries turned turns understands used uses visited visits waited waits wakes walked walks wanted wants was wasn't watched watches waved wears went whispered will wished wishes woke won won't wondered wonders
    wore worked works worried worries would writes wrote yelled yells paid drank sang
    """
)
# Peoples, languages and faiths.
DEMONYMS = _words(
    """
    english british scottish welsh irish american canadian mexican brazilian argentinian chilean peruvian colombian spanish portuguese french german italian dutch belgian swiss austrian polish czech hungarian romanian bulgarian greek turkish russian ukrainian swedish norwegian danish finnish icelandic estonian latvian lithuanian serbian
    croatian chinese japanese korean vietnamese thai indian pakistani bangladeshi indonesian malaysian filipino australian egyptian moroccan nigerian kenyan ethiopian israeli iranian iraqi arab arabic european asian african latin mandarin cantonese hindi catholic christian muslim jewish buddhist hindu
    """
)
# Before a name, and no part of it.
TITLES = _words(
    """
    mr mrs ms miss dr prof professor sir madam lord lady uncle aunt auntie aunty grandma grandpa granny granddad grandad grandmother grandfather nana nan nanna papa pops father sister brother cousin captain coach officer judge president king queen prince princess saint st nurse doctor sergeant rabbi pastor imam reverend
    """
)
# Whose name may stand right behind: my sister Ines.
KIN = _words(
    """
    sister brother mom mum mother dad father wife husband son daughter girlfriend boyfriend gf bf partner fiance fiancé fiancee fiancée grandma grandmother grandpa grandfather aunt auntie uncle cousin niece nephew friend bestie bff mate buddy boss manager roommate flatmate housemate neighbour neighbor teacher tutor coach therapist colleague
    coworker classmate landlord landlady ex dog cat puppy pup kitten hamster rabbit parrot horse pony goldfish turtle tortoise baby twin twins grandson granddaughter stepdad stepmom stepmum stepsister stepbrother sis bro kid boy girl guy student patient client assistant hairdresser dentist vet nanny godmother godfather godson goddaughter
    mentor supervisor professor lawyer doctor
    """
)
# Between the parts of a name: van der Berg.
PARTICLES = _words(
    """
    van der den de la le las los del della di da do dos das du von zu zur ten ter al el bin ibn bint y e san af av
    """
)
# Months that are names of people as well.
MONTHS = _words(
    """
    april may june august
    """
)
# Before a thing, not before a person.
DETERMINERS = _words(
    """
    a an the this that these those some any every each no another my your his her its our their which what
    """
)
# Before a place.
PLACE_AHEAD = _words(
    """
    in at near around visited visiting outside towards via from to
    """
)
# Before "to" and "from" where a place follows.
MOVES = _words(
    """
    go goes going went gone moved move moving trip travel travelled traveled traveling flew fly flying drove back returned live lives lived living born grew based visiting home here came come comes coming is are was were am arrived arriving arrive grow
    """
)
# What is watched, read, used or eaten follows.
THING_AHEAD = _words(
    """
    watch watched watching read reading play played playing use used using bought buy buying drive driving drink drank drinking eat ate eating speak speaks spoke speaking learn learned learnt learning study studied studying wear wearing own owns owned install installed download downloaded take takes took taking carry carries listening stream
    streamed binge binged finished started rewatched reread on with
    """
)
# A person follows as well.
PERSON_AHEAD = _words(
    """
    with and met meet told tell asked ask called named call miss missed love loved hate hated know knew saw see thanks thank hi hey hello dear said says by for from to let visit gave give lent sent send texted emailed phoned marry married date dating dated kissed hugged about than bye congrats birthday sorry w/ spotted dumped ghosted invited
    or but
    """
)
# Behind an apostrophe that shortens: don't, I'm; but O'Brien.
SHORTENED = _words(
    """
    s t m re ve ll d
    """
)
# Behind a word that is a verb, not a name: mark my words.
NO_SUBJECT_BEHIND = _words(
    """
    i you he she it we they my your his her its our their the a an this that these those to in on at of from for me us them up out off
    """
)
# Between a subject and its verb.
ADVERBS = _words(
    """
    never always just really still also already finally only even actually often usually sometimes probably definitely
    """
)
# Names that are matters as well, of which something may be said: Summer is too short; Summer is visiting.
MATTERS = _words(
    """
    summer autumn spring winter hope joy faith grace peace art justice patience charity harmony melody honey rain sky dawn love april may june august chance blue indigo coral cash cookie candy ginger pepper basil sage rosemary lily daisy iris violet olive star heaven destiny ice stone river forest reef sunny dream cherry mercy snow storm
    """
)
# Said to somebody who is named before a comma.
TO_SOMEBODY = _words(
    """
    are you can did do does what where have get come look stop help wait please thanks call don't why how who when is was could would will should pick bring tell give let listen i i'm it's we remember guess
    """
)
# Before at, where somebody works or learns.
WORKS = _words(
    """
    work works worked working job intern interned interning position role career start started starting hired employed engineer manager nurse consultant study studies studied studying student enrolled degree
    """
)
# Verbs behind a subject.
MODALS = _words(
    """
    may might will would can could should must
    """
)
# Verbs that say something of matters and people alike.
COPULAS = _words(
    """
    looks seems feels sounds looked seemed felt sounded ends starts helps means makes is was has had will would can could isn't wasn't
    """
)
# Behind kin where no name follows: my sister is.
NO_NAME_BEHIND_KIN = _words(
    """
    is was has had and or but who that which with in at on for from to of as so just also still really always never only now then today yesterday tomorrow tonight lives works said told got went goes came comes will would can could does did doesn't isn't wasn't calls called loves hates thinks wants needs likes made makes because when while if
    not the a an my your his her our their both too here there about over after before again even thing things food foods house home
    """
)
# Before a given name in lower case.
LOWER_AHEAD = _words(
    """
    with and from to for told tell ask asked met saw miss love thanks hi hey hello dear by at gave call text about like than hate know or
    """
)
# What one is called that is no name: call me later.
NO_CALLING = _words(
    """
    later when if back a an the crazy old me maybe tomorrow tonight today now soon names whatever anything anytime again stupid lazy weird insane dramatic paranoid on in at from before after asap first lucky sentimental sensitive nuts picky boring basic about for once out up so it that this by and or but not mad silly cheesy skeptical naive
    biased jealous selfish spoiled
    """
)
