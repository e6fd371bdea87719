import { standInJudge } from "../../suite/stand-in.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isSecretText } from "../../api/http/secret.ts";
import { chatMessages } from "../../api/prompt-messages.ts";
import { AppError } from "../../errors.ts";
import { boundedJson, isJsonObject, type JsonObject } from "../../lib/json.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import type { FieldSource } from "../../suite/suite.ts";
import { suiteFileName } from "../../suite/file-name.ts";
import { schemaAddress } from "../schema-address.ts";
import { fromFolder, ignoreFile, type NewFile, writeFiles } from "../init.ts";
import type { Converted, OwnBot } from "../conversion.ts";
import { askedParts, embedderOf, type PromptKeys, whoIsAsked } from "./asked.ts";
import { codeModule } from "./code-module.ts";
import { conversationColumns, conversationsOf } from "./conversations.ts";
import type { LeftOut } from "./left-out.ts";
import { secretAdvice, sendableTests } from "./sendable-tests.ts";
import type { PromptfooConfig } from "./config.ts";
import { caseInputOf, type PromptfooPrompt, usablePrompts, type UsablePrompt, usesHistory } from "./prompts.ts";
import { writeTests, writtenColumns } from "./rows.ts";
import { promptfooSuiteText } from "./suite-file.ts";
import { templateFiller } from "./template.ts";
import type { PromptfooTest } from "./tests.ts";

/** The parts of a suite that is made from promptfoo's files. */
export interface PromptfooInit extends PromptfooConfig {
  /** The configuration or the sheet. */
  path: string;
  /** Folder that the suite is written to. */
  to: string;
  /** Writes over files that are there; left out: nothing is overwritten. */
  force?: boolean;
  name: string;
  /** Makes the deployment and the target of the user's own bot, by a first call with this prompt; undefined, or left out: none is named. */
  botFor?: (ask: string) => Promise<OwnBot | undefined>;
  /** A bot is named beside the file, and asked instead of its providers. */
  isBotNamed?: boolean;
  /** A folder with saved configurations in `bots/` that are asked; left out: none is named. */
  bots?: string | undefined;
}

