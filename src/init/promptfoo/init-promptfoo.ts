import { suiteFileName } from "../../suite/file-name.ts";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import {
  configurationsIn,
  embeddedFolder,
  fromFolder,
  type NewFile,
  ignoreFile,
  schemaFile,
  writeFiles,
} from "../init.ts";
import type { Converted, OwnBot } from "../conversion.ts";
import { entryLines, ownLines } from "../suite-text.ts";
import type { ConfigFolder } from "./folder.ts";
import { targetsOf, type HttpTarget } from "./providers.ts";
import { usablePrompts, type PromptInput } from "./prompts.ts";
import {
  filledText,
  type LeftOut,
  type PromptfooTest,
  writeTests,
  writtenColumns,
  type WrittenTests,
} from "./tests.ts";
import type { JsonValue } from "../../lib/json.ts";
import { compileFunction } from "node:vm";
import type { AssertionCode } from "../../score/promptfoo/assertion.ts";
import { yamlValue } from "../yaml-value.ts";

/** The parts of a suite that is made from promptfoo's files. */
export interface PromptfooInit {
  /** The configuration or the sheet. */
  path: string;
  prompts: readonly string[];
  tests: readonly PromptfooTest[];
  providers: readonly JsonValue[];
  left: LeftOut;
  folder: ConfigFolder;
  /** Folder that the suite is written to. */
  to: string;
  name: string;
  /** Makes the deployment and the target of the user's own bot, by a first call with this prompt; undefined, or left out: none is named. */
  botFor?: (ask: string) => Promise<OwnBot | undefined>;
  /** A folder with saved configurations in `bots/` that are asked; left out: none is named. */
  bots?: string | undefined;
}

/** Writes a suite with a dataset, and a module where there is code. Nothing is overwritten, and no code runs. */
export async function initPromptfoo(given: PromptfooInit): Promise<Converted> {
  const { path, to, name, left, folder } = given;
  const variables = [...new Set(given.tests.flatMap(({ vars }) => Object.keys(vars)))];
  const [input, ...others] = await usablePrompts(given.prompts, variables, left);
  if (input === undefined) throw withoutPrompt(path, left.lines);
  const tests = writeTests(given.tests, left);
  const asked = await askedBy(given);
  if (others.length > 0) {
    left.note("further prompts", "a suite sends one; they stand in it as comments, to be run one after the other");
  }
  const dataset = `${name.replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, "-")}.tests.jsonl`;
  const suite = { name, from: fromFolder(to, path), dataset, input, others, tests, asked };
  const files: NewFile[] = [
    {
      path: join(to, suiteFileName),
      about: "the suite: what is sent where",
      text: promptfooSuiteText({ ...suite, left: left.lines }),
    },
    schemaFile(to),
    ...ignoreFile(to),
    { path: join(to, dataset), about: "a line for each test, with its checks", text: tests.text },
  ];
  if ("targets" in asked)
    files.push({
      path: join(to, "bots", "bots", "assistant.yaml"),
      about: "a bot that stands in for yours",
      text: standIn,
    });
  if (tests.isJudged) {
    files.push({
      path: join(to, "bots", "bots", "judge.yaml"),
      about: "a judge that stands in for yours",
      text: judge,
    });
  }
  if (tests.code.size > 0) {
    const pathOf = (file: string): string | null => {
      const found = folder.pathOf(file);
      return found === null ? null : `./${fromFolder(to, found)}`;
    };
    const text = codeModule(tests.code, suite.from, { pathOf });
    files.push({ path: join(to, "assertions.mjs"), about: "its javascript: read it before you run", text });
  }
  return { files: await writeFiles(files), tests: tests.rows, prompts: others.length + 1, left: left.lines };
}

