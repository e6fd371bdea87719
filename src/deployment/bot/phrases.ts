import type { TextByLanguage } from "./bot-settings.ts";

/** Ways to begin an answer, used above temperature 0. */
export const openings: Record<string, string[]> = {
  en: ["Sure.", "Here is what I found.", "Good question.", "As far as I know:", "Of course."],
  es: ["Claro.", "Esto es lo que encontré.", "Buena pregunta.", "Hasta donde sé:", "Por supuesto."],
  hi: ["ज़रूर।", "मुझे यह जानकारी मिली।", "अच्छा सवाल है।", "जहाँ तक मुझे पता है:", "बिल्कुल।"],
  ar: ["بالتأكيد.", "هذا ما وجدته.", "سؤال جيد.", "على حد علمي:", "طبعًا."],
  sw: ["Ndiyo.", "Haya ndiyo niliyopata.", "Swali zuri.", "Kwa ninavyojua:", "Bila shaka."],
  am: ["እሺ።", "ያገኘሁት ይህ ነው።", "ጥሩ ጥያቄ ነው።", "እስከማውቀው ድረስ፦", "በእርግጥ።"],
};

/** Phrases that the named tones put around an answer. */
export const tones: Record<"plain" | "formal" | "friendly", { prefix: TextByLanguage; suffix: TextByLanguage }> = {
  plain: { prefix: "", suffix: "" },
  formal: {
    prefix: {
      en: "Thank you for your enquiry.",
      es: "Gracias por su consulta.",
      hi: "आपके प्रश्न के लिए धन्यवाद।",
      ar: "شكرًا على استفساركم.",
      sw: "Asante kwa swali lako.",
      am: "ስለ ጥያቄዎ እናመሰግናለን።",
    },
    suffix: {
      en: "Please do not hesitate to contact us again.",
      es: "No dude en volver a contactarnos.",
      hi: "कृपया निःसंकोच दोबारा संपर्क करें।",
      ar: "لا تترددوا في التواصل معنا مجددًا.",
      sw: "Tafadhali usisite kuwasiliana nasi tena.",
      am: "እባክዎ እንደገና ለማነጋገር አያመንቱ።",
    },
  },
  friendly: {
    prefix: { en: "Hi there!", es: "¡Hola!", hi: "नमस्ते!", ar: "أهلًا بك!", sw: "Habari!", am: "ሰላም!" },
    suffix: {
      en: "Hope that helps! 😊",
      es: "¡Espero que te sirva! 😊",
      hi: "उम्मीद है इससे मदद मिलेगी! 😊",
      ar: "أتمنى أن يفيدك هذا! 😊",
      sw: "Natumaini hii itasaidia! 😊",
      am: "ይህ እንደሚረዳዎት ተስፋ አደርጋለሁ! 😊",
    },
  },
};

/** A whole prompt that is nothing but a greeting. */
const greeting =
  /^[\s¡!]*(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|hola|buen[oa]s (?:días|tardes|noches)|नमस्ते|नमस्कार|हैलो|हेलो|مرحبا|مرحبًا|أهلا|أهلًا|السلام عليكم|صباح الخير|habari(?: yako)?|jambo|hujambo|mambo|shikamoo|ሰላም|ጤና ይስጥልኝ)(?:[\s,]+(?:there|bot|all|everyone|team))?[\s!.,?।؟👋🙏🙂😊]*$/iu;

/** True when a prompt only greets. */
export function isGreeting(prompt: string): boolean {
  return prompt.length < 60 && greeting.test(prompt.normalize("NFC"));
}
