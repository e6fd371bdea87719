import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newsOf } from "../../../src/app/history/changes-since-notice.ts";
import type { GateFacts } from "../../../src/compare/verdict/facts.ts";
import { worstState } from "../../../src/compare/verdict/decide.ts";
import { type GateState, type VerdictWord, wordFacts } from "../../../src/compare/verdict-word.ts";
import { loadSuite } from "../../../src/index.ts";
import { type RandomStream, randomStream } from "../../../src/lib/random.ts";
import { createBatch, setBatchState } from "../../../src/store/batches.ts";
import { keepComparison } from "../../../src/store/compared/comparisons.ts";
import type { Connection } from "../../../src/store/connection.ts";
import { databasePath, openDatabase } from "../../../src/store/database.ts";
import { sqlite } from "../../../src/store/sqlite.ts";
import { endNotice } from "../../../src/store/nights/notices.ts";
import type { Suite } from "../../../src/suite/suite.ts";
import { type EqualBots, gatesOf, type Outcome, wordOf } from "./equal-bots.ts";
import type { Pace, Simulated } from "./simulation.ts";

const yearNights = 365;
const dayMs = 86_400_000;
/** Notices of WORSE that a year of equal bots may send, in the mean. */
const mostNotices = 4;

interface Nights extends EqualBots {
  /** Against a pin the baseline was asked once; else it is asked every night. */
  against: "anew" | "pin";
}

/** The outcome of each night of a year: some cases go by the toss of a coin, the others always alike. */
export function yearOf({ cases, differ, against }: Nights, random: RandomStream): Outcome[] {
  let coins = 0;
  for (let each = 0; each < cases; each++) if (random.next() < 2 * differ) coins += 1;
  const tossed = (): boolean[] => Array.from({ length: coins }, () => random.bits() % 2 === 1);
  const pinned = tossed();
  return Array.from({ length: yearNights }, () => {
    const before = against === "pin" ? pinned : tossed();
    const now = tossed();
    return {
      won: now.filter((passes, at) => passes && before[at] === false).length,
      lost: now.filter((passes, at) => !passes && before[at] === true).length,
    };
  });
}

/** A night by its own comparison. */
interface Night {
  word: VerdictWord | null;
  state: GateState | null;
  gates: GateFacts[];
}

