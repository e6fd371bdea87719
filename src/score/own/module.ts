import { statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import type { JsonValue } from "../../lib/json.ts";
import { defineScorer } from "../contract/define.ts";
import { processPool } from "./process-pool.ts";
import type { OwnProcess } from "./process-pool.ts";
import { moduleThread } from "./module-thread.ts";
import { ownPlace, ownFaults, ownKeys, ownMetric, ownScorer, ownTimeoutMs } from "./own-answer.ts";

const extensions = [".js", ".mjs", ".cjs", ".ts", ".mts"];

const keys = {
  file: z
    .string()
    .refine((file) => extensions.includes(extname(file)), {
      error: `must be a file that ends in ${extensions.join(", ")}`,
    })
    .describe("The module, relative to the suite: JavaScript, or TypeScript whose types can be stripped."),
  export: z.string().regex(/\S/).default("default").describe("Name of the function that it exports. Default: default."),
  ...ownKeys,
};

export const moduleScorers = [
  defineScorer({
    type: "module",
    family: "own",
    about:
      "A function of your own in JavaScript or TypeScript grades the answer: it is given an object (key, question, expected, input, tags, columns, cluster, turn, text, output, target, repeat, latency_ms, run_url, options) and returns, or promises, a number, true or false, {value, pass, reason} or {unscored: why}. It runs in a thread, which is ended and started again when it takes too long. TypeScript needs Node 22.18, or the package typescript beside the suite. The types are OwnAnswer and OwnScore of the library.",
    runsCode: true,
    columns: () => "all",
    keys,
    examples: [
      {
        about: "a rule in JavaScript",
        scorer: { file: "./polite.js", export: "polite", options: { word: "please" } },
        files: {
          "polite.js":
            "export function polite({ text, options }) {\n  const found = text.toLowerCase().includes(options.word);\n  return { value: found ? 1 : 0, reason: `${options.word} is ${found ? 'there' : 'missing'}` };\n}\n",
        },
        answer: "Please wait.",
        score: { value: 1, pass: true },
      },
      {
        about: "one that throws",
        scorer: { file: "./broken.mjs" },
        files: { "broken.mjs": "export default () => {\n  throw new Error('no model');\n};\n" },
        answer: "Hello",
        score: { unscored: true },
      },
    ],
    faults: ownFaults,
    metric: ownMetric,
    make: (options, { trust, timeoutMs, lowerIsBetter }) => {
      const { folder, env } = ownPlace(trust, options);
      const path = resolve(folder, options.file);
      if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw new Error(`there is no file ${path}`);
      const pool = processPool(() => startThread(path, options.export, env), {
        timeoutMs: ownTimeoutMs(options, timeoutMs),
      });
      return ownScorer(options, pool, lowerIsBetter);
    },
  }),
];

function startThread(path: string, name: string, env: NodeJS.ProcessEnv): OwnProcess {
  const worker = new Worker(moduleThread, {
    eval: true,
    workerData: { url: pathToFileURL(path).href, name, places: [path, join(import.meta.dirname, "score.js")] },
    execArgv: [],
    argv: [],
    env,
    // Its output would garble the output of the command.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  worker.unref();
  let waiting: { resolve: (value: JsonValue) => void; reject: (cause: Error) => void } | null = null;
  let broken: string | null = null;
  const fail = (reason: string): void => {
    broken ??= reason;
    waiting?.reject(new Error(broken));
    waiting = null;
  };
  worker.on("message", (message: { said: string } | { failed: string }) => {
    const asked = waiting;
    waiting = null;
    if ("failed" in message) asked?.reject(new Error(message.failed));
    else asked?.resolve(JSON.parse(message.said));
    worker.unref();
  });
  worker.on("error", (cause) => fail(cause instanceof Error ? cause.message : String(cause)));
  worker.on("exit", (code) => fail(`its thread ended with code ${code}`));
  return {
    send: (call) =>
      new Promise((done, reject) => {
        if (broken !== null) return reject(new Error(broken));
        waiting = { resolve: done, reject };
        worker.ref();
        worker.postMessage(call, []);
      }),
    stop: async () => {
      await worker.terminate();
    },
  };
}
