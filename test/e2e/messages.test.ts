import { describe, expect, test } from "vitest";
import { record, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const chats = [
  "role,content",
  "system,Be brief.",
  "user,When is it open?",
  "assistant,9 to 17.",
  "user,And on Sunday?",
  "assistant,11 to 15.",
  "",
  "user,Hello",
  "assistant,Good day.",
  "user, ",
  "",
].join("\n");
const training = [
  {
    messages: [
      { role: "user", content: "One?" },
      { role: "assistant", content: "1" },
    ],
  },
  {
    messages: [
      { role: "user", content: "Two?" },
      { role: "assistant", content: "2" },
      { role: "user", content: "Three?" },
      { role: "assistant", content: "3" },
    ],
  },
];
const jsonl = training.map((each) => `${JSON.stringify(each)}\n`).join("");

describe("a sheet with a row for each message", () => {
  test("runs with nothing but an address: turns in order, the answers of then as the baseline, blank ones listed", async () => {
    const service = await startService(({ prompt }) => record(`now: ${prompt}`));
    const tandem = new Tandem().file("chats.csv", chats);
    const { err, code } = await tandem.run(
      "run",
      "chats.csv",
      "--deployment",
      `prod=${service.url}`,
      "--example-id",
      "a",
    );
    expect(code).toBe(0);
    expect(err).toContain('Each row is a message ("role", "content"): blank lines part the conversations');
    expect(err).toContain("left out: chats.csv:10 (row 10) is a blank message");
    expect(err).toContain("3 rows for stored, prod = 3 jobs and 3 stored answers");
    const bodies = service.received.map(({ body }) => JSON.parse(body) as { input_prompt: string; messages: unknown });
    expect(bodies.find(({ input_prompt: prompt }) => prompt === "And on Sunday?")?.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "When is it open?" },
      { role: "assistant", content: "now: When is it open?" },
    ]);
    expect((await tandem.run("check", "--offline", "chats.csv")).code).toBe(0);
  });

  test("names ten of the rows that are left out, and says where to see the others", async () => {
    const blank = Array.from({ length: 14 }, () => "user, ").join("\n");
    const tandem = new Tandem().file("chats.csv", `role,content\nuser,Hi\n${blank}\n`);
    const service = await startService(() => record("x"));
    const { err } = await tandem.run("run", "chats.csv", "--deployment", `prod=${service.url}`, "--example-id", "a");
    expect(err).toContain(
      "left out: 14 rows of chats.csv (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ...): each is a blank message\n" +
        "  `tandem check chats.csv --skip-invalid` lists every one\n",
    );
    const all = await tandem.run("check", "--offline", "chats.csv", "--skip-invalid");
    expect((all.out + all.err).match(/is a blank message/g)).toHaveLength(14);
  });

  test("becomes a suite by init that runs at once", async () => {
    const tandem = new Tandem().env({}).file("chats.csv", chats);
    expect((await tandem.run("init", "chats.csv", "--yes")).code).toBe(0);
    expect(tandem.text("tandem.yaml")).toContain("messages: {role: role, text: content} # a row for each message");
    expect(tandem.text("tandem.yaml")).toContain("before: {answers: __answer}");
    const { code, out, err } = await tandem.run("run", "tandem.yaml");
    expect(out + err).toContain("3 rows for before, assistant");
    expect(code).toBe(0);
  });
});

describe("JSON Lines of messages", () => {
  test("run as conversations whose answers are expected, by flags and by the suite of init", async () => {
    const service = await startService(({ prompt }) => record(prompt === "One?" ? "1" : "x"));
    const tandem = new Tandem().file("train.jsonl", jsonl);
    const target = ["--deployment", `prod=${service.url}`, "--example-id", "a"];
    expect((await tandem.run("run", "train.jsonl", ...target, "--scorer", "contains")).code).toBe(0);
    expect(tandem.query(`SELECT expected, turn FROM "case" ORDER BY place`)).toEqual([
      { expected: "1", turn: 1 },
      { expected: "2", turn: 1 },
      { expected: "3", turn: 2 },
    ]);
    expect(tandem.query("SELECT sum(pass) AS passed, count(*) AS n FROM scores")).toEqual([{ passed: 1, n: 3 }]);
    expect((await tandem.run("init", "train.jsonl", "--yes", "--dir", "night")).code).toBe(0);
    expect(tandem.text("night/tandem.yaml")).toContain("turns: messages # a conversation in each row");
    expect(tandem.text("night/tandem.yaml")).toContain("expected: __answer");
    expect((await tandem.run("run", "night/tandem.yaml")).code).toBe(0);
  });
});
