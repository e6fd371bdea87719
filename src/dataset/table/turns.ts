import { scriptColumns } from "../../lib/script-columns.ts";
import { showValue } from "../../lib/show.ts";
import { placeOfCell } from "./cell-place.ts";
import { messagesIn, turnsOfMessages } from "./chat-messages.ts";
import { findColumn } from "./column.ts";
import { failedFormula } from "./failed-formula.ts";
import type { FindingList } from "../finding.ts";
import { KeyTable } from "./key-table.ts";
import type { LeftOutRow } from "../left-out.ts";
import { conversationName } from "./message-rows.ts";
import { parseJsonText } from "./json-text.ts";
import type { Row, RowBatch } from "../row.ts";

const hint =
  'It must be a JSON list of what the user says, such as ["Hello", "And on Sunday?"], or the text of a single turn.';

interface ScriptOptions {
  file: string;
  faults: FindingList;
  /** Nothing else names the conversation. */
  named: boolean;
  /** Takes each blank message that is left out. */
  onSkipped: (left: LeftOutRow) => void;
}

/**
 * Rows whose cell holds a whole conversation become a row for each of its turns. Cells that do not fit are noted. Cells
 * of messages also give the answers, and whatever comes before the first turn.
 */
export async function* expandScripts(
  batches: AsyncIterable<RowBatch>,
  column: string,
  { file, faults, named, onSkipped }: ScriptOptions,
): AsyncGenerator<RowBatch, void, undefined> {
  let raw: readonly string[] | null = null;
  let header: string[] = [];
  let at = 0;
  let isChat: boolean | null = null;
  const names = new KeyTable();
  for await (const batch of batches) {
    if (batch.header !== raw) {
      raw = batch.header;
      ({ at } = findColumn(raw, column, { file, usedFor: "case.turns" }));
      isChat ??= batch.rows.some(({ cells }) => /^\s*\[\s*\{/.test(cells[at] ?? ""));
      header = [...raw, ...(isChat ? Object.values(scriptColumns) : named ? shortColumns : shortColumns.slice(0, 2))];
    }
    const rows = batch.rows.flatMap((row) => {
      const failed = failedFormula(row, at);
      if (failed !== null) {
        faults.add({ ...failed, file, row: row.row, line: row.line, column });
        return [];
      }
      const read = readScript(row.cells[at] ?? "");
      if (read.ok) {
        for (const entry of read.blank ?? []) {
          onSkipped({ file, row: row.row, line: row.line, why: `has a blank message of the user: entry ${entry}` });
        }
        const name = conversationName(row.cells[at] ?? "", names);
        return turnsOf(
          row,
          batch.header.length,
          isChat === true ? chatCells(read, name) : plainCells(read, named ? name : null),
        );
      }
      const message = `column "${batch.header[at] ?? ""}" ${read.message}`;
      faults.add({ kind: "cell", file, row: row.row, ...placeOfCell(row, at), column, message, hint });
      return [];
    });
    yield { header, rows };
  }
}

/** The columns of a conversation without answers. */
const shortColumns = [scriptColumns.turn, scriptColumns.prompt, scriptColumns.conversation];

/** A conversation as it was read from a cell; plain texts have neither answers nor an opening. */
interface Script {
  prompts: string[];
  answers?: string[];
  opening?: string;
  /** Places of blank messages of the user, from 1: they are left out. */
  blank?: number[];
}

/** The cells of each turn for `shortColumns`. */
const plainCells = ({ prompts }: Script, name: string | null): string[][] =>
  prompts.map((prompt, i) => [String(i + 1), prompt, ...(name === null ? [] : [name])]);

/** The cells of each turn for all columns. */
const chatCells = ({ prompts, answers = [], opening = "" }: Script, name: string): string[][] =>
  prompts.map((prompt, i) => [String(i + 1), prompt, answers[i] ?? "", opening, name]);

function turnsOf(row: Row, width: number, turns: readonly string[][]): Row[] {
  const cells = Array.from({ length: width }, (_, i) => row.cells[i] ?? "");
  return turns.map((own) => ({ ...row, cells: [...cells, ...own], turns: turns.length }));
}

type ReadScript = ({ ok: true } & Script) | { ok: false; message: string };

function readScript(text: string): ReadScript {
  if (text.trim() === "") return { ok: false, message: "has no turns" };
  if (!text.trimStart().startsWith("[")) return { ok: true, prompts: [text] };
  const parsed = parseJsonText(text);
  if (!parsed.ok) return { ok: false, message: `is not JSON: ${parsed.message}` };
  const messages = messagesIn(parsed.value);
  if (typeof messages === "string") return { ok: false, message: messages };
  if (messages !== null) {
    const { turns, opening } = turnsOfMessages(messages);
    if (turns.length === 0) return { ok: false, message: "has no message of the user" };
    return {
      ok: true,
      prompts: turns.map(({ prompt }) => prompt),
      answers: turns.map(({ answer }) => answer),
      opening,
      blank: messages.flatMap((each, i) => (each.speaker === "user" && each.text.trim() === "" ? [i + 1] : [])),
    };
  }
  const entries = Array.isArray(parsed.value) ? parsed.value : [];
  if (entries.length === 0) return { ok: false, message: "has no turns" };
  const prompts: string[] = [];
  for (const [i, entry] of entries.entries()) {
    if (typeof entry !== "string") {
      return { ok: false, message: `must hold texts; entry ${i + 1} is ${showValue(entry)}` };
    }
    if (entry.trim() === "") return { ok: false, message: `has a blank turn: entry ${i + 1}` };
    prompts.push(entry);
  }
  return { ok: true, prompts };
}

/**
 * The part of a cell (expected or given answer) that is about one turn of a script: from a JSON list of as many texts
 * the one of this turn; any other text is about the last turn.
 */
export function ofTurn(text: string, turn: number, turns: number): string {
  const entry = textsOfTurns(text, turns)?.[turn - 1];
  if (entry !== undefined) return entry;
  return turn === turns ? text : "";
}

/** True for a cell that is about the last turn alone, such as the last reply. */
export function isOfLastTurn(text: string, turns: number): boolean {
  return text.trim() !== "" && textsOfTurns(text, turns) === null;
}

/** The texts of a JSON list with one for each turn; null for any other text. */
function textsOfTurns(text: string, turns: number): string[] | null {
  if (!text.trimStart().startsWith("[")) return null;
  const parsed = parseJsonText(text);
  const entries = parsed.ok && Array.isArray(parsed.value) ? parsed.value : [];
  return entries.length === turns ? entries.map((entry) => (typeof entry === "string" ? entry : "")) : null;
}
