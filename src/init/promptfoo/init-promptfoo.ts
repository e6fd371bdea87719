import { existsSync } from "node:fs";
import { join } from "node:path";
import { isSecretText } from "../../api/http/secret.ts";
import { chatMessages } from "../../api/prompt-messages.ts";
import { AppError } from "../../errors.ts";
import { boundedJson, isJsonObject, type JsonObject } from "../../lib/json.ts";
import { isTemplate } from "../../lib/liquid-name.ts";
import { standInBot, standInJudge } from "../../suite/stand-in.ts";
import { suiteFileName } from "../../suite/file-name.ts";
import { schemaAddress } from "../schema-address.ts";
import { fromFolder, ignoreFile, type NewFile, writeFiles } from "../init.ts";
import type { ConversionSource, Converted } from "../conversion.ts";
import { askedParts, providersOfBot, embedderOf, standInBots, type WhoIsAsked } from "./asked.ts";
import { codeModule } from "./code-module.ts";
import { conversationColumns, conversationsOf } from "./conversations.ts";
import type { LeftOut } from "./left-out.ts";
import { secretAdvice, sendableTests } from "./sendable-tests.ts";
import type { PromptfooConfig } from "./config.ts";
import { caseInputOf, lastOf, type PromptfooPrompt, usablePrompts, type UsablePrompt, usesHistory } from "./prompts.ts";
import type { AskedProvider } from "./provider.ts";
import { askedOf } from "./providers.ts";
import { writeTests, writtenColumns } from "./rows.ts";
import { promptfooSuiteText } from "./suite-file.ts";
import { templateFiller } from "./template.ts";
import type { PromptfooTest } from "./tests.ts";

/** Where a suite is written to, and who is asked where a person says so. */
export type PromptfooTarget = Pick<ConversionSource, "path" | "to" | "namedBot" | "askForBot"> & {
  force?: boolean;
  name: string;
};

/** Writes a suite with a dataset, and a module where there is code. Nothing is overwritten, and no code runs. */
export async function initPromptfoo(config: PromptfooConfig, target: PromptfooTarget): Promise<Converted> {
  const { left, folder, env, running } = config;
  const { path, to, name } = target;
  const filler = templateFiller(env);
  const sendable = sendableTests(config.tests, { prompts: config.prompts, filler, left });
  const around = withSurroundings(config.prompts, sendable);
  for (const { text, place } of config.prompts) if (isSecretText(text)) left.note("a prompt", secretAdvice, place);
  const talks = conversationsOf(around.prompts, around.tests, { filler, left });
  const { tests } = talks ?? around;
  const single = around.prompts.filter(({ text }) => !usesHistory(text));
  const prompts = talks === null ? usablePrompts(single, tests, { filler, left }) : [talks.prompt];
  const [first] = prompts;
  if (first === undefined) throw nothingToSend("prompt", path, left.lines);
  if (tests.length === 0) throw nothingToSend("test", path, left.lines);
  const asked = await whoIsAsked(
    config,
    target,
    () => filler.text(around.prompts[0]?.text ?? "", tests[0]?.vars ?? {}) ?? "Hello",
  );
  const reading = { folder, left, env };
  const hasEcho = asked.providers.some(({ kind }) => kind === "echo");
  const echoes = new Map(hasEcho ? prompts.map((prompt, i) => [prompt.name, `__echo${i === 0 ? "" : i + 1}`]) : []);
  const written = writeTests(tests, {
    prompts,
    echoes,
    filler,
    left,
    hasEmbeddings: (judge) => embedderOf(judge, asked, reading) !== null,
    ...changesOf(asked, left),
  });
  const files = new PromptFiles(to, folder.root);
  const ofCase =
    talks !== null ? { input_prompt: conversationColumns.question } : prompts.length === 1 ? caseInputOf(first) : null;
  const parts = askedParts(asked, {
    prompts,
    echoes,
    promptKeys: (prompt, provider) => promptKeys(prompt, provider, { first, files, left, isOfCase: ofCase !== null }),
    rubrics: written.rubrics,
    running,
    stored: written.isStored ? writtenColumns.stored : null,
    reading,
  });
  if (talks !== null) sendHistory(parts.targets, left);
  const runsCode = written.code.size > 0;
  const readsJson = runsCode && givesObjects(parts.targets, left);
  const dataset = `${name.replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, "-")}.tests.jsonl`;
  const suite = promptfooSuiteText({
    ...parts,
    name,
    from: fromFolder(to, path),
    schema: schemaAddress(to),
    dataset,
    input: { ...(ofCase ?? caseInputOf(first) ?? lastOf(first)), ...sentVariables(asked, tests) },
    isConversation: talks !== null,
    hasPrompts: ofCase === null,
    tests: written,
    isStandIn: asked.isStandIn,
    repeats: running.repeats,
    left: left.lines,
  });
  const bot = (id: string): string => join(to, "bots", "bots", `${id}.yaml`);
  const newFiles: NewFile[] = [
    { path: join(to, suiteFileName), about: "the suite: what is sent where", text: suite },
    ...ignoreFile(to),
    { path: join(to, dataset), about: "a line for each test, with its checks", text: written.text },
    ...files.written,
    ...(asked.isStandIn ? [{ path: bot(standInBot), about: "a bot that stands in for yours", text: botText }] : []),
    ...(parts.hasStandInJudge
      ? [{ path: bot(standInJudge), about: "a judge that stands in for yours", text: judgeText }]
      : []),
  ];
  if (runsCode) {
    const pathOf = (file: string): string | null => {
      const found = folder.pathOf(file);
      return found === null ? null : `./${fromFolder(to, found)}`;
    };
    const text = codeModule(written, fromFolder(to, path), { pathOf, readsJson });
    newFiles.push({ path: join(to, "assertions.mjs"), about: "its javascript: read it before you run", text });
  }
  return {
    files: await writeFiles(newFiles, target.force),
    tests: written.rows,
    prompts: prompts.length,
    targets: Object.keys(parts.targets).length,
    keys: parts.keys,
    isStandIn: asked.isStandIn,
    runsCode,
    left: left.lines,
  };
}

