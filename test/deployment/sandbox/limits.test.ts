import { afterAll, describe, expect, test } from "vitest";
import { stopSandbox } from "../../../src/deployment/sandbox/run-function.ts";
import { often, slowTest } from "../../often.ts";
import { post, serve } from "../served.ts";
import { callFunction, callSource } from "./call-function.ts";

afterAll(stopSandbox);

const time = /^TimeLimitError: index\.js ran longer than 80 ms/;
const memory = /^(?:Memory|Stack|Time)LimitError|string too long/;

type Attack = [name: string, code: string, error: RegExp];

/** Others of the kinds below. */
const more: readonly Attack[] = [
  ["a replacement that swells", 'return "a".repeat(1e5).replaceAll("a", "b".repeat(1e5));', memory],
  ["the longest array", "return new Array(2 ** 32 - 1).fill(0);", memory],
  ["the longest array as a text", 'return new Array(2 ** 32 - 1).join("x");', memory],
  ["an endless chain of promises", "for (;;) await null;", time],
  [
    "jobs that make jobs",
    "const again = () => Promise.resolve().then(again); again(); again(); await new Promise(() => {});",
    time,
  ],
  ["an endless generator", "for (const _ of (function* () { for (;;) yield 1; })());", time],
  ["deep recursion through eval", 'return eval("(".repeat(100000));', /^StackLimitError|SyntaxError/],
  ["a huge padded string", 'return "x".padEnd(1e9);', memory],
  ["a huge array", "return new Array(1e9).fill(0);", memory],
  [
    "a generator whose end never ends",
    "for (const _ of (function* () { try { yield 1; } finally { for (;;); } })()) break;",
    time,
  ],
  [
    "an asynchronous iterator without an end",
    "for await (const _ of { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false }) }) });",
    time,
  ],
  ["a label that leads out of finally", "again: for (;;) { try { return 1; } finally { continue again; } }", time],
  ["a sort that is never done", "for (;;) Array.from({ length: 1e4 }, (_, i) => -i).sort((a, b) => a - b);", time],
  [
    "a thenable that answers with itself",
    "Object.prototype.then = function (resolve) { resolve(this); }; return {};",
    time,
  ],
  ["toJSON in a log", "console.log({ toJSON() { for (;;); } });", time],
  ["a chain of repeat", 'return "x".repeat(2 ** 20).repeat(2 ** 10).repeat(2 ** 10);', /invalid string length/],
  ["sleeping with Date", "const end = Date.now() + 1e9; while (Date.now() < end);", time],
];

const attacks: readonly Attack[] = [
  ["an endless loop", "for (;;);", time],
  ["a loop that catches everything", "for (;;) try { for (;;); } catch {} finally { for (;;); }", time],
  ["a regular expression that backtracks", 'return /^(a+)+$/.test("a".repeat(60) + "b");', time],
  ["a loop in native code", "return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);", time],
  ["a getter that loops in the return value", "return { get a() { for (;;); } };", time],
  ["a Proxy that loops in a log", "console.log(new Proxy({}, { getPrototypeOf() { for (;;); } }));", time],
  ["deep recursion", "const f = () => f() + 1; return f();", /^StackLimitError/],
  ["deep recursion through JSON", 'return JSON.parse("[".repeat(100000));', /^StackLimitError/],
  [
    "deep recursion through toString",
    "const a = []; a[0] = { toString: () => String(a) }; return String(a);",
    /^StackLimitError/,
  ],
  ["a doubling string", 'let s = "ab"; for (;;) s += s;', memory],
  ["a huge buffer", "return new ArrayBuffer(1e9);", memory],
  ["a growing array", "const a = []; for (;;) a.push(new Array(1e6).fill(0));", memory],
  [
    "a huge return value",
    'return "x".repeat(2e6);',
    /^OutputLimitError: index\.js returned 2000002 bytes of JSON; at most 1048576/,
  ],
  ["a huge error", 'throw new Error("x".repeat(2e6));', /^Error: x{40000,50000}/],
  ["waiting on shared memory", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);", /Atomics/],
  [
    "an asynchronous iterator that never answers",
    "for await (const _ of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });",
    /^UnsettledPromiseError/,
  ],
  ["a comparator that loops", "return [3, 1, 2].sort(() => { for (;;); });", time],
  [
    "callbacks for what is collected",
    "const all = new FinalizationRegistry(() => { for (;;); }); for (;;) all.register({}, 1);",
    time,
  ],
  ["a job left behind", "Promise.resolve().then(() => { for (;;); }); return 1;", time],
  ["a BigInt that grows", "let n = 3n; for (;;) n *= n;", /^RangeError: BigInt is too large|^TimeLimitError/],
  ["a huge BigInt", "return String(2n ** 100000000n);", /^RangeError: BigInt is too large/],
  [
    "JSON of many thousand levels",
    `let deep = 1; for (let i = 0; i < ${often("2e4", "1e6")}; i++) deep = { deep }; return JSON.stringify(deep);`,
    /^StackLimitError/,
  ],
  [
    "a chain of a hundred thousand proxies",
    "let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x;",
    /^StackLimitError|^TimeLimitError/,
  ],
  ["a million arguments", "return Math.max.apply(null, { length: 1e9 });", /^RangeError: too many arguments/],
];

