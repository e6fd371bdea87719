import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { PromptfooAssertion } from "../../score/promptfoo/assertion.ts";
import { AppError } from "../../errors.ts";
import type { ConfigFolder } from "./folder.ts";
import { type FileReading, valuesInFiles, whyNone } from "./files.ts";
import { type Placed, placedIn } from "./place.ts";

/** An assertion with how it counts in its test. */
export interface TestAssertion extends PromptfooAssertion {
  weight: number;
  metric: string | null;
  /** Code by which the answer is changed before it is looked at. */
  transform: string | null;
  /** `config` of the assertion, for its code. */
  config: JsonObject | null;
  /** The provider that judges; null: the one of the configuration. */
  judge: Placed | null;
  place: string;
}

/** An assert-set. */
export interface AssertionSet {
  set: TestAssertion[];
  threshold: number | null;
  weight: number;
  metric: string | null;
  place: string;
}

/** One test of promptfoo: the variables of its prompt and what is expected of the answer. */
export interface PromptfooTest {
  vars: Record<string, JsonValue>;
  asserts: (TestAssertion | AssertionSet)[];
  tags: Record<string, string>;
  /** The mean from which its assertions pass together; null: each must pass. */
  threshold: number | null;
  /** Set before and behind the prompt. */
  prefix: string;
  suffix: string;
  repeat: number | null;
  /** An answer that was given before; null: it is asked for. */
  output: string | null;
  /** The provider that judges its rubrics. */
  judge: Placed | null;
  /** Code by which every answer is changed before it is graded. */
  transform: string | null;
  keepsDefaults: boolean;
  expandsLists: boolean;
  /** It is asked without what was said in other tests, whatever its prompt has. */
  skipsHistory: boolean;
  /** The name by which other tests have its answer. */
  stores: string | null;
  /** Variables whose files could not be read. */
  unread: readonly string[];
  place: string;
  /** The cells of a turn of a conversation. */
  cells?: Record<string, JsonValue>;
}

/** Everything that tests are read with. */
export interface TestReading extends FileReading {
  /** `assertionTemplates` of the configuration. */
  templates: Placed;
}

/** Reads one test, with the place of everything. */
export function readTest(entry: Placed, reading: TestReading): PromptfooTest {
  const { left } = reading;
  const { members } = entry;
  const options = entry.member("options");
  left.keys("test", entry, (key) => `\`${key}\` of a test`);
  left.keys("options", options, (key) => `\`options.${key}\` of a test`);
  const { prefix, suffix, transform, repeat, provider, storeOutputAs, ...flags } = options.members;
  const { threshold, description, metadata, providerOutput } = members;
  const tags = isJsonObject(metadata) ? Object.entries(metadata) : [];
  const unread: string[] = [];
  return {
    vars: readVars(entry.member("vars"), { ...reading, unread }),
    asserts: entry.member("assert").entries.flatMap((each) => readAsserts(each, reading)),
    tags: {
      ...(typeof description === "string" && { description }),
      ...Object.fromEntries(tags.map(([name, tag]) => [name, typeof tag === "string" ? tag : JSON.stringify(tag)])),
    },
    threshold: typeof threshold === "number" ? threshold : null,
    prefix: typeof prefix === "string" ? prefix : "",
    suffix: typeof suffix === "string" ? suffix : "",
    repeat: typeof repeat === "number" && repeat > 1 ? Math.min(Math.floor(repeat), mostRepeats) : null,
    output: providerOutput === undefined || providerOutput === null ? null : textOf(providerOutput),
    judge: provider === undefined ? null : options.member("provider"),
    transform: typeof transform === "string" ? transform : null,
    keepsDefaults: flags["disableDefaultAsserts"] !== true,
    expandsLists: flags["disableVarExpansion"] !== true,
    skipsHistory: flags["disableConversationVar"] === true,
    stores: typeof storeOutputAs === "string" ? storeOutputAs : null,
    unread,
    place: entry.place,
  };
}

const mostRepeats = 100;
const textOf = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

/** A test with what `defaultTest` gives all of them; its own assertions come last, as in promptfoo. */
export function withDefaultTest(test: PromptfooTest, base: PromptfooTest): PromptfooTest {
  return {
    ...test,
    vars: { ...base.vars, ...test.vars },
    asserts: [...(test.keepsDefaults ? base.asserts : []), ...test.asserts],
    tags: { ...base.tags, ...test.tags },
    threshold: test.threshold ?? base.threshold,
    prefix: test.prefix === "" ? base.prefix : test.prefix,
    suffix: test.suffix === "" ? base.suffix : test.suffix,
    repeat: test.repeat ?? base.repeat,
    judge: test.judge ?? base.judge,
    transform: test.transform ?? base.transform,
    expandsLists: test.expandsLists && base.expandsLists,
    skipsHistory: test.skipsHistory || base.skipsHistory,
    unread: [...base.unread.filter((name) => !Object.hasOwn(test.vars, name)), ...test.unread],
  };
}

/** Takes the names of variables whose files could not be read. */
interface VarReading extends TestReading {
  unread: string[];
}

/** The variables of a test; files of text are read, and a file of variables is taken for them. */
function readVars(written: Placed, reading: VarReading): PromptfooTest["vars"] {
  const objects = isJsonObject(written.value)
    ? [written]
    : written.entries.flatMap(({ value, place }) =>
        typeof value === "string" ? valuesInFiles(value, "the variables", place, reading) : [],
      );
  return Object.fromEntries(
    objects.flatMap((each) =>
      Object.keys(each.members).map((name) => [name, readVar(name, each.member(name), reading)]),
    ),
  );
}