/** Writes a suite with a dataset, and a module where there is code. Nothing is overwritten, and no code runs. */
export async function initPromptfoo(given: PromptfooInit): Promise<Converted> {
  const {
    path,
    to,
    force = false,
    name,
    left,
    folder,
    env,
    running,
    botFor,
    isBotNamed = false,
    bots,
    providers,
  } = given;
  const filler = await templateFiller(env);
  const { prompts: around, tests: all } = wrapped(
    given.prompts,
    sendableTests(given.tests, { prompts: given.prompts, filler, left }),
  );
  for (const { text, place } of given.prompts) if (isSecretText(text)) left.note("a prompt", secretAdvice, place);
  const talks = conversationsOf(around, all, { filler, left });
  const tests = talks?.tests ?? all;
  const prompts =
    talks === null
      ? usablePrompts(
          around.filter(({ text }) => !usesHistory(text)),
          tests,
          { filler, left },
        )
      : [talks.prompt];
  const [first] = prompts;
  if (first === undefined) throw withoutPrompt(path, left.lines);
  if (tests.length === 0) throw withoutTests(path, left.lines);
  const reading = { folder, left, env };
  const asked = await whoIsAsked({
    botFor:
      botFor === undefined
        ? undefined
        : () => botFor(filler.text(around[0]?.text ?? "", tests[0]?.vars ?? {}) ?? "Hello"),
    isNamed: isBotNamed,
    bots,
    to,
    providers,
    reading,
  });
  const hasEcho = "providers" in asked && asked.providers.some((provider) => "echo" in provider);
  const echoes = new Map(hasEcho ? prompts.map((prompt, i) => [prompt.name, `__echo${i === 0 ? "" : i + 1}`]) : []);
  const written = writeTests(tests, {
    prompts,
    echoes,
    filler,
    left,
    hasEmbeddings: (judge) => embedderOf(judge, asked, reading) !== null,
  });
  const files = new PromptFiles(to, folder.root);
  const ofCase =
    talks !== null ? { input_prompt: conversationColumns.question } : prompts.length === 1 ? caseInputOf(first) : null;
  const promptKeys: PromptKeys = (prompt, { target: { endpoint } }) => {
    const isDescribed = typeof endpoint !== "string";
    if (prompt.isChat && isDescribed && talks === null) {
      left.note(
        `the prompt ${prompt.name}`,
        "over HTTP only its last message is asked; write `$conversation` into `body` for all of them",
        prompt.source.place,
      );
    }
    const own = isDescribed || prompt.source.body === null ? {} : { body: prompt.source.body };
    if (ofCase !== null) return own;
    if (prompt.column !== null) {
      if (!prompt.isChat) return { body: { ...own.body, input_prompt: prompt.text } };
      left.note(
        `the prompt ${prompt.name}`,
        "its chat is filled for each test, which the one prompt of a suite can be; give it alone with --prompt-file",
        prompt.source.place,
      );
      return null;
    }
    const isWhole = prompt.isChat && !isDescribed;
    const text = prompt.isChat && isDescribed ? (chatMessages(prompt.text)?.at(-1)?.content ?? "") : prompt.text;
    return {
      ...own,
      prompt: files.of(prompt, text),
      ...(!isWhole && !isTemplate(text) && { prompt_field: "input_prompt" }),
    };
  };
  const parts = askedParts(asked, {
    prompts,
    echoes,
    promptKeys,
    rubrics: written.rubrics,
    running,
    stored: written.isStored ? writtenColumns.stored : null,
    reading,
  });
  if (talks !== null) sendHistory(parts.targets, left);
  const isNamed = "own" in asked || "folder" in asked || parts.isStandIn;
  if (prompts.length > 1 && isNamed) {
    left.note(
      "further prompts",
      "the first is sent; give the others to targets of their own (`prompt: FILE`), or one with --prompt-file",
    );
  }
  const withBody = prompts.find(({ source }) => source.body !== null);
  if (withBody !== undefined && isNamed)
    left.note("`config` of a prompt", "write it into the `body` of the targets", withBody.source.place);
  const isJson = written.code.size > 0 && readsJson(parts.targets, left);
  const dataset = `${name.replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, "-")}.tests.jsonl`;
  const variables =
    "providers" in asked ? asked.providers.flatMap((each) => ("echo" in each ? [] : each.variables)) : [];
  const newFiles: NewFile[] = [
    {
      path: join(to, suiteFileName),
      about: "the suite: what is sent where",
      text: promptfooSuiteText({
        ...parts,
        keys: "own" in asked ? null : parts.keys,
        name,
        from: fromFolder(to, path),
        schema: schemaAddress(to),
        dataset,
        input: { ...(ofCase ?? caseInputOf(first) ?? lastOf(first)), ...sentVariables(variables, tests) },
        isConversation: talks !== null,
        hasPrompts: ofCase === null && !isNamed,
        tests: written,
        repeats: running.repeats,
        left: left.lines,
      }),
    },
    ...ignoreFile(to),
    { path: join(to, dataset), about: "a line for each test, with its checks", text: written.text },
    ...files.written,
  ];
  if (parts.isStandIn)
    newFiles.push({
      path: join(to, "bots", "bots", "assistant.yaml"),
      about: "a bot that stands in for yours",
      text: standIn,
    });
  if (parts.hasStandInJudge) {
    newFiles.push({
      path: join(to, "bots", "bots", `${standInJudge}.yaml`),
      about: "a judge that stands in for yours",
      text: judge,
    });
  }
  if (written.code.size > 0) {
    const pathOf = (file: string): string | null => {
      const found = folder.pathOf(file);
      return found === null ? null : `./${fromFolder(to, found)}`;
    };
    const text = codeModule(written, fromFolder(to, path), { pathOf, readsJson: isJson });
    newFiles.push({ path: join(to, "assertions.mjs"), about: "its javascript: read it before you run", text });
  }
  const made = await writeFiles(newFiles, force);
  return {
    files: made,
    tests: written.rows,
    prompts: isNamed ? 1 : prompts.length,
    targets: Object.keys(parts.targets).length,
    keys: parts.keys,
    isStandIn: parts.isStandIn,
    runsCode: written.code.size > 0,
    left: left.lines,
  };
}

/** Puts what was said before where a described endpoint has the prompt alone, and notes one without such a place. */
function sendHistory(targets: JsonObject, left: LeftOut): void {
  for (const [name, target] of Object.entries(targets)) {
    const endpoint = isJsonObject(target) ? target["endpoint"] : undefined;
    if (!isJsonObject(target) || !isJsonObject(endpoint)) continue;
    const body = JSON.stringify(endpoint["body"] ?? null).replaceAll('"{{ input_prompt }}"', '"$conversation"');
    if (/"\$(?:conversation|messages)"/.test(body)) {
      targets[name] = { ...target, endpoint: { ...endpoint, body: boundedJson(body) } };
      continue;
    }
    const way =
      "its request has no place for what was said before: write `$messages` or `$conversation` into its `body`, or `history: service` where the service keeps it";
    left.note(`the target ${name}`, way);
  }
}

