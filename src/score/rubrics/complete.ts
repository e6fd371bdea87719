import type { RubricContent } from "./rubric.ts";

export const complete: RubricContent = {
  texts: {
    en: "Complete. Pass: the answer says everything that the expected answer says: every fact, condition, step and number. Other words and further details are fine. Fail: something of it that matters is missing, cut off or different.",
    es: "Completa. Pasa: la respuesta dice todo lo que dice la respuesta esperada: cada hecho, condición, paso y número. Se admiten otras palabras y más detalles. No pasa: falta algo importante de ella, está cortado o es distinto.",
    hi: "पूर्णता। उत्तीर्ण: अपेक्षित उत्तर में जो कुछ है, वह सब उत्तर में है: हर तथ्य, शर्त, चरण और संख्या। दूसरे शब्द और अतिरिक्त जानकारी ठीक है। अनुत्तीर्ण: उसकी कोई ज़रूरी बात छूट गई है, बीच में कट गई है या अलग है।",
    de: "Vollständig. Bestanden: Die Antwort sagt alles, was die erwartete Antwort sagt: jede Tatsache, jede Bedingung, jeden Schritt und jede Zahl. Andere Wörter und weitere Einzelheiten sind in Ordnung. Durchgefallen: Etwas Wichtiges daraus fehlt, ist abgeschnitten oder lautet anders.",
    fr: "Complète. Réussi : la réponse dit tout ce que dit la réponse attendue : chaque fait, condition, étape et nombre. D'autres mots et des détails en plus sont admis. Échec : un élément important manque, est coupé ou est différent.",
    ar: "الاكتمال. ناجحة: تقول الإجابة كل ما تقوله الإجابة المتوقعة: كل حقيقة وشرط وخطوة ورقم. لا بأس بكلمات أخرى وتفاصيل إضافية. راسبة: ينقص منها شيء مهم أو انقطع أو جاء مختلفًا.",
  },
  planted: [
    {
      language: "en",
      question: "How do I replace a lost card?",
      expected:
        "Call 0800 555 0142 to block the card, then bring your passport to the desk. A new card costs 8 crowns.",
      good: "First call 0800 555 0142 and block the card. Then bring your passport to the desk; a new card costs 8 crowns.",
      wrongs: {
        other: "The swimming pool closes at 21:00 in winter, and at 22:00 in summer.",
        truncated: "First call 0800 555 0142 and block the card.",
        "number-changed":
          "First call 0800 555 0142 and block the card. Then bring your passport to the desk; a new card costs 18 crowns.",
      },
    },
    {
      language: "es",
      question: "¿Cómo devuelvo la bicicleta?",
      expected:
        "Deja la bicicleta en cualquier estación, cierra el candado y espera la luz verde. Después de las 22:00 cuesta 3 coronas más.",
      good: "Puedes dejar la bicicleta en cualquier estación: cierra el candado y espera la luz verde. Después de las 22:00 cuesta 3 coronas más.",
      wrongs: {
        other: "El carné de la biblioteca se renueva cada año en el mostrador.",
        truncated: "Puedes dejar la bicicleta en cualquier estación.",
        "number-changed":
          "Puedes dejar la bicicleta en cualquier estación: cierra el candado y espera la luz verde. Después de las 22:00 cuesta 7 coronas más.",
      },
    },
    {
      language: "hi",
      question: "खोया हुआ कार्ड कैसे बदलूँ?",
      expected: "0800 555 0142 पर फ़ोन करके कार्ड बंद करवाएँ, फिर पासपोर्ट लेकर काउंटर पर आएँ। नया कार्ड 50 रुपये का है।",
      good: "पहले 0800 555 0142 पर फ़ोन करके कार्ड बंद करवाएँ, फिर पासपोर्ट लेकर काउंटर पर आएँ; नया कार्ड 50 रुपये का है।",
      wrongs: {
        other: "तरणताल सर्दियों में 21 बजे बंद होता है।",
        truncated: "पहले 0800 555 0142 पर फ़ोन करें।",
        "number-changed":
          "पहले 0800 555 0142 पर फ़ोन करके कार्ड बंद करवाएँ, फिर पासपोर्ट लेकर काउंटर पर आएँ; नया कार्ड 90 रुपये का है।",
      },
    },
    {
      language: "de",
      question: "Wie ersetze ich eine verlorene Karte?",
      expected:
        "Rufen Sie 0800 555 0142 an, um die Karte zu sperren, und bringen Sie dann Ihren Pass zum Schalter. Eine neue Karte kostet 8 Kronen.",
      good: "Rufen Sie zuerst 0800 555 0142 an, um die Karte zu sperren. Dann bringen Sie Ihren Pass zum Schalter; eine neue Karte kostet 8 Kronen.",
      wrongs: {
        other: "Das Schwimmbad schließt im Winter früher als im Sommer.",
        truncated: "Rufen Sie zuerst 0800 555 0142 an.",
        "number-changed":
          "Rufen Sie zuerst 0800 555 0142 an, um die Karte zu sperren. Dann bringen Sie Ihren Pass zum Schalter; eine neue Karte kostet 18 Kronen.",
      },
    },
    {
      language: "fr",
      question: "Comment remplacer une carte perdue ?",
      expected:
        "Appelez le 0800 555 0142 pour bloquer la carte, puis apportez votre passeport au guichet. Une nouvelle carte coûte 8 couronnes.",
      good: "Appelez d'abord le 0800 555 0142 pour bloquer la carte, puis apportez votre passeport au guichet ; une nouvelle carte coûte 8 couronnes.",
      wrongs: {
        other: "La piscine municipale ferme plus tôt en hiver.",
        truncated: "Appelez d'abord le 0800 555 0142.",
        "number-changed":
          "Appelez d'abord le 0800 555 0142 pour bloquer la carte, puis apportez votre passeport au guichet ; une nouvelle carte coûte 18 couronnes.",
      },
    },
    {
      language: "ar",
      question: "كيف أستبدل بطاقة مفقودة؟",
      expected: "اتصل بالرقم 5550142 لإيقاف البطاقة، ثم أحضر جواز السفر إلى المكتب. سعر البطاقة الجديدة 8 كرونات.",
      good: "أولًا اتصل بالرقم 5550142 لإيقاف البطاقة، ثم أحضر جواز السفر إلى المكتب؛ سعر البطاقة الجديدة 8 كرونات.",
      wrongs: {
        other: "يغلق المسبح البلدي أبوابه مبكرًا في الشتاء.",
        truncated: "أولًا اتصل بالرقم 5550142.",
        "number-changed":
          "أولًا اتصل بالرقم 5550142 لإيقاف البطاقة، ثم أحضر جواز السفر إلى المكتب؛ سعر البطاقة الجديدة 18 كرونة.",
      },
    },
  ],
};