function readVar(name: string, written: Placed, reading: VarReading): JsonValue {
  const { value } = written;
  if (typeof value !== "string") return value;
  if (!/^(?:file|package):\/\//.test(value) && !value.startsWith("package:")) return value.replace(/\n$/, "");
  const files = reading.folder.filesOf(value);
  const texts = files.map((file) => fileVar(file, reading.folder));
  if (texts.includes(null) || texts.length === 0) {
    const isMedia = /\.(?:png|jpe?g|gif|webp|svg|mp3|wav|m4a|mp4|pdf)$/i.test(value);
    const advice = isMedia
      ? "a row names files in a column of its own; see images, audio and files of a dataset"
      : whyNone(value, reading.folder);
    reading.left.note(`the variable ${name}, ${value}`, advice, written.place);
    reading.unread.push(name);
  }
  const found = texts.map((text) => text ?? "");
  return files.length > 1 ? found : (found[0] ?? "");
}

/** The text that a file is as a variable; null for one that is no text, or not in the folder. */
function fileVar(file: string, folder: ConfigFolder): string | null {
  if (!/\.(?:txt|md|json|jsonl|ya?ml|csv|html?|xml|tsx?|jsx|css|log|sql|tex|toml)$/i.test(file)) return null;
  const text = folder.textOf(file);
  if (text === null) return null;
  return /\.ya?ml$/i.test(file) ? JSON.stringify(placedIn(text, file).value) : text.trim();
}

/** Most tests that the lists of one test's variables may make. */
const mostCombinations = 1_000;

/** A list of texts as a variable stands for a test with each of its entries. */
export function combinations(test: PromptfooTest): PromptfooTest[] {
  if (!test.expandsLists) return [test];
  let all: PromptfooTest["vars"][] = [{}];
  for (const [name, value] of Object.entries(test.vars)) {
    const values = Array.isArray(value) && typeof value[0] === "string" ? value : [value];
    if (all.length * values.length > mostCombinations) {
      throw new AppError(
        "USAGE",
        `${test.place}: the lists of a test's variables make more than ${mostCombinations} tests.`,
        {
          hint: "Write the tests into a sheet.",
        },
      );
    }
    all = all.flatMap((vars) => values.map((each) => ({ ...vars, [name]: each })));
  }
  return all.map((vars) => ({ ...test, vars }));
}

function readAsserts(written: Placed, reading: TestReading): (TestAssertion | AssertionSet)[] {
  const entry = referred(written, reading);
  if (entry === null) return [];
  const { type, threshold } = entry.members;
  if (type !== "assert-set") return readAssertion(entry, reading);
  const set = entry.member("assert").entries.flatMap((each) => {
    const inner = referred(each, reading);
    return inner === null ? [] : readAssertion(inner, reading);
  });
  if (set.length === 0) return [];
  return [{ set, threshold: typeof threshold === "number" ? threshold : null, ...countOf(entry), place: entry.place }];
}

function readAssertion(entry: Placed, { folder, left }: TestReading): TestAssertion[] {
  const { members } = entry;
  const { type, value = "", threshold, transform, config, provider } = members;
  if (typeof type !== "string") {
    left.note("an assertion without a type", "promptfoo refuses it too", entry.place);
    return [];
  }
  left.keys("assertion", entry, (key) => `\`${key}\` of the expectation ${type}`);
  const own = typeof value === "string" && value.startsWith("file://") ? fileValue(value, folder) : value;
  return [
    {
      type,
      value: own,
      threshold: typeof threshold === "number" ? threshold : null,
      transform: typeof transform === "string" ? transform : null,
      config: isJsonObject(config) ? config : null,
      judge: provider === undefined ? null : entry.member("provider"),
      ...countOf(entry),
      place: entry.place,
    },
  ];
}

function countOf(entry: Placed): Pick<TestAssertion, "weight" | "metric"> {
  const { value: weight } = entry.member("weight");
  const { value: metric } = entry.member("metric");
  return {
    weight: typeof weight === "number" && weight >= 0 ? weight : 1,
    metric: typeof metric === "string" && metric.trim() !== "" ? metric : null,
  };
}

/** The text or JSON of a file that an assertion names; code stays a name. */
function fileValue(file: string, folder: ConfigFolder): JsonValue {
  const text = /\.(?:txt|md|json|ya?ml|sql|xml|html)$/.test(file) ? folder.textOf(file) : null;
  if (text === null) return file;
  return /\.(?:json|ya?ml)$/.test(file) ? placedIn(text, file).value : text.trim();
}

/** A `$ref` to a template of the configuration, followed once. */
function referred(entry: Placed, { templates, left }: TestReading): Placed | null {
  if (!isJsonObject(entry.value)) return null;
  const { $ref, ...own } = entry.value;
  if ($ref === undefined) return entry;
  const reference = textOf($ref);
  const [, name = ""] = /^#\/assertionTemplates\/([^/]+)$/.exec(reference) ?? [];
  const { value } = templates.member(name);
  if (isJsonObject(value)) return entry.as({ ...value, ...own });
  left.note(`$ref ${reference}`, "there is no such template in the file", entry.place);
  return null;
}
