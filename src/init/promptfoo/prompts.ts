import { basename, extname } from "node:path";
import { chatMessages } from "../../api/prompt-messages.ts";
import { promptFields } from "../../dataset/cases/prompt.ts";
import { isTemplate, placeholder } from "../../lib/liquid-name.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { showText } from "../../lib/show.ts";
import type { FieldSource } from "../../suite/suite.ts";
import { bodyOfPrompt } from "./chat-provider.ts";
import { type FileReading, isCode, whyNone } from "./files.ts";
import { nameOfLabel } from "./label.ts";
import type { LeftOut } from "./left-out.ts";
import { type Placed, placedIn } from "./place.ts";
import { type Filler, liquidOf } from "./template.ts";
import type { PromptfooTest } from "./tests.ts";

/** A prompt of promptfoo. */
export interface PromptfooPrompt {
  text: string;
  /** The name that a person, or its file, gave it. */
  label: string | null;
  /** The names by which a provider may ask for it. */
  names: string[];
  /** The file that holds it alone. */
  file: string | null;
  /** Members of a chat's request that belong to the prompt. */
  body: JsonObject | null;
  place: string;
}

/** True for a text with what was said in earlier tests. */
export const usesHistory = (text: string): boolean => /\b_conversation\b/.test(text);

/** A name for a prompt, unlike those of the others. */
export function promptName({ label }: PromptfooPrompt, others: readonly UsablePrompt[]): string {
  // A colon stands between a provider and its prompt.
  return nameOfLabel(label?.replaceAll(/[:=]/g, "-") ?? `prompt-${others.length + 1}`, others);
}

/** The prompts that a configuration names; without any, what the tests call `prompt` is sent. */
export function promptsIn(written: Placed, reading: FileReading): PromptfooPrompt[] {
  const { value } = written;
  if (value === null) return [promptOf("{{prompt}}", null, written.place)];
  const isMap = isJsonObject(value) && !("raw" in value) && !("id" in value) && !("label" in value);
  // A map names files, with a label for each.
  const entries = isMap
    ? Object.keys(value).map((file) => written.member(file).as({ id: file, label: value[file] ?? null }))
    : written.entries;
  return entries.flatMap((entry) => promptsOf(entry, reading));
}

function promptsOf(entry: Placed, reading: FileReading): PromptfooPrompt[] {
  const { raw, id, label: given } = entry.members;
  const written = isJsonObject(entry.value) ? (raw ?? id ?? null) : entry.value;
  const label = typeof given === "string" ? given : null;
  reading.left.keys("prompt", entry, (key) => `\`${key}\` of a prompt`);
  const own = bodyOfPrompt(entry.member("config"), reading);
  const body = Object.keys(own).length > 0 ? own : null;
  return textsOf(written, { label, place: entry.place }, reading).map((prompt) => ({ ...prompt, body }));
}

/** The prompts of an entry: its text or chat, or those of the files that it names. */
function textsOf(
  raw: JsonValue,
  { label, place }: { label: string | null; place: string },
  { folder, left }: FileReading,
): PromptfooPrompt[] {
  if (typeof raw !== "string") return Array.isArray(raw) ? [promptOf(JSON.stringify(raw), label, place)] : [];
  const isWord = !isTemplate(raw) && !/\s/.test(raw.trim());
  const isNamed = /^(?:file|exec|[a-z]+:\/\/)/.test(raw) && !isTemplate(raw) && !raw.includes("\n");
  if (!isNamed && !(isWord && (isCode(raw) || textFile.test(raw)))) return [promptOf(raw, label, place)];
  const files = isCode(raw) ? [] : folder.filesOf(raw);
  const found = files.flatMap((file) => promptsOfFile(file, folder.textOf(file), { label, named: raw, place }));
  if (found.length === 0) left.note(`the prompt ${raw}`, adviceFor(raw) ?? whyNone(raw, folder), place);
  return found;
}

const textFile = /\.(?:txt|json|jsonl|md|markdown|ya?ml|j2|csv)$/i;

