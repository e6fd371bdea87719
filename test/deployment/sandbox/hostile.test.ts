import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stopSandbox } from "../../../src/deployment/sandbox/run-function.ts";
import { callFunction, callSource } from "./call-function.ts";

const secret = "secret-of-the-host-7f3a";
const folder = mkdtempSync(join(tmpdir(), "tandem-sandbox-"));
const file = join(folder, "secret.txt");
let connections = 0;
const server = createServer((_request, response) => response.end(secret));
server.on("connection", () => {
  connections += 1;
});
let url = "";

beforeAll(async () => {
  writeFileSync(file, secret);
  process.env["TANDEM_SANDBOX_SECRET"] = secret;
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
});

afterAll(async () => {
  await stopSandbox();
  server.close();
  rmSync(folder, { recursive: true });
  delete process.env["TANDEM_SANDBOX_SECRET"];
});

/** Attempts to reach the host: each tries to return a file, the environment, or what a server answers. */
const escapes: [name: string, code: string][] = [
  ["process.env", "return process.env;"],
  ["globalThis.process", "return globalThis.process.env.TANDEM_SANDBOX_SECRET;"],
  ["require", 'return require("node:fs").readFileSync(variables.file, "utf8");'],
  ["dynamic import of fs", 'return (await import("node:fs")).readFileSync(variables.file, "utf8");'],
  ["dynamic import of a file path", "return JSON.stringify(await import(variables.file));"],
  ["dynamic import of a data URL", 'return (await import("data:text/javascript,export default process.env")).default;'],
  ["fetch", "return await (await fetch(variables.url)).text();"],
  ["XMLHttpRequest and WebSocket", "return typeof XMLHttpRequest + new WebSocket(variables.url);"],
  ["the Function constructor", 'return Function("return process.env")();'],
  [
    "constructor.constructor",
    'return this?.constructor?.constructor("return process")() ?? ({}).constructor.constructor("return process")();',
  ],
  ["the constructor of console.log", 'return console.log.constructor("return process.env")();'],
  [
    "the async function constructor",
    "return await (async () => {}).constructor(\"return (await import('node:fs')).readFileSync(variables.file)\")();",
  ],
  ["the generator constructor", 'return [...(function* () {}).constructor("yield process.env")()];'],
  ["eval", 'return eval("process.env");'],
  ["indirect eval", "return (0, eval)(\"process.mainModule.require('fs')\");"],
  ["arguments.callee.caller", "return arguments.callee.caller.constructor('return process')();"],
  [
    "Error.prepareStackTrace",
    "Error.prepareStackTrace = (_, frames) => frames; const [frame] = new Error().stack; return frame.getThis().process.env;",
  ],
  ["the prototype of variables", 'return variables.constructor.constructor("return process.env")();'],
  ["QuickJS modules std and os", 'const std = await import("std"); return std.loadFile(variables.file);'],
  ["os.exec", 'const os = await import("os"); return os.exec(["cat", variables.file]);'],
  ["globals std and os", "return std.getenviron() ?? os.open(variables.file);"],
  ["Deno and Bun", "return Deno.readTextFileSync(variables.file) ?? Bun.file(variables.file);"],
  ["WebAssembly", "return new WebAssembly.Memory({ initial: 1 });"],
  ["a Worker", "return new Worker(variables.file);"],
  ["postMessage and parentPort", "return parentPort.postMessage(1) ?? postMessage('ready');"],
  ["setTimeout with a string", "return setTimeout('process.exit()', 0);"],
  [
    "a hook in a replaced global",
    "Promise.prototype.then = JSON.parse = Reflect.apply = () => { throw process.env; }; return await Promise.resolve(process.env);",
  ],
];

describe("no code reaches the host", () => {
  test.each(escapes)("%s", async (_name, code) => {
    const output = await callFunction(code, { variables: { file, url } });
    expect(output.return_value).toBeNull();
    expect(output.error).toMatch(/\S/);
    expect(JSON.stringify(output)).not.toContain(secret);
  });

  test("static imports are refused when the function is loaded", async () => {
    for (const module of ["node:fs", "fs", "child_process", "./secret.txt", file, "std", "quickjs-emscripten"]) {
      const output = await callSource(`import * as m from ${JSON.stringify(module)}; export default () => m;`);
      expect(output).toMatchObject({ return_value: null, logs: [] });
      expect(output.error).toMatch(/cannot be imported/);
    }
  });

  test("eval and Function run, but in the sandbox: the globals are those of the language and a console", async () => {
    const output = await callFunction(
      'return [eval("1 + 1"), Function("return typeof process")(), Object.getOwnPropertyNames(globalThis).filter((name) => /^[a-z]/.test(name)).sort()];',
    );
    expect(output.return_value).toStrictEqual([
      2,
      "undefined",
      [
        "console",
        "decodeURI",
        "decodeURIComponent",
        "encodeURI",
        "encodeURIComponent",
        "escape",
        "eval",
        "globalThis",
        "isFinite",
        "isNaN",
        "parseFloat",
        "parseInt",
        "undefined",
        "unescape",
      ],
    ]);
  });

  test("nothing connected to the server", () => {
    expect(connections).toBe(0);
  });
});

