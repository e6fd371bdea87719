import { endpoints } from "../../api/endpoints.ts";
import type { Comparison } from "../../compare/comparison.ts";
import type { TargetScore } from "../../compare/tallies/score-tally.ts";
import { measure, scoreFigure as scoreOf, scoreRange } from "../../report/words/figures.ts";
import { tableLines } from "../../report/terminal/table.ts";
import { visible } from "../../report/text/visible.ts";
import { plannedJobCount } from "../../store/batch-overview.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import { againstOf, storedComparisons } from "../../store/compared/comparisons.ts";
import type { Connection } from "../../store/connection.ts";
import { holderOf } from "../../store/lock.ts";
import { targetTallies } from "../../store/results/results.ts";
import { unfinishedJobs } from "../../store/journal/unfinished.ts";

/** A batch in one row: what a list shows of it. */
function batchSummary(db: Connection, batch: Batch) {
  const jobs = plannedJobCount(db, batch.id);
  const left = [...unfinishedJobs(db, batch.id).values()].reduce((sum, count) => sum + count, 0);
  // A process that was killed had no time to say so.
  const state = batch.state === "running" && holderOf(db, batch.id) === null ? "killed" : batch.state;
  const { name, suiteName: suite, reason, createdAt } = batch;
  return { name, suite, state, reason, createdAt: new Date(createdAt).toISOString(), jobs, finished: jobs - left };
}

/** All batches, the latest last. */
export function batchListText(db: Connection, batches: Batch[], json: boolean): string {
  const rows = batches.map((batch) => batchSummary(db, batch));
  if (json) return JSON.stringify({ version: 1, batches: rows });
  if (rows.length === 0) return `No batch is in ${db.name} yet.`;
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows
    .map(({ name, state, jobs, finished, reason }) =>
      `${name.padEnd(width)}  ${state.padEnd(8)}  ${finished}/${jobs} jobs${reason === null ? "" : `  ${reason}`}`.trimEnd(),
    )
    .join("\n");
}

/** The batches of one suite over time: verdict, and the first metric of each target. */
export function suiteHistoryText(db: Connection, batches: Batch[], json: boolean): string {
  const rows = batches.map((batch) => ({ ...batchSummary(db, batch), ...resultOf(db, batch) }));
  if (json) return JSON.stringify({ version: 1, batches: rows });
  if (rows.length === 0) return `No batch of that suite is in ${db.name} yet.`;
  const targets = [...new Set(rows.flatMap(({ scores }) => scores.map(({ target }) => target)))].slice(0, mostTargets);
  const columns = ["batch", "state", "verdict", ...targets].map((title) => ({
    title: visible(title),
    align: "left" as const,
    most: 60,
  }));
  const cells = rows.map(({ name, state, verdict, scores }) => [
    visible(name),
    state,
    verdict ?? "-",
    ...targets.map((target) => scoreText(scores.find((each) => each.target === target)?.scores[0])),
  ]);
  return tableLines(columns, cells).join("\n");
}

const mostTargets = 8;

/** The stored result of the batch's own comparison, or of its latest. */
function resultOf(db: Connection, { id }: Batch) {
  const all = storedComparisons(db, id);
  const kept = all.find(({ against }) => against === (againstOf(db, id) ?? "")) ?? all.at(-1);
  if (kept === undefined) return { verdict: null, against: null, scores: [] };
  // We wrote it ourselves.
  const { targets }: Comparison = JSON.parse(kept.summary);
  const scores = targets.map(({ target, cases, scores: own }) => ({ target, cases, scores: own }));
  return { verdict: kept.verdict, against: kept.against === "" ? null : kept.against, scores };
}

/** `correct 86.4 % (80.3 % to 90.8 %)` */
function scoreText(score: TargetScore | undefined): string {
  if (score === undefined || score.mean === null) return "-";
  const { metric, mean, of, interval } = score;
  const about = measure(of);
  const range = interval === null ? "" : ` (${scoreRange({ lower: interval.low, upper: interval.high }, about)})`;
  return visible(`${metric} ${scoreOf(mean, of === "ratio" ? measure("value") : about)}${range}`);
}

/** One batch: where its runs went and what became of them. */
export function batchShowText(db: Connection, batch: Batch, json: boolean): string {
  const summary = batchSummary(db, batch);
  const tallies = targetTallies(db, batch.id);
  const targets = batchTargets(db, batch.id).map(({ name, deployment, baseUrl, endpoint, exampleId, repeats }) => {
    const tally = tallies.find(({ target }) => target === name);
    return { name, deployment, baseUrl, endpoint, exampleId, repeats, ...tally };
  });
  const details = {
    seed: batch.seed,
    tandem: batch.version,
    suiteHash: batch.suiteHash,
    datasetHash: batch.datasetHash,
  };
  if (json) return JSON.stringify({ version: 1, ...summary, ...details, targets });
  const lines = [
    `${summary.name}  ${summary.state}  ${summary.finished}/${summary.jobs} jobs`,
    `  created ${summary.createdAt} by tandem ${batch.version}, seed ${batch.seed}`,
    ...(summary.reason === null ? [] : [`  stopped: ${summary.reason}`]),
    ...batch.suite.datasets.map((path) => `  dataset ${path}`),
  ];
  for (const { name, baseUrl, endpoint, exampleId, outcomes, attempts, stopped } of targets) {
    const counts = Object.entries(outcomes ?? {}).map(([outcome, count]) => `${count} ${outcome}`);
    const { path, query } = endpoints[endpoint];
    const from = exampleId === "" ? baseUrl : `${baseUrl}${path}${query(exampleId)}`;
    lines.push(`  ${name}: ${from}`);
    lines.push(
      `    ${counts.join(", ")}; ${attempts ?? 0} requests${stopped === null || stopped === undefined ? "" : `; stopped: ${stopped}`}`,
    );
  }
  return lines.join("\n");
}
