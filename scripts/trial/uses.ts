import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };
import type { FetchedInstaller } from "./installers.ts";
import { ends, type Place, start } from "./process.ts";
import { opensViewer } from "./viewer.ts";

/** A way to use what was installed. It throws when it does not work. */
export type Use = (installer: FetchedInstaller, place: Place) => Promise<unknown>;

const called = ({ calls, call }: FetchedInstaller, ...args: string[]): string[] => [...calls, ...call, ...args];
const checkout = (name: string): string => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));

export const uses: Record<string, Use> = {
  demo: (installer, place) => ends(start(called(installer, "demo", "--quiet"), place)),
  viewer: (installer, place) => opensViewer(called(installer), place),
  import: (_, place) => {
    writeFileSync(join(place.folder, "use.mjs"), `import * as tandem from "${manifest.name}";\n${compares}`);
    return ends(start(["node", "use.mjs"], place));
  },
  require: (_, place) => {
    writeFileSync(join(place.folder, "use.cjs"), `const tandem = require("${manifest.name}");\n${compares}`);
    return ends(start(["node", "use.cjs"], place));
  },
};

const compares = `tandem.compare({ out: "results" }).then(({ summary, exitCode }) => {
  if (exitCode !== 1 || summary.comparison.cases !== 165) throw new Error(JSON.stringify(summary.comparison));
});
`;

const usesTypes = `type Run = typeof run;
export const again: Run = run;
const onEvent = (event: QueueEvent): void => console.log(event.type === "settled" ? event.outcome.kind : event.type);
export const cases = async (): Promise<number> => {
  const { summary, model, exitCode }: RunResult = await run({ suite: "suite.yaml", onEvent });
  return summary.comparison.cases + model.targets.length + exitCode;
};
export const code = (suite: Suite) =>
  run({ suite }).catch((error: unknown) => (error instanceof AppError ? error.code : exitCodes.regression.code));
export const bot: Promise<string> = startDeployment({ directory: "bots/prod" }).then(({ baseUrl }) => baseUrl);
// @ts-expect-error The types are there: a number is no suite.
export const wrong = run({ suite: 1 });
// @ts-expect-error A number is no name of a folder.
export const wrongAgain = compare({ out: 1 });
`;
const names = "AppError, compare, exitCodes, type QueueEvent, run, type RunResult, startDeployment, type Suite";
const sources = {
  "types/use.mts": `import { ${names} } from "${manifest.name}";\n${usesTypes}`,
  "types/use.cts": `import { ${names} } from "${manifest.name}";\n${usesTypes}`,
};

/** Checks programs in TypeScript, with the types of packages checked as well, as Node and as a bundler find them. */
export async function checksTypes({ folder, env = {} }: Place): Promise<void> {
  mkdirSync(join(folder, "types"), { recursive: true });
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
  const options = { strict: true, noEmit: true, skipLibCheck: false, target: "es2022", lib: ["es2022"] };
  const nodeTypes = { types: ["node"], typeRoots: [checkout("@types")] };
  for (const [module, moduleResolution, include] of [
    ["nodenext", "nodenext", ["use.mts", "use.cts"]],
    ["esnext", "bundler", ["use.mts"]],
  ] as const) {
    const compilerOptions = { ...options, ...nodeTypes, module, moduleResolution };
    writeFileSync(join(folder, `types/${moduleResolution}.json`), JSON.stringify({ compilerOptions, include }));
    const tsc = ["node", checkout("typescript/bin/tsc"), "-p", `types/${moduleResolution}.json`];
    await ends(start(tsc, { folder, env }));
  }
}
