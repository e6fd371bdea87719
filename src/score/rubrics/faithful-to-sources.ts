import type { RubricContent } from "./rubric.ts";

export const faithfulToSources: RubricContent = {
  texts: {
    en: "Faithful to the sources. Pass: everything that the answer claims is said by the sources, or follows from them directly. It may leave things out, and may use other words or another language. An answer that only says that it does not know claims nothing, and passes. Fail: a single claim, name, number or date is not in the sources or contradicts them, even if you know it to be true.",
    es: "Fiel a las fuentes. Pasa: todo lo que afirma la respuesta lo dicen las fuentes o se deduce directamente de ellas. Puede omitir cosas y usar otras palabras u otro idioma. Una respuesta que solo dice que no lo sabe no afirma nada y pasa. No pasa: una sola afirmación, un nombre, un número o una fecha no está en las fuentes o las contradice, aunque sepas que es verdad.",
    hi: "स्रोतों के प्रति निष्ठा। उत्तीर्ण: उत्तर में किया गया हर दावा स्रोतों में लिखा है या सीधे उनसे निकलता है। उत्तर कुछ बातें छोड़ सकता है और दूसरे शब्द या दूसरी भाषा इस्तेमाल कर सकता है। जो उत्तर केवल यह कहता है कि उसे नहीं पता, वह कोई दावा नहीं करता और उत्तीर्ण है। अनुत्तीर्ण: एक भी दावा, नाम, संख्या या तारीख स्रोतों में नहीं है या उनके विरुद्ध है, भले ही आप जानते हों कि वह सच है।",
    de: "Treu zu den Quellen. Bestanden: Alles, was die Antwort behauptet, steht in den Quellen oder folgt unmittelbar aus ihnen. Sie darf etwas weglassen und andere Wörter oder eine andere Sprache verwenden. Eine Antwort, die nur sagt, dass sie es nicht weiß, behauptet nichts und besteht. Durchgefallen: Eine einzige Behauptung, ein Name, eine Zahl oder ein Datum steht nicht in den Quellen oder widerspricht ihnen, auch wenn du weißt, dass es stimmt.",
    fr: "Fidèle aux sources. Réussi : tout ce que la réponse affirme est dit par les sources ou en découle directement. Elle peut omettre des choses et employer d'autres mots ou une autre langue. Une réponse qui dit seulement qu'elle ne sait pas n'affirme rien et réussit. Échec : une seule affirmation, un nom, un nombre ou une date ne figure pas dans les sources ou les contredit, même si tu sais que c'est vrai.",
    ar: "الأمانة للمصادر. ناجحة: كل ما تدّعيه الإجابة مذكور في المصادر أو يُستنتج منها مباشرة. يجوز أن تترك أشياء وأن تستعمل كلمات أخرى أو لغة أخرى. والإجابة التي تقول فقط إنها لا تعرف لا تدّعي شيئًا فتنجح. راسبة: ادعاء واحد أو اسم أو رقم أو تاريخ غير موجود في المصادر أو يناقضها، حتى لو كنت تعلم أنه صحيح.",
  },
  planted: [
    {
      language: "en",
      question: "When does the Central Library open on Sunday?",
      sources:
        "The Central Library is open from Monday to Saturday from 9:00 to 20:00, and on Sunday from 11:00 to 16:00. The café opens at 10:00.",
      good: "On Sunday the Central Library is open from 11:00 to 16:00.",
      wrongs: {
        other: "A lost card can be replaced at the desk for 8 crowns.",
        "number-changed": "On Sunday the Central Library is open from 11:00 to 18:00.",
        "name-changed": "On Sunday the Harbour Museum is open from 11:00 to 16:00.",
        invented:
          "On Sunday the Central Library is open from 11:00 to 16:00. Parking behind the building costs nothing.",
      },
    },
    {
      language: "es",
      question: "¿Cuánto cuesta alquilar una bicicleta por un día?",
      sources:
        "El alquiler de una bicicleta cuesta 12 coronas por día. Con el carné de estudiante cuesta 8 coronas. El casco está incluido.",
      good: "Alquilar una bicicleta cuesta 12 coronas por día, con el casco incluido.",
      wrongs: {
        other: "La biblioteca abre los domingos a las once de la mañana.",
        "number-changed": "Alquilar una bicicleta cuesta 15 coronas por día, con el casco incluido.",
        "name-changed": "Alquilar un barco cuesta 12 coronas por día, con el chaleco incluido.",
        invented: "Alquilar una bicicleta cuesta 12 coronas por día. El seguro contra robo también está cubierto.",
      },
    },
    {
      language: "hi",
      question: "पुस्तकालय का नया कार्ड कितने में बनता है?",
      sources: "पुस्तकालय का नया कार्ड 50 रुपये में बनता है। बच्चों के लिए कार्ड मुफ़्त है। कार्ड बनवाने के लिए पहचान पत्र चाहिए।",
      good: "पुस्तकालय का नया कार्ड 50 रुपये में बनता है और पहचान पत्र चाहिए।",
      wrongs: {
        other: "साइकिल किराये पर लेने के लिए हेलमेट ज़रूरी है।",
        "number-changed": "पुस्तकालय का नया कार्ड 80 रुपये में बनता है और पहचान पत्र चाहिए।",
        "name-changed": "संग्रहालय का नया टिकट 50 रुपये में मिलता है।",
        invented: "पुस्तकालय का नया कार्ड 50 रुपये में बनता है। घर पर डाक से भेजने की सुविधा भी उपलब्ध रहती है।",
      },
    },
    {
      language: "de",
      question: "Wie lange darf ich ein Buch behalten?",
      sources:
        "Bücher dürfen 28 Tage ausgeliehen werden. Eine Verlängerung ist zweimal möglich. Filme dürfen 7 Tage ausgeliehen werden.",
      good: "Bücher dürfen 28 Tage ausgeliehen werden, und eine Verlängerung ist zweimal möglich.",
      wrongs: {
        other: "Der Hafenbus fährt sonntags jede halbe Stunde zum Leuchtturm.",
        "number-changed": "Bücher dürfen 35 Tage ausgeliehen werden, und eine Verlängerung ist zweimal möglich.",
        "name-changed": "Werkzeuge dürfen 28 Tage gemietet werden.",
        invented: "Bücher dürfen 28 Tage ausgeliehen werden. Danach schickt das Rathaus kostenlos einen Boten vorbei.",
      },
    },
    {
      language: "fr",
      question: "Où se trouve le bureau des objets trouvés ?",
      sources:
        "Le bureau des objets trouvés se trouve au 14, rue du Port, au premier étage. Il est ouvert du lundi au vendredi.",
      good: "Le bureau des objets trouvés se trouve au 14, rue du Port, au premier étage.",
      wrongs: {
        other: "La piscine municipale ferme pendant les vacances d'hiver.",
        "number-changed": "Le bureau des objets trouvés se trouve au 41, rue du Port, au premier étage.",
        "name-changed": "Le bureau des objets trouvés se trouve au 14, avenue des Tilleuls.",
        invented:
          "Le bureau des objets trouvés se trouve au 14, rue du Port. Un gardien répond aussi la nuit par téléphone.",
      },
    },
    {
      language: "ar",
      question: "متى تفتح العيادة يوم السبت؟",
      sources:
        "تفتح العيادة من الأحد إلى الخميس من الساعة 8 إلى الساعة 17، وتفتح يوم السبت من الساعة 10 إلى الساعة 14. العيادة مغلقة يوم الجمعة.",
      good: "تفتح العيادة يوم السبت من الساعة 10 إلى الساعة 14.",
      wrongs: {
        other: "سعر تذكرة المتحف للأطفال نصف الثمن.",
        "number-changed": "تفتح العيادة يوم السبت من الساعة 10 إلى الساعة 16.",
        "name-changed": "تفتح المكتبة الجامعية الكبرى يوم السبت من الساعة 10 إلى الساعة 14.",
        invented: "تفتح العيادة يوم السبت من الساعة 10 إلى الساعة 14. كما يوجد موقف سيارات مجاني للزوار خلف المبنى.",
      },
    },
  ],
};