describe("returned values cannot harm who reads them", () => {
  test("__proto__ and constructor keys are plain members, and pollute nothing", async () => {
    const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    const output = await callFunction("Object.prototype.polluted = 1; return JSON.parse(variables.text);", {
      variables: { text },
      body: JSON.parse('{"__proto__":{"polluted":1}}'),
    });
    expect(JSON.stringify(output.return_value)).toBe(text);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.getPrototypeOf(output.return_value)).toBe(Object.prototype);
  });

  test.each([
    ["a getter that throws", "return { get a() { throw new Error('trap'); } };", /trap/],
    ["toJSON that throws", "return { toJSON() { throw new Error('trap'); } };", /trap/],
    ["a Proxy that throws", "return new Proxy({}, { ownKeys() { throw new Error('trap'); } });", /trap/],
    [
      "an error whose members throw",
      "throw { get stack() { throw 1; }, get message() { throw 2; } };",
      /cannot be written as JSON/,
    ],
    ["a thrown Proxy", "throw new Proxy({}, { getPrototypeOf() { throw 1; } });", /cannot be written as JSON/],
    ["a thenable that throws", "return { then() { throw new Error('trap'); } };", /trap/],
    ["a revoked Proxy", "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy;", /\S/],
    [
      "a thousand levels",
      "let deep = 1; for (let i = 0; i < 1000; i++) deep = [deep]; return deep;",
      /nested too deeply/,
    ],
  ])("%s is an error", async (_name, code, text) => {
    const output = await callFunction(code);
    expect(output.return_value).toBeNull();
    expect(output.error).toMatch(text);
  });

  test("toJSON, a Proxy and replaced globals change only the function's own value", async () => {
    const output = await callFunction(`
      JSON.stringify = () => "{broken"; String.prototype.slice = () => { throw 1; }; Object.prototype.toJSON = undefined;
      console.log(new Proxy({ a: 1 }, { ownKeys: () => { throw 1; } }));
      return { toJSON: () => ({ kept: new Proxy([1], {}) }) };`);
    expect(output).toMatchObject({ return_value: { kept: [1] }, error: null });
  });

  test.each([
    ["console is null", "console = null; return { a: 1 };"],
    ["JSON and Promise are gone", "globalThis.JSON = globalThis.Promise = undefined; return { a: 1 };"],
    [
      "arrays and strings are broken",
      "Array.prototype.push = Array.prototype.join = String.prototype.split = () => { throw 1; }; console.log('%s', [1], { b: 'c' }); return { a: 1 };",
    ],
    [
      "every object claims to be a property",
      "Object.prototype.get = Object.prototype.value = Object.prototype.enumerable = 1; console.log({ b: 1 }); return { a: 1 };",
    ],
    [
      "regular expressions lie",
      "RegExp.prototype.exec = RegExp.prototype[Symbol.split] = RegExp.prototype[Symbol.replace] = () => { throw 1; }; console.log({ 'b-c': \"it's\" }); return { a: 1 };",
    ],
    [
      "what is logged converts itself",
      "const trap = { [Symbol.toPrimitive]() { throw 1; }, valueOf() { throw 2; } }; console.log('%d %i %f %s', trap, trap, trap, trap, trap); return { a: 1 };",
    ],
    [
      "errors have no stack",
      "Error.captureStackTrace = Error.prepareStackTrace = () => { throw 1; }; Error.stackTraceLimit = -1; console.trace('b'); console.log(new Error('c')); return { a: 1 };",
    ],
  ])("a function after which %s still returns its value", async (_name, code) => {
    expect(await callFunction(code)).toMatchObject({ return_value: { a: 1 }, error: null });
  });

  test("there is no this, and no object of the host behind new.target or a callback", async () => {
    const output = await callFunction(
      "const own = (make) => make?.constructor?.constructor === Function || make === undefined; return [this === undefined, own(this), own(new.target), [1].map(function () { return this === undefined; })[0], Object.getPrototypeOf(globalThis.console) === Object.prototype];",
    );
    expect(output).toMatchObject({ return_value: [true, true, true, true, true], error: null });
  });

  test("lone surrogates and NUL reach the reader as escapes or as themselves, never as a cut text", async () => {
    const output = await callFunction('console.log("a\\0b"); return "a\\0b\\ud800c";');
    expect(output).toMatchObject({ return_value: "a\0b\ud800c", logs: [{ level: "log", message: "a\0b" }] });
  });
});
