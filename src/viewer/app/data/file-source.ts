import type { ReportRow, ReportSummary } from "../../../report/shape/model.ts";
import type { RowFilter } from "../../../report/model/row-filters.ts";
import { countingRules } from "../../../report/doc/result-table.ts";
import { frameOf, type ReportFrame } from "../../../report/shape/reporter.ts";
import { rowJudgement } from "../../../report/model/row-judgement.ts";
import { everyRow, readQuery } from "../../../report/query/query-text.ts";
import { queryFrame, rowVocabulary } from "../../../report/query/row-conditions.ts";
import { headOf, searchText } from "../../../report/model/row-figures.ts";
import type { RowHead } from "../../../report/shape/row-head.ts";
import { versionFault } from "../../../lib/stored-version.ts";
import { mostEarlier } from "../../api.ts";
import { findRows, type HeldRow, noRows } from "./query.ts";
import { saidOf } from "./row-query.ts";
import type { ListQuery, RowList, Source } from "./source.ts";

/** A report whose data cannot be read: the page says so. */
class UnreadableReport extends Error {}

/**
 * Reads the data that stand in the page: the last line first, which is the summary, so that the result is seen at once;
 * then the rows, a page of them at a time.
 */
export async function openFileSource(text: string): Promise<Source> {
  const lines = text.trim().split("\n");
  const last = await unpacked(lines.pop() ?? "");
  if (!isEnd(last)) throw new UnreadableReport("The data of this report are incomplete.");
  const fault = versionFault(last.summary.version);
  if (fault !== null) throw new UnreadableReport(`This report ${fault}.`);
  const source = new FileSource(last);
  void source.read(lines);
  return source;
}

interface End {
  summary: ReportSummary;
  rows: number;
  view: number | null;
}

function isEnd(value: unknown): value is End {
  return typeof value === "object" && value !== null && "summary" in value && "rows" in value && "view" in value;
}

async function unpacked(line: string): Promise<unknown> {
  const letters = atob(line.trim());
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const value: unknown = await new Response(stream).json();
  return value;
}

/** Milliseconds between two tellings while rows are read: each sorts and draws all that have come. */
const pause = 120;

class FileSource implements Source {
  readonly actions = null;
  readonly summary: ReportSummary;
  readonly total: number;
  readonly view: number | null;
  readonly #frame: ReportFrame;
  readonly #rows = new Map<string, ReportRow>();
  readonly #held: HeldRow[] = [];
  readonly #listeners = new Set<() => void>();
  #counts = new Map<string, number>();
  #hasLabels = false;
  #last: { name: string; list: RowList } | null = null;

  constructor({ summary, rows, view }: End) {
    this.summary = summary;
    this.#frame = frameOf(summary);
    this.total = rows;
    this.view = view;
  }

  async read(lines: readonly string[]): Promise<void> {
    let reported = 0;
    for (const [index, line] of lines.entries()) {
      const page = await unpacked(line);
      if (Array.isArray(page)) for (const row of page) this.#hold(row);
      if (performance.now() - reported > pause || index === lines.length - 1) {
        this.#counts = new Map();
        this.#tell();
        reported = performance.now();
      }
      // Lets the browser paint and answer a person between two pages.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }

  // We wrote these rows ourselves.
  #hold(row: ReportRow): void {
    this.#rows.set(row.key, row);
    const said = saidOf(row.sides.flatMap(({ runs }) => runs.flatMap(({ labels = [] }) => labels)));
    const judged = rowJudgement(row.sides, ({ labels = [] }) => labels);
    const head = { ...headOf(row), ...(judged === null ? {} : { judged }) };
    this.#hasLabels ||= said.has("yes");
    this.#held.push({ row, head, words: searchText(row), said });
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  ready(): number {
    return this.#held.length;
  }

  list(query: ListQuery): RowList {
    const name = `${this.#held.length} ${JSON.stringify(query)}`;
    // The part above the list and the list itself often ask for the same.
    if (this.#last?.name !== name) this.#last = { name, list: this.#find(query) };
    return this.#last.list;
  }

  #find(query: ListQuery): RowList {
    const { query: asked, fault } = readQuery(query.text, rowVocabulary(queryFrame(this.summary), query.candidate));
    // The page says so, and asks for no such list.
    if (fault !== null) return noRows;
    const counting = countingRules(this.summary, query.candidate);
    const { found, counts, means } = findRows(this.#held, query, { asked, frame: this.#frame, counting });
    return {
      matched: found.length,
      // A part of the rows counts less than the verdict does.
      counts: this.#isWhole() ? counts : null,
      means: this.#isWhole() ? means : null,
      failure: null,
      head: (index) => this.#withColumns(found[index], query),
      indexOf: (key) => {
        const at = found.findIndex((head) => head.key === key);
        return at === -1 ? null : at;
      },
    };
  }

  #withColumns(head: RowHead | undefined, { columns = [], fields = [] }: ListQuery): RowHead | null {
    const row = columns.length + fields.length === 0 ? undefined : this.#rows.get(head?.key ?? "");
    return row === undefined ? (head ?? null) : { ...head, ...headOf(row, { columns, fields }) };
  }

  row(key: string): Promise<ReportRow | null> {
    return Promise.resolve(this.#rows.get(key) ?? null);
  }

  earlier({ cluster, turn }: ReportRow): Promise<ReportRow[]> {
    const before = Array.from(this.#rows.values()).filter((row) => row.cluster === cluster && row.turn < turn);
    return Promise.resolve(before.toSorted((a, b) => a.turn - b.turn).slice(-mostEarlier));
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  labels(): boolean {
    return this.#hasLabels;
  }

  #isWhole(): boolean {
    return this.#held.length >= this.total;
  }

  count(show: RowFilter, candidate: number): number | null {
    if (!this.#isWhole()) return null;
    const name = `${show} ${candidate}`;
    const known = this.#counts.get(name);
    if (known !== undefined) return known;
    const whole: ListQuery = { text: "", sort: "place", candidate };
    const { counts } = findRows(this.#held, whole, { asked: everyRow, frame: this.#frame });
    for (const [each, count] of Object.entries(counts)) this.#counts.set(`${each} ${candidate}`, count);
    return counts[show] ?? 0;
  }
}
