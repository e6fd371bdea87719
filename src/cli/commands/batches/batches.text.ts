import { keptVerdict } from "../../../report/say/nights.ts";
import { momentLabel } from "../../../report/say/night-names.ts";
import { addressOf } from "../../../api/endpoint-call.ts";
import { callOf, endpointOf } from "../../../api/endpoints.ts";
import type { TargetScore } from "../../../compare/tallies/score-tally.ts";
import { tableLines } from "../../../report/terminal/table.ts";
import { visible } from "../../../report/text/visible.ts";
import { counted } from "../../../report/say/quantity.ts";
import { measure, scoreFigure as scoreOf, scoreRange } from "../../../report/say/figures.ts";
import type { Target } from "../../../suite/suite.ts";
import type { Batch, BatchTarget } from "../../../store/batches.ts";
import type { FoundRecord } from "../../../store/results/run-records.ts";
import type { StoredTargetTally } from "../../../store/results/results.ts";

/** A batch as a row of a list. */
export interface BatchSummary {
  name: string;
  suite: string;
  state: string;
  reason: string | null;
  createdAt: string;
  jobs: number;
  finished: number;
  /** Jobs that were not sent, because it was decided without them. */
  spared: number;
  /** Runs that the service has taken, and that have not ended as far as is known here. */
  atService: number;
  /** null: it was not compared. */
  verdict: string | null;
  /** The same in one word; null: nothing was decided. */
  word: string | null;
}

/** A batch with what was decided of it, as a row of its suite's history. */
export interface SuiteNight extends BatchSummary {
  /** The pin or batch that its targets were compared with; null: each other, or nothing. */
  against: string | null;
  scores: { target: string; cases: number; scores: TargetScore[] }[];
}

/** A target of a batch with what became of its jobs. */
export type ShownTarget = Pick<BatchTarget, "name" | "deployment" | "baseUrl" | "endpoint" | "exampleId" | "repeats"> &
  Pick<Target, "mode"> &
  Partial<StoredTargetTally>;

/** All batches with their verdicts, the latest last. */
export function batchListText(rows: readonly BatchSummary[], database: string): string {
  if (rows.length === 0) return `No batch is in ${database} yet.`;
  const shown = rows.map((row) => ({
    ...row,
    name: visible(row.name),
    state: visible(row.state),
    verdict: visible(keptVerdict(row) ?? "-"),
  }));
  const width = Math.max(...shown.map(({ name }) => name.length));
  const verdicts = Math.max(...shown.map(({ verdict }) => verdict.length));
  return shown
    .map(({ name, state, jobs, finished, spared, reason, verdict }) =>
      `${name.padEnd(width)}  ${state.padEnd(8)}  ${verdict.padEnd(verdicts)}  ${jobsText({ finished, jobs, spared })}${reason === null ? "" : `  ${visible(reason)}`}`.trimEnd(),
    )
    .join("\n");
}

/** `204/800 jobs, 596 spared` */
function jobsText({ finished, jobs, spared }: Pick<BatchSummary, "finished" | "jobs" | "spared">): string {
  return `${finished}/${jobs} jobs${spared === 0 ? "" : `, ${spared} spared`}`;
}

/** The batches of one suite over time: verdict, and the first metric of each target. */
export function suiteHistoryText(rows: readonly SuiteNight[], database: string): string {
  if (rows.length === 0) return `No batch of that suite is in ${database} yet.`;
  const targets = [...new Set(rows.flatMap(({ scores }) => scores.map(({ target }) => target)))].slice(0, mostTargets);
  const columns = ["batch", "state", "verdict", ...targets].map((title) => ({
    title: visible(title),
    align: "left" as const,
    most: 60,
  }));
  const cells = rows.map(({ name, state, verdict, word, scores }) => [
    visible(name),
    visible(state),
    visible(keptVerdict({ verdict, word }) ?? "-"),
    ...targets.map((target) => scoreText(scores.find((each) => each.target === target)?.scores[0])),
  ]);
  return tableLines(columns, cells).join("\n");
}

const mostTargets = 8;

/** `correct 86.4 % (80.3 % to 90.8 %)` */
function scoreText(score: TargetScore | undefined): string {
  if (score === undefined || score.mean === null) return "-";
  const { metric, mean, of, interval } = score;
  const about = measure(of);
  const range = interval === null ? "" : ` (${scoreRange({ lower: interval.low, upper: interval.high }, about)})`;
  return visible(`${metric} ${scoreOf(mean, of === "ratio" ? measure("value") : about)}${range}`);
}

/** `3 runs were submitted and not fetched: tandem resume NAME asks for them` */
function atServiceText({ name, atService }: BatchSummary): string {
  const [were, them] = atService === 1 ? ["was", "it"] : ["were", "them"];
  return `${counted(atService, "run")} ${were} submitted and not fetched: \`tandem resume ${name}\` asks for ${them}`;
}

/** A run's record as the service sent it, below the run that it was made for. */
export function recordText({ id, batch, target, case: key, repeat, kind, outcome, url, body }: FoundRecord): string {
  const what = kind === "case" ? `case ${key} for ${target}` : `a question about case ${key} to ${target}`;
  const head = [
    `${id}: ${what}, run ${repeat} of ${batch}, ${outcome ?? "not finished"}`,
    ...(url === null ? [] : [url]),
  ];
  const shown =
    body === null ? "Only its id is known." : typeof body === "string" ? body : JSON.stringify(body, null, 2);
  return [...head.map((line) => visible(line)), ...shown.split("\n").map((line) => visible(line))].join("\n");
}

/** One batch: where its runs went and what became of them. */
export function batchShowText(batch: Batch, summary: BatchSummary, targets: readonly ShownTarget[]): string {
  const lines = [
    `${summary.name}  ${summary.state}  ${jobsText(summary)}`,
    ...(summary.verdict === null ? [] : [`  verdict ${keptVerdict(summary) ?? ""}`]),
    `  created ${momentLabel(batch.createdAt)} by tandem ${batch.version}, seed ${batch.seed}`,
    ...(summary.reason === null ? [] : [`  stopped: ${summary.reason}`]),
    ...(summary.atService === 0 ? [] : [`  ${atServiceText(summary)}`]),
    ...batch.suite.datasets.map((path) => `  dataset ${path}`),
  ];
  for (const { name, deployment, baseUrl, endpoint, exampleId, mode, outcomes, attempts, stopped } of targets) {
    const counts = Object.entries(outcomes ?? {}).map(([outcome, count]) => `${count} ${outcome}`);
    const { runs } = endpointOf(endpoint);
    const call = callOf(endpoint, mode === undefined ? undefined : "submit");
    const what = runs === null ? "" : `  ${runs.key} ${exampleId}`;
    const from = deployment === "" ? baseUrl : `${addressOf(call, baseUrl, call.path)}${what}`;
    lines.push(`  ${name}: ${from}`);
    lines.push(
      `    ${counts.join(", ")}; ${attempts ?? 0} requests${stopped === null || stopped === undefined ? "" : `; stopped: ${stopped}`}`,
    );
  }
  return lines.map(visible).join("\n");
}
