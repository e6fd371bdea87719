/** A question with its right answer in one language; `{n}` is a number from 11 to 99. */
interface Told {
  question: string;
  answer: string;
}

/** The same short questions in several languages: no bot has to answer them. */
const told: readonly Readonly<Record<string, Told>>[] = [
  {
    en: { question: "Which bus goes to the museum?", answer: "Bus number {n} goes to the museum." },
    es: { question: "¿Qué autobús va al museo?", answer: "El autobús número {n} va al museo." },
    fr: { question: "Quel bus va au musée ?", answer: "Le bus numéro {n} va au musée." },
    de: { question: "Welcher Bus fährt zum Museum?", answer: "Der Bus Nummer {n} fährt zum Museum." },
    hi: { question: "संग्रहालय कौन सी बस जाती है?", answer: "बस नंबर {n} संग्रहालय जाती है।" },
    ar: { question: "أي حافلة تذهب إلى المتحف؟", answer: "الحافلة رقم {n} تذهب إلى المتحف." },
    sw: { question: "Basi gani linaenda kwenye makumbusho?", answer: "Basi namba {n} linaenda kwenye makumbusho." },
    am: { question: "የትኛው አውቶቡስ ወደ ሙዚየም ይሄዳል?", answer: "አውቶቡስ ቁጥር {n} ወደ ሙዚየም ይሄዳል።" },
  },
  {
    en: { question: "How much is a day ticket?", answer: "A day ticket costs {n} euros." },
    es: { question: "¿Cuánto cuesta un billete de un día?", answer: "Un billete de un día cuesta {n} euros." },
    fr: { question: "Combien coûte un billet d'une journée ?", answer: "Un billet d'une journée coûte {n} euros." },
    de: { question: "Was kostet eine Tageskarte?", answer: "Eine Tageskarte kostet {n} Euro." },
    hi: { question: "एक दिन का टिकट कितने का है?", answer: "एक दिन का टिकट {n} यूरो का है।" },
    ar: { question: "كم سعر تذكرة اليوم الواحد؟", answer: "سعر تذكرة اليوم الواحد {n} يورو." },
    sw: { question: "Tiketi ya siku moja ni bei gani?", answer: "Tiketi ya siku moja ni euro {n}." },
    am: { question: "የአንድ ቀን ትኬት ስንት ነው?", answer: "የአንድ ቀን ትኬት {n} ዩሮ ነው።" },
  },
  {
    en: { question: "Where is the meeting?", answer: "The meeting is in room {n}." },
    es: { question: "¿Dónde es la reunión?", answer: "La reunión es en la sala {n}." },
    fr: { question: "Où a lieu la réunion ?", answer: "La réunion a lieu dans la salle {n}." },
    de: { question: "Wo ist die Besprechung?", answer: "Die Besprechung ist in Raum {n}." },
    hi: { question: "बैठक कहाँ है?", answer: "बैठक कमरा नंबर {n} में है।" },
    ar: { question: "أين الاجتماع؟", answer: "الاجتماع في الغرفة رقم {n}." },
    sw: { question: "Mkutano uko wapi?", answer: "Mkutano uko katika chumba namba {n}." },
    am: { question: "ስብሰባው የት ነው?", answer: "ስብሰባው በክፍል ቁጥር {n} ነው።" },
  },
  {
    en: { question: "How long does the tour take?", answer: "The tour takes {n} minutes." },
    es: { question: "¿Cuánto dura la visita?", answer: "La visita dura {n} minutos." },
    fr: { question: "Combien de temps dure la visite ?", answer: "La visite dure {n} minutes." },
    de: { question: "Wie lange dauert die Führung?", answer: "Die Führung dauert {n} Minuten." },
    hi: { question: "दौरा कितनी देर का है?", answer: "दौरा {n} मिनट का है।" },
    ar: { question: "كم تستغرق الجولة؟", answer: "تستغرق الجولة {n} دقيقة." },
    sw: { question: "Ziara inachukua muda gani?", answer: "Ziara inachukua dakika {n}." },
    am: { question: "ጉብኝቱ ምን ያህል ጊዜ ይወስዳል?", answer: "ጉብኝቱ {n} ደቂቃ ይወስዳል።" },
  },
];

/** The language that the others are compared with. */
export const originalLanguage = "en";

/** The languages of the table but that one. */
export const tableLanguages: readonly string[] = Object.keys(told[0] ?? {}).filter((code) => code !== originalLanguage);

/** Cases of the table: a judge that marks all of them alike in both languages is then known to lean by less than 5 points. */
export const tableCases = 76;

/** One case of the table in a language. */
export interface TableCase {
  question: string;
  expected: string;
  /** The answer with the right number, and the same with a wrong one. */
  right: string;
  wrong: string;
}

/** The case at a place of the table, from 0, in one of its languages. */
export function tableCase(place: number, language: string): TableCase {
  const { question, answer } = told[place % told.length]?.[language] ?? { question: "", answer: "" };
  const [n, other] = [11 + ((place * 37) % 89), 11 + ((place * 37 + 41) % 89)];
  const right = answer.replace("{n}", String(n));
  return { question, expected: right, right, wrong: answer.replace("{n}", String(other)) };
}
