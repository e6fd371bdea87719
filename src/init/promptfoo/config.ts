import { Sheets } from "../../dataset/sheets.ts";
import { AppError } from "../../errors.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { namesAddress } from "./chat-provider.ts";
import { ConfigFolder } from "./folder.ts";
import { LeftOut } from "./left-out.ts";
import { Placed, placedIn } from "./place.ts";
import { type PromptfooPrompt, promptsIn } from "./prompts.ts";
import { testsOfSheet } from "./sheet-tests.ts";
import {
  codeAdvice,
  combinations,
  emptyTest,
  type PromptfooTest,
  readTest,
  type TestReading,
  withDefaultTest,
} from "./tests.ts";

/** A promptfoo configuration, as far as a suite can have it. */
export interface PromptfooConfig {
  /** Prompts with their places for variables, the first one first. */
  prompts: PromptfooPrompt[];
  tests: PromptfooTest[];
  /** Who is asked, as it is written. */
  providers: Placed[];
  /** `env` of the configuration. */
  env: JsonObject;
  running: PromptfooRunning;
  left: LeftOut;
  folder: ConfigFolder;
}

/** The way in which promptfoo runs a configuration. */
export interface PromptfooRunning {
  repeats: number | null;
  concurrency: number | null;
  /** Milliseconds between requests. */
  delay: number | null;
  /** Milliseconds. */
  timeout: number | null;
}

/** True for YAML that is a configuration of promptfoo and no suite. */
export function isPromptfooConfig(value: unknown): boolean {
  if (!isJsonObject(value) || value["dataset"] !== undefined) return false;
  const members = ["prompts", "providers", "tests", "defaultTest", "scenarios", "redteam"];
  const found = members.filter((key) => value[key] !== undefined).length;
  return found >= 2 || (found === 1 && value["targets"] !== undefined);
}

/** Members that say how promptfoo itself runs or shows, and nothing of what is tested. */
const ofNoMatter = new Set([
  "$schema",
  "version",
  "description",
  "prompts",
  "providers",
  "targets",
  "tests",
  "scenarios",
  "defaultTest",
  "assertionTemplates",
  "outputPath",
  "evaluateOptions",
  "commandLineOptions",
  "sharing",
  "env",
  "tags",
  "metadata",
  "writeLatestResults",
]);

const ways: Record<string, string> = {
  redteam: "its attacks are made by promptfoo's service; write the prompts that you want to ask into a sheet",
  derivedMetrics: "write it as a scorer of the type mean, or a module, over the metrics",
  extensions: "it is code that runs beside a test; write what it checks as a scorer of the type module",
  nunjucksFilters: "it is code; write the variables as they should be into the tests",
};

const envAdvice =
  "it fills places of prompts and variables alone; set it in the environment or in .env, where keys belong too";

/**
 * Reads a configuration. It is read as data: no code of it runs, no file outside of its folder is read, and nothing is
 * loaded from elsewhere. Raises SUITE_SYNTAX or USAGE.
 */
export async function readPromptfooConfig(path: string, text: string): Promise<PromptfooConfig> {
  const config = placedIn(text, path);
  if (!isJsonObject(config.value)) throw new AppError("USAGE", `${path} is no configuration of promptfoo.`);
  const left = new LeftOut();
  const folder = new ConfigFolder(path);
  for (const key of Object.keys(config.value)) {
    if (!ofNoMatter.has(key))
      left.note(`\`${key}\``, ways[key] ?? "a suite has nothing like it", config.member(key).place);
  }
  const { value: env } = config.member("env");
  for (const name of isJsonObject(env) ? Object.keys(env) : []) {
    if (!namesAddress(name)) left.note(`\`env.${name}\``, envAdvice, config.member("env").member(name).place);
  }
  const reading: TestReading = { folder, left, templates: config.member("assertionTemplates") };
  const providers = config.member("providers");
  return {
    prompts: promptsIn(config.member("prompts"), { folder, left }),
    tests: await testsOf(config, reading),
    providers: (providers.value === null ? config.member("targets") : providers).entries,
    env: isJsonObject(env) ? env : {},
    running: runningOf(config),
    left,
    folder,
  };
}

function runningOf(config: Placed): PromptfooRunning {
  const numberOf = (...names: string[]): number | null => {
    for (const section of ["commandLineOptions", "evaluateOptions"]) {
      for (const name of names) {
        const { value } = config.member(section).member(name);
        if (typeof value === "number" && value > 0) return value;
      }
    }
    return null;
  };
  return {
    repeats: numberOf("repeat"),
    concurrency: numberOf("maxConcurrency"),
    delay: numberOf("delay"),
    timeout: numberOf("timeoutMs", "timeout"),
  };
}

