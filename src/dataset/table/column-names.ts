import { looseName } from "./column.ts";

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
  ερώτηση, soru, savol, сұрақ, 问题, 問題, 提问, 質問, 질문, คำถาม, câu hỏi, pertanyaan, soalan, tanong, សំណួរ, မေးခွန်း
`);

/** Names of the column with the expected answer that cannot be anything else. */
export const expectedNames: readonly string[] = listed(`
  expected, golden_answer, golden reply, golden response, gold, gold standard, model answer, expected answer, expected output, expected response, golden, gold answer, ideal answer,
  ideal, reference answer, ground truth, correct answer, expectedOutput, reference output
`);

/** Names of the column with an answer: the expected one, unless something says that it was given before. */
export const answerNames: readonly string[] = listed(`
  answer, answers, reference, reply, response, output, उत्तर, जवाब, উত্তর, ਉੱਤਰ, ਜਵਾਬ, જવાબ, ଉତ୍ତର, பதில், సమాధానం,
  జవాబు, ಉತ್ತರ, ഉത്തരം, පිළිතුර, جواب, الجواب, إجابة, الإجابة, اجابة, پاسخ, תשובה, መልስ, jibu, amsa, ìdáhùn, jawaab,
  impendulo, respuesta, réponse, antwort, resposta, risposta, antwoord, svar, vastaus, odpowiedź, odpověď, odpoveď,
  válasz, răspuns, ответ, відповідь, отговор, απάντηση, cevap, yanıt, javob, жауап, 答案, 回答, 答え, 답변, 답, คำตอบ, câu trả
  lời, trả lời, jawaban, jawapan, sagot, ចម្លើយ, အဖြေ
`);

/** A column's name without what people do not see, and without the difference of spaces, dashes and underscores. */
export function plainName(name: string): string {
  return looseName(name.replaceAll(/(?<=[\p{L}\p{M}\p{N}])[_-]+(?=[\p{L}\p{N}])/gu, " "));
}

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
const singularName = (name: string): string => plainName(name).replaceAll(/([a-z]{3,}[^s\W])s\b/g, "$1");

/** The first column whose name has one of some names among its words, such as `Question (EN)`. */
export function findWorded(header: readonly string[], names: readonly string[]): string | null {
  const words = new Set(names.filter((name) => name.length > 2).map(plainName));
  return (
    header.find((column) =>
      plainName(column)
        .match(/[\p{L}\p{M}\p{N}']+/gu)
        ?.some((word) => words.has(word)),
    ) ?? null
  );
}
