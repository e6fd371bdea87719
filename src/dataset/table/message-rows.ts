import type { LeftOutRow } from "../left-out.ts";
import { hashText } from "../../lib/hash.ts";
import { scriptColumns } from "../../lib/script-columns.ts";
import { showText } from "../../lib/show.ts";
import type { MessageColumns } from "../../suite/suite.ts";
import type { FindingList } from "../finding.ts";
import type { Row, RowBatch } from "../row.ts";
import { type Message, speakerOf, turnsOfMessages } from "./chat-messages.ts";
import { findColumn } from "./column.ts";
import { failedFormula } from "./failed-formula.ts";
import { KeyTable } from "./key-table.ts";
import { TimeColumn } from "./time.ts";

/** The columns of a sheet with a row for each message, and who is told of what. */
export interface MessageRowsOptions {
  columns: MessageColumns;
  /** Column that names the conversation; null: blank lines and messages of the system stand between them. */
  conversation: string | null;
  /** Column with the times of messages; null: as they stand. */
  orderBy: string | null;
  file: string;
  faults: FindingList;
  /** Takes each message that is left out. */
  onSkipped: (left: LeftOutRow) => void;
}

/** The places of the columns in a header. */
interface Places {
  role: number;
  text: number;
  conversation: number | null;
  time: number | null;
}

/** A message with the place of its time among all times. */
type TimedMessage = Message<Row> & { time: number };

/**
 * Rows that are messages become a row for each turn: that of the user's message, with the answer beside it. Without a
 * column of conversations they are passed on one by one; with one, all are kept until the file ends, because their rows
 * may stand among each other.
 */
export async function* foldMessages(
  batches: AsyncIterable<RowBatch>,
  options: MessageRowsOptions,
): AsyncGenerator<RowBatch, void, undefined> {
  let places: Places | null = null;
  let raw: readonly string[] = [];
  const talks = new OpenConversations();
  const names = new KeyTable();
  for await (const batch of batches) {
    places ??= placesIn(batch.header, options);
    raw = batch.header;
    const ended: TimedMessage[][] = [];
    for (const row of batch.rows) {
      talks.pass(row);
      const message = messageOf(row, places, options);
      if (message !== null) ended.push(...talks.add(message, row, places));
    }
    if (ended.length > 0) yield turnBatch(ended, raw, names);
  }
  if (raw.length > 0) yield turnBatch(talks.rest(), raw, names);
}

/** The conversations that are not at their end. */
class OpenConversations {
  readonly #byName = new Map<string, TimedMessage[]>();
  readonly #times = new TimeColumn();
  #count = 0;
  #current: TimedMessage[] = [];
  #lastRow = 0;
  /** Blank lines stand before the next message. */
  #isParted = false;

  /** Notes a row, whatever becomes of it. */
  pass({ row }: Row): void {
    this.#isParted ||= row !== this.#lastRow + 1;
    this.#lastRow = row;
  }

  /** Adds a message. Returns the conversations that it ends. */
  add(message: Message<Row>, row: Row, { conversation, time }: Places): TimedMessage[][] {
    const noted = { ...message, time: this.#count };
    if (conversation !== null) {
      // A blank cell is of the conversation above it, as where cells were merged.
      const name = row.cells[conversation]?.trim() ?? "";
      if (name !== "" || this.#byName.size === 0) this.#take(name);
      this.#times.add(time === null ? "0" : (row.cells[time] ?? ""), this.#current.at(-1)?.time ?? null);
      this.#count += 1;
      this.#current.push(noted);
      return [];
    }
    const begins = message.speaker === "system" && this.#current.some(({ speaker }) => speaker !== "system");
    const ended = this.#isParted || begins ? [this.#current] : [];
    this.#isParted = false;
    if (ended.length > 0) this.#current = [];
    this.#current.push(noted);
    return ended;
  }

  /** The conversations that the end of the file ends, each in the order of its times. */
  rest(): TimedMessage[][] {
    const { timeOf } = this.#times.times();
    if (this.#byName.size === 0) return [this.#current];
    return Array.from(this.#byName.values(), (talk) => talk.toSorted((a, b) => timeOf(a.time) - timeOf(b.time)));
  }

  #take(name: string): void {
    this.#current = this.#byName.get(name) ?? [];
    this.#byName.set(name, this.#current);
  }
}

function placesIn(header: readonly string[], { columns, conversation, orderBy, file }: MessageRowsOptions): Places {
  const place = (name: string, usedFor: string): number => findColumn(header, name, { file, usedFor }).at;
  return {
    role: place(columns.role, "case.messages.role"),
    text: place(columns.text, "case.messages.text"),
    conversation: conversation === null ? null : place(conversation, "case.cluster"),
    time: orderBy === null ? null : place(orderBy, "case.order_by"),
  };
}

/** The message of a row; null when it is left out (which is told) or a fault (which is noted). */
function messageOf(
  row: Row,
  { role, text: at }: Places,
  { columns, file, faults, onSkipped }: MessageRowsOptions,
): Message<Row> | null {
  const [who = "", text = ""] = [row.cells[role], row.cells[at]];
  const place = { file, row: row.row, line: row.line };
  if (text.trim() === "") {
    onSkipped({ ...place, why: "is a blank message" });
    return null;
  }
  const speaker = speakerOf(who);
  if (speaker === null) {
    const message = `${showText(who)} is no role of a message that is known`;
    const hint = "Write user, assistant or system (or tool, which is left out).";
    faults.add({ kind: "role", file, row: row.row, line: row.line, column: columns.role, message, hint });
    return null;
  }
  const failed = speaker === "other" ? null : failedFormula(row, at);
  if (failed !== null) {
    faults.add({ ...failed, file, row: row.row, line: row.line, column: columns.text });
    return null;
  }
  if (speaker === "other") onSkipped({ ...place, why: `is a message of ${showText(who)}, not of a person or the bot` });
  return { speaker, text, place: row };
}

/** The turns of conversations as rows. A blank cell beside a message of the user is filled with that beside its answer. */
function turnBatch(talks: readonly TimedMessage[][], raw: readonly string[], names: KeyTable): RowBatch {
  const rows = talks.flatMap((messages) => {
    const { turns, opening } = turnsOfMessages(messages);
    const name = conversationName(turns[0]?.prompt ?? "", names);
    return turns.map(({ prompt, answer, place, answeredAt }, i) => {
      const failed = new Map<number, string>();
      const own = raw.map((_, column) => {
        const from = (place.cells[column] ?? "").trim() === "" ? answeredAt : place;
        const address = from?.failed?.get(column);
        if (address !== undefined) failed.set(column, address);
        return from?.cells[column] ?? "";
      });
      const { row, line } = place;
      const cells = [...own, String(i + 1), prompt, answer, opening, name];
      return { cells, row, line, ...(failed.size > 0 && { failed }) };
    });
  });
  return { header: [...raw, ...Object.values(scriptColumns)], rows };
}

/** A name for a conversation that has none, from what was asked first; the same text again gets -2, -3. */
export function conversationName(text: string, names: KeyTable): string {
  const hash = hashText(text, 12);
  const count = names.count(hash);
  return count === 1 ? hash : `${hash}-${count}`;
}
