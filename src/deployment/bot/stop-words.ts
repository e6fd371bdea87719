import { wordsOf } from "./words.ts";

const texts: Record<string, string> = {
  en: `a an the and or but if of in on at to for from by with about as is are was were be been am do does did doing
    have has had i you he she it we they me my your his her its our their this that these those there what which who
    whom whose when where why how can could will would should may might must shall not no so than then too also just
    please tell any some many much into over s t im up out us`,
  es: `el la los las un una unos unas y e o u pero si de del en a al por para con sin sobre como es son era eran fue
    fueron ser sido esta estan estaba estar hay ha han habia haber yo tu usted el ella ellos nosotros me mi mis te su
    sus se lo le les nos que qué cual cuál cuales cuáles quien quién quienes cuando cuándo donde dónde cuanto cuánto
    cuanta cuánta cuantos cuántos cuantas cuántas no ni ya muy mas más este esta estos estas ese esa eso esto aquel
    puedo puede pueden tengo tiene tienen hago hace debo debe favor entre hasta desde tambien también cómo porque`,
  hi: `का के की को में से पर है हैं था थे थी हो होता होती होते हुआ हुई हुए और या तो भी ही ने एक यह ये वह वे वो इस उस इन उन
    इसके उसके इसकी उसकी मैं मुझे मेरा मेरे मेरी हम हमें हमारे आप आपको आपका आपके आपकी क्या कौन कौनसा कौनसी कब कहां कहाँ क्यों कैसे
    कितना कितने कितनी किस किसे किसने किसका किसके किसकी किन जो जब तक लिए साथ कर करता करते करती करना किया करने करें गया गई गए जा सकता
    सकते सकती रहा रहे रही नहीं न मत कि अगर द्वारा बाद पास होगा होगी दिया अपने कुछ रहता रहती`,
  ar: `في من على الى إلى عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم انا أنا نحن انت أنت ما ماذا من متى اين أين كيف
    كم لماذا هل أي اي أو او و ثم أن ان إن كان كانت يكون تكون لا لم لن ليس قد كل بعد قبل عند لي لك له لها لنا يمكن
    يمكنني استطيع أستطيع بها به فيها فيه`,
  sw: `na ya wa la za cha vya kwa ni si katika kwenye au lakini kama hii hiyo huo huu hizi hilo hili yake yangu yako
    wangu wako langu lako zangu zako mimi wewe yeye sisi nini nani lini wapi gani ngapi vipi je kuwa ambao ambayo
    ambaye pia tu sana bado hadi kutoka kuhusu ninaweza naweza tunaweza kwamba ili mwa`,
  am: `ነው ናቸው ነበር እና ወይም ግን ላይ ውስጥ ለ በ ከ የ ወደ ይህ ያ እኔ አንተ አንቺ እርስዎ እሱ እሷ እኛ እነሱ ምን ማን መቼ የት እንዴት ለምን ስንት
    የትኛው ነኝ አለ አለኝ ይችላል እችላለሁ ሆነ ስለ እንደ ብቻ`,
};

/** Languages that the bots have words and phrases for. */
export const stopWordLanguages = Object.keys(texts);

const byLanguage = new Map(Object.entries(texts).map(([language, text]) => [language, new Set(wordsOf(text))]));

const all = new Set(Object.values(texts).flatMap(wordsOf));

/** The words of a language that say nothing about what is asked; of all known languages when it is null or unknown. */
export function stopWords(language: string | null): ReadonlySet<string> {
  return (language === null ? undefined : byLanguage.get(language)) ?? all;
}
