import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { learnFrom } from "../../src/app/plan/chat-export.ts";
import { guessRoles } from "../../src/init/roles.ts";
import { lookAt } from "../../src/init/sheet.ts";
import { temporaryFolder } from "../store/batch.ts";
import { Sheets } from "../../src/dataset/sheets.ts";

async function rolesOf(text: string) {
  const path = join(temporaryFolder(), "sheet.csv");
  writeFileSync(path, text);
  const { chat } = await learnFrom([path], { format: undefined, sheets: new Sheets() });
  return guessRoles(await lookAt(path, { sheets: new Sheets() }), chat);
}

test.each([
  [
    "the usual names",
    "id,question,golden_answer\n1,Who?,Me\n2,When?,Now\n",
    { key: "id", question: "question", answer: "golden_answer" },
  ],
  [
    "names of another case, with spaces",
    " ID ;Prompt;Expected Answer\n1;Who?;Me\n2;When?;Now\n",
    { key: " ID ", question: "Prompt", answer: "Expected Answer" },
  ],
  ["a key that is not unique is none", "id,question\n1,Who?\n1,When?\n", { key: null, question: "question" }],
  [
    "no name that is known: the longest text",
    "n,क्या,ጥያቄ\n1,हाँ,ይህ በጣም ረጅም ጥያቄ ነው\n2,नहीं,ሌላ ረጅም ጥያቄ ነው\n",
    { question: "ጥያቄ" },
  ],
  [
    "an export of chats",
    "Conversation ID,User Message,Assistant Message\na,Hi,Hello\na,Bye,Goodbye\nb,Hi,Hello\n",
    {
      question: "User Message",
      answer: null,
      cluster: "Conversation ID",
      turn: "__order",
      stored: { answer: "Assistant Message" },
    },
  ],
  ["turns", "talk,turn,question\na,1,Hi\na,2,Bye\n", { cluster: "talk", turn: "turn", question: "question" }],
])("roles are guessed: %s", async (_, text, roles) => {
  expect(await rolesOf(text)).toMatchObject(roles);
});

test("tags are columns with few short values", async () => {
  const rows = Array.from(
    { length: 20 },
    (_, i) => `${i},question ${i},${i % 2 === 0 ? "hi" : "en"},${"long ".repeat(20)}${i % 2},same`,
  );
  expect(await rolesOf(["id,question,language,note,constant", ...rows].join("\n"))).toMatchObject({
    tags: ["language"],
  });
});

test("a sheet with a title above its header has no question: the header is no prompt", async () => {
  expect(await rolesOf("Prompts of our bot,,\n,,\nid,question,answer\n1,Who?,Me\n")).toBeNull();
  // Cells that are never filled are no columns.
  expect(await rolesOf("Prompts of our bot,,\nWho?,,\n")).toMatchObject({ question: "Prompts of our bot" });
});

test("a sheet of numbers alone has no question", async () => {
  expect(await rolesOf("a,b\n1,2\n3,4\n")).toBeNull();
});
