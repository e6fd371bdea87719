import { existsSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { runFunction, stopSandbox } from "../../src/deployment/sandbox/run-function.ts";
import { sandboxLimits } from "../../src/deployment/sandbox/sandbox-limits.ts";
import { since } from "../cpu-time.ts";
import { often } from "../often.ts";
import { openTally } from "./tally.ts";
import { hostile } from "./texts.ts";

const tally = openTally("functions of the local deployment", 90);
afterAll(stopSandbox);

const limits = sandboxLimits.parse({ time_ms: 60, memory_bytes: 16_000_000, output_bytes: 50_000, log_entries: 20 });

/** Attacks that the tests of the sandbox try as well (test/deployment/sandbox/limits.test.ts). */
const endless: Readonly<Record<string, string>> = {
  "a loop": "for (;;);",
  "a loop that catches everything": "for (;;) try { for (;;); } catch {}",
  "a chain of promises": "for (;;) await null;",
  recursion: "const f = () => f() + 1; return f();",
  "recursion through JSON": 'return JSON.parse("[".repeat(100000));',
  "a string that doubles": 'let s = "ab"; for (;;) s += s;',
  "an array that grows": "const a = []; for (;;) a.push(new Array(1e5).fill(0));",
  "a huge buffer": "return new ArrayBuffer(1e9);",
  "a getter that loops": "return { get a() { for (;;); } };",
  "a pattern that backtracks": 'return /^(a+)+$/.test("a".repeat(60) + "b");',
};

/** What a function may not be able to do, as statements. */
const attacks: Readonly<Record<string, string>> = {
  "a promise without an end": "await new Promise(() => {});",
  "a huge value": 'return "x".repeat(1e6);',
  "a value of many entries": "return Array.from({ length: 1e5 }, (_, i) => i);",
  "a value in itself": "const a = {}; a.a = a; return a;",
  "a list in itself": "const a = []; a.push(a); return [a];",
  "a value of a hundred thousand levels": "let a = 1; for (let i = 0; i < 1e5; i++) a = [a]; return a;",
  "a toJSON that loops": "return { toJSON() { for (;;); } };",
  "a Proxy": "return new Proxy({}, { ownKeys() { for (;;); } });",
  "logs without end": 'for (;;) console.log("x".repeat(1000));',
  "a thrown value of a megabyte": 'throw "x".repeat(1e6);',
  "the process": 'return process.mainModule.require("fs").writeFileSync("owned", "");',
  "a module": 'const fs = await import("node:fs"); fs.writeFileSync("owned", "");',
  "a module by its constructor": 'return (0).constructor.constructor("return process")().env;',
  "a request": 'return (await fetch("http://127.0.0.1:9")).status;',
  "the environment": "return globalThis.process.env.HOME;",
  "a timer": "setTimeout(() => {}, 1e9); await new Promise(() => {});",
};

/** Far more CPU than the limit of time lets a function take is a hang. */
const longestMs = 5_000;

async function harmOf(statements: string, variables = {}): Promise<string[]> {
  const start = process.cpuUsage();
  const source = `export default async function (variables) {\n${statements}\n}`;
  const output = await runFunction({ source, fileName: "index.js", variables, body: {}, limits });
  const text = JSON.stringify(output);
  return [
    ...(since(start) > longestMs ? ["a hang"] : []),
    ...(text.length > 200_000 ? [`it gives ${text.length} characters`] : []),
    ...(existsSync("owned") ? ["it wrote a file"] : []),
    ...(/"(?:HOME|PATH)"|\/root\b/.test(text) ? ["it sees the environment"] : []),
    ...("polluted" in {} ? ["it changed a prototype"] : []),
  ];
}

test("a function without end, without measure or with curiosity ends within its limits and reaches nothing", async () => {
  for (const [what, statements] of Object.entries({ ...attacks, ...often({}, endless) })) {
    const callback = `return await Promise.all([1].map(async () => { ${statements} }));`;
    const places = { "in the function": statements, ...often({}, { "in a callback": callback }) };
    for (const [place, code] of Object.entries(places)) tally.tried(what, place, await harmOf(code));
  }
  expect(tally.through()).toEqual([]);
});

test("what a function is given, throws, logs and returns stays text", async () => {
  for (const [what, text] of hostile) {
    const code =
      "console.log(variables.x); if (variables.throws) throw new Error(variables.x); return { [variables.x]: variables.x };";
    for (const throws of [false, true]) tally.tried(what, "a value", await harmOf(code, { x: text, throws }));
  }
  const honest = await runFunction({
    source: "export default () => 42",
    fileName: "index.js",
    variables: {},
    body: {},
    limits: { ...limits, time_ms: 30_000 },
  });
  expect([tally.through(), honest.return_value]).toEqual([[], 42]);
});
