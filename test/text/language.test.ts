import { describe, expect, test } from "vitest";
import { isInLanguage, languageCode, languageOf } from "../../src/text/language.ts";

const samples: [string, string][] = [
  ["en", "The library is open from nine to five on weekdays."],
  ["es", "La biblioteca está abierta de nueve a cinco los días laborables."],
  ["fr", "La bibliothèque est ouverte de neuf heures à dix-sept heures en semaine."],
  ["de", "Die Bücherei ist an Werktagen von neun bis siebzehn Uhr geöffnet."],
  ["pt", "A biblioteca está aberta das nove às cinco nos dias úteis e não fecha ao meio-dia."],
  ["it", "La biblioteca è aperta dalle nove alle cinque nei giorni feriali."],
  ["sw", "Maktaba hufunguliwa kuanzia saa tatu asubuhi na hufungwa saa kumi na moja jioni kwa siku za kazi."],
  ["id", "Perpustakaan ini buka dari jam sembilan dan tutup pada jam lima untuk umum."],
  ["vi", "Thư viện mở cửa từ chín giờ đến năm giờ vào các ngày trong tuần."],
  ["tr", "Kütüphane hafta içi dokuzdan beşe kadar açık ve çok güzel bir yer."],
  ["hi", "पुस्तकालय सोमवार से शुक्रवार तक सुबह नौ बजे से खुला रहता है।"],
  ["mr", "ग्रंथालय सोमवार ते शुक्रवार सकाळी नऊ वाजता सुरू होते आणि संध्याकाळी बंद होते आहे."],
  ["bn", "গ্রন্থাগার সোমবার থেকে শুক্রবার পর্যন্ত খোলা থাকে এবং রবিবার বন্ধ।"],
  ["ta", "நூலகம் திங்கள் முதல் வெள்ளி வரை திறந்திருக்கும்."],
  ["ar", "المكتبة مفتوحة من الساعة التاسعة إلى الخامسة في أيام الأسبوع."],
  ["fa", "کتابخانه از ساعت نه تا پنج در روزهای هفته باز است."],
  ["ur", "لائبریری پیر سے جمعہ تک صبح نو بجے کھلی رہتی ہے۔"],
  ["am", "ቤተ መጻሕፍቱ ከሰኞ እስከ አርብ ክፍት ነው።"],
  ["ru", "Библиотека открыта с девяти до пяти по будням."],
  ["uk", "Бібліотека відчинена з дев'ятої до п'ятої у будні, і це зручно."],
  ["zh", "图书馆工作日九点到五点开放。"],
  ["ja", "図書館は平日の九時から五時まで開いています。"],
  ["ko", "도서관은 평일 아홉 시부터 다섯 시까지 엽니다."],
  ["th", "ห้องสมุดเปิดวันจันทร์ถึงวันศุกร์"],
  ["el", "Η βιβλιοθήκη είναι ανοιχτή τις καθημερινές."],
];

describe("the language of a text", () => {
  test.each(samples)("is %s for: %s", (language, text) => {
    expect(languageOf(text).language).toBe(language);
    expect(isInLanguage(text, language)).toMatchObject({ holds: true });
  });

  test("is no other of those that are known", () => {
    expect.hasAssertions();
    for (const [language, text] of samples) {
      for (const [other] of samples) {
        if (other !== language)
          expect([text, other, isInLanguage(text, other)]).not.toMatchObject([text, other, { holds: true }]);
      }
    }
  });

  test("does not depend on a name or an address in other letters", () => {
    expect(isInLanguage("Wi-Fi पासवर्ड के लिए काउंटर पर जाएँ: https://library.example/wifi", "hi")).toMatchObject({
      holds: true,
    });
  });

  test("is not told by too little", () => {
    expect(isInLanguage("42", "en")).toMatchObject({ holds: null });
    expect(isInLanguage("OK", "sw")).toMatchObject({ holds: null });
    expect(isInLanguage("Hello", "tlh")).toBe("unknown");
  });

  test.each([
    ["pt-BR", "pt"],
    ["Hindi", "hi"],
    ["zh-Hant", "zh"],
    ["swahili", "sw"],
    ["nn", "nb"],
    ["klingon", null],
  ])("may be named %s", (name, code) => expect(languageCode(name)).toBe(code));
});
