import { looseName, remembered } from "./column.ts";

/** The words of a text, with commas between them. */
export function listed(text: string): string[] {
  return text.split(",").map((word) => word.trim().replaceAll(/\s+/g, " "));
}

/**
 * Names that people give to the column with what is asked, the likelier first. In other languages: the plain words for
 * "question" that stand at the head of a sheet.
 */
export const questionNames: readonly string[] = listed(`
  question, prompt, input, query, user message, user question, user query, user input, message, utterance, questions,
  prompts, text, प्रश्न, सवाल, প্রশ্ন, ਪ੍ਰਸ਼ਨ, ਸਵਾਲ, પ્રશ્ન, ପ୍ରଶ୍ନ, கேள்வி, ప్రశ్న, ಪ್ರಶ್ನೆ, ചോദ്യം, ප්‍රශ්නය, سؤال,
  السؤال, سوال, پرسش, שאלה, ጥያቄ, swali, tambaya, ìbéèrè, su'aal, umbuzo, pregunta, question posée, frage, pergunta,
  domanda, vraag, fråga, spørgsmål, spørsmål, kysymys, pytanie, otázka, kérdés, întrebare, вопрос, питання, въпрос,
  ερώτηση, soru, savol, сұрақ, 问题, 問題, 提问, 提問, 用户问题, 用户提问, 用户输入, 用戶問題, 提示词, 提示詞, 質問, 質問文, プロンプト, 질문, 프롬프트, คำถาม, câu hỏi, pertanyaan, soalan, tanong, សំណួរ, မေးခွန်း
`);

/**
 * Names of the column with the expected answer that cannot be anything else, the likelier first. In other languages: the
 * words for "expected", "correct", "reference" or "model" answer that people and test tools put at the head of a sheet.
 */
export const expectedNames: readonly string[] = listed(`
  expected, golden_answer, golden reply, golden response, gold, gold standard, model answer, expected answer, expected output, expected response, golden, gold answer, ideal answer,
  ideal, reference answer, ground truth, correct answer, expectedOutput, reference output, expected result, expected
  reply, expected value, expected text, right answer, correct response, ideal response, ideal output, desired answer,
  desired output, target answer, answer key, sample answer, expected outcome,
  标准答案, 参考答案, 正确答案, 期望答案, 预期答案, 标准回答, 参考回答, 正确回答, 期望回答, 预期回答, 期望回复, 预期回复, 预期结果,
  期望结果, 预期输出, 期望输出, 标准输出, 参考输出, 预期, 期望, 標準答案, 參考答案, 正確答案, 預期答案, 標準回答, 參考回答, 預期回答,
  預期結果, 期望結果, 預期輸出, 期望輸出, 正解, 正答, 模範解答, 模範回答, 想定回答, 期待回答, 期待される回答, 期待する回答, 期待値, 期待結果, 期待される結果,
  期待される出力, 期待出力, 정답, 모범 답안, 모범답안, 기대 답변, 기대답변, 예상 답변, 예상답변, 기대 결과, 기대결과, 예상 결과, 기대 출력,
  Erwartet, erwartete Antwort, erwartetes Ergebnis, erwartete Ausgabe, erwarteter Text, erwartete Reaktion, Erwartung,
  Soll, Sollantwort, Soll-Antwort, Sollergebnis, Soll-Ergebnis, Sollwert, Musterantwort, Musterlösung, Referenzantwort,
  Referenz-Antwort, richtige Antwort, korrekte Antwort, Idealantwort, attendu, attendue, réponse attendue, résultat
  attendu, sortie attendue, réponse correcte, bonne réponse, réponse de référence, réponse idéale, réponse modèle,
  esperado, esperada, respuesta esperada, resultado esperado, salida esperada, respuesta correcta, respuesta de
  referencia, respuesta ideal, respuesta modelo, resposta esperada, saída esperada, resposta correta, resposta certa,
  resposta de referência, resposta ideal, gabarito, atteso, risposta attesa, risultato atteso, output atteso,
  risposta corretta, risposta giusta, risposta di riferimento, verwacht, verwacht antwoord, verwachte antwoord,
  verwacht resultaat, verwachte uitvoer, juiste antwoord, correct antwoord, referentieantwoord, modelantwoord,
  förväntat, förväntat svar, förväntat resultat, rätt svar, korrekt svar, facit, forventet, forventet svar, forventet
  resultat, rigtigt svar, riktig svar, fasit, odotettu, odotettu vastaus, oikea vastaus, mallivastaus, oczekiwana
  odpowiedź, oczekiwany wynik, poprawna odpowiedź, prawidłowa odpowiedź, odpowiedź wzorcowa, očekávaná odpověď,
  očekávaný výsledek, správná odpověď, očakávaná odpoveď, správna odpoveď, elvárt válasz, várt válasz, helyes válasz,
  elvárt eredmény, răspuns așteptat, răspuns corect, rezultat așteptat, ожидаемый ответ, ожидаемый результат,
  правильный ответ, верный ответ, эталонный ответ, эталон, ожидаемый вывод, очікувана відповідь, очікуваний результат,
  правильна відповідь, еталонна відповідь, очакван отговор, очакван резултат, правилен отговор, αναμενόμενη απάντηση,
  αναμενόμενο αποτέλεσμα, σωστή απάντηση, beklenen, beklenen cevap, beklenen yanıt, beklenen sonuç, beklenen çıktı,
  doğru cevap, doğru yanıt, referans cevap, kutilgan javob, to'g'ri javob, күтілетін жауап, дұрыс жауап, الإجابة
  المتوقعة, الجواب المتوقع, الرد المتوقع, النتيجة المتوقعة, الإجابة الصحيحة, الجواب الصحيح, الإجابة النموذجية, إجابة متوقعة,
  إجابة صحيحة, پاسخ مورد انتظار, پاسخ صحیح, پاسخ درست, جواب صحیح, متوقع جواب, درست جواب, صحیح جواب, תשובה צפויה, תשובה
  נכונה, התשובה הנכונה, अपेक्षित उत्तर, अपेक्षित जवाब, सही उत्तर, सही जवाब, आदर्श उत्तर, प्रत्याशित उत्तर, योग्य उत्तर, बरोबर उत्तर,
  প্রত্যাশিত উত্তর, সঠিক উত্তর, আদর্শ উত্তর, ਸਹੀ ਜਵਾਬ, ਸਹੀ ਉੱਤਰ, અપેક્ષિત જવાબ, સાચો જવાબ, ସଠିକ ଉତ୍ତର, சரியான பதில்,
  எதிர்பார்க்கப்படும் பதில், సరైన సమాధానం, ఆశించిన సమాధానం, ಸರಿಯಾದ ಉತ್ತರ, ನಿರೀಕ್ಷಿತ ಉತ್ತರ, ശരിയായ ഉത്തരം, പ്രതീക്ഷിക്കുന്ന ഉത്തരം,
  නිවැරදි පිළිතුර, คำตอบที่คาดหวัง, คำตอบที่ถูกต้อง, คำตอบที่ถูก, เฉลย, ผลลัพธ์ที่คาดหวัง, câu trả lời mong đợi, câu trả lời đúng,
  đáp án, đáp án đúng, kết quả mong đợi, jawaban yang diharapkan, jawaban benar, jawaban yang benar, kunci jawaban,
  hasil yang diharapkan, jawapan yang dijangka, jawapan betul, skema jawapan, tamang sagot, inaasahang sagot, jibu
  sahihi, jibu linalotarajiwa, ትክክለኛ መልስ, የሚጠበቅ መልስ
`);

