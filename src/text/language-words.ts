/**
 * The commonest words of languages that share their script with others, by which they are told apart: those that are
 * common in one of them. Words of a single letter count where few others have them.
 */
export const commonWords: Record<string, string> = {
  // Latin
  en: "the of and to in is you that it he was for on are as with his they at be this have from or one had by not but what all were we when your can said there use an each which she do how their if will up other about out many then them these so some her would make like him into time has look two more go see no way could people my than first been call who its now find long down day did get come made may part yes please hello",
  es: "de la que el en y los se del las un por con no una su para es al lo como más pero sus le ya este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros ese eso ante ellos esto mí antes algunos qué unos yo otro otras otra él tanto esa estos mucho nada muchos cuál poco ella estar puede hola gracias usted está son fue abre cierra lunes martes miércoles jueves viernes sábado domingo puedes tiene hace nuestro nuestra tarjeta",
  fr: "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se il ce sont avec mais ou je nous vous comme son ses cette été être ont fait leur aux elle tout on même ces sans peut bien où si ils aussi deux très mon votre notre quand faire bonjour merci oui non c'est",
  de: "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei ich wir kann ihr ihre bitte danke ja nein wenn hier diese dieser",
  pt: "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus quem nas me esse eles estão você tinha foram essa num nem suas meu às minha têm olá obrigado sim são",
  it: "di e il la che in un a è per una non sono si con da come ma le i del nel alla dei della al lo gli anche ha più questo se della delle suo sua ci o ed nella dalla essere stato ho molto quando tutto era fatto hanno cosa dopo grazie ciao sì mi ti perché dove chi loro questa quello",
  nl: "de van een het en in is dat op te zijn met voor niet die er aan om als ook dan maar bij nog uit door naar heeft worden was wordt ik je hij zij we u kan deze dit over zo tot geen wat of hebben meer had moet jij mijn hun haar kunt alstublieft dank ja nee hallo",
  sv: "och att det i en är som på av för med den till inte om har de ett han var jag men vi från så kan när eller vad sig hon också efter skulle där denna detta vara ska bara blir mycket alla ingen sin sina mot hej tack ja nej du ni",
  da: "og i at det er en til af på for med den der som de har et ikke om var fra men jeg han vi kan så eller hvad også efter når skal ved blev være ud hun over denne dette op ind noget hej tak ja nej du meget",
  nb: "og i det er på som en til å av for med den at har de ikke ikkje eg ein dei kva korleis frå om et var fra men jeg han vi kan så eller hva også etter når skal ved ble være ut hun over denne dette opp inn noe hei takk ja nei du deg veldig",
  fi: "ja on ei että se hän oli mutta ovat kun niin tai myös kuin joka mitä jos voi olla sen minä sinä me te he tämä ole vain nyt hyvin kaikki sitten siitä mukaan jälkeen kanssa moi kiitos kyllä",
  pl: "i w na z do to się nie jest o że jak za po od przez dla przy ale czy co tym być ma już tak tylko może są ich tego jego lub był które który ze jako też bardzo gdy tej można oraz cześć dziękuję proszę jestem",
  cs: "a je v se na to že s z do o k za by jsem ale jako po pro není tak co jak nebo když už od při však byl jsou být které který také jen může než až ještě bylo dobrý děkuji prosím ano ne bohužel můžete můžu jste jsme vám vás nás pouze tato tento toto této momentálně děkujeme kde proto protože budete musíte ve ke ze která kteří den hodin",
  sk: "a je v na sa že to s z do o ako za si ale po aj by som nie od pre k sú ktoré ktorý ktorá tak ich bol bola bolo čo iba len môže môžete môžem vám vás nás pri už ešte keď alebo podľa však veľmi mať má tento táto toto kde kto prečo dnes prosím ďakujem žiaľ bude budú ste sme tu tam áno lebo medzi cez bez pred keby",
  sl: "a in je se da na za so su ne z s po ki pa v od do o kot bi še ali pri tudi lahko bo iz le ni to si kar če ga kako samo ko jih bil bila bilo kaj več zelo med te tako ima že ob sem smo ste sta bodo ker kje kdo zdaj zato kadar vam vas nas jo mi prosim hvala žal danes trenutno pred brez nič vse vsak katera kateri katero ta tega temu vaš naš potem dopoldne popoldne dan",
  hr: "a i u do je da se na za su od s sa ne što šta koji koja koje kao ali iz to o po bi biti će ili kada kad gdje gde vrlo veoma može možete mogu sam nije smo ste ima samo sve još već kako nakon prije pre zbog također takođe bez kod dok sada ovdje ovde naš vaš vas vam ovo ova taj treba svaki svakog dana danas sutra između oko prema tako jer hvala molim dobar dan nisu bio bila bilo kroz preko te nego vrijeme vreme sati časova vikendom karticom gotovinom nažalost trenutno trenutačno dostupna dostupno radno petka nedjeljom nedeljom subotom članska",
  ro: "și de la a în cu pe nu este că un o din mai pentru ce au fost sau sunt care se ca dar când prin după cum fi dacă doar acest această lui ei mă te noi vă da mulțumesc bună",
  hu: "a az és hogy nem is egy van ez azt meg de ha mint csak már volt el kell még vagy ki minden lesz amely ami ezt nagyon lehet után igen köszönöm én te ő",
  tr: "ve bir bu da de için ile çok ne o gibi daha var olarak kadar sonra değil en ben sen biz siz ya mi mı olan ama her şey kendi ancak veya nasıl diye evet hayır merhaba teşekkürler lütfen ise",
  vi: "và của là có được cho không các trong một với những người đã này để khi đến từ về như bạn tôi ở sẽ vào ra cũng nhiều phải rất hay còn nếu làm gì thì mà theo năm vâng xin chào cảm ơn",
  id: "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena tersebut bisa ada mereka lebih kata tahun sudah atau saat oleh menjadi orang telah adalah seperti kami kita anda dapat hanya apa jika terima kasih ya bukan sangat",
  tl: "ang ng sa na mga at ay ito si ni para kung ko mo hindi siya may ka nang lang din po opo ano dito kayo niya sila iyon naman pero dahil salamat",
  sw: "na ya wa kwa ni katika la za kuwa hii hiyo cha ambayo pia au si yake lakini kama huu hilo hapa watu sana kila baada wakati hivyo vya tu alikuwa mtu yao wao mimi wewe yeye sisi hawa hizo kupitia je ndiyo hapana habari asante tafadhali siku saa unaweza gani nini",
  ha: "da a na ya ta wa ba shi su mai cikin don kuma ne ce daga zuwa wannan ke sun yana tana suna amma idan lokacin kan ko har kamar yadda mutane bayan haka ni kai mu ku nagode sannu",
  yo: "ni ti sí àti ó wa fún pé kò bí ń náà láti inú àwọn yìí kan tó mo wọ́n a rẹ̀ jẹ́ ṣe lọ wá nítorí gbogbo ẹ jọ̀wọ́ bẹ́ẹ̀",
  zu: "ukuthi futhi noma uma kodwa njengoba lapho ngoba yini kanjani mina wena thina nina bona yebo cha ngiyabonga sawubona kakhulu manje la le lo",
  so: "oo ka iyo waa ku in ah la uu ay soo u wuxuu waxaa aan ma laga si kale haddii waxay ayaa kuwa isaga iyada haa maya mahadsanid fadlan badan",
  om: "fi kan akka irra hin keessatti ta'e jira ani ati isaan nuti garuu yoo immoo waan kana sana maal akkam galatoomi eeyyee lakki",
  // Devanagari
  hi: "के है में की और से का को हैं पर ने यह एक भी कि जो हो इस था नहीं तो ही या कर आप मैं हम लिए साथ गया थे थी अपने कुछ बहुत जब क्या कैसे कहाँ वह दिया करने बाद हाँ रहा रहे रही होता होती सकते सकता कृपया धन्यवाद",
  mr: "आहे आणि या व ते ही हे की तो मध्ये नाही आहेत होते होता करून साठी त्या मी तुम्ही आम्ही आपण काय कसे कुठे पण एक असे झाले केले येथे त्यांनी त्याच्या जे असून होय धन्यवाद कृपया",
  ne: "छ र मा को हो पनि यो भने गर्न हुन्छ छन् गरेको थियो लागि एक तपाईं म हामी के कसरी कहाँ तर हुने भएको उनी गर्ने छैन धन्यवाद कृपया बाट लाई",
  // Arabic letters
  ar: "في من على أن إلى هذا عن مع لا هذه ما التي الذي كان هو هي أو لم قد بين كل بعد قبل حيث عند كما ذلك غير إذا حتى نحن أنا أنت يمكن لكن ثم أي كيف متى أين نعم شكرا مرحبا",
  fa: "و در به از که این است را با برای آن یک خود تا کرد بر هم شد می شود باید اما یا شما من ما او آنها چه کجا چگونه است‌ بود نیست دارد هستند بله خیر سلام ممنون لطفا کنید",
  ur: "کے ہے میں کی اور سے کا کو ہیں پر نے یہ ایک بھی کہ جو ہو اس تھا نہیں تو ہی یا کر آپ ہم لیے ساتھ گیا تھے تھی اپنے کچھ بہت جب کیا کیسے کہاں وہ ہاں شکریہ براہ",
  ps: "د په او چې نه له دا کې ته یې سره هم دي شوي کړي وي خو ده لپاره زه تاسو موږ څه هو مننه",
  // Cyrillic
  ru: "и в не на что с как это по из он но за к то у же от бы для так все его а о вы мы они я только или быть был когда если уже при нет да очень чтобы можно где который привет спасибо пожалуйста",
  uk: "і в не на що з як це до та у за від він але його про для так який ви ми вони я тільки або бути був коли якщо вже при ні дуже щоб можна де та є й привіт дякую будь ласка",
  bg: "и в на да се не за от с че е по са като до си ще със или това при но как той аз вие ние те има може след когато къде много ли ако здравей благодаря моля",
  sr: "и у је да на се за са не од што су као који из али то о ће по би бити или када ако где врло може сам здраво хвала молим",
  mn: "байна байгаа байсан нь юм энэ бол ба болон гэж хүн та бид тэр ямар хэрхэн биш үгүй тийм баярлалаа сайн уу мөн хаана хэзээ бүх дээр болно байх тухай гэсэн юу өдөр цагаас цаг",
  kk: "және бір бұл үшін мен де да деп болып осы сол емес бар жоқ қалай қайда сіз біз олар бойынша туралы сәлем рахмет иә",
  // Bengali letters
  bn: "এবং এই থেকে করে না একটি হয় তার জন্য কি যে সঙ্গে আমি আপনি আমরা তিনি পর কিন্তু করা হয়েছে আছে কোথায় কেন কীভাবে হ্যাঁ ধন্যবাদ ও",
  as: "আৰু এই পৰা কৰি নহয় এটা হয় তাৰ বাবে কি যে মই আপুনি আমি তেওঁ পিছত কিন্তু কৰা হৈছে আছে ধন্যবাদ",
  // Ethiopic
  am: "ነው እና ላይ ውስጥ ግን እንደ ይህ ወደ ነበር አለ የለም ምን እንዴት የት እኔ አንተ እኛ እርስዎ ለ ከ ጋር ናቸው ነበሩ ይችላሉ አዎ አይደለም ሰላም አመሰግናለሁ እባክዎ ደግሞ ብቻ",
  ti: "እዩ ኣብ ናይ እቲ እዚ ድማ ግን ከም ናብ ነበረ ኣሎ የለን እንታይ ከመይ ኣበይ ኣነ ንሕና ንስኻ እዮም ምስ እወ ኣይኮነን ሰላም የቐንየለይ በጃኹም",
  // Hebrew letters
  he: "של את על לא זה הוא עם כי גם אני אתה אנחנו היא מה איך איפה אבל או אם יש אין כל היה כן תודה שלום בבקשה",
  yi: "און איז די דער צו פון אין נישט מיט ער זי עס וואָס איך דו מיר אָבער אויף יאָ דאַנק",
};