/** Whom a person names, else the providers that can be asked; where none can, the bot that a person is asked for, or one that stands in. */
async function whoIsAsked(
  config: PromptfooConfig,
  { namedBot, askForBot }: PromptfooTarget,
  ask: () => string,
): Promise<WhoIsAsked> {
  const { providers, left } = config;
  const named = await namedBot?.(ask());
  if (named !== undefined) {
    if (providers.length > 0)
      left.note("its providers", "the bot that is named beside it is asked instead", providers[0]?.place ?? null);
    return providersOfBot(named);
  }
  const asked = askedOf(providers, config);
  if (asked.length > 0) return { providers: asked, deployments: {}, isStandIn: false };
  const own = await askForBot?.(ask());
  return own === undefined ? standInBots : providersOfBot(own);
}

/** The code that changes every answer before it is graded, and whether the answers are calls of functions. */
function changesOf({ providers }: WhoIsAsked, left: LeftOut): { change: string | null; isCalls: boolean } {
  const [change = null, ...others] = new Set(providers.map(({ transform }) => transform));
  if (others.length > 0)
    left.note(
      "`transform` of a provider",
      "it changes the answers of one provider, and checks are the same for all; grade them by a scorer of the type module",
    );
  const isCalls = providers.some(({ target: { body } }) => isJsonObject(body) && body["tools"] !== undefined);
  return { change: others.length > 0 ? null : change, isCalls };
}

/** The keys of a target with a prompt of its own. */
function promptKeys(
  prompt: UsablePrompt,
  { kind, target: { endpoint } }: AskedProvider,
  { first, files, left, isOfCase }: { first: UsablePrompt; files: PromptFiles; left: LeftOut; isOfCase: boolean },
): JsonObject | null {
  const { isChat, text, source } = prompt;
  const isOfChat = kind === "chat";
  const isDescribed = typeof endpoint !== "string";
  const note = (way: string): void => left.note(`the prompt ${prompt.name}`, way, source.place);
  if (isChat && isDescribed && !usesHistory(source.text))
    note("over HTTP only its last message is asked; write `$conversation` into `body` for all of them");
  if (source.body !== null && !isOfChat)
    left.note("`config` of a prompt", "write it into the `body` of the targets", source.place);
  const own = isOfChat && source.body !== null ? { body: source.body } : {};
  const hasPlace = !isDescribed || /\{\{ input_prompt \}\}/.test(JSON.stringify(endpoint));
  if (isOfCase || (!hasPlace && prompt === first)) return own;
  if (!hasPlace) {
    note("the request of its provider has no place for {{prompt}}, and is sent once");
    return null;
  }
  if (isChat && prompt.column !== null) {
    note("its chat is filled for each test, which the one prompt of a suite can be; give it alone with --prompt-file");
    return null;
  }
  const asked = isChat && isDescribed ? (chatMessages(text)?.at(-1)?.content ?? "") : text;
  return {
    ...own,
    prompt: files.of(prompt, asked),
    ...(!(isChat && !isDescribed) && !isTemplate(asked) && { prompt_field: "input_prompt" }),
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
function withSurroundings(
  prompts: readonly PromptfooPrompt[],
  tests: readonly PromptfooTest[],
): { prompts: readonly PromptfooPrompt[]; tests: readonly PromptfooTest[] } {
  const { before, behind } = writtenColumns;
  const isBefore = tests.some(({ prefix }) => prefix !== "");
  const isBehind = tests.some(({ suffix }) => suffix !== "");
  if (!isBefore && !isBehind) return { prompts, tests };
  const [open, close] = [isBefore ? `{{${before}}}` : "", isBehind ? `{{${behind}}}` : ""];
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
    const { file, text: source } = prompt.source;
    const isSame = file !== null && source === text;
    const path =
      this.#paths.get(key) ??
      (isSame ? fromFolder(this.#to, join(this.#root, file.replace(/^file:\/\//, ""))) : this.#write(prompt, text));
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

/** True where code is given the object of an answer: promptfoo reads those that a schema of the request asks for. */
function givesObjects(targets: JsonObject, left: LeftOut): boolean {
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
function sentVariables({ providers }: WhoIsAsked, tests: readonly PromptfooTest[]): Record<string, string> {
  const names = new Set(providers.flatMap(({ variables }) => variables));
  const known = new Set(tests.flatMap(({ vars }) => Object.keys(vars)));
  return Object.fromEntries([...names].filter((name) => known.has(name)).map((name) => [`variables.${name}`, name]));
}

function nothingToSend(what: "prompt" | "test", path: string, left: readonly string[]): AppError {
  const reasons = left.map((line) => `\n  ${line}`).join("");
  const message = `${path} has no ${what} that can be sent.${reasons}`;
  return what === "prompt"
    ? new AppError("PROMPT_NEEDED", message, {
        hint: "Give what should be sent with --prompt 'Translate {{input}}', or in a file with --prompt-file prompt.txt.",
      })
    : new AppError("USAGE", message, {
        hint: "Write the variables of its tests into the file, or into a sheet that it names (`tests: file://tests.csv`). Nothing was written.",
      });
}

const botText = `# A bot that stands in for yours, until you write the address of your own into the suite. It knows nothing.
fallback: I do not know.
seed: tandem
`;

const judgeText = `# A judge that stands in for yours: it counts the words that an answer shares with what it is shown.
judge: {}
`;
