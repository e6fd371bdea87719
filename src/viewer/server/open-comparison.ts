import { dirname } from "node:path";
import { AppError } from "../../errors.ts";
import { type ThreadFailure, unpackFailure } from "../../lib/thread-failure.ts";
import type { PlannedComparison } from "../../app/compare/planned-comparison.ts";
import { rowOfCase } from "../../app/report/row-of-case.ts";
import type { ReportRow, ReportSummary } from "../../report/shape/model.ts";
import type { RowJudgement } from "../../report/shape/row-head.ts";
import { rowJudgement } from "../../report/model/row-judgement.ts";
import { countingRules } from "../../report/doc/result-table.ts";
import { headOf, type ListColumns } from "../../report/model/row-figures.ts";
import type { Connection } from "../../store/connection.ts";
import { caseIdentities, earlierKeys } from "../../store/plan/case-keys.ts";
import { knownPath } from "../../store/read-only-folder.ts";
import { oneCase, oneCaseReader } from "../../store/compared/one-case.ts";
import type { CaseOfBatches } from "../../store/compared/joined-case.ts";
import { labelledCases, labelsOfJob } from "../../store/scores/labels.ts";
import { mostEarlier, type RowPage } from "../api.ts";
import { type NightsOfCases, nightsOfCases, nightsStamp } from "./case-nights.ts";
import { IndexThread, type IndexWork } from "./index-work.ts";
import { hasTexts } from "../../report/row-index/index-files.ts";
import type { SaidOfRows } from "../../report/row-index/query-sql.ts";
import { type FoundRows, openIndex, RowIndex, type RowQuery } from "../../report/row-index/row-index.ts";
import type { Wanted } from "./wanted-comparison.ts";
import { type Query, readQuery } from "../../report/query/query-text.ts";
import { withCondition, without } from "../../report/query/query-edit.ts";
import { labelsAsked, type RowCondition, rowVocabulary, searchesTexts } from "../../report/query/row-conditions.ts";
import type { LabelChoice } from "../../report/query/row-terms.ts";

/** State of a comparison that is made ready: `done` of `of` cases, or the error that stopped it. */
export type Readiness =
  | { kind: "waiting" }
  | { kind: "at"; done: number; of: number }
  | { kind: "ready"; index: RowIndex }
  | { kind: "failed"; error: Error };

export interface OpenedOptions {
  id: string;
  planned: PlannedComparison;
  wanted: Wanted;
  /** Folder of its index. */
  folder: string;
  /** Number of its cases, as far as it is known before they are read: a key with several inputs is one. */
  cases: number;
  /** The verdict of these sides when they were compared last; null: they were not. */
  verdict: string | null;
}

/** A comparison that somebody looks at: its index on the disk, and its rows from the database as they are asked for. */
export class OpenedComparison {
  readonly id: string;
  readonly planned: PlannedComparison;
  readonly folder: string;
  readonly verdict: string | null;
  readonly #db: Connection;
  readonly #work: IndexWork;
  readonly #cases: number;
  #state: Readiness = { kind: "waiting" };
  #texts: Promise<void> | null = null;
  /** Labelled cases as each list that is looked at found them: its next page goes on where the last one ended. */
  readonly #labelledOf = new Map<string, ReadonlySet<number>>();
  #nightsRead: { stamp: string; read: Promise<NightsOfCases> } | null = null;
  /** Stays from its rows to its texts. */
  #thread: IndexThread | null = null;

  constructor(db: Connection, { id, planned, wanted, folder, cases, verdict }: OpenedOptions) {
    this.id = id;
    this.verdict = verdict;
    this.planned = planned;
    this.folder = folder;
    this.#db = db;
    this.#work = { database: db.name, out: dirname(knownPath(db.name)), folder, wanted };
    this.#cases = cases;
    const index = openIndex(folder);
    if (index !== null) this.#state = { kind: "ready", index };
  }

  /** Number of its cases. */
  get rows(): number {
    return this.#ready().cases.length;
  }

  /** The verdict and figures of all rows. */
  get summary(): ReportSummary {
    return this.#ready().summary;
  }

  get state(): Readiness {
    return this.#state;
  }

  /** Makes the index in a thread of its own. Resolves when that has come to an end, good or bad. */
  async prepare(): Promise<void> {
    this.#state = { kind: "at", done: 0, of: this.#cases };
    const ended = await this.#started().make("rows");
    if (ended.kind === "ready") {
      this.#state = { kind: "ready", index: new RowIndex(this.folder) };
      return;
    }
    this.#end();
    this.#fail(ended.failure);
  }

