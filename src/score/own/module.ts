import { statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { type JsonValue, withPlainNumbers } from "../../lib/json.ts";
import { defineScorer } from "../contract/define.ts";
import { processPool, type OwnProcess } from "./process-pool.ts";
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
      "A function of your own in JavaScript or TypeScript grades the answer: it is given an object (key, question, expected, input, tags, columns, cluster, turn, text, output, target, repeat, latency_ms, run_url, options) and returns, or promises, a number, true or false, {value, pass, reason} or {unscored: why}. It runs in a thread. TypeScript needs Node 22.18, or the package typescript beside the suite. The types are OwnAnswer and OwnScore of the library.",
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
        score: "passes",
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
    make: (options, { trust, timeoutMs }) => {
      const { folder, env } = ownPlace(trust, options);
      const path = resolve(folder, options.file);
      if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw new Error(`there is no file ${path}`);
      const pool = processPool(() => startThread(path, options.export, env), {
        timeoutMs: ownTimeoutMs(options, timeoutMs),
      });
      return ownScorer(options, pool);
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
        worker.postMessage(withPlainNumbers(call), []);
      }),
    stop: async () => {
      await worker.terminate();
    },
  };
}

/**
 * The script in the thread of a scorer module, as CommonJS text: a thread of source code needs no file of its own, in
 * the bundle and from sources alike. It imports the module, and answers every call with the result of its function.
 * TypeScript is left to Node if Node can strip types; else the types are stripped by the package typescript, when the
 * folder of the suite or tandem's own has it.
 */
const moduleThread = `
const { parentPort, workerData } = require("node:worker_threads");
const { createRequire, register } = require("node:module");
const { url, name, places } = workerData;

const stripper = (typescript) => "data:text/javascript," + encodeURIComponent(\`
  import { readFile } from "node:fs/promises";
  import { fileURLToPath } from "node:url";
  import ts from \${JSON.stringify(typescript)};
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true };
  export async function load(url, context, next) {
    if (!/\\\\.m?ts$/.test(url)) return next(url, context);
    const source = await readFile(fileURLToPath(url), "utf8");
    return { format: "module", source: ts.transpileModule(source, { compilerOptions, fileName: url }).outputText, shortCircuit: true };
  }
\`);

function prepareTypes() {
  if (!/\\.m?ts$/.test(url) || process.features.typescript) return;
  for (const place of places) {
    let found;
    try {
      found = createRequire(place).resolve("typescript");
    } catch {
      continue;
    }
    register(stripper(require("node:url").pathToFileURL(found).href));
    return;
  }
  throw new Error("Node " + process.versions.node + " cannot read TypeScript by itself: use Node 22.18 or later, install the package typescript beside the suite, or write the module in JavaScript");
}

async function load() {
  prepareTypes();
  const module = await import(url);
  const grade = module[name];
  if (typeof grade === "function") return grade;
  const known = Object.keys(module).filter((each) => typeof module[each] === "function");
  throw new Error("the module exports no function " + name + (known.length === 0 ? "" : "; it exports " + known.join(", ")));
}

const loaded = load();
loaded.catch(() => {});
parentPort.on("message", async (call) => {
  try {
    const grade = await loaded;
    const said = await grade(call);
    // As JSON has it: what is no data does not leave the thread.
    const isNumber = typeof said === "number" && Number.isFinite(said);
    if (said === undefined || (typeof said !== "object" && typeof said !== "string" && typeof said !== "boolean" && !isNumber)) {
      const what = typeof said === "number" ? said : said === undefined ? "undefined" : "a " + typeof said;
      return parentPort.postMessage({ failed: "it gave " + what + ", which is no score" });
    }
    parentPort.postMessage({ said: JSON.stringify(said) ?? "null" });
  } catch (cause) {
    const name = cause instanceof Error ? cause.message || cause.name : String(cause);
    parentPort.postMessage({ failed: name === "null" || name === "undefined" || name === "" ? "it threw " + (name || "an empty text") : name });
  }
});
`;
