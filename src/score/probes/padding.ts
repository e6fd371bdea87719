/** Sentences that say nothing new, by language. */
const sentences: Readonly<Record<string, readonly string[]>> = {
  en: [
    "That is the answer.",
    "To say it once more in other words, it is as it was said above.",
    "This is what there is to be said about the question that was asked.",
    "In short, the answer to the question is the one that was given here.",
  ],
  es: [
    "Esa es la respuesta.",
    "Dicho de nuevo con otras palabras, es como se ha dicho más arriba.",
    "Esto es lo que se puede decir sobre la pregunta que se ha hecho.",
    "En resumen, la respuesta a la pregunta es la que se ha dado aquí.",
  ],
  fr: [
    "Voilà la réponse.",
    "Pour le dire encore en d'autres mots, c'est comme il a été dit plus haut.",
    "C'est ce que l'on peut dire sur la question qui a été posée.",
    "En bref, la réponse à la question est celle qui a été donnée ici.",
  ],
  de: [
    "Das ist die Antwort.",
    "Noch einmal mit anderen Worten gesagt: es ist so, wie es oben steht.",
    "Das ist es, was sich zu der gestellten Frage sagen lässt.",
    "Kurz gesagt ist die Antwort auf die Frage die, die hier gegeben wurde.",
  ],
  pt: [
    "Essa é a resposta.",
    "Dito de novo com outras palavras, é como se disse acima.",
    "Isto é o que se pode dizer sobre a pergunta que foi feita.",
    "Em resumo, a resposta à pergunta é a que foi dada aqui.",
  ],
  hi: [
    "यही उत्तर है।",
    "दूसरे शब्दों में एक बार फिर कहें तो बात वही है जो ऊपर कही गई है।",
    "पूछे गए प्रश्न के बारे में यही कहा जा सकता है।",
    "संक्षेप में, प्रश्न का उत्तर वही है जो यहाँ दिया गया है।",
  ],
  ar: [
    "هذا هو الجواب.",
    "وبعبارة أخرى مرة ثانية، الأمر كما ذُكر أعلاه.",
    "هذا ما يمكن قوله عن السؤال الذي طُرح.",
    "باختصار، الجواب عن السؤال هو ما ورد هنا.",
  ],
  sw: [
    "Hilo ndilo jibu.",
    "Kwa maneno mengine tena, ni kama ilivyosemwa hapo juu.",
    "Hili ndilo linaloweza kusemwa kuhusu swali lililoulizwa.",
    "Kwa kifupi, jibu la swali ni hilo lililotolewa hapa.",
  ],
  am: [
    "መልሱ ይህ ነው።",
    "በሌላ አነጋገር እንደገና ሲገለጽ ከላይ እንደተባለው ነው።",
    "ስለተጠየቀው ጥያቄ ሊባል የሚችለው ይህ ነው።",
    "ባጭሩ የጥያቄው መልስ እዚህ የተሰጠው ነው።",
  ],
};

/** By how much an answer becomes longer at least. */
const added = 0.5;

/**
 * An answer with sentences behind it that say nothing new, so that it is longer by half or a little more; null for a blank one, and in
 * a language in which there are none.
 */
export function padded(text: string, language: string): string | null {
  const own = sentences[language];
  const plain = text.trim();
  if (own === undefined || plain === "") return null;
  let padding = "";
  for (let next = 0; padding.length < added * plain.length; next++) padding += ` ${own[next % own.length] ?? ""}`;
  return plain + padding;
}
