import { extname } from "node:path";
import { AppError } from "../../errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { PromptfooAssertion } from "../../score/promptfoo/assertion.ts";
import { parseYaml } from "../../suite/yaml.ts";
import { ConfigFolder } from "./folder.ts";
import { testsOfSheet } from "./sheet-tests.ts";
import { LeftOut, type PromptfooTest } from "./tests.ts";

/** A promptfoo configuration, as far as a suite can have it. */
export interface PromptfooConfig {
  /** Prompts with their places for variables, the first one first. */
  prompts: string[];
  tests: PromptfooTest[];
  /** Who is asked, as it is written. */
  providers: JsonValue[];
  left: LeftOut;
  folder: ConfigFolder;
}

/** True for YAML that is a configuration of promptfoo and no suite. */
export function isPromptfooConfig(value: unknown): boolean {
  if (!isJsonObject(value) || value["dataset"] !== undefined) return false;
  return ["prompts", "providers", "tests", "defaultTest"].filter((key) => value[key] !== undefined).length >= 2;
}

/** Members that say how promptfoo itself runs or shows, and nothing of what is tested. */
const ofNoMatter = new Set([
  "description",
  "prompts",
  "providers",
  "targets",
  "tests",
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

/**
 * Reads a configuration. It is read as data: no code of it runs, no file outside of its folder is read, and nothing is
 * loaded from elsewhere. Raises SUITE_SYNTAX or USAGE.
 */
export async function readPromptfooConfig(path: string, text: string): Promise<PromptfooConfig> {
  const { value } = parseYaml(text, path);
  if (!isJsonObject(value)) throw new AppError("USAGE", `${path} is no configuration of promptfoo.`);
  const left = new LeftOut();
  const folder = new ConfigFolder(path);
  for (const key of Object.keys(value)) {
    if (!ofNoMatter.has(key)) left.note(`\`${key}\``, "a suite has nothing like it");
  }
  const config = new Reader(value, folder, left);
  const prompts = config.prompts();
  const tests = await config.tests();
  return { prompts, tests, providers: [value["providers"] ?? value["targets"] ?? []].flat(), left, folder };
}

class Reader {
  readonly #config: JsonObject;
  readonly #folder: ConfigFolder;
  readonly #left: LeftOut;

  constructor(config: JsonObject, folder: ConfigFolder, left: LeftOut) {
    this.#config = config;
    this.#folder = folder;
    this.#left = left;
  }

  prompts(): string[] {
    return [this.#config["prompts"] ?? []].flat().flatMap((prompt) => this.#promptsOf(prompt));
  }

  #promptsOf(prompt: JsonValue): string[] {
    const raw = isJsonObject(prompt) ? (prompt["raw"] ?? prompt["id"]) : prompt;
    if (typeof raw !== "string") return [];
    const isFile = raw.startsWith("file://") || /^[\w./-]+\.(?:txt|json|md|ya?ml|j2)$/.test(raw);
    if (!isFile) {
      if (!/^[\w./-]+\.[cm]?(?:js|ts|py)(?::\w+)?$/.test(raw)) return [raw];
      this.#left.note(`the prompt ${raw}`, codeAdvice);
      return [];
    }
    if (!/\.(?:txt|json|md|ya?ml|j2)$/.test(raw)) {
      this.#left.note(`the prompt ${raw}`, codeAdvice);
      return [];
    }
    const text = this.#folder.textOf(raw);
    if (text === null) this.#left.note(`the prompt ${raw}`, noFile);
    if (text === null) return [];
    if (/\.ya?ml$/.test(raw)) return [JSON.stringify(parseYaml(text, raw).value)];
    // A file of texts has several, with --- between them.
    const parts = extname(raw) === ".json" ? [text] : text.split(/^---\s*$/m);
    return parts.map((part) => part.trim()).filter((part) => part !== "");
  }

  async tests(): Promise<PromptfooTest[]> {
    const given = this.#config["defaultTest"] ?? {};
    if (typeof given === "string") this.#left.note(`defaultTest ${given}`, "write its content into the configuration");
    const base = isJsonObject(given) ? this.#test(given) : emptyTest;
    const tests: PromptfooTest[] = [];
    for (const entry of [this.#config["tests"] ?? []].flat()) {
      if (typeof entry === "string") tests.push(...(await this.#testsOfFile(entry)));
      else if (isJsonObject(entry)) tests.push(...combinations(this.#test(entry)));
    }
    return (tests.length === 0 ? [emptyTest] : tests).map((test) => ({
      vars: { ...base.vars, ...test.vars },
      asserts: [...base.asserts, ...test.asserts],
      tags: { ...base.tags, ...test.tags },
      threshold: test.threshold ?? base.threshold,
    }));
  }

  async #testsOfFile(reference: string): Promise<PromptfooTest[]> {
    const path = this.#folder.pathOf(reference);
    if (path !== null && /\.(?:csv|jsonl)$/.test(path)) {
      if (path.endsWith(".csv")) return testsOfSheet(path, process.cwd());
      const lines = (this.#folder.textOf(reference) ?? "").split("\n").filter((line) => line.trim() !== "");
      return lines.flatMap((line) => this.#testsOfText(line, reference));
    }
    const text = path !== null && /\.(?:ya?ml|json)$/.test(path) ? this.#folder.textOf(reference) : null;
    if (text !== null) return this.#testsOfText(text, reference);
    const isCode = /\.[cm]?(?:js|ts|py)(?::\w+)?$/.test(reference);
    this.#left.note(`the tests ${reference}`, isCode ? codeAdvice : noFile);
    return [];
  }

  #testsOfText(text: string, file: string): PromptfooTest[] {
    const { value } = parseYaml(text, file);
    const entries = Array.isArray(value) ? value : [value];
    return entries.flatMap((entry) => (isJsonObject(entry) ? combinations(this.#test(entry)) : []));
  }

  #test(entry: JsonObject): PromptfooTest {
    const { vars, assert, threshold, description, metadata, options } = entry;
    if (isJsonObject(options)) {
      for (const key of Object.keys(options))
        this.#left.note(`\`options.${key}\` of a test`, "a suite has nothing like it");
    }
    const tags = isJsonObject(metadata) ? Object.entries(metadata) : [];
    return {
      vars: isJsonObject(vars) ? this.#vars(vars) : {},
      asserts: [assert ?? []].flat().flatMap((each) => this.#asserts(each)),
      tags: {
        ...(typeof description === "string" && { description }),
        ...Object.fromEntries(tags.map(([name, tag]) => [name, typeof tag === "string" ? tag : JSON.stringify(tag)])),
      },
      threshold: typeof threshold === "number" ? threshold : null,
    };
  }

  #vars(vars: JsonObject): JsonObject {
    const read: JsonObject = {};
    for (const [name, value] of Object.entries(vars)) {
      read[name] = value;
      if (typeof value !== "string" || !value.startsWith("file://")) continue;
      const text = /\.(?:txt|md|json|ya?ml|csv|html|xml)$/.test(value) ? this.#folder.textOf(value) : null;
      read[name] = text?.trim() ?? "";
      if (text === null) this.#left.note(`the variable ${name}, ${value}`, noFile);
    }
    return read;
  }

  #asserts(entry: JsonValue): PromptfooAssertion[] {
    const assertion = isJsonObject(entry) ? this.#referred(entry) : null;
    if (assertion === null) return [];
    const { type, value = "", threshold, assert, transform, provider } = assertion;
    if (typeof type !== "string") return [];
    if (transform !== undefined) {
      this.#left.note(`the expectation ${type} with a transform`, "write it as a module, or with the key `on`");
      return [];
    }
    if (provider !== undefined) this.#left.note("`provider` of an expectation", "the suite's judge grades all of them");
    if (type === "assert-set" && threshold === undefined && Array.isArray(assert)) {
      return assert.flatMap((each) => this.#asserts(each));
    }
    const limit = typeof threshold === "number" ? threshold : null;
    const text = typeof value === "string" && value.startsWith("file://") ? this.#valueOf(value) : value;
    return [{ type, value: text, threshold: limit }];
  }

  /** The text or JSON of a file that an expectation names; code stays a name. */
  #valueOf(file: string): JsonValue {
    const text = /\.(?:txt|md|json)$/.test(file) ? this.#folder.textOf(file) : null;
    return text === null ? file : text.trim();
  }

  /** A `$ref` to a template of the same file, followed once. */
  #referred(entry: JsonObject): JsonObject | null {
    const { $ref } = entry;
    if ($ref === undefined) return entry;
    const referred = typeof $ref === "string" ? $ref : JSON.stringify($ref);
    const [, name = ""] = /^#\/assertionTemplates\/([^/]+)$/.exec(referred) ?? [];
    const templates = this.#config["assertionTemplates"];
    const found = isJsonObject(templates) && Object.hasOwn(templates, name) ? templates[name] : undefined;
    if (found !== undefined && isJsonObject(found)) return { ...found, ...entry };
    this.#left.note(`$ref ${referred}`, "there is no such template in the file");
    return null;
  }
}

const emptyTest: PromptfooTest = { vars: {}, asserts: [], tags: {}, threshold: null };
const codeAdvice = "it is code, which `init` does not run; write what it makes into a file of text or a sheet";
const noFile = "there is no such file of text in the folder of the configuration";

/** Most tests that the lists of one test's variables may make. */
const mostCombinations = 1_000;

/** A list as a variable stands for a test with each of its entries. */
function combinations(test: PromptfooTest): PromptfooTest[] {
  let all: PromptfooTest["vars"][] = [{}];
  for (const [name, value] of Object.entries(test.vars)) {
    const values = Array.isArray(value) && value.every((each) => typeof each === "string") ? value : [value];
    if (all.length * values.length > mostCombinations) {
      throw new AppError("USAGE", `The lists of a test's variables make more than ${mostCombinations} tests.`, {
        hint: "Write the tests into a sheet.",
      });
    }
    all = all.flatMap((vars) => values.map((each) => ({ ...vars, [name]: each })));
  }
  return all.map((vars) => ({ ...test, vars }));
}
