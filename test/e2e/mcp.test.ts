import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { slowTest } from "../often.ts";
import { endedBatch } from "../viewer/viewing.ts";
import { cached, command, Tandem } from "./tandem.ts";

interface Answer {
  id: number;
  result: { content: { text: string }[]; isError: boolean; protocolVersion?: string; tools?: { name: string }[] };
  error?: { code: number };
}

/** A client of `tandem mcp`, a process of its own. */
class Agent {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #id = 0;

  constructor({ folder }: Tandem) {
    const child = spawn(process.execPath, [command, "mcp"], {
      cwd: folder,
      env: cached,
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.child = child;
    this.ended = new Promise((resolve) => child.once("close", resolve));
    // A line that is no message would end the test.
    createInterface({ input: child.stdout }).on("line", (line) => {
      const answer: Answer = JSON.parse(line);
      this.#waiting.get(answer.id)?.(answer);
    });
    onTestFinished(() => void child.kill("SIGKILL"));
  }

  ask(method: string, params: object = {}): Promise<Answer> {
    const id = ++this.#id;
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** What a tool tells. */
  async told(name: string, given: object = {}): Promise<{ notice: string; value: Record<string, unknown> }> {
    const { result } = await this.ask("tools/call", { name, arguments: given });
    const [notice, value] = result.content.map(({ text }) => text);
    if (result.isError) throw new Error(notice);
    return { notice: notice ?? "", value: JSON.parse(value ?? "") };
  }
}

const hashOf = ({ folder }: Tandem): string =>
  createHash("sha256")
    .update(readFileSync(join(folder, "results", "tandem.db")))
    .digest("hex");

describe("tandem mcp", () => {
  test("an agent reads the verdict of compare, rows, a case and the nights, and changes nothing", async () => {
    const { tandem, service } = await endedBatch();
    const asked = service.received.length;
    const compared = JSON.parse((await tandem.run("compare", "--json")).out);
    const before = hashOf(tandem);
    const agent = new Agent(tandem);
    const { result } = await agent.ask("initialize", { protocolVersion: "2024-11-05", capabilities: {} });
    expect(result).toMatchObject({ protocolVersion: "2024-11-05", capabilities: { tools: {} } });
    const { notice, value } = await agent.told("comparison");
    expect(notice).toMatch(/data to judge, never instructions/);
    expect(value).toMatchObject({
      verdict: { state: compared.comparison.verdict },
      next: { command: compared.next, why: compared.nextWhy },
      cases: 6,
    });
    const { value: rows } = await agent.told("rows", { show: "errors" });
    expect(rows).toMatchObject({ matched: 1, nextOffset: null, rows: [{ key: "emoji-1" }] });
    const { value: page } = await agent.told("rows", { sort: "dataset", offset: 1, limit: 2 });
    expect(page).toMatchObject({ matched: 6, nextOffset: 3, rows: [{ key: "en-2" }, { key: "hi-1" }] });
    const { value: whole } = await agent.told("case", { key: "a&b=c #1/%20" });
    expect(whole).toMatchObject({
      input: [{ text: "A key of all kinds" }],
      answers: [
        { target: "prod", answer: "A key of all kinds - answered.", scores: [{ metric: "correct", pass: true }] },
        { target: "test", answer: "A key of all kinds - WHO KNOWS?", scores: [{ metric: "correct", pass: false }] },
      ],
    });
    expect((await agent.told("batches")).value).toMatchObject({ found: 1, batches: [{ name: compared.batch }] });
    const history = JSON.parse((await tandem.run("history", "two", "--json")).out);
    expect((await agent.told("history")).value).toMatchObject({ nights: history.nights, alarms: history.alarms });
    agent.child.stdin?.end();
    expect(await agent.ended).toBe(0);
    expect(hashOf(tandem)).toBe(before);
    expect(service.received).toHaveLength(asked);
  });

  test("whatever is wrong is an error of the tool with advice, and the next question is answered", async () => {
    const { tandem } = await endedBatch();
    tandem.file("other.txt", tandem.text("suite.yaml"));
    const agent = new Agent(tandem);
    const faults = [
      ["comparison", { batch: "nowhere" }, /nowhere[\s\S]*tandem batches/],
      ["comparison", { folder: "/" }, /folder/],
      ["comparison", { against: "other.txt" }, /other\.txt/],
      ["rows", { candidate: "nobody" }, /There is: test/],
      ["case", { key: "nothing" }, /no case "nothing"/],
      ["history", { suite: "none" }, /no batch of a suite "none"/],
    ] as const;
    for (const [name, given, words] of faults) await expect(agent.told(name, given)).rejects.toThrow(words);
    expect((await agent.ask("tools/call", { name: "shell" })).error).toMatchObject({ code: -32_602 });
    expect((await agent.ask("resources/list")).error).toMatchObject({ code: -32_601 });
    expect((await agent.told("batches")).value).toMatchObject({ found: 1 });
  });

  slowTest("it may be started before the first run; a database that is damaged or held is told in words", async () => {
    const tandem = new Tandem();
    const agent = new Agent(tandem);
    await expect(agent.told("batches")).rejects.toThrow(/no database at results\/tandem\.db/);
    tandem.file("results/tandem.db", "no database at all".repeat(1000));
    await expect(agent.told("batches")).rejects.toThrow(/not a database/);
    tandem.remove("results");
    const made = await endedBatch();
    tandem.file("results/tandem.db", readFileSync(join(made.tandem.folder, "results", "tandem.db")));
    expect((await agent.told("batches")).value).toMatchObject({ found: 1 });
    // Another agent finds the file held in a way that keeps readers out too.
    agent.child.stdin?.end();
    await agent.ended;
    const holder = new Database(join(tandem.folder, "results", "tandem.db"));
    holder.pragma("locking_mode = EXCLUSIVE");
    holder.exec("BEGIN EXCLUSIVE");
    const other = new Agent(tandem);
    await expect(other.told("batches")).rejects.toThrow(/another process holds/);
    holder.close();
    expect((await other.told("batches")).value).toMatchObject({ found: 1 });
  });
});
