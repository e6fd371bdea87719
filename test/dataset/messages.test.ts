import { type LeftOutRow, leftOutText } from "../../src/dataset/left-out.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chatText, learnFrom } from "../../src/app/plan/chat-export.ts";
import type { Case } from "../../src/dataset/case.ts";
import { temporaryFolder } from "../store/batch.ts";
import { readDataset, inspectDataset } from "./reading.ts";
import { Sheets } from "../../src/dataset/sheets.ts";

/** A dataset read as a run reads it that was given no mapping. */
async function learned(name: string, text: string) {
  const folder = temporaryFolder();
  const path = join(folder, name);
  writeFileSync(path, text);
  const { chat } = await learnFrom([path], { format: undefined, sheets: new Sheets() });
  if (chat === null) return null;
  const skipped: string[] = [];
  const stored = chat.stored === null ? [] : [{ target: "stored", columns: chat.stored }];
  const options = {
    files: [path],
    folder,
    mapping: chat.mapping,
    endpoints: ["video-bots"] as const,
    stored,
    skipInvalid: true,
    onSkipped: (left: LeftOutRow) => skipped.push(leftOutText(left)),
  };
  const { faults } = await inspectDataset(options);
  skipped.length = 0;
  const cases: Case[] = [];
  if (faults.count === 0) for await (const page of readDataset(options)) cases.push(...page);
  return {
    cases,
    skipped,
    faults: faults.listed.map(({ message, row }) => `row ${row}: ${message}`),
    told: chatText(chat),
  };
}

const turnsIn = (cases: readonly Case[] = []) =>
  cases.map(({ input, turn, expected, stored, source }) => [
    source.row,
    turn,
    input["input_prompt"],
    stored?.[0]?.text ?? expected,
  ]);

describe("a sheet with a row for each message", () => {
  test("becomes the turns of its conversations, whose rows may stand among each other", async () => {
    const sheet = [
      "conversation_id,role,content,created_at,feedback",
      "a,system,Be brief.,2026-11-03 10:00,",
      "a,user,When is it open?,2026-11-03 10:01,",
      "b,human,Hello,2026-11-03 10:02,",
      "a,assistant,9 to 17.,2026-11-03 10:03,👍",
      "b,bot,Good day.,2026-11-03 10:04,",
      "a,user,And on Sunday?,2026-11-03 10:05,",
      "",
    ].join("\n");
    const read = await learned("chats.csv", sheet);
    expect(read?.told).toBe(
      'Each row is a message ("role", "content"): the rows of one "conversation_id" are a conversation, in the order of "created_at"; those of the user are prompts.',
    );
    expect(turnsIn(read?.cases)).toEqual([
      [3, 1, "When is it open?", "9 to 17."],
      [7, 2, "And on Sunday?", ""],
      [4, 1, "Hello", "Good day."],
    ]);
    expect(read?.cases[0]).toMatchObject({
      cluster: "a",
      input: { messages: [{ role: "system", content: "Be brief." }] },
      stored: [{ label: "👍", createdAt: "2026-11-03 10:01" }],
    });
    expect(read?.cases[1]?.input).toEqual({ input_prompt: "And on Sunday?" });
  });

  test("is put in the order of its times when the latest message comes first", async () => {
    const sheet = [
      "Chat ID,Sender,Message,Timestamp",
      "c1,Bot,Yes.,03.11.2026 10:02",
      "c1,User,Open?,03.11.2026 10:01",
      "",
    ].join("\n");
    expect(turnsIn((await learned("chats.csv", sheet))?.cases)).toEqual([[3, 1, "Open?", "Yes."]]);
  });

  test("is parted by blank lines, or by messages of the system, where no column names the conversations", async () => {
    const parted = "role,content\nuser,One\nassistant,1\n\nuser,Two\nassistant,2\nuser,More\n";
    const read = await learned("chats.csv", parted);
    expect(read?.told).toContain("blank lines part the conversations");
    expect(turnsIn(read?.cases)).toEqual([
      [2, 1, "One", "1"],
      [5, 1, "Two", "2"],
      [7, 2, "More", ""],
    ]);
    expect(new Set(read?.cases.map(({ cluster }) => cluster)).size).toBe(2);
    const bySystem = await learned("chats.csv", "role;content\nsystem;S\nuser;One\nsystem;S\nuser;One\n");
    expect(turnsIn(bySystem?.cases)).toEqual([
      [3, 1, "One", ""],
      [5, 1, "One", ""],
    ]);
    expect(new Set(bySystem?.cases.map(({ key }) => key)).size).toBe(2);
  });

  test("lists blank messages and those of tools and leaves them out; a role that is not known is a fault", async () => {
    const read = await learned(
      "chats.csv",
      "role,content\nuser,One\nuser, \ntool,{}\nuser,more\nassistant,First\nassistant,Last\n",
    );
    expect(turnsIn(read?.cases)).toEqual([[2, 1, "One\nmore", "Last"]]);
    expect(read?.skipped).toEqual([
      "chats.csv:3 (row 3) is a blank message",
      'chats.csv:4 (row 4) is a message of "tool", not of a person or the bot',
    ]);
    const wrong = await learned("chats.csv", "role,content\nuser,One\nMartha,Two\n");
    expect(wrong?.faults).toEqual(['row 3: "Martha" is no role of a message that is known']);
  });

  test("is not seen in a sheet whose first role is none, or that has a question of its own", async () => {
    expect(await learned("people.csv", "role,content\nnurse,Text\n")).toBeNull();
    expect(
      await learned("history.jsonl", '{"question": "Q", "messages": [{"role": "user", "content": "x"}]}\n'),
    ).toBeNull();
  });
});

