import { Sheets } from "../../dataset/sheets.ts";
import { AppError } from "../../errors.ts";
import { isJsonObject, type JsonObject } from "../../lib/json.ts";
import { namesAddress } from "./chat-provider.ts";
import { valuesInFiles, whyNone } from "./files.ts";
import { ConfigFolder } from "./folder.ts";
import { LeftOut } from "./left-out.ts";
import { Placed, placedIn } from "./place.ts";
import { type PromptfooPrompt, promptsIn } from "./prompts.ts";
import { testsOfSheet } from "./sheet-tests.ts";
import { combinations, type PromptfooTest, readTest, type TestReading, withDefaultTest } from "./tests.ts";

/** A promptfoo configuration, as far as a suite can have it. */
export interface PromptfooConfig {
  /** Prompts with their places for variables, the first one first. */
  prompts: PromptfooPrompt[];
  tests: PromptfooTest[];
  /** Those who are asked, as they are written. */
  providers: Placed[];
  /** `env` of the configuration. */
  env: JsonObject;
  running: PromptfooRunning;
  left: LeftOut;
  folder: ConfigFolder;
}

/** The way in which promptfoo runs a configuration; null: as usual. */
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
  left.keys("config", config, (key) => `\`${key}\``);
  const env = config.member("env");
  for (const name of Object.keys(env.members)) {
    if (!namesAddress(name)) left.note(`\`env.${name}\``, envAdvice, env.member(name).place);
  }
  const reading: TestReading = { folder, left, templates: config.member("assertionTemplates") };
  const providers = config.member("providers");
  return {
    prompts: promptsIn(config.member("prompts"), { folder, left }),
    tests: await testsOf(config, reading),
    providers: (providers.value === null ? config.member("targets") : providers).entries,
    env: env.members,
    running: runningOf(config),
    left,
    folder,
  };
}

function runningOf(config: Placed): PromptfooRunning {
  const written = { ...config.member("evaluateOptions").members, ...config.member("commandLineOptions").members };
  const numberOf = (...names: string[]): number | null =>
    names.map((name) => written[name]).find((value): value is number => typeof value === "number" && value > 0) ?? null;
  return {
    repeats: numberOf("repeat"),
    concurrency: numberOf("maxConcurrency"),
    delay: numberOf("delay"),
    timeout: numberOf("timeoutMs", "timeout"),
  };
}

/** A test that says nothing. */
const nothing = new Placed({}, "");

async function testsOf(config: Placed, reading: TestReading): Promise<PromptfooTest[]> {
  const written = config.member("defaultTest");
  const [found = written] =
    typeof written.value === "string" ? valuesInFiles(written.value, "defaultTest", written.place, reading) : [];
  const base = readTest(isJsonObject(found.value) ? found : nothing, reading);
  const [entries, scenarios] = [config.member("tests").entries, config.member("scenarios").entries];
  const tests = await testsIn(entries, reading);
  for (const scenario of scenarios) tests.push(...(await testsOfScenario(scenario, reading)));
  // Without tests promptfoo sends each prompt once; tests that cannot be read are no single one.
  const isWithout = entries.length === 0 && scenarios.length === 0;
  return (isWithout ? [readTest(nothing, reading)] : tests).flatMap((test) =>
    combinations(withDefaultTest(test, base)),
  );
}

/** Each set of variables of a scenario with each of its tests. */
async function testsOfScenario(written: Placed, reading: TestReading): Promise<PromptfooTest[]> {
  if (typeof written.value === "string") {
    const all: PromptfooTest[] = [];
    for (const { entries } of valuesInFiles(written.value, "the scenarios", written.place, reading)) {
      // A file of scenarios names no further files: circles would have no end.
      for (const entry of entries) if (isJsonObject(entry.value)) all.push(...(await testsOfScenario(entry, reading)));
    }
    return all;
  }
  const inner = await testsIn(written.member("tests").entries, reading);
  const outer = await testsIn(written.member("config").entries, reading);
  return outer.flatMap((data) =>
    (inner.length === 0 ? [readTest(nothing, reading)] : inner).map((test) => ({
      ...withDefaultTest(test, data),
      keepsDefaults: test.keepsDefaults,
    })),
  );
}

/** The tests of some entries: each is one, or names files of them. */
async function testsIn(entries: readonly Placed[], reading: TestReading): Promise<PromptfooTest[]> {
  const all: PromptfooTest[] = [];
  for (const entry of entries) {
    // A file with settings for the code that makes tests.
    const { path = entry.value } = entry.members;
    if (typeof path === "string") all.push(...(await testsOfFiles(path, entry.place, reading)));
    else if (isJsonObject(entry.value)) all.push(readTest(entry, reading));
  }
  return all;
}

async function testsOfFiles(reference: string, place: string, reading: TestReading): Promise<PromptfooTest[]> {
  const { folder, left } = reading;
  if (!/\.(?:csv|tsv|xlsx)$/.test(reference)) {
    const entries = valuesInFiles(reference, "the tests", place, reading).flatMap((value) => value.entries);
    return entries.flatMap((entry) => (isJsonObject(entry.value) ? [readTest(entry, reading)] : []));
  }
  const sheets = folder.filesOf(reference).flatMap((file) => folder.pathOf(file) ?? []);
  if (sheets.length === 0) left.note(`the tests ${reference}`, whyNone(reference, folder), place);
  const all: PromptfooTest[] = [];
  using opened = new Sheets({ folder: process.cwd() });
  for (const sheet of sheets) all.push(...(await testsOfSheet(sheet, { sheets: opened }, reading)));
  return all;
}