async function testsOf(config: Placed, reading: TestReading): Promise<PromptfooTest[]> {
  const base = defaultTestOf(config.member("defaultTest"), reading);
  const tests: PromptfooTest[] = [];
  const [entries, scenarios] = [config.member("tests").entries, config.member("scenarios").entries];
  for (const entry of entries) tests.push(...(await testsIn(entry, reading)));
  for (const scenario of scenarios) tests.push(...(await testsOfScenario(scenario, reading)));
  // Without tests promptfoo sends each prompt once; tests that cannot be read are no single one.
  const isWithout = entries.length === 0 && scenarios.length === 0;
  return (isWithout ? [emptyTest] : tests).flatMap((test) => combinations(withDefaultTest(test, base)));
}

function defaultTestOf(written: Placed, reading: TestReading): PromptfooTest {
  if (typeof written.value !== "string") return isJsonObject(written.value) ? readTest(written, reading) : emptyTest;
  const text = /\.(?:ya?ml|json)$/.test(written.value) ? reading.folder.textOf(written.value) : null;
  if (text !== null) return readTest(placedIn(text, written.value), reading);
  reading.left.note(`defaultTest ${written.value}`, reading.folder.whyNone(written.value), written.place);
  return emptyTest;
}

/** Each set of variables of a scenario with each of its tests. */
async function testsOfScenario(written: Placed, reading: TestReading): Promise<PromptfooTest[]> {
  if (typeof written.value === "string") {
    const { folder, left } = reading;
    const all: PromptfooTest[] = [];
    const files = folder.filesOf(written.value);
    const why = folder.whyNone(written.value);
    if (files.length === 0) left.note(`the scenarios ${written.value}`, why, written.place);
    for (const file of files) {
      const text = /\.(?:ya?ml|json)$/.test(file) ? folder.textOf(file) : null;
      if (text === null) left.note(`the scenarios ${written.value}`, why, written.place);
      else for (const entry of placedIn(text, file).entries) all.push(...(await testsOfScenario(entry, reading)));
    }
    return all;
  }
  const inner: PromptfooTest[] = [];
  for (const entry of written.member("tests").entries) inner.push(...(await testsIn(entry, reading)));
  const outer: PromptfooTest[] = [];
  for (const entry of written.member("config").entries) outer.push(...(await testsIn(entry, reading)));
  return outer.flatMap((data) =>
    (inner.length === 0 ? [emptyTest] : inner).map((test) => ({
      ...withDefaultTest(test, data),
      keepsDefaults: test.keepsDefaults,
    })),
  );
}

/** The tests of an entry: one, or those of the files that it names. */
async function testsIn(entry: Placed, reading: TestReading): Promise<PromptfooTest[]> {
  const { value } = entry;
  if (typeof value === "string") {
    if (/^(?!file:)[a-z]+:\/\//.test(value)) {
      reading.left.note(
        `the tests ${value}`,
        "nothing is loaded from elsewhere; download it as a sheet first",
        entry.place,
      );
      return [];
    }
    const files = reading.folder.filesOf(value);
    if (files.length === 0) reading.left.note(`the tests ${value}`, reading.folder.whyNone(value), entry.place);
    const all: PromptfooTest[] = [];
    for (const file of files) all.push(...(await testsOfFile(file, entry, reading)));
    return all;
  }
  if (!isJsonObject(value)) return [];
  // A file with settings for the code that makes tests.
  if (typeof value["path"] === "string") return testsIn(entry.as(value["path"]), reading);
  return [readTest(entry, reading)];
}

async function testsOfFile(file: string, named: Placed, reading: TestReading): Promise<PromptfooTest[]> {
  const { folder, left } = reading;
  const path = folder.pathOf(file);
  if (path !== null && /\.(?:csv|tsv|xlsx)$/.test(path)) {
    using sheets = new Sheets({ folder: process.cwd() });
    return await testsOfSheet(path, sheets);
  }
  const text = path !== null && /\.(?:ya?ml|json|jsonl)$/.test(path) ? folder.textOf(file) : null;
  if (text === null) {
    const isCode = /\.[cm]?(?:js|ts|py)(?::\w+)?$/.test(file);
    left.note(`the tests ${file}`, isCode ? codeAdvice : folder.whyNone(file), named.place);
    return [];
  }
  if (!file.endsWith(".jsonl")) return testsOfEntries(placedIn(text, file).entries, reading);
  const lines = text.split("\n").map((line, i) => ({ line, place: `${file}:${i + 1}` }));
  const filled = lines.filter(({ line }) => line.trim() !== "");
  return testsOfEntries(
    filled.map(({ line, place }) => new Placed(placedIn(line, place).value, place)),
    reading,
  );
}

async function testsOfEntries(entries: readonly Placed[], reading: TestReading): Promise<PromptfooTest[]> {
  const all: PromptfooTest[] = [];
  // A file of tests names no further files: circles would have no end.
  for (const entry of entries) if (isJsonObject(entry.value)) all.push(readTest(entry, reading));
  return all;
}