/** Who is asked: whom a person names, or else the providers that can be. */
async function askedBy({ botFor, bots, to, prompts, tests, providers, left }: PromptfooInit): Promise<AskedBots> {
  const [first] = tests;
  const own = await botFor?.(filledText(prompts[0] ?? "", first?.vars ?? {}));
  const isNamed = (own ?? bots) !== undefined;
  if (isNamed && providers.length > 0) left.note("its providers", "the bot that is named beside it is asked instead");
  if (own !== undefined) return { own };
  if (bots !== undefined) return { folder: embeddedFolder(to, bots), exampleIds: configurationsIn(bots) };
  return { targets: targetsOf(providers, left) };
}

function withoutPrompt(path: string, left: readonly string[]): AppError {
  const reasons = left.map((line) => `\n  ${line}`).join("");
  return new AppError("PROMPT_NEEDED", `${path} has no prompt that can be sent.${reasons}`, {
    hint: "Give what should be sent with --prompt 'Translate {{input}}', or in a file with --prompt-file prompt.txt.",
  });
}

const standIn = `# A bot that stands in for yours, until you write the address of your own into the suite. It knows nothing.
fallback: I do not know.
seed: tandem
`;

const judge = `# A judge that stands in for yours: it counts the words that an answer shares with what it is shown.
judge: {}
`;

/** Files of code that lie where promptfoo's own file is. */
interface CodeFiles {
  /** The path for an `import` of a file of the configuration's folder; null: it is not in there. */
  pathOf: (file: string) => string | null;
}

/**
 * The module with promptfoo's JavaScript, as it was written. Nothing of it runs here: it is parsed only, so that one
 * that is no JavaScript does not break the others.
 */
function codeModule(code: ReadonlyMap<string, AssertionCode>, from: string, files: CodeFiles): string {
  return [
    `// Made by \`tandem init\` from ${oneLine(from)}: its javascript assertions, as they were written there.`,
    "// Read them before you run the suite: they run with your rights. `tandem run --no-code` refuses them.",
    "",
    "const assertions = {",
    ...Array.from(code, ([name, own]) => entry(name, own, files)),
    "};",
    "",
    runner,
  ].join("\n");
}

function entry(name: string, { code, threshold, not }: AssertionCode, files: CodeFiles): string {
  const facts = [...(threshold === null ? [] : [`threshold: ${threshold}`]), ...(not ? ["not: true"] : [])];
  return [`  ${name}: {`, ...facts.map((fact) => `    ${fact},`), `    ${functionOf(code, files)},`, "  },"].join("\n");
}

/** The member of the entry with its function, or with the reason why there is none. */
function functionOf(code: string, files: CodeFiles): string {
  const [, file, name = "default"] = /^file:\/\/(.+?\.[cm]?[jt]s)(?::(\w+))?$/.exec(code) ?? [];
  if (file !== undefined) {
    const path = files.pathOf(file);
    if (path === null) return broken(`${file} is not in the folder of the configuration`);
    return `run: async (output, context) => (await import(${JSON.stringify(path)}))[${JSON.stringify(name)}](output, context)`;
  }
  for (const body of code.includes("\n") ? [code, `return ${code}`] : [`return ${code}`, lastReturned(code), code]) {
    if (parses(body)) return `run: (output, context) => {\n      ${body.split("\n").join("\n      ")}\n    }`;
  }
  return broken(`this is not JavaScript: ${code}`);
}

/** `const x = 1; x > 0`, with the last part returned. */
function lastReturned(code: string): string {
  const trimmed = code.replace(/[;\s]+$/, "");
  const at = trimmed.lastIndexOf(";");
  return at < 0 ? trimmed : `${trimmed.slice(0, at + 1)} return ${trimmed.slice(at + 1).trim()}`;
}

/** An assertion that cannot run leaves its answers without a score. */
const broken = (reason: string): string => `broken: ${JSON.stringify(reason)}`;

/**
 * Parses the body of a function without running it. It is parsed by itself, so that no closing brace of its own ends the
 * function that it is written into.
 */
