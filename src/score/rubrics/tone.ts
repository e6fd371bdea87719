import type { RubricContent } from "./rubric.ts";

export const tone: RubricContent = {
  texts: {
    en: "Tone. Pass: the answer is polite, respectful and calm, as somebody who asks for help deserves. Judge how it says things, not whether they are right or complete. Fail: it is rude, mocking, impatient, blaming or condescending, or it shouts.",
    es: "Tono. Pasa: la respuesta es amable, respetuosa y tranquila, como merece quien pide ayuda. Juzga cómo lo dice, no si es correcto o completo. No pasa: es grosera, burlona, impaciente, acusadora o condescendiente, o grita.",
    hi: "लहजा। उत्तीर्ण: उत्तर विनम्र, सम्मानजनक और शांत है, जैसा मदद माँगने वाले के साथ होना चाहिए। यह देखें कि बात कैसे कही गई है, यह नहीं कि वह सही या पूरी है। अनुत्तीर्ण: उत्तर असभ्य, ताना मारने वाला, अधीर, दोष देने वाला या नीचा दिखाने वाला है, या चिल्लाता है।",
    de: "Ton. Bestanden: Die Antwort ist höflich, respektvoll und ruhig, wie es jemand verdient, der um Hilfe bittet. Bewerte, wie etwas gesagt wird, nicht, ob es richtig oder vollständig ist. Durchgefallen: Sie ist grob, spöttisch, ungeduldig, vorwurfsvoll oder herablassend, oder sie schreit.",
    fr: "Ton. Réussi : la réponse est polie, respectueuse et calme, comme le mérite quelqu'un qui demande de l'aide. Juge la façon de dire, pas l'exactitude ni l'exhaustivité. Échec : elle est grossière, moqueuse, impatiente, accusatrice ou condescendante, ou elle crie.",
    ar: "الأسلوب. ناجحة: الإجابة مهذبة ومحترمة وهادئة كما يستحق من يطلب المساعدة. قيّم طريقة القول لا صحته أو اكتماله. راسبة: الإجابة فظة أو ساخرة أو نافدة الصبر أو لائمة أو متعالية، أو فيها صراخ.",
  },
  planted: [
    {
      language: "en",
      question: "I lost my card again. What do I do?",
      good: "I am sorry to hear that. Please come to the desk with your passport, and we will make you a new one.",
      wrongs: {
        rude: "Again? How stupid can you be? Come to the desk with your passport and stop wasting our time!!!",
      },
    },
    {
      language: "es",
      question: "He vuelto a perder mi carné. ¿Qué hago?",
      good: "Lo siento mucho. Venga por favor al mostrador con su pasaporte y le haremos uno nuevo.",
      wrongs: {
        rude: "¿Otra vez? ¿Es usted idiota? Venga al mostrador con su pasaporte y deje de hacernos perder el tiempo.",
      },
    },
    {
      language: "hi",
      question: "मेरा कार्ड फिर खो गया। अब क्या करूँ?",
      good: "यह सुनकर दुख हुआ। कृपया अपना पासपोर्ट लेकर काउंटर पर आएँ, हम आपका नया कार्ड बना देंगे।",
      wrongs: { rude: "फिर से? तुम इतने बेवकूफ़ कैसे हो? पासपोर्ट लेकर काउंटर पर आओ और हमारा समय बर्बाद मत करो।" },
    },
    {
      language: "de",
      question: "Ich habe meine Karte schon wieder verloren. Was soll ich tun?",
      good: "Das tut mir leid. Kommen Sie bitte mit Ihrem Pass zum Schalter, wir stellen Ihnen eine neue aus.",
      wrongs: {
        rude: "Schon wieder? Wie dumm kann man sein? Kommen Sie mit dem Pass zum Schalter und verschwenden Sie nicht unsere Zeit.",
      },
    },
    {
      language: "fr",
      question: "J'ai encore perdu ma carte. Que dois-je faire ?",
      good: "J'en suis désolé. Venez s'il vous plaît au guichet avec votre passeport, nous vous en ferons une nouvelle.",
      wrongs: {
        rude: "Encore ? Vous êtes idiot ou quoi ? Venez au guichet avec le passeport et arrêtez de nous faire perdre notre temps.",
      },
    },
    {
      language: "ar",
      question: "فقدت بطاقتي مرة أخرى. ماذا أفعل؟",
      good: "نأسف لذلك. تفضل بزيارة المكتب ومعك جواز السفر، وسنصدر لك بطاقة جديدة.",
      wrongs: { rude: "مرة أخرى؟ كم أنت غبي! تعال إلى المكتب ومعك جواز السفر وكفّ عن إضاعة وقتنا." },
    },
  ],
};
