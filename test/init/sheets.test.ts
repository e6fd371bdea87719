import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { learnFrom, openMapping } from "../../src/app/plan/chat-export.ts";
import type { Case } from "../../src/dataset/case.ts";
import { AppError } from "../../src/errors.ts";
import { mediaColumns } from "../../src/init/media-columns.ts";
import { guessRoles, variablesWithoutPrompt } from "../../src/init/roles.ts";
import { lookAt } from "../../src/init/sheet.ts";
import { temporaryFolder } from "../store/batch.ts";
import { readDataset } from "../dataset/reading.ts";
import { Sheets } from "../../src/dataset/sheets.ts";

/** The first case that a run without a mapping would send, or the code of its refusal; and what init takes. */
async function understood(name: string, text: string) {
  const folder = temporaryFolder();
  const path = join(folder, name);
  writeFileSync(path, text);
  const { chat } = await learnFrom([path], { format: undefined, sheets: new Sheets() });
  const mapping = chat?.mapping ?? openMapping;
  const cases: Case[] = [];
  const reported: string[] = [];
  let refused: string | null = null;
  try {
    const reading = { files: [path], folder, mapping, endpoints: ["video-bots"] as const };
    for await (const page of readDataset({ ...reading, onNotice: (notice) => reported.push(notice) }))
      cases.push(...page);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    refused = error.code;
  }
  const { turns, messages, cluster } = mapping;
  const talks = { cluster, ...(turns !== undefined && { turns }), ...(messages !== undefined && { messages }) };
  const sheet = await lookAt(path, { sheets: new Sheets(), talks });
  const roles = variablesWithoutPrompt(sheet).length > 0 ? null : guessRoles(sheet, chat);
  const [first] = cases;
  const row = sheet.sample[0] ?? {};
  return {
    refused,
    told: reported,
    sent: refused === null ? (first?.input["input_prompt"] ?? null) : null,
    expected: refused === null ? (first?.expected ?? null) : null,
    init: roles === null ? null : (row[roles.question] ?? null),
    initExpected: roles === null || roles.answer === null ? null : row[roles.answer] || null,
  };
}

/** Sheets as people have them: file, text, the prompt that is sent first, and what is expected of it. */
const sheets: [about: string, name: string, text: string, sent: string, expected: string | null][] = [
  ["question and answer", "a.csv", "question,answer\nWho?,Me\n", "Who?", "Me"],
  ["plural names", "a.csv", "Questions,Golden Answers\nWho?,Me\n", "Who?", "Me"],
  ["an id, a topic, semicolons", "a.csv", "ID;Topic;Prompt;Expected output\n1;x;Who?;Me\n", "Who?", "Me"],
  [
    "underscores and other columns",
    "a.tsv",
    "case_id\tuser_query\tground_truth\tnotes\n1\tWho?\tMe\tx\n",
    "Who?",
    "Me",
  ],
  ["a language in brackets", "a.csv", "No,Question (EN),Answer (EN),Owner\n1,Who?,Me,Ann\n", "Who?", "Me"],
  ["one column", "a.csv", "utterances\nWho?\nWhen?\n", "Who?", null],
  ["request fields", "a.csv", "input_prompt,variables.tone,golden_answer\nWho?,warm,Me\n", "Who?", "Me"],
  ["JSON Lines of input and ideal", "a.jsonl", '{"input": "Who?", "ideal": "Me"}\n', "Who?", "Me"],
  ["Hindi", "a.csv", "क्रमांक,प्रश्न,उत्तर\n1,कौन?,मैं\n", "कौन?", "मैं"],
  ["Arabic", "a.csv", "السؤال,الجواب\nمن؟,أنا\n", "من؟", "أنا"],
  ["German", "a.csv", "Nr;Frage;Antwort\n1;Wer?;Ich\n", "Wer?", "Ich"],
  ["Chinese", "a.csv", "编号,问题,答案\n1,谁？,我\n", "谁？", "我"],
  ["Spanish", "a.csv", "Pregunta,Respuesta,Tema\n¿Quién?,Yo,x\n", "¿Quién?", "Yo"],
  ["a chat for each turn", "a.csv", "Conversation ID,User Message,Assistant Message\na,Hi,Hello\n", "Hi", null],
  ["a chat for each message", "a.csv", "conversation_id,role,content\na,user,Hi\na,assistant,Hello\n", "Hi", null],
  [
    "messages for training",
    "a.jsonl",
    '{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}\n',
    "Hi",
    "Hello",
  ],
  ["promptfoo with a question", "a.csv", "question,topic,__expected\nWho?,x,icontains:me\n", "Who?", "me"],
];

/** Sheets that do not say what should be sent. */
const unclear: [about: string, name: string, text: string, code: string][] = [
  ["promptfoo with variables", "a.csv", "language,input,__expected\nFrench,Hello,Bonjour\n", "PROMPT_NEEDED"],
  ["a title above the header", "a.csv", "Questions of May,,\nquestion,answer,owner\nWho?,Me,Ann\n", "COLUMN_UNKNOWN"],
  ["columns of numbers and names", "a.csv", "alpha,beta,gamma\n1,x,2\n", "COLUMN_UNKNOWN"],
];

describe("twenty sheets as people have them", () => {
  test.each(sheets)("%s: sent as meant, by a run and by init alike", async (_, name, text, sent, expected) => {
    expect(await understood(name, text)).toMatchObject({
      refused: null,
      sent,
      expected,
      init: sent,
      initExpected: name === "a.csv" && text.includes("__expected") ? null : expected,
    });
  });

  test.each(unclear)("%s: refused with a question, nothing is sent", async (_, name, text, code) => {
    expect(await understood(name, text)).toMatchObject({ refused: code, sent: null });
  });

  test("are twenty, five of them with a header in another language", () => {
    expect(sheets.length + unclear.length).toBe(20);
    expect(sheets.filter(([, , text]) => /प्रश्न|السؤال|Frage|问题|Pregunta/.test(text))).toHaveLength(5);
  });
});

describe("a sheet with files beside it", () => {
  test("has its question sent with a column that is named like a field of images", async () => {
    const { sent } = await understood("p.csv", "question,input_images\nWhat is it?,https://x.example/a.png\n");
    expect(sent).toBe("What is it?");
  });

  test("has columns that name them, or addresses of media, mapped to the fields that fit; no such column is the question", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "p.csv");
    for (const name of ["blue.png", "tone.wav"]) {
      const media = new URL(`../fixtures/media/${name}`, import.meta.url);
      writeFileSync(join(folder, name), readFileSync(media));
    }
    const long = "https://x.example/a/very/long/address/of/a/picture/that/is/longer/than/any/question.png";
    writeFileSync(
      path,
      `what,photo,sound,more\nWhat is on it?,blue.png,tone.wav,no.png\nAnd on this one?,${long},tone.wav,no.wav\nAnd what is it?,,tone.wav,\n`,
    );
    const sheet = await lookAt(path, { sheets: new Sheets() });
    const files = mediaColumns(sheet, path);
    expect(files).toEqual([
      { column: "photo", field: "input_images" },
      { column: "sound", field: "input_audio" },
    ]);
    expect(guessRoles(sheet, null, files)).toMatchObject({ question: "what", files });
  });
});
