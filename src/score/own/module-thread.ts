/**
 * The script in the thread of a scorer module, as CommonJS text: a thread of source code needs no file of its own, in
 * the bundle and from sources alike. It imports the module, and answers every call with the result of its function.
 * TypeScript is left to Node if Node can strip types; else the types are stripped by the package typescript, when the
 * folder of the suite or tandem's own has it.
 */
export const moduleThread = `
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