/** Finds what a night with an outcome comes to, each outcome once. */
export function nightsOf(cases: number): (outcome: Outcome) => Night {
  const known = new Map<string, Night>();
  return (outcome) => {
    const key = `${outcome.won} ${outcome.lost}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const gates = gatesOf(cases, outcome);
    const night = { word: wordOf(cases, outcome), state: worstState(gates), gates };
    known.set(key, night);
    return night;
  };
}

/** Nights of a year of which a notice says WORSE. */
export function worseOf(year: readonly Outcome[], nightOf: ReturnType<typeof nightsOf>): number {
  return year.filter((outcome) => {
    const { word } = nightOf(outcome);
    return word === "worse" && wordFacts(word).isProblem;
  }).length;
}

/**
 * Tells a year of nights as `tandem night` does, each kept in the database and held against those before it: the notices that
 * something is new or over, which are those of `--notify-on change`.
 */
export function tellYear(
  db: Connection,
  { suite, nightOf }: { suite: Suite; nightOf: ReturnType<typeof nightsOf> },
  year: readonly Outcome[],
): number {
  let changes = 0;
  for (const [day, outcome] of year.entries()) {
    const { word, state, gates } = nightOf(outcome);
    const at = Date.UTC(2026, 0, 1, 12) + day * dayMs;
    const batch = createBatch(db, { suite, seed: "1", version: "0.0.0", at, repeatsOf: () => 1 });
    setBatchState(db, batch.id, "finished");
    const [gate] = gates;
    const sides = gate === undefined ? [] : [{ candidate: gate.candidate, baseline: gate.baseline }];
    const comparison = {
      verdict: state,
      word,
      gates,
      candidates: sides.map((side) => ({ ...side, metrics: [] })),
      targets: [],
    };
    const kept = { batchId: batch.id, against: "", seed: "1", verdict: state, word, version: "0.0.0", createdAt: at };
    keepComparison(db, { ...kept, summary: JSON.stringify(comparison) });
    const news = newsOf(db, { ...batch, state: "finished" }, { comparison, alarms: [] });
    if (news.state === "new" || news.state === "over") changes += 1;
    endNotice(db, batch.name, { at, isNotified: true });
  }
  return changes;
}

const sheets: readonly Nights[] = [
  { cases: 100, differ: 0.1, against: "anew" },
  { cases: 300, differ: 0.1, against: "anew" },
  { cases: 300, differ: 0.1, against: "pin" },
  { cases: 200, differ: 0.2, against: "pin" },
];

/** Years of nights in which nothing changes, through the database. */
export async function notices({ note, quick }: Pace): Promise<Simulated> {
  const [years, stored] = quick ? [50, 1] : [2_000, 20];
  const folder = mkdtempSync(join(tmpdir(), "tandem-nights-"));
  try {
    const suite = await suiteIn(folder);
    const db = openDatabase(databasePath(folder));
    try {
      // Nobody needs it after a power cut.
      sqlite(db).pragma("synchronous = OFF");
      const lines = sheets.map((sheet, place) => {
        const { cases, differ, against } = sheet;
        const name = `${cases} cases, of which ${differ * 100} % differ, ${against === "pin" ? "against a pin" : "both sides asked every night"}`;
        const random = randomStream(`notices/${name}`);
        const nightOf = nightsOf(cases);
        const drawn = Array.from({ length: years }, () => yearOf(sheet, random));
        const worse = drawn.map((year) => worseOf(year, nightOf));
        const changes = drawn.slice(0, stored).map((year, at) => {
          note(`${name}: year ${at + 1} of ${stored} that are stored`);
          return tellYear(db, { suite: { ...suite, name: `${place} of ${at}` }, nightOf }, year);
        });
        return lineOf(name, { worse, changes });
      });
      const head = [
        `| equal bots, ${years.toLocaleString("en-US")} years of 365 nights | notices of WORSE a year | years without one | years with more than four | most in a year | of ${stored} years with \`--notify-on change\`: something is new, or over | as promised |`,
        "| --- | --- | --- | --- | --- | --- | --- |",
      ];
      return { table: [...head, ...lines.map(({ line }) => line)].join("\n"), kept: lines.every(({ kept }) => kept) };
    } finally {
      db.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lineOf(
  name: string,
  counts: { worse: readonly number[]; changes: readonly number[] },
): { line: string; kept: boolean } {
  const [worse, changes] = [meanOf(counts.worse), meanOf(counts.changes)];
  const kept = worse.mean - worse.chance <= mostNotices;
  const share = (of: (count: number) => boolean): string =>
    `${((counts.worse.filter(of).length / counts.worse.length) * 100).toFixed(0)} %`;
  const years = [share((count) => count === 0), share((count) => count > mostNotices), Math.max(...counts.worse)];
  const cells = [name, shownMean(worse), ...years, shownMean(changes), kept ? "yes" : "**no**"];
  return { line: `| ${cells.join(" | ")} |`, kept };
}

interface Mean {
  mean: number;
  /** Half of its 95 % interval. */
  chance: number;
}

function meanOf(counts: readonly number[]): Mean {
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length;
  return { mean, chance: 1.96 * Math.sqrt(variance / counts.length) };
}

const shownMean = ({ mean, chance }: Mean): string => `${mean.toFixed(2)} ± ${chance.toFixed(2)}`;

/** A suite of two bots, of which only the names are asked for. */
async function suiteIn(folder: string): Promise<Suite> {
  const path = join(folder, "suite.yaml");
  writeFileSync(join(folder, "rows.csv"), "question,expected,old,new\nq,a,a,a\n");
  writeFileSync(
    path,
    "dataset: rows.csv\ntargets: { prod: { answers: old }, test: { answers: new } }\nscorers: [{ name: correct, type: equals }]\n",
  );
  return (await loadSuite(path, {})).suite;
}
