import { scriptColumns } from "../../lib/script-columns.ts";
import { showValue } from "../../lib/show.ts";
import { placeOfCell } from "./cell-place.ts";
import { findColumn } from "./column.ts";
import type { FindingList } from "../finding.ts";
import { parseJsonText } from "./json-text.ts";
import type { Row, RowBatch } from "../row.ts";

const hint =
  'It must be a JSON list of what the user says, such as ["Hello", "And on Sunday?"], or the text of a single turn.';

/** Rows whose cell holds a whole conversation become a row for each of its turns. Cells that do not fit are noted. */
export async function* expandScripts(
  batches: AsyncIterable<RowBatch>,
  column: string,
  { file, faults }: { file: string; faults: FindingList },
): AsyncGenerator<RowBatch, void, undefined> {
  let raw: readonly string[] | null = null;
  let header: string[] = [];
  let at = 0;
  for await (const batch of batches) {
    if (batch.header !== raw) {
      raw = batch.header;
      ({ at } = findColumn(raw, column, { file, usedFor: "case.turns" }));
      header = [...raw, scriptColumns.turn, scriptColumns.prompt];
    }
    const rows = batch.rows.flatMap((row) => {
      const read = readScript(row.cells[at] ?? "");
      if (read.ok) return turnsOf(row, read.prompts, batch.header.length);
      const message = `column "${batch.header[at] ?? ""}" ${read.message}`;
      faults.add({ kind: "cell", file, row: row.row, ...placeOfCell(row, at), column, message, hint });
      return [];
    });
    yield { header, rows };
  }
}

function turnsOf(row: Row, prompts: readonly string[], width: number): Row[] {
  const cells = Array.from({ length: width }, (_, i) => row.cells[i] ?? "");
  return prompts.map((prompt, i) => ({ ...row, cells: [...cells, String(i + 1), prompt], turns: prompts.length }));
}

function readScript(text: string): { ok: true; prompts: string[] } | { ok: false; message: string } {
  if (text.trim() === "") return { ok: false, message: "has no turns" };
  if (!text.trimStart().startsWith("[")) return { ok: true, prompts: [text] };
  const parsed = parseJsonText(text);
  if (!parsed.ok) return { ok: false, message: `is not JSON: ${parsed.message}` };
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
