import { afterAll, describe, expect, test } from "vitest";
import { functionsOutput } from "../../../src/api/functions-schema.ts";
import { stopSandbox } from "../../../src/deployment/sandbox/run-function.ts";
import { often } from "../../often.ts";
import { callFunction, callSource } from "./call-function.ts";

afterAll(stopSandbox);

describe("values", () => {
  test("variables and named body fields reach the first argument, variables win; the body is the second", async () => {
    const output = await callFunction("return { variables, body };", {
      variables: { crop: "प्याज़ 🌱", shared: "from variables" },
      body: { rows: [1, { two: null }], shared: "from body", variables: { crop: "x" } },
    });
    expect(output).toStrictEqual({
      return_value: {
        variables: { rows: [1, { two: null }], shared: "from variables", crop: "प्याज़ 🌱" },
        body: { rows: [1, { two: null }], shared: "from body", variables: { crop: "x" } },
      },
      error: null,
      logs: [],
    });
  });

  test("promises are awaited, also at the top of the module", async () => {
    const source = `const base = await Promise.resolve(40);
      const later = async (value) => { await null; await null; return value; };
      export default async () => (await Promise.all([later(base), later(2)])).reduce((a, b) => a + b);`;
    await expect(callSource(source)).resolves.toMatchObject({ return_value: 42, error: null });
  });

  test("undefined becomes null, and every kind of JSON comes back as it was", async () => {
    await expect(callFunction("")).resolves.toMatchObject({ return_value: null, error: null });
    const values = [0, -1.5, "", "a\u0000b\n\u2028", "አማርኛ العربية é", true, [], {}, [[null]], { a: { b: [1] } }];
    const output = await callFunction("return variables.values;", { variables: { values } });
    expect(output.return_value).toStrictEqual(values);
  });

  test("cycles, BigInt, functions and symbols as return values are errors that say so", async () => {
    const texts: [string, RegExp][] = [
      ["const a = {}; a.a = a; return a;", /circular/],
      ["return 1n;", /BigInt/],
      ["return () => 1;", /cannot be written as JSON: it is a function/],
      ["return Symbol('x');", /cannot be written as JSON: it is a symbol/],
    ];
    for (const [code, text] of texts) {
      const output = await callFunction(code);
      expect(output.return_value).toBeNull();
      expect(output.error).toMatch(text);
    }
  });

  test("every output fits the schema of the API", async () => {
    for (const code of ["return 1;", "throw 1;", "console.log(1); return {};", "for (;;);"]) {
      const output = await callFunction(code, { limits: { time_ms: 50 } });
      expect(Object.keys(functionsOutput.parse(output))).toStrictEqual(["return_value", "error", "logs"]);
    }
  });

  test("two runs share nothing", async () => {
    const code = "globalThis.count = (globalThis.count ?? 0) + 1; Array.prototype.x = 1; return globalThis.count;";
    for (let i = 0; i < 4; i++) await expect(callFunction(code)).resolves.toMatchObject({ return_value: 1 });
  });
});