describe("JSON Lines with messages", () => {
  const line = (...messages: [role: string, content: unknown][]): object => ({
    messages: messages.map(([role, content]) => ({ role, content })),
  });
  const lines = (...objects: object[]): string => objects.map((each) => `${JSON.stringify(each)}\n`).join("");

  test("are conversations whose answers are expected, without a key", async () => {
    const talk = line(
      ["system", "Be brief."],
      ["user", "One?"],
      ["assistant", "1"],
      ["user", [{ type: "text", text: "Two?" }]],
      ["assistant", "2"],
    );
    const read = await learned("train.jsonl", lines(talk, talk));
    expect(read?.told).toContain("the answers in it are what is expected");
    expect(turnsIn(read?.cases)).toEqual([
      [1, 1, "One?", "1"],
      [1, 2, "Two?", "2"],
      [2, 1, "One?", "1"],
      [2, 2, "Two?", "2"],
    ]);
    expect(read?.cases[0]?.input["messages"]).toEqual([{ role: "system", content: "Be brief." }]);
    expect(new Set(read?.cases.map(({ key }) => key)).size).toBe(4);
    expect(new Set(read?.cases.map(({ cluster }) => cluster)).size).toBe(2);
  });

  test("list the blank messages of the user that are left out, not the empty ones of a bot that calls a tool", async () => {
    const talk = line(["user", "One?"], ["assistant", null], ["tool", "4"], ["user", " "], ["assistant", "It is 4."]);
    const read = await learned("train.jsonl", lines(line(["user", "Hi"], ["assistant", "Hello"]), talk));
    expect(turnsIn(read?.cases)).toMatchObject([
      [1, 1, "Hi", "Hello"],
      [2, 1, "One?", "It is 4."],
    ]);
    expect(read?.skipped).toEqual(["train.jsonl:2 (row 2) has a blank message of the user: entry 4"]);
  });

  test("take the expected answer of the last turn from a column of its own", async () => {
    const talk = { id: "t", ...line(["user", "One?"], ["assistant", "1"], ["user", "Two?"]), expected: "zwei" };
    const read = await learned("eval.jsonl", lines(talk));
    expect(read?.told).toContain('"expected" is expected of its last turn');
    expect(read?.cases.map(({ key, expected }) => [key, expected])).toEqual([
      ["t/1", null],
      ["t/2", "zwei"],
    ]);
  });

  test("may name the speakers as other programs do; a tool's messages are passed over", async () => {
    const shared = {
      conversations: [
        { from: "human", value: "Hi" },
        { from: "gpt", value: "Hello" },
      ],
    };
    expect(turnsIn((await learned("shared.jsonl", lines(shared)))?.cases)).toEqual([[1, 1, "Hi", "Hello"]]);
    const tools = line(["user", "Sum?"], ["assistant", null], ["tool", "4"], ["assistant", "It is 4."]);
    expect(turnsIn((await learned("tools.jsonl", lines(tools)))?.cases)).toEqual([[1, 1, "Sum?", "It is 4."]]);
  });

  test("name the row of a conversation that cannot be read", async () => {
    const read = await learned(
      "train.jsonl",
      lines(line(["user", "One?"]), line(["system", "Alone"]), line(["wizard", "x"])),
    );
    expect(read?.faults).toEqual([
      'row 2: column "messages" has no message of the user',
      'row 3: column "messages" has a message of the role "wizard", which is not known: entry 1',
    ]);
  });
});
