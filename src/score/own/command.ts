import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { z } from "zod";
import type { JsonValue } from "../../lib/json.ts";
import { parseJson } from "../../text/json-in-text.ts";
import { showText } from "../../lib/show.ts";
import { defineScorer } from "../contract/define.ts";
import { processPool, type OwnProcess } from "./process-pool.ts";
import { type OwnPlace, ownPlace, ownFaults, ownKeys, ownMetric, ownScorer, ownTimeoutMs } from "./own-answer.ts";

const keys = {
  command: z
    .union([z.string().regex(/\S/), z.array(z.string()).min(1)])
    .describe(
      "Program and arguments: a list, [python3, score.py], or a text that is split at spaces. No shell reads it. It runs in the folder of the suite.",
    ),
  ...ownKeys,
};

export const commandScorers = [
  defineScorer({
    type: "command",
    family: "own",
    about:
      'A program of your own in any language grades the answer: it reads one JSON object per line, with the members that a module gets, and writes for each one line: a number, true or false, {"value", "pass", "reason"} or {"unscored": "why"}. It stays for the next answers; after a crash, a line that is not JSON or a time-out the answer is unscored, and it is started again.',
    runsCode: true,
    columns: () => "all",
    keys,
    examples: [
      {
        about: "a program that reads lines",
        scorer: { command: ["node", "count.cjs"], scale: "unbounded" },
        files: {
          "count.cjs":
            "require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {\n  console.log(JSON.stringify(JSON.parse(line).text.split(' ').length));\n});\n",
        },
        answer: "three short words",
        score: { value: 3, pass: null },
      },
      {
        about: "one that ends",
        scorer: { command: ["node", "-e", "throw 1"] },
        answer: "Hello",
        score: { unscored: true },
      },
    ],
    faults: ownFaults,
    metric: ownMetric,
    make: (options, { trust, timeoutMs }) => {
      const place = ownPlace(trust, options);
      const program = Array.isArray(options.command) ? options.command : options.command.trim().split(/\s+/);
      const pool = processPool(() => startProcess(program, place), { timeoutMs: ownTimeoutMs(options, timeoutMs) });
      return ownScorer(options, pool);
    },
  }),
];

/** The longest line that is read, in bytes. */
const longestLine = 1024 * 1024;

/** Number of characters from the end of stderr that are kept for a reason. */
const stderrKept = 2_000;

function startProcess([program = "", ...args]: readonly string[], { folder, env }: OwnPlace): OwnProcess {
  const child = spawn(program, args, {
    cwd: folder,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    // A group of its own: what it starts itself ends with it.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const lines = lineReader();
  let stderr = "";
  let waiting: { resolve: (value: JsonValue) => void; reject: (cause: Error) => void } | null = null;
  let broken: string | null = null;
  const fail = (reason: string): void => {
    broken ??= reason;
    const tail = stderr.trim();
    waiting?.reject(new Error(tail === "" ? broken : `${broken}; stderr: ${tail}`));
    waiting = null;
  };
  child.stdout.on("data", (chunk: Buffer) => {
    const read = lines(chunk);
    if (read === null) return;
    if ("tooLong" in read) fail(`it wrote a line of more than ${longestLine} bytes`);
    else {
      const value = parseJson(read.line);
      if (value === undefined) fail(`it wrote ${showText(read.line)}, which is not JSON`);
      else if (waiting === null) fail("it wrote a line without being asked");
      else {
        waiting.resolve(value);
        waiting = null;
      }
    }
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-stderrKept);
  });
  child.on("error", (cause) => fail(`it cannot be started: ${cause.message}`));
  child.on("close", (code, signal) => fail(`it ended with ${signal === null ? `code ${code ?? "unknown"}` : signal}`));
  // Writing to a process that has ended: its end says why.
  child.stdin.on("error", () => {});
  return {
    send: (call) =>
      new Promise((resolve, reject) => {
        if (broken !== null) return reject(new Error(broken));
        waiting = { resolve, reject };
        child.stdin.write(`${JSON.stringify(call)}\n`);
      }),
    stop: async () => stopProcess(child),
  };
}

/** Gives a line when one is complete; more than one in a chunk is more than was asked for, and is read as one. */
function lineReader(): (chunk: Buffer) => { line: string } | { tooLong: true } | null {
  let kept: Buffer[] = [];
  let length = 0;
  return (chunk) => {
    kept.push(chunk);
    length += chunk.length;
    if (length > longestLine) return { tooLong: true };
    if (chunk.at(-1) !== 0x0a) return null;
    const line = Buffer.concat(kept).toString("utf8").trim();
    kept = [];
    length = 0;
    return line === "" ? null : { line };
  };
}

async function stopProcess(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("close", resolve));
  // A program has a moment to finish its work after the end of its input.
  child.stdin.end();
  const timer = setTimeout(() => kill(child), patienceMs);
  await ended;
  clearTimeout(timer);
}

const patienceMs = 500;

/** The process and those it started; on Windows the process alone. */
function kill(child: ChildProcessWithoutNullStreams): void {
  try {
    if (process.platform !== "win32" && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