describe("errors", () => {
  test("a thrown error is inspected with its stack: file, line and column", async () => {
    const source = `function loadRows(feed) {
  console.debug("feed =", feed);
  return feed.rows;
}
export default function () {
  return loadRows();
}`;
    const output = await callSource(source);
    expect(output.return_value).toBeNull();
    expect(output.error).toMatch(
      /^TypeError: .*rows.*\n {4}at loadRows \(index\.js:3:\d+\)\n {4}at default \(index\.js:6:\d+\)$/,
    );
    expect(output.logs).toStrictEqual([{ level: "debug", message: "feed = undefined" }]);
  });

  test("causes and thrown values that are no errors are shown", async () => {
    const rich = await callFunction(
      'throw Object.assign(new RangeError("bad", { cause: new Error("inner") }), { code: "E1" });',
    );
    expect(rich.error).toMatch(/^RangeError: bad\n[^]*\[cause\]: Error: inner/);
    for (const [code, error] of [
      ['throw "text";', "text"],
      ["throw { code: 4 };", '{"code":4}'],
      ["throw undefined;", "undefined"],
      ["throw null;", "null"],
      ['throw "";', '""'],
      ["return Promise.reject(7);", "7"],
    ] as const) {
      await expect(callFunction(code)).resolves.toMatchObject({ return_value: null, error });
    }
  });

  test("an error of loading has no logs: syntax, a throw at the top, no function exported", async () => {
    const syntax = await callSource("export default function () {\n  return );\n}");
    expect(syntax).toMatchObject({ return_value: null, logs: [] });
    expect(syntax.error).toMatch(/^SyntaxError: .*\n {4}at index\.js:2:\d+/);
    const top = await callSource('console.log("loading"); throw new Error("top");');
    expect(top).toMatchObject({ return_value: null, logs: [] });
    expect(top.error).toMatch(/^Error: top/);
    const rejected = await callSource('await Promise.reject(new Error("late")); export default () => 1;');
    expect(rejected.error).toMatch(/^Error: late/);
    await expect(callSource("export const x = 1;")).resolves.toMatchObject({
      error: "TypeError: the default export must be a function of (variables, body), but it is missing.",
      logs: [],
    });
  });

  test("a promise that nothing can settle is an error at once", async () => {
    const output = await callFunction("console.log('waiting'); await new Promise(() => {});");
    expect(output.error).toMatch(/^UnsettledPromiseError: index\.js waits for a promise/);
    expect(output.logs).toStrictEqual([{ level: "log", message: "waiting" }]);
  });
});

describe("logs", () => {
  test("each level is kept in order, with values as JSON", async () => {
    const output = await callFunction(`
      console.log("reading", 43, { exported: 42, skipped: [1, null, "it's"] });
      console.warn(undefined, null, 1n, Symbol("s"));
      console.error(new Error("bad").message, new Map());
      console.info("é नमस्ते 🎉", []);
      const circle = {}; circle.self = circle;
      console.debug(circle);
      console.trace("here");`);
    expect(output.logs?.map(({ level, message }) => `${level}: ${message.split("\n")[0]}`)).toStrictEqual([
      'log: reading 43 {"exported":42,"skipped":[1,null,"it\'s"]}',
      "warn: undefined null 1 Symbol(s)",
      "error: bad {}",
      "info: é नमस्ते 🎉 []",
      "debug: [a value that cannot be written as JSON]",
      "trace: Trace: here",
    ]);
  });

  test("entries and bytes beyond the limits are counted, not kept, and the run goes on", async () => {
    const many = await callFunction("for (let i = 0; i < 500; i++) console.log(i); return 'done';", {
      limits: { log_entries: 3 },
    });
    expect(many.return_value).toBe("done");
    expect(many.logs?.map((entry) => entry.message)).toStrictEqual([
      "0",
      "1",
      "2",
      expect.stringMatching(/^497 more log entries were left out: at most 3 entries/),
    ]);
    const wide = await callFunction("console.log('x'.repeat(600)); console.log('y'.repeat(600)); return 1;", {
      limits: { output_bytes: 1000 },
    });
    expect(wide.logs?.map((entry) => entry.message.length)).toStrictEqual([600, expect.any(Number)]);
  });
});

test("a hundred calls and more at once are all answered, each with its own value", async () => {
  const all = Array.from({ length: often(100, 300) }, (_, i) => i);
  const outputs = await Promise.all(all.map((i) => callFunction("return variables.i;", { variables: { i } })));
  expect(outputs.map((output) => output.return_value)).toStrictEqual(all);
});

test("the event loop of the server goes on while a function loops", async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 5);
  await callFunction("for (;;);", { limits: { time_ms: 300 } });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});

test("after the sandbox was stopped the next call starts it again, and a call that was running ends with an error", async () => {
  const running = callFunction("for (;;);", { limits: { time_ms: 5000 } });
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  await stopSandbox();
  await expect(running).resolves.toMatchObject({ return_value: null, error: expect.stringMatching(/SandboxError/) });
  await expect(callFunction("return 1;")).resolves.toMatchObject({ return_value: 1 });
});