/** Names of the column with an answer: the expected one, unless something says that it was given before. */
export const answerNames: readonly string[] = listed(`
  answer, answers, reference, reply, response, output, उत्तर, जवाब, উত্তর, ਉੱਤਰ, ਜਵਾਬ, જવાબ, ଉତ୍ତର, பதில், సమాధానం,
  జవాబు, ಉತ್ತರ, ഉത്തരം, පිළිතුර, جواب, الجواب, إجابة, الإجابة, اجابة, پاسخ, תשובה, መልስ, jibu, amsa, ìdáhùn, jawaab,
  impendulo, respuesta, réponse, antwort, resposta, risposta, antwoord, svar, vastaus, odpowiedź, odpověď, odpoveď,
  válasz, răspuns, ответ, відповідь, отговор, απάντηση, cevap, yanıt, javob, жауап, 答案, 回答, 答え, 답변, 답, คำตอบ, câu trả
  lời, trả lời, jawaban, jawapan, sagot, ចម្លើយ, အဖြေ
`);

/** Names of the column that identifies a row, the likelier first; it is one where every row has another value in it. */
export const keyNames: readonly string[] = listed(`
  id, key, case, case_id, question_id, number, no, no., #, s.no, nr, nr., nummer, №, numéro, n°, número, numero, номер,
  क्रमांक, 编号, 序号, 編號, 序號, 番号, 번호
`);

/** True for a column of this name, but for case, spaces and dashes. */
export const isNameOf = (column: string, name: string): boolean => plainName(column) === plainName(name);

/** A column's name without what people do not see, and without the difference of spaces, dashes and underscores. */
const plainName = remembered((name) =>
  looseName(name.replaceAll(/(?<=[\p{L}\p{M}\p{N}])[_-]+(?=[\p{L}\p{N}])/gu, " ")),
);

/**
 * The column of the first of some names: spelled exactly so, or else so but for case, spaces and dashes, or for a plural
 * as English makes it.
 */
export function findNamed(header: readonly string[], names: readonly string[]): string | null {
  const same = names.find((name) => header.includes(name));
  if (same !== undefined) return same;
  for (const form of [plainName, singularName]) {
    const forms = header.map(form);
    for (const name of names) {
      const at = forms.indexOf(form(name));
      if (at >= 0) return header[at] ?? null;
    }
  }
  return null;
}

/** A plain name without the s that ends an English word of four letters or more: `golden answers` is `golden answer`. */
const singularName = (name: string): string => plainName(name).replaceAll(/(?<=[a-z]{3}[^s\W])s\b/g, "");

/** A name is looked for among the words of others from so many letters on; a Chinese word has two. */
const shortestWord = 3;
const unspaced = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{2,}$/u;

/** The first column whose name has one of some names among its words, such as `Question (EN)`. */
export function findWorded(header: readonly string[], names: readonly string[]): string | null {
  const words = new Set(names.filter((name) => name.length >= shortestWord || unspaced.test(name)).map(plainName));
  return (
    header.find((column) =>
      plainName(column)
        .match(/[\p{L}\p{M}\p{N}']+/gu)
        ?.some((word) => words.has(word)),
    ) ?? null
  );
}
