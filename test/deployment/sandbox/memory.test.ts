import { expect, test } from "vitest";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";

const runner = fileURLToPath(new URL("./call-function.ts", import.meta.url));
/** Runs a function in a process of its own, then an honest one, and prints the most memory that the process ever had. */
const program = `
import { readFileSync } from "node:fs";
const { callFunction } = await import(process.argv[1]);
const { error } = await callFunction(process.argv[2], { limits: { time_ms: 20_000 } });
const next = await callFunction("return 'well';");
const [, kilobytes] = /^VmHWM:\\s+(\\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"));
console.log(JSON.stringify({ error, next: next.return_value ?? next.error, megabytes: kilobytes / 1024 }));
process.exit();
`;

test.skipIf(process.platform !== "linux").for<[kind: string, code: string]>([
  ["typed arrays", "const a = []; for (;;) a.push(new Uint8Array(1e6));"],
  [
    "typed arrays, and catches what it is refused",
    "const a = []; for (;;) try { a.push(new Uint8Array(1e6)); } catch {}",
  ],
  ["buffers of growing length", "for (let a = [], n = 1; ; n += 1) a.push(new ArrayBuffer(n * 1000));"],
  ["lists", "const a = []; for (;;) a.push(new Array(1e5).fill(0));"],
  ["a text that doubles", "const a = []; let s = 'ab'; for (;;) { s += s; a.push(s.split('')); }"],
])(
  "a function that fills its memory with %s takes no more of the machine than its limit and the engine",
  async ([, code]) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "-e", program, runner, code],
      {
        timeout: 60_000,
      },
    );
    const { error, next, megabytes } = JSON.parse(stdout) as { error: string; next: string; megabytes: number };
    expect([error, next]).toEqual([
      "MemoryLimitError: index.js needed more than 33554432 bytes of memory and was stopped.",
      "well",
    ]);
    expect(megabytes).toBeLessThan(400);
  },
);