  #started(): IndexThread {
    this.#thread ??= new IndexThread(this.#work, (done) => {
      this.#state = { kind: "at", done, of: Math.max(this.#cases, done) };
    });
    return this.#thread;
  }

  #end(): void {
    this.#thread?.stop();
    this.#thread = null;
  }

  /**
   * Makes the texts ready that searches read, once the rows stand: to write them takes as long as the lists, which
   * people who only look should not wait for. A search before waits. Raises the failure that stopped it; the next search
   * tries again.
   */
  prepareTexts(): Promise<void> {
    if (hasTexts(this.folder)) return Promise.resolve();
    this.#texts ??= this.#writeTexts().finally(() => {
      this.#texts = null;
    });
    return this.#texts;
  }

  async #writeTexts(): Promise<void> {
    const ended = await this.#started().make("texts");
    this.#end();
    if (ended.kind === "failed") throw unpackFailure(ended.failure);
  }

  #fail(failure: ThreadFailure): void {
    const { code, message } = failure;
    const reported = code === null ? message : `The comparison could not be made ready: ${message}.`;
    this.#state = { kind: "failed", error: unpackFailure({ ...failure, message: reported }) };
  }

  /** Rows of a list as it shows them. */
  async page(query: RowQuery, { offset, limit, signal, ...columns }: RowSegment): Promise<RowPage> {
    const index = this.#ready();
    const { places: list, ...found } = await this.#found(query, signal);
    const caseAt = this.#caseReader(index);
    const judgementOf = this.#judgementReader();
    const nights = await this.#nights(query);
    const heads = Array.from(list.subarray(offset, offset + limit)).flatMap((place) => {
      const own = caseAt(place);
      if (own === null) return [];
      const row = this.row(own, place);
      const judged = judgementOf(row);
      const past = nights?.of(place);
      return [
        {
          ...headOf(row, columns),
          ...(judged === null ? {} : { judged }),
          ...(past === undefined ? {} : { nights: past }),
        },
      ];
    });
    return { matched: list.length, ...found, heads };
  }

  /** Reads what people said of the answers to a row. */
  #judgementReader(): (row: ReportRow) => RowJudgement | null {
    const labelsOf = labelsOfJob(this.#db);
    return ({ sides }) => rowJudgement(sides, ({ jobId }) => labelsOf(jobId));
  }

  #caseReader({ cases }: RowIndex): (place: number) => CaseOfBatches | null {
    const find = caseIdentities(this.#db);
    const read = oneCaseReader(this.#db, this.planned.batches);
    return (place) => {
      const wanted = find(cases[place] ?? -1);
      return wanted === null ? null : read(wanted.key, wanted.inputHash);
    };
  }

  /** A case with all that is shown of it. */
  row(found: CaseOfBatches, place: number): ReportRow {
    return rowOfCase(found, this.planned, place);
  }

  /** The turns of its conversation that came before a case, in their order. */
  earlier(key: string): ReportRow[] {
    const { batches } = this.planned;
    const found = oneCase(this.#db, batches, key);
    const [first] = batches;
    if (found === null || first === undefined || found.cluster === found.key) return [];
    return earlierKeys(this.#db, first.batchId, { ...found, most: mostEarlier }).flatMap((each) => {
      const turn = oneCase(this.#db, batches, each);
      return turn === null ? [] : [this.row(turn, this.placeOf(turn))];
    });
  }

  /** The place of a case in the order of the comparison, from 0; -1 when it is not in it. */
  placeOf({ caseId }: CaseOfBatches): number {
    return this.#ready().cases.indexOf(caseId);
  }

  /** Finds the place of a row among those that a query finds; null when it is not one of them. */
  async indexOf(query: RowQuery, key: string): Promise<number | null> {
    const found = oneCase(this.#db, this.planned.batches, key);
    if (found === null) return null;
    const index = (await this.places(query)).indexOf(this.placeOf(found));
    return index === -1 ? null : index;
  }

  /** Places (from 0, in the order of the comparison) of the rows that a query finds. */
  async places(query: RowQuery): Promise<Uint32Array> {
    return (await this.#found(query, null)).places;
  }

  async #found(asked: RowQuery, signal: AbortSignal | null): Promise<FoundRows> {
    const index = this.#ready();
    const { query, fault } = readQuery(asked.text, rowVocabulary(index.frame, asked.pair));
    if (fault !== null) {
      throw new AppError("USAGE", `Character ${fault.at + 1} of the query: ${fault.message}.`, {
        ...(fault.hint !== null && { hint: fault.hint }),
      });
    }
    if (searchesTexts(query)) await this.prepareTexts();
    const nights = await this.#nights(asked);
    const said = this.#said(query, asked.list);
    return index.list(asked, {
      query,
      said: { ...said, stamp: `${said.stamp} ${nights?.stamp ?? ""}` },
      keys: nights === null ? null : asked.sort === "flips" ? nights.flips : nights.since,
      // The result has the figure of all rows.
      counting: asked.text.trim() === "" ? null : countingRules(index.summary, asked.pair),
      signal,
    });
  }

  /** The nights before, where a list is sorted by them: read again when one of them has changed. */
  async #nights({ sort, pair }: RowQuery): Promise<NightsOfCases | null> {
    if (sort !== "since" && sort !== "flips") return null;
    const { summary, cases } = this.#ready();
    const target = summary.pairs[pair]?.candidate ?? summary.targets[0]?.name ?? "";
    const stamp = `${target} ${nightsStamp(this.#db, this.planned.batch)}`;
    if (this.#nightsRead?.stamp !== stamp) {
      const find = caseIdentities(this.#db);
      const keys = Array.from(cases, (id) => find(id)?.key ?? "");
      const read = nightsOfCases(this.#db, { batch: this.planned.batch, target, keys, stamp });
      this.#nightsRead = { stamp, read };
      // A reading that failed is tried again.
      read.catch(() => (this.#nightsRead = null));
    }
    return this.#nightsRead.read;
  }

  /** The cases that people said something of, by the words that a query asks about. */
  #said(query: Query<RowCondition>, list = ""): SaidOfRows {
    const cases = new Map(
      labelsAsked(query).map((choice) => [choice, this.#casesSaid(choice === "no" ? "yes" : choice, list)] as const),
    );
    const stamp = Array.from(cases, ([choice, ids]) => `${choice} ${Array.from(ids).join(" ")}`).join("; ");
    return { stamp, has: (caseId, choice) => cases.get(choice)?.has(caseId) === (choice !== "no") };
  }

  /** In a list that somebody looks at, a row that was just labelled stays in its place. */
  #casesSaid(choice: Exclude<LabelChoice, "no">, list: string): ReadonlySet<number> {
    const name = `${list} ${choice}`;
    const cases = this.#labelledOf.get(name) ?? labelledCases(this.#db, this.#batchIds, choice);
    if (list !== "") keepLast(this.#labelledOf, name, cases);
    return cases;
  }

  get #batchIds(): number[] {
    return this.planned.batches.map(({ batchId }) => batchId);
  }

  /** Key of the first row after one, in the order of a query, of which nobody labelled an answer; null: there is none. */
  async nextUnlabelled(query: RowQuery, key: string): Promise<string | null> {
    const here = oneCase(this.#db, this.planned.batches, key);
    const given = { text: query.text, vocabulary: rowVocabulary(this.#ready().frame, query.pair) };
    const anyhow = without(given, ({ ask }) => ask === "labelled");
    const all = await this.places({ ...query, text: anyhow });
    const at = here === null ? -1 : all.indexOf(this.placeOf(here));
    const open = new Set(
      await this.places({ ...query, text: withCondition({ ...given, text: anyhow }, "labelled:no") }),
    );
    const next = [...all.subarray(at + 1), ...all.subarray(0, Math.max(0, at))].find((place) => open.has(place));
    if (next === undefined) return null;
    return caseIdentities(this.#db)(this.#ready().cases[next] ?? -1)?.key ?? null;
  }

  /** The cases of places that ascend, read as they are asked for. */
  *cases(places: Iterable<number>): Generator<CaseOfBatches> {
    const caseAt = this.#caseReader(this.#ready());
    for (const place of places) {
      const found = caseAt(place);
      if (found !== null) yield found;
    }
  }

  #ready(): RowIndex {
    if (this.#state.kind === "ready") return this.#state.index;
    throw new AppError("USAGE", "This comparison is not ready yet.", { hint: "Wait until it is." });
  }

  close(): void {
    this.#end();
    if (this.#state.kind === "ready") this.#state.index.close();
  }
}

const savedLists = 8;

/** Keeps what was asked for last. */
function keepLast<Value>(kept: Map<string, Value>, name: string, value: Value): void {
  kept.delete(name);
  kept.set(name, value);
  const [oldest] = kept.keys();
  if (kept.size > savedLists && oldest !== undefined) kept.delete(oldest);
}

/** A part of a list. */
export interface RowSegment extends ListColumns {
  offset: number;
  limit: number;
  /** Says that nobody waits for it any more. */
  signal: AbortSignal | null;
}
