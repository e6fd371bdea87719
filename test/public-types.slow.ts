import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { compilerHost } from "../scripts/compiler-host.ts";
import { publicTypes } from "../scripts/public-types.ts";
import { temporaryFolder } from "./store/batch.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

const consumer = `import { AppError, compare, type QueueEvent, run, type RunResult, startDeployment, type Suite } from "${manifest.name}";

const onEvent = (event: QueueEvent): void => console.log(event.type === "settled" ? event.outcome.kind : event.type);
const { summary, model, exitCode }: RunResult = await run({ suite: "suite.yaml", onEvent });
export const cases: number = summary.comparison.cases + model.targets.length;
export const again = (suite: Suite) => run({ suite }).catch((error: unknown) => error instanceof AppError && error.code);
export const bot: Promise<string> = startDeployment({ directory: "bots/prod" }).then(({ baseUrl }) => baseUrl);
export const sum: number = (await compare({ out: 1 })).exitCode + exitCode;
`;

/** A project that depends on tandem: its types, and those of Node. */
function project(): string {
  const folder = temporaryFolder();
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write("package.json", '{"type":"module"}');
  write("use.ts", consumer);
  write(`node_modules/${manifest.name}/package.json`, JSON.stringify(manifest));
  for (const [name, text] of publicTypes()) write(`node_modules/${manifest.name}/dist/types/${name}`, text);
  for (const name of ["@types/node"]) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  return folder;
}

function faults(folder: string, given: ts.CompilerOptions): string[] {
  const options: ts.CompilerOptions = {
    ...given,
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts"],
    typeRoots: [join(folder, "node_modules/@types")],
    types: ["node"],
  };
  const program = ts.createProgram([join(folder, "use.ts")], options, compilerHost(options));
  // TypeScript and Node have tests of their own for theirs, which are most of what there is to check.
  const theirs = /\/(?:typescript\/lib|@types\/node|undici-types)\//;
  const checked = program.getSourceFiles().filter(({ fileName }) => !theirs.test(fileName));
  return [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...checked.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ].map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
}

test(
  "a program that uses the library needs no types but those of Node, and is told of its own faults alone",
  { timeout: 300_000 },
  () => {
    const folder = project();
    const own = [`${join(folder, "use.ts")}: Type 'number' is not assignable to type 'string'.`];
    const { NodeNext, ESNext } = ts.ModuleKind;
    expect(faults(folder, { module: NodeNext, skipLibCheck: false })).toEqual(own);
    const bundler = { module: ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, skipLibCheck: true };
    expect(faults(folder, bundler)).toEqual(own);
  },
);
