import type { RubricContent } from "./rubric.ts";

export const sameMeaning: RubricContent = {
  texts: {
    en: "Same meaning. Pass: the answer tells the person the same as the expected answer, in whatever words, order or language. Further details are fine as long as they do not contradict it. Fail: something that matters is missing, a number, name, date, condition or a yes or no is different, or the answer contradicts itself.",
    es: "El mismo significado. Pasa: la respuesta dice a la persona lo mismo que la respuesta esperada, con las palabras, el orden o el idioma que sea. Se admiten más detalles siempre que no la contradigan. No pasa: falta algo importante, es distinto un número, un nombre, una fecha, una condición o un sí o un no, o la respuesta se contradice.",
    hi: "समान अर्थ। उत्तीर्ण: उत्तर व्यक्ति को वही बात बताता है जो अपेक्षित उत्तर बताता है, शब्द, क्रम या भाषा चाहे जो हो। अतिरिक्त जानकारी ठीक है, जब तक वह उसके विरुद्ध न हो। अनुत्तीर्ण: कोई ज़रूरी बात छूट गई है, कोई संख्या, नाम, तारीख, शर्त या हाँ-ना अलग है, या उत्तर स्वयं अपनी बात काटता है।",
    de: "Gleiche Bedeutung. Bestanden: Die Antwort sagt der Person dasselbe wie die erwartete Antwort, gleich in welchen Wörtern, welcher Reihenfolge oder Sprache. Weitere Einzelheiten sind in Ordnung, solange sie ihr nicht widersprechen. Durchgefallen: Etwas Wichtiges fehlt, eine Zahl, ein Name, ein Datum, eine Bedingung oder ein Ja oder Nein ist anders, oder die Antwort widerspricht sich selbst.",
    fr: "Même sens. Réussi : la réponse dit à la personne la même chose que la réponse attendue, quels que soient les mots, l'ordre ou la langue. Des détails en plus sont admis tant qu'ils ne la contredisent pas. Échec : un élément important manque, un nombre, un nom, une date, une condition ou un oui ou un non est différent, ou la réponse se contredit elle-même.",
    ar: "المعنى نفسه. ناجحة: تقول الإجابة للسائل ما تقوله الإجابة المتوقعة، بأي كلمات أو ترتيب أو لغة. لا بأس بتفاصيل إضافية ما دامت لا تناقضها. راسبة: ينقص شيء مهم، أو يختلف رقم أو اسم أو تاريخ أو شرط أو نعم أو لا، أو تناقض الإجابة نفسها.",
  },
  planted: [
    {
      language: "en",
      question: "Can I bring my dog on the tram?",
      expected: "Yes. Dogs may ride on the tram with a ticket for 2 crowns, but they have to be on a lead.",
      good: "Yes, dogs may ride on the tram: they have to be on a lead, with a ticket for 2 crowns.",
      wrongs: {
        other: "The library lends books for 28 days.",
        truncated: "Yes, dogs may",
        "number-changed": "Yes, dogs may ride on the tram: they have to be on a lead, with a ticket for 5 crowns.",
        opposite: "No, dogs may not ride on the tram, not even on a lead with a ticket for 2 crowns.",
      },
    },
    {
      language: "es",
      question: "¿Puedo llevar a mi perro en el tranvía?",
      expected: "Sí. Los perros pueden viajar en el tranvía con un billete de 2 coronas y atados con correa.",
      good: "Sí, los perros pueden viajar en el tranvía atados con correa y con un billete de 2 coronas.",
      wrongs: {
        other: "La biblioteca presta los libros durante 28 días.",
        truncated: "Sí, los perros",
        "number-changed": "Sí, los perros pueden viajar en el tranvía atados con correa y con un billete de 5 coronas.",
        opposite: "No, los perros no pueden viajar en el tranvía, ni atados con correa ni con un billete de 2 coronas.",
      },
    },
    {
      language: "hi",
      question: "क्या मैं अपने कुत्ते को ट्राम में ले जा सकता हूँ?",
      expected: "हाँ। कुत्ते पट्टे के साथ ट्राम में जा सकते हैं और उनका टिकट 20 रुपये का है।",
      good: "हाँ, कुत्ते ट्राम में पट्टे के साथ जा सकते हैं; उनका टिकट 20 रुपये का है।",
      wrongs: {
        other: "पुस्तकालय 28 दिन के लिए किताबें देता है।",
        truncated: "हाँ, कुत्ते",
        "number-changed": "हाँ, कुत्ते ट्राम में पट्टे के साथ जा सकते हैं; उनका टिकट 50 रुपये का है।",
        opposite: "नहीं, कुत्ते पट्टे के साथ भी ट्राम में नहीं जा सकते हैं, 20 रुपये का टिकट लेकर भी नहीं।",
      },
    },
    {
      language: "de",
      question: "Darf mein Hund in die Straßenbahn?",
      expected: "Ja. Hunde dürfen mit einer Fahrkarte für 2 Kronen in die Straßenbahn, müssen aber an der Leine sein.",
      good: "Ja, Hunde dürfen in die Straßenbahn: Sie müssen an der Leine sein, mit einer Fahrkarte für 2 Kronen.",
      wrongs: {
        other: "Die Bibliothek verleiht Bücher für vier Wochen.",
        truncated: "Ja, Hunde",
        "number-changed":
          "Ja, Hunde dürfen in die Straßenbahn: Sie müssen an der Leine sein, mit einer Fahrkarte für 5 Kronen.",
        opposite:
          "Nein, Hunde dürfen nicht in die Straßenbahn, auch nicht an der Leine mit einer Fahrkarte für 2 Kronen.",
      },
    },
    {
      language: "fr",
      question: "Puis-je prendre le tramway avec mon chien ?",
      expected:
        "Oui. Les chiens peuvent voyager en tramway avec un billet à 2 couronnes, mais doivent être tenus en laisse.",
      good: "Oui, les chiens peuvent voyager en tramway : ils doivent être tenus en laisse, avec un billet à 2 couronnes.",
      wrongs: {
        other: "La bibliothèque prête les livres pour quatre semaines.",
        truncated: "Oui, les chiens",
        "number-changed":
          "Oui, les chiens peuvent voyager en tramway : ils doivent être tenus en laisse, avec un billet à 5 couronnes.",
        opposite:
          "Non, les chiens ne peuvent pas voyager en tramway, même tenus en laisse avec un billet à 2 couronnes.",
      },
    },
    {
      language: "ar",
      question: "هل يمكنني اصطحاب كلبي في الترام؟",
      expected: "نعم. يُسمح للكلاب بركوب الترام بتذكرة سعرها 2 كرونة، بشرط أن تكون مربوطة بطوق.",
      good: "نعم، يُسمح للكلاب بركوب الترام بشرط أن تكون مربوطة بطوق، وبتذكرة سعرها 2 كرونة.",
      wrongs: {
        other: "تُعير المكتبة الكتب لمدة أربعة أسابيع.",
        truncated: "نعم، يُسمح",
        "number-changed": "نعم، يُسمح للكلاب بركوب الترام بشرط أن تكون مربوطة بطوق، وبتذكرة سعرها 5 كرونات.",
        opposite: "لا، لا يُسمح للكلاب بركوب الترام حتى لو كانت مربوطة بطوق وبتذكرة سعرها 2 كرونة.",
      },
    },
  ],
};