/** Prompts and tests with what `prefix` and `suffix` set around a prompt, as variables. */
function wrapped(
  prompts: readonly PromptfooPrompt[],
  tests: readonly PromptfooTest[],
): { prompts: PromptfooPrompt[]; tests: PromptfooTest[] } {
  const { before, behind } = writtenColumns;
  const isBefore = tests.some(({ prefix }) => prefix !== "");
  const isBehind = tests.some(({ suffix }) => suffix !== "");
  const open = isBefore ? `{{${before}}}` : "";
  const close = isBehind ? `{{${behind}}}` : "";
  if (!isBefore && !isBehind) return { prompts: [...prompts], tests: [...tests] };
  return {
    prompts: prompts.map((prompt) => ({ ...prompt, text: `${open}${prompt.text}${close}`, file: null })),
    tests: tests.map((test) => ({
      ...test,
      vars: { ...test.vars, ...(isBefore && { [before]: test.prefix }), ...(isBehind && { [behind]: test.suffix }) },
    })),
  };
}

/** The files of the prompts that targets name. */
class PromptFiles {
  readonly written: NewFile[] = [];
  readonly #to: string;
  readonly #root: string;
  readonly #paths = new Map<string, string>();

  constructor(to: string, root: string) {
    this.#to = to;
    this.#root = root;
  }

  /** The path of a prompt from the suite: that of promptfoo's own file, where it is the same. */
  of(prompt: UsablePrompt, text: string): string {
    const key = JSON.stringify([prompt.name, text]);
    const known = this.#paths.get(key);
    if (known !== undefined) return known;
    const { file, text: source } = prompt.source;
    const isSame = file !== null && source === text;
    const path = isSame
      ? fromFolder(this.#to, join(this.#root, file.replace(/^file:\/\//, "")))
      : this.#write(prompt, text);
    this.#paths.set(key, path);
    return path;
  }

  #write({ name, isChat }: UsablePrompt, text: string): string {
    const end = isChat ? ".json" : ".txt";
    let path = join(this.#to, "prompts", `${name}${end}`);
    for (let i = 2; existsSync(path) || this.written.some((each) => each.path === path); i++) {
      path = join(this.#to, "prompts", `${name}-${i}${end}`);
    }
    this.written.push({ path, about: "a prompt", text: `${text}\n` });
    return fromFolder(this.#to, path);
  }
}

/** The last message of a chat, for cases whose targets have prompts of their own. */
function lastOf({ text }: UsablePrompt): Record<string, FieldSource> {
  const content = chatMessages(text)?.at(-1)?.content ?? text;
  return { input_prompt: isTemplate(content) ? content : { value: content } };
}

/** True where code is given the object of an answer: promptfoo reads those that a schema of the request asks for. */
function readsJson(targets: JsonObject, left: LeftOut): boolean {
  const asked = Object.values(targets).map((target) => {
    const body = isJsonObject(target) ? target["body"] : null;
    const format = isJsonObject(body) ? body["response_format"] : null;
    return isJsonObject(format) && format["type"] === "json_schema";
  });
  if (asked.includes(true) && asked.includes(false))
    left.note(
      "javascript",
      "promptfoo gives it an object of providers with a `json_schema` and a text of the others; here it has the text: write JSON.parse(output)",
    );
  return asked.length > 0 && !asked.includes(false);
}

/** The variables that requests have beside the prompt. */
function sentVariables(names: readonly string[], tests: readonly PromptfooTest[]): Record<string, string> {
  const known = new Set(tests.flatMap(({ vars }) => Object.keys(vars)));
  return Object.fromEntries(
    [...new Set(names)].filter((name) => known.has(name)).map((name) => [`variables.${name}`, name]),
  );
}

function withoutPrompt(path: string, left: readonly string[]): AppError {
  const reasons = left.map((line) => `\n  ${line}`).join("");
  return new AppError("PROMPT_NEEDED", `${path} has no prompt that can be sent.${reasons}`, {
    hint: "Give what should be sent with --prompt 'Translate {{input}}', or in a file with --prompt-file prompt.txt.",
  });
}

function withoutTests(path: string, left: readonly string[]): AppError {
  const reasons = left.map((line) => `\n  ${line}`).join("");
  return new AppError("USAGE", `${path} has no test that can be sent.${reasons}`, {
    hint: "Write the variables of its tests into the file, or into a sheet that it names (`tests: file://tests.csv`). Nothing was written.",
  });
}

const standIn = `# A bot that stands in for yours, until you write the address of your own into the suite. It knows nothing.
fallback: I do not know.
seed: tandem
`;

const judge = `# A judge that stands in for yours: it counts the words that an answer shares with what it is shown.
judge: {}
`;
