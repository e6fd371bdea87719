import { endpointOf } from "../../api/endpoints.ts";
import { type ChatExport, chatExport } from "../../dataset/import/chat-export.ts";
import { scriptColumns } from "../../lib/script-columns.ts";
import { findColumn, orderColumn } from "../../dataset/table/column.ts";
import type { Sheets } from "../../dataset/sheets.ts";
import type { EndpointName } from "../../api/endpoint-name.ts";
import { withDefaults, withPrompt } from "../../dataset/cases/default-mapping.ts";
import { keyColumn } from "../../dataset/key-column.ts";
import { findNamed } from "../../dataset/table/column-names.ts";
import { promptFields } from "../../dataset/cases/prompt.ts";
import { promptfooOutput } from "../../dataset/import/promptfoo.ts";
import { AppError } from "../../errors.ts";
import { namesIn } from "../../api/body-templates.ts";
import { literalBraces, liquidFault, placeIn } from "../../suite/prompts/body-templates.ts";
import { showText } from "../../lib/show.ts";
import type { CaseMapping, DatasetFormat, StoredColumns, Suite } from "../../suite/suite.ts";

/** Options for reading a dataset, as far as its header needs them. */
interface Reading {
  format: DatasetFormat | undefined;
  sheets: Sheets;
  /** Null or left out: the sheet has what is sent. */
  prompt?: TypedPrompt | null;
}

/** A text that is sent, with places for columns, and the file that it was read from; null: it was typed. */
export interface TypedPrompt {
  text: string;
  file: string | null;
}

/** Facts that the header of a dataset tells and no mapping does. */
interface Learned {
  /** null: it is no export of chats. */
  chat: ChatExport | null;
  /** The mapping for a prompt that was given. */
  mapping: CaseMapping | null;
  /** The names of its columns; null: it cannot be told. */
  header: readonly string[] | null;
  /** Answers that the dataset brings along. */
  stored: StoredColumns | null;
}

/** A mapping without entries: columns are found by their names. */
export const openMapping: CaseMapping = {
  key: null,
  input: null,
  expected: null,
  cluster: null,
  turn: null,
  opening: null,
  tags: [],
};

/** Looks at the header of a dataset's first file, before a batch is made of it: whether it is an export of chats. */
export async function learnFrom(
  files: readonly string[],
  { format, sheets, prompt = null }: Reading,
  mapping: CaseMapping = openMapping,
): Promise<Learned> {
  const [first = "-"] = files;
  const table = sheets.table(first);
  const { header, rows } = await table.beginning(format);
  const [cells = []] = rows;
  if (prompt !== null && header !== null) checkPrompt(prompt, { header, file: table.file });
  const asked = prompt === null ? null : withPrompt(promptFields(prompt.text), header ?? []);
  if (header === null) return { chat: null, mapping: asked, header, stored: null };
  const chat = asked === null ? chatExport(mapping, header, cells) : null;
  const output = chat === null ? promptfooOutput(header) : null;
  const stored = output === null ? null : { ...noColumns, answer: output };
  return { chat, mapping: asked, header, stored: chat?.stored ?? stored };
}

/** Refuses a prompt that cannot be filled, at its place in its file: it is not Liquid, or names a column that the sheet does not have. */
function checkPrompt({ text, file }: TypedPrompt, sheet: { header: readonly string[]; file: string }): void {
  const placed = (at: string): string => (file === null ? "--prompt" : `${file}:${at}`);
  const wrong = liquidFault(text);
  if (wrong !== null)
    throw new AppError("SUITE_INVALID", `${placed(wrong.at)} is not Liquid: ${wrong.reason}.`, { hint: literalBraces });
  for (const name of namesIn(text))
    if (name !== "row") findColumn(sheet.header, name, { file: sheet.file, usedFor: placed(placeIn(text, name)) });
}

const noColumns = { runId: null, url: null, createdAt: null, label: null, note: null };

/** A suite that maps nothing, with the mapping of an export of chats where its dataset is one. */
export async function withChatMapping(
  suite: Suite,
  { sheets, onNotice }: { sheets: Sheets; onNotice: (message: string) => void },
): Promise<{ suite: Suite; isChat: boolean }> {
  const { mapping, datasets, format, targets } = suite;
  if (mapping.input !== null || targets.every(({ endpoint }) => endpointOf(endpoint).prompt === null)) {
    return { suite, isChat: false };
  }
  const learned = await learnFrom(datasets, { format, sheets }, mapping);
  if (learned.chat === null) {
    const asked = targets.map(({ endpoint }) => endpoint);
    const keyed = await withKey(mapping, { sheets, datasets, format, asked, header: learned.header });
    return { suite: { ...suite, mapping: keyed }, isChat: false };
  }
  const { chat } = learned;
  onNotice(chatText(chat));
  const isUsed = targets.some(({ stored }) => stored !== undefined);
  if (chat.stored !== null && !isUsed) onNotice(storedText(chat.stored));
  return { suite: { ...suite, mapping: chat.mapping }, isChat: true };
}

/** The mapping with the column that identifies the rows by its name, where nothing else is done with that column. */
export async function withKey(
  mapping: CaseMapping,
  { sheets, datasets, format, asked, header }: Keyless,
): Promise<CaseMapping> {
  if (mapping.key !== null || header === null || findNamed(header, ["id"]) !== null) return mapping;
  const sent = new Set(mapping.input === null ? Object.values(withDefaults(mapping, header, asked).input) : []);
  const { expected, cluster, turn, tags } = mapping;
  const others = new Set<unknown>([...sent, expected, cluster, turn, ...tags]);
  const key = await keyColumn(datasets, { sheets, format, isFree: (column) => !others.has(column) });
  return key === null ? mapping : { ...mapping, key };
}

interface Keyless {
  sheets: Sheets;
  datasets: readonly string[];
  format: DatasetFormat | undefined;
  asked: readonly EndpointName[];
  /** null: it cannot be told. */
  header: readonly string[] | null;
}

/** The parts that the columns of an export of chats were taken for. */
export function chatText({ mapping, row }: ChatExport): string {
  const { input, cluster, turn, turns, messages, orderBy } = mapping;
  const named = cluster === null || cluster === scriptColumns.conversation ? null : showText(cluster);
  if (row === "conversation") {
    const wanted =
      mapping.expected === null
        ? "the answers in it are what is expected"
        : `${showText(mapping.expected)} is expected of its last turn`;
    return `Each row is a conversation (${showText(turns ?? "")}): its messages of the user are sent as turns, and ${wanted}.`;
  }
  if (row === "message") {
    const parts = named === null ? "blank lines part the conversations" : `the rows of one ${named} are a conversation`;
    const order = orderBy === undefined ? "as they stand" : `in the order of ${showText(orderBy)}`;
    return `Each row is a message (${showText(messages?.role ?? "")}, ${showText(messages?.text ?? "")}): ${parts}, ${order}; those of the user are prompts.`;
  }
  const { input_prompt: prompt } = input ?? {};
  const asked = `This is an export of chats: each ${typeof prompt === "string" ? showText(prompt) : "message"} is a prompt`;
  if (named === null) return `${asked}.`;
  const order =
    turn !== orderColumn
      ? `by ${showText(turn ?? "")}`
      : orderBy === undefined
        ? "as they stand"
        : `in the order of ${showText(orderBy)}`;
  return `${asked}; the rows of one ${named} are its turns, ${order}.`;
}

function storedText({ answer }: StoredColumns): string {
  return `To compare with the answers in ${showText(answer)}, add to targets in the suite: before: { answers: ${JSON.stringify(answer)} }`;
}
