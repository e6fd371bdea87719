import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { type ChatReply, startChat } from "./chat-service.ts";
import { flat, Tandem } from "./tandem.ts";

/** Rows of the sheet. */
export const rows = 80;

/** A judge whose behaviour changes from one night to the next. */
interface Behaviour {
  /** It passes bad answers whose number is below. */
  lenientTo: number;
  top: NonNullable<ChatReply["top"]>;
  /** It gives no verdict. */
  isDown: boolean;
}

/** True for a right answer. */
const isGood = (row: number, side: string): boolean => (row + (side === "new" ? 1 : 0)) % 2 === 0;

const answerOf = (row: number, side: string): string =>
  `${isGood(row, side) ? "good" : "bad"} answer ${row} of ${side}`;

/** A suite whose answers stand in a sheet, graded by a judge in this process. */
export async function watched({ scorers = "[{ name: helpful, type: judge, target: grader }]", limits = "" } = {}) {
  const behaviour: Behaviour = { lenientTo: 0, top: {}, isDown: false };
  const chat = await startChat(({ said }) => {
    if (behaviour.isDown) return { status: 500, error: { message: "overloaded", type: "server_error" } };
    const [, quality, row] = /(good|bad) answer (\d+)/.exec(said) ?? [];
    const passes = quality === "good" || Number(row) < behaviour.lenientTo;
    // Its values hardly differ: what passes does.
    const content = JSON.stringify({ score: passes ? 0.55 : 0.45, reason: "seen" });
    return { message: { content }, top: behaviour.top };
  });
  const lines = Array.from(
    { length: rows },
    (_, row) => `k${row},question ${row}?,${answerOf(row, "old")},${answerOf(row, "new")}`,
  );
  const tandem = new Tandem()
    .env({ CHAT_KEY: "sk-chat-0123456789" })
    .file("sheet.csv", ["id,question,old,new", ...lines, ""].join("\n"))
    .file(
      "suite.yaml",
      `name: desk
dataset: sheet.csv
case: { key: id, input: { input_prompt: question } }
deployments: { openai: { base_url: "${chat.url}/v1", api_key_env: CHAT_KEY, retries: 0, price: 0.01${limits} } }
targets: { old: { answers: old }, new: { answers: new } }
judges:
  grader: { deployment: openai, endpoint: chat-completions, model: gpt-test }
scorers: ${scorers}
gates: [{ metric: helpful, margin: 0.1 }]
`,
    );
  return { tandem, chat, behaviour };
}

/** A night of the suite. */
export async function night(
  tandem: Tandem,
  ...args: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const { code, out, err } = await tandem.run("night", "suite.yaml", ...args);
  return { code, out: flat(out), err: flat(err) };
}

/** Runs the suite and checks its judge, which keeps questions. */
export async function checked(tandem: Tandem): Promise<void> {
  const first = await tandem.run("run", "suite.yaml");
  expect([0, 1], first.err).toContain(first.code);
  const { code, out, err } = await tandem.run("judge", "check", "helpful", "--probes", "consistency,wrongs");
  expect([0, 1], err).toContain(code);
  expect(flat(out)).toContain("`tandem night` asks 60 questions of these again each week");
}

/** Lets time pass: what was looked at is so many days longer ago. */
export function daysPass(tandem: Tandem, days: number): void {
  const ms = days * 24 * 60 * 60_000;
  const db = new Database(join(tandem.folder, "results", "tandem.db"));
  db.exec(`UPDATE judge_kept SET at = at - ${ms}; UPDATE judge_night SET at = at - ${ms}`);
  // Names hold the moment: one of a batch that is gone would be that of a night of the same second.
  db.exec("UPDATE judge_night SET night = 'gone ' || id WHERE night NOT IN (SELECT name FROM batch)");
  db.close();
}
