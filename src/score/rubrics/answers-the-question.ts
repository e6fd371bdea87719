import type { RubricContent } from "./rubric.ts";

export const answersTheQuestion: RubricContent = {
  texts: {
    en: "Answers the question. Pass: the answer gives what the person asked for, so that they need not ask again. Whether it is true does not matter here, only whether it is an answer to this question. Fail: it is about something else, evades, only asks back, says that it does not know, or leaves out the very thing that was asked for.",
    es: "Responde a la pregunta. Pasa: la respuesta da lo que la persona ha pedido, de modo que no tiene que volver a preguntar. Aquí no importa si es verdad, solo si es una respuesta a esta pregunta. No pasa: trata de otra cosa, evade, solo devuelve la pregunta, dice que no lo sabe o deja fuera precisamente lo que se preguntaba.",
    hi: "प्रश्न का उत्तर। उत्तीर्ण: व्यक्ति ने जो पूछा, उत्तर वही बताता है, ताकि उसे दोबारा न पूछना पड़े। यहाँ यह मायने नहीं रखता कि बात सच है या नहीं, केवल यह कि वह इसी प्रश्न का उत्तर है। अनुत्तीर्ण: उत्तर किसी और बात के बारे में है, टालता है, केवल उल्टा सवाल करता है, कहता है कि उसे नहीं पता, या ठीक वही बात छोड़ देता है जो पूछी गई थी।",
    de: "Beantwortet die Frage. Bestanden: Die Antwort gibt, wonach gefragt wurde, sodass niemand noch einmal fragen muss. Ob sie stimmt, spielt hier keine Rolle, nur ob sie eine Antwort auf diese Frage ist. Durchgefallen: Sie handelt von etwas anderem, weicht aus, fragt nur zurück, sagt, dass sie es nicht weiß, oder lässt genau das weg, wonach gefragt wurde.",
    fr: "Répond à la question. Réussi : la réponse donne ce que la personne a demandé, si bien qu'elle n'a pas à redemander. Peu importe ici qu'elle soit vraie : il s'agit seulement de savoir si elle répond à cette question. Échec : elle parle d'autre chose, esquive, ne fait que retourner la question, dit qu'elle ne sait pas, ou omet justement ce qui était demandé.",
    ar: "الإجابة عن السؤال. ناجحة: تعطي الإجابة ما طلبه السائل بحيث لا يحتاج إلى السؤال مرة أخرى. لا يهم هنا إن كانت صحيحة، بل إن كانت إجابة عن هذا السؤال. راسبة: تتحدث عن شيء آخر، أو تتهرب، أو تكتفي بسؤال مضاد، أو تقول إنها لا تعرف، أو تترك بالضبط ما سُئل عنه.",
  },
  planted: [
    {
      language: "en",
      question: "How much does a new library card cost?",
      good: "A new library card costs 8 crowns.",
      wrongs: {
        other: "The swimming pool closes at 21:00 in winter.",
        truncated: "A new library card costs",
        evades: "I am sorry, I do not know what a new library card costs.",
      },
    },
    {
      language: "es",
      question: "¿A qué hora cierra la piscina municipal?",
      good: "La piscina municipal cierra a las 21:00.",
      wrongs: {
        other: "El carné nuevo de la biblioteca cuesta 8 coronas.",
        truncated: "La piscina municipal cierra a las",
        evades: "Lo siento, no sé a qué hora cierra la piscina municipal.",
      },
    },
    {
      language: "hi",
      question: "नगर का तरणताल कितने बजे बंद होता है?",
      good: "नगर का तरणताल 21 बजे बंद होता है।",
      wrongs: {
        other: "पुस्तकालय का नया कार्ड 50 रुपये में बनता है।",
        truncated: "नगर का तरणताल",
        evades: "माफ़ कीजिए, मुझे नहीं पता कि नगर का तरणताल कब बंद होता है।",
      },
    },
    {
      language: "de",
      question: "Wie viel kostet ein neuer Bibliotheksausweis?",
      good: "Ein neuer Bibliotheksausweis kostet 8 Kronen.",
      wrongs: {
        other: "Das Schwimmbad schließt im Winter um 21:00 Uhr.",
        truncated: "Ein neuer Bibliotheksausweis kostet",
        evades: "Leider weiß ich nicht, was ein neuer Bibliotheksausweis kostet.",
      },
    },
    {
      language: "fr",
      question: "Combien coûte une nouvelle carte de bibliothèque ?",
      good: "Une nouvelle carte de bibliothèque coûte 8 couronnes.",
      wrongs: {
        other: "La piscine municipale ferme à 21 h en hiver.",
        truncated: "Une nouvelle carte de bibliothèque coûte",
        evades: "Désolé, je ne sais pas combien coûte une nouvelle carte de bibliothèque.",
      },
    },
    {
      language: "ar",
      question: "كم سعر بطاقة المكتبة الجديدة؟",
      good: "سعر بطاقة المكتبة الجديدة 8 كرونات.",
      wrongs: {
        other: "يغلق المسبح البلدي أبوابه الساعة 21 في الشتاء.",
        truncated: "سعر بطاقة المكتبة",
        evades: "عذرًا، لا أعرف سعر بطاقة المكتبة الجديدة.",
      },
    },
  ],
};