async function endsWithin(_name: string, code: string, text: RegExp): Promise<void> {
  const mayTakeLong = !text.source.includes("TimeLimit");
  // What fills memory finds the end of little sooner.
  const limits =
    text === memory
      ? { time_ms: 300, memory_bytes: 4_000_000 }
      : { time_ms: text === time ? 80 : mayTakeLong ? 30_000 : 3_000 };
  const output = await callFunction(code, { limits });
  expect(output.return_value).toBeNull();
  expect(output.error).toMatch(text);
}

describe("no code outlives its limits", () => {
  test.each(attacks)("%s", endsWithin);

  slowTest.each(more)("%s", endsWithin);

  test("an endless flood of logs keeps the limit of entries and ends in time", async () => {
    const output = await callFunction("for (;;) console.log('x'.repeat(1000));", {
      limits: { time_ms: 400, log_entries: 10 },
    });
    expect(output.error).toMatch(/^TimeLimitError: index\.js ran longer than 400 ms/);
    expect(output.logs).toHaveLength(11);
  });

  test("messages of any length are cut, and all together keep the limit", async () => {
    const output = await callFunction(
      "console.log('x'.repeat(5e5)); console.log(new Array(1e5).fill('y')); for (let i = 0; i < 50; i++) console.log('z'.repeat(1e5)); return 1;",
      { limits: { time_ms: 30_000, output_bytes: 200_000 } },
    );
    expect(output).toMatchObject({ return_value: 1, error: null });
    const messages = (output.logs ?? []).map(({ message }) => message);
    expect(messages[0]).toMatch(/^x{50000}\.\.\. 450000 more characters$/);
    expect(messages[1]).toMatch(/\.\.\. 350001 more characters$/);
    expect(messages.join("").length).toBeLessThan(202_000);
    expect(messages.at(-1)).toMatch(/more log entries were left out/);
  });

  test("a loop while the function is loaded ends in time too, without logs", async () => {
    const output = await callSource("console.log(1); for (;;); export default () => 1;", { limits: { time_ms: 80 } });
    expect(output).toMatchObject({ return_value: null, error: expect.stringMatching(time), logs: [] });
  });

  test("after all this an honest function still runs", async () => {
    await expect(callFunction("return 'well';")).resolves.toMatchObject({ return_value: "well", error: null });
  });
});

slowTest("a deployment answers others while functions loop in all its threads", async () => {
  const { baseUrl, journal } = await serve({
    "bots/a.yaml": "",
    "functions/loop.js": "export default () => { for (;;); };\n",
    "functions/loop.yaml": "limits: { time_ms: 500 }\n",
  });
  const ended: unknown[] = [];
  const loops = Array.from({ length: 4 }, async () => {
    ended.push((await post(baseUrl, "/v2/functions?example_id=loop", {})).json);
  });
  await expect.poll(() => journal.inFlight).toBe(4);
  let answered = 0;
  while (ended.length === 0) {
    const got = await post(baseUrl, "/v2/video-bots?example_id=a", { input_prompt: `question ${answered}` });
    expect(got.status).toBe(200);
    answered++;
  }
  expect(answered).toBeGreaterThan(2);
  await Promise.all(loops);
  for (const json of ended) {
    expect(json).toMatchObject({ output: { return_value: null, error: expect.stringMatching(/^TimeLimitError/) } });
  }
});

describe("a function that fills its memory", () => {
  const filled = /^MemoryLimitError: index\.js needed more than 8000000 bytes of memory and was stopped\./;
  const fill = "for (;;) a.push(new Array(1000).fill(0));";

  test.each([
    ["and catches that", `let a = []; try { ${fill} } catch { a = null; } return "went on";`],
    ["again and again", `for (;;) { let a = []; try { ${fill} } catch {} }`],
    ["and lets a finally go on", `let a = []; try { ${fill} } finally { return "went on"; }`],
    [
      "in a promise that another waits for",
      `await Promise.all([1, 2].map(async () => { let a = []; try { ${fill} } catch {} })); return "went on";`,
    ],
    ["and logs then", `let a = []; try { ${fill} } catch { a = null; } for (;;) console.log("went on");`],
  ])("%s ends with the name of the limit, and goes on in nothing", async (_how, code) => {
    const {
      return_value: value,
      error,
      logs,
    } = await callFunction(code, { limits: { memory_bytes: 8_000_000, time_ms: 20_000 } });
    expect([value, error]).toEqual([null, expect.stringMatching(filled)]);
    expect(JSON.stringify(logs)).not.toContain("went on");
    // The next one begins with an empty memory, also where it may have less.
    const next = await callFunction("return 1;", { limits: { memory_bytes: 1_000_000 } });
    expect(next).toMatchObject({ return_value: 1, error: null });
  });

  test("may hold most of it", async () => {
    const code = "const a = []; for (let i = 0; i < 350; i++) a.push(new Array(1000).fill(i)); return a.length;";
    const { return_value: value, error } = await callFunction(code, {
      limits: { memory_bytes: 8_000_000, time_ms: 20_000 },
    });
    expect([value, error]).toEqual([350, null]);
  });
});