function parses(body: string): boolean {
  try {
    compileFunction(`"use strict";\n${body}`, ["output", "context"]);
    return true;
  } catch {
    return false;
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/** The part that reads a row and calls what it names. */
const runner = `/** The mean of the assertions that the row names; it passes when each does. */
export default async function grade({ text, question, expected, columns }) {
  const output = text ?? "";
  const vars = Object.fromEntries(Object.entries(columns).map(([name, cell]) => [name, valueOf(cell)]));
  const context = { vars, prompt: question, test: { vars }, config: {} };
  const results = [];
  for (const name of JSON.parse(columns["${writtenColumns.code}"])) {
    const assertion = assertions[name];
    if (assertion.broken !== undefined) throw new Error(\`\${name}: \${assertion.broken}\`);
    try {
      results.push(resultOf(await assertion.run(output, context), assertion, name));
    } catch (error) {
      // As promptfoo has it: an assertion that throws, such as JSON.parse of an answer that is no JSON, fails.
      results.push({ value: 0, pass: false, reason: \`\${name}: \${error.message}\` });
    }
  }
  const failed = results.filter(({ pass }) => !pass);
  return {
    value: results.reduce((sum, { value }) => sum + value, 0) / results.length,
    pass: failed.length === 0,
    reason: (failed[0] ?? results[0]).reason,
  };
}

/** A result as promptfoo takes it: true or false, a number, or {pass, score, reason}. */
function resultOf(said, { threshold, not = false }, name) {
  const score = typeof said === "object" && said !== null ? (said.score ?? Number(said.pass)) : Number(said);
  if (!Number.isFinite(score)) throw new Error(\`\${name} returned \${JSON.stringify(said)}\`);
  const passes = threshold === undefined ? (said?.pass ?? score > 0) : score >= threshold;
  const value = Math.min(1, Math.max(0, not ? 1 - score : score));
  return { value, pass: Boolean(passes) !== not, reason: String(said?.reason ?? \`\${name} returned \${score}\`) };
}

/** Objects and lists are JSON in a cell. */
function valueOf(cell) {
  if (!/^\\s*[[{]/.test(cell)) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
`;

/** Who is asked: the user's own bot, saved configurations of a folder, or the providers that can be. */
type AskedBots =
  | { own: OwnBot }
  | { folder: string; exampleIds: readonly string[] }
  | { targets: readonly HttpTarget[] };

/** The content of a suite made from promptfoo's files. */
interface PromptfooSuite {
  name: string;
  /** The file that it was made from. */
  from: string;
  /** The written dataset, relative to the suite. */
  dataset: string;
  /** Request fields of the first prompt. */
  input: PromptInput;
  /** Further prompts, which a suite sends one at a time. */
  others: readonly PromptInput[];
  tests: WrittenTests;
  asked: AskedBots;
  /** Sentences on what is not in the suite. */
  left: readonly string[];
}

/** The suite as a file that people read and change. */
function promptfooSuiteText(suite: PromptfooSuite): string {
  const { name, from, dataset, tests } = suite;
  const { checks, judged, coded } = writtenColumns;
  const tags = [...tests.tags, ...(tests.isJudged ? [judged] : []), ...(tests.code.size > 0 ? [coded] : [])];
  const lines = [
    "# yaml-language-server: $schema=./suite.schema.json",
    `# Made by \`tandem init\` from ${comment(from)}. Every key is explained where your editor shows it; change what you like.`,
    ...leftLines(suite.left),
    `name: ${yamlValue(name)}`,
    `dataset: ${yamlValue(dataset)} # a line for each test, with its checks`,
    "",
    "case:",
    "  input:",
    ...Object.entries(suite.input).map(
      ([field, source]) => `    ${yamlValue(field)}: ${yamlValue(source)} # what is sent`,
    ),
    ...suite.others.map(
      ({ input_prompt: prompt }) =>
        `    # input_prompt: ${yamlValue(prompt)} # another prompt of ${comment(from)}: one at a time`,
    ),
    ...(tests.hasChecks ? [`  scorers: ${checks} # the checks of each test`] : []),
    ...(tags.length > 0 ? [`  tags: ${yamlValue(tags)}`] : []),
    "",
    "deployments:",
    ...deploymentLines(suite),
    "",
    "targets:",
    ...targetLines(suite.asked),
    "",
    ...judgeLines(suite),
    ...scorerLines(tests),
    "",
  ];
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** The deployment with the judge that stands in for one, where another is called `local`. */
const judgesDeployment = "stand_in";

function deploymentLines({ asked, tests: { isJudged } }: PromptfooSuite): string[] {
  const judges = isJudged
    ? [`  ${judgesDeployment}: { base_url: local:./bots } # the judge that stands in for yours`]
    : [];
  if ("own" in asked) return [...ownLines(asked.own.deployments), ...judges];
  if ("folder" in asked) return [`  local: { base_url: ${yamlValue(`local:${asked.folder}`)} }`, ...judges];
  return [
    "  # An embedded deployment that stands in for yours: no key, no network. It knows nothing of the prompts, so its",
    "  # answers fail most checks. Write the address of your own, with its key in TANDEM_PROD_API_KEY.",
    "  local: { base_url: local:./bots }",
    ...asked.targets.map(({ name: deployment, baseUrl }) => `  ${deployment}: { base_url: ${yamlValue(baseUrl)} }`),
    ...(asked.targets.length === 0
      ? ["  # prod: { base_url: https://api.example.com, concurrency: 4, rate: 10/m }"]
      : []),
  ];
}

function targetLines(asked: AskedBots): string[] {
  if ("own" in asked) return entryLines(asked.own.targets);
  if ("folder" in asked)
    return asked.exampleIds.map(
      (id) => `  ${yamlValue(id)}: { deployment: local, endpoint: video-bots, example_id: ${yamlValue(id)} }`,
    );
  if (asked.targets.length === 0)
    return [
      "  assistant: { deployment: local, endpoint: video-bots, example_id: assistant }",
      "  # prod: { deployment: prod, endpoint: video-bots, example_id: THE_ID_OF_YOUR_BOT }",
    ];
  return asked.targets.map(
    ({ name: target, endpoint, exampleId }) =>
      `  ${target}: { deployment: ${target}, endpoint: ${endpoint}, example_id: ${yamlValue(exampleId)} }`,
  );
}

function leftLines(left: readonly string[]): string[] {
  if (left.length === 0) return [];
  return ["#", "# Not in this suite:", ...left.map((line) => `#   ${comment(line)}`), ""];
}

function judgeLines({ asked, tests: { isJudged } }: PromptfooSuite): string[] {
  if (!isJudged) return [];
  const deployment = "targets" in asked ? "local" : judgesDeployment;
  return [
    "# Who judges by the rubrics. This one stands in for a judge and counts shared words: write the id of your own.",
    "judges:",
    `  grader: { deployment: ${deployment}, endpoint: video-bots, example_id: judge }`,
    "",
  ];
}

function scorerLines({ hasChecks, isJudged, code }: WrittenTests): string[] {
  const { rubric, judged, coded } = writtenColumns;
  const scorers: ({ name: string } & Record<string, JsonValue>)[] = [
    ...(hasChecks ? [{ name: "checks", type: "checks" }] : []),
    ...(isJudged
      ? [{ name: "rubric", type: "judge", target: "grader", rubric: `{{ ${rubric} }}`, when: { [judged]: "yes" } }]
      : []),
    ...(code.size > 0
      ? [{ name: "javascript", type: "module", file: "./assertions.mjs", when: { [coded]: "yes" } }]
      : []),
  ];
  const names = scorers.map(({ name }) => name);
  if (scorers.length > 1) scorers.unshift({ name: "correct", type: "all-of", of: names });
  if (scorers.length === 0) return ["# scorers:", "#   - { name: polite, type: icontains, value: please }"];
  return [
    "# How an answer is graded: by the checks of its test, by a judge, by code. The first is what a comparison is about.",
    "scorers:",
    ...scorers.map((scorer) => `  - ${yamlValue(scorer)}`),
  ];
}

/** A text that stays within its line of a comment. */
function comment(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ");
}