function adviceFor(raw: string): string | null {
  if (/^(?!file:)[a-z]+:\/\//.test(raw)) return "it is kept by another service; write it into a file of text";
  return /\.csv$/i.test(raw) ? "a sheet of prompts is not read; write them as a list of texts" : null;
}

function promptOf(text: string, label: string | null, place: string): PromptfooPrompt {
  return { text, label, names: [label ?? text, text], file: null, body: null, place };
}

/** The prompts in a file; a text has several with --- between them. */
function promptsOfFile(
  file: string,
  text: string | null,
  { label, named, place }: { label: string | null; named: string; place: string },
): PromptfooPrompt[] {
  const kind = extname(file).toLowerCase();
  if (text === null || !textFile.test(file) || kind === ".csv") return [];
  const name = label ?? basename(file.replace(/^file:\/\//, "")).replace(/\.[^.]+$/, "");
  const filled = partsOf(text, { file, kind })
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return filled.map((part, i) => ({
    text: part,
    label: filled.length === 1 ? name : `${name}-${i + 1}`,
    names: [name, named, named.replace(/^file:\/\//, ""), file, part],
    file: filled.length === 1 && /^\.(?:txt|md|json|j2)$/.test(kind) ? file : null,
    body: null,
    place,
  }));
}

function partsOf(text: string, { file, kind }: { file: string; kind: string }): string[] {
  if (kind === ".jsonl") return text.split("\n");
  if (kind === ".txt") return text.split(/^---\s*$/m);
  // A chat with a loop over what was said before is no YAML until it is filled.
  if (!/^\.ya?ml$/.test(kind) || usesHistory(text)) return [text];
  const { value } = placedIn(text, file);
  return [typeof value === "string" ? value : JSON.stringify(value)];
}

/** A prompt that can be sent. */
export interface UsablePrompt {
  /** Short and unlike the others, for the name of a target and a file. */
  name: string;
  /** As Liquid over the columns of the tests. */
  text: string;
  /** It is a chat in JSON whose last message is the user's. */
  isChat: boolean;
  /** The column that holds it filled for each test, where it has what Liquid over cells cannot. */
  column: string | null;
  source: PromptfooPrompt;
}

/**
 * The prompts that can be sent. One that uses lists, objects or conditions is filled for each test, and becomes a column
 * of it. Others, such as those with macros, are left out.
 */
export function usablePrompts(
  prompts: readonly PromptfooPrompt[],
  tests: readonly PromptfooTest[],
  { filler, left }: { filler: Filler; left: LeftOut },
): UsablePrompt[] {
  const usable: UsablePrompt[] = [];
  for (const source of prompts) {
    const name = promptName(source, usable);
    const live = liveText(source.text, tests, filler);
    if (live !== null) {
      usable.push({ name, ...live, column: null, source });
      continue;
    }
    const filled = tests.map(({ vars }) => filler.text(source.text, vars));
    if (filled.includes(null)) {
      const advice = "only Nunjucks can fill it; write it with {{variable}} alone, and give it with --prompt-file";
      left.note(`the prompt ${showText(source.text)}`, advice, source.place);
      continue;
    }
    const chats = filled.map((text) => chatMessages(text ?? ""));
    const isChat = chats.every((chat) => chat !== null && chat.at(-1)?.role === "user");
    if (!isChat && chats.some((chat) => chat !== null)) {
      left.note(
        `the prompt ${showText(source.text)}`,
        "its chat does not end with a message of the user",
        source.place,
      );
      continue;
    }
    const column = `__prompt${usable.length === 0 ? "" : usable.length + 1}`;
    usable.push({ name, text: placeholder(column), isChat, column, source });
  }
  return usable;
}

/** A prompt that Liquid fills from cells: only plain variables, which are texts and numbers in every test. */
function liveText(
  text: string,
  tests: readonly PromptfooTest[],
  filler: Filler,
): Pick<UsablePrompt, "text" | "isChat"> | null {
  // `{{ x | dump }}` makes a JSON text of a variable: in quotes it is one of ours.
  const plain = /^\s*\[\s*\{/.test(text)
    ? text.replaceAll(/(?<!")\{\{\s*(\w+)\s*\|\s*(?:dump|tojson)\s*\}\}(?!")/g, '"{{$1}}"')
    : text;
  if (/\{%|\{\{[^}]*[.[(]/.test(plain) && !plain.includes("{% raw %}")) return null;
  const names = filler.names(plain);
  const liquid = liquidOf(plain);
  if (names === null || liquid === null || names.includes("env")) return null;
  const isPlain = tests.every(({ vars }) =>
    names.every((name) => {
      const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
      // Variables that name others are filled for each test.
      return (
        value === undefined ||
        typeof value === "number" ||
        typeof value === "boolean" ||
        (typeof value === "string" && !isTemplate(value))
      );
    }),
  );
  if (!isPlain) return null;
  const known = new Set(tests.flatMap(({ vars }) => Object.keys(vars)));
  const chat = chatMessages(liquid);
  if (/^\s*\[\s*\{\s*"role"/.test(liquid) && chat === null) return null;
  if (chat !== null && chat.at(-1)?.role !== "user") return null;
  // A variable that no test has is nothing, as in promptfoo.
  const unknown = names.filter((name) => !known.has(name));
  const kept = unknown.reduce(
    (made, name) => made.replaceAll(new RegExp(`\\{\\{-?\\s*${name}\\b[^}]*\\}\\}`, "g"), ""),
    liquid,
  );
  return { text: kept, isChat: chat !== null };
}

/** The request fields of the one prompt of a suite; null: only a target's own prompt can have it. */
export function caseInputOf({ text, isChat, column }: UsablePrompt): Record<string, FieldSource> | null {
  if (column !== null) {
    if (!isChat) return { input_prompt: column };
    return { input_prompt: column, messages: { column: `${column}_before`, type: "json" } };
  }
  const messages = isChat ? chatMessages(text) : null;
  if (messages !== null && messages.slice(0, -1).some(({ content }) => isTemplate(content))) return null;
  const fields = Object.entries(promptFields(text)).map(([name, from]): [string, FieldSource] => [
    name,
    typeof from === "string" && !isTemplate(from) ? { value: from } : from,
  ]);
  return Object.fromEntries(fields);
}

/** The last message of a chat, for cases whose targets have prompts of their own. */
export function lastOf({ text }: UsablePrompt): Record<string, FieldSource> {
  const content = chatMessages(text)?.at(-1)?.content ?? text;
  return { input_prompt: isTemplate(content) ? content : { value: content } };
}

/** The cells of a row with a prompt that is filled for each test: what is asked, and of a chat what was said before. */
export function filledCells({ column, isChat }: UsablePrompt, filled: string): Record<string, JsonValue> {
  if (column === null) return {};
  const messages = isChat ? chatMessages(filled) : null;
  if (messages === null) return { [column]: filled };
  return {
    [column]: messages.at(-1)?.content ?? "",
    [`${column}_before`]: messages.slice(0, -1).map(({ role, content }) => ({ role, content })),
  };
}
