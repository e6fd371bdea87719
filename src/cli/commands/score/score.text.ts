import { folderFlag } from "../../../lib/paths/results-folder.ts";
import { momentLabel } from "../../../report/say/night-names.ts";
import type { MetricTotals, PassRate } from "../../../app/grade/score-totals.ts";
import type { ScoreReport } from "../../../app/grade/score-report.ts";
import { counted, number } from "../../../report/say/quantity.ts";
import { tableLines } from "../../../report/terminal/table.ts";
import { visible } from "../../../report/text/visible.ts";
import type { Scoring } from "../../../store/scores/scores.ts";

/** The results of a scoring, for a person. `out`: the results folder. */
export function scoreText(report: ScoreReport, out: string): string {
  const { batch, scoring } = report;
  if (scoring === null) {
    return [`${visible(batch)}: nothing is graded.`, "The suite has no scorers; name one that has with --suite."].join(
      "\n",
    );
  }
  const folder = folderFlag(out);
  return [
    headline(report),
    ...ungraded(scoring),
    "",
    ...metricTable(report.metrics),
    ...passLines(report),
    ...judgeLines(report),
    "",
    ...(report.labels === 0 ? [] : [`${counted(report.labels, "label")}: tandem label agreement ${batch}${folder}`]),
    ...(scoring.complete
      ? []
      : [`Give the same command again to grade what is left; unfinished jobs: tandem resume ${batch}${folder}`]),
    `Compare: tandem compare ${batch}${folder}`,
  ].join("\n");
}

function headline({ batch, state, scoring }: ScoreReport): string {
  const scorers = scoring?.scorers.map(({ name }) => visible(name)).join(", ") ?? "";
  const answers = counted(scoring?.answers ?? 0, "finished job");
  if (state === "unchanged") {
    const finishedAt = scoring?.finishedAt ?? null;
    const since = finishedAt === null ? "" : ` since ${momentLabel(new Date(finishedAt).getTime())}`;
    return `${visible(batch)}: nothing has changed${since}: the same scorers, the same answers. --again grades them again.`;
  }
  const rest = scoring?.complete === false ? "; not everything could be graded" : "";
  return `${visible(batch)}: ${answers} graded by ${scorers}${rest}`;
}

/** Scorers that were not asked, and why. */
function ungraded(scoring: NonNullable<ScoreReport["scoring"]>): string[] {
  const names = (graded: string): string =>
    scoring.scorers.flatMap((scorer) => (scorer.graded === graded ? visible(scorer.name) : [])).join(", ");
  const [carried, missing] = [names("carried"), names("missing")];
  const why = "runs or reads something beside the suite; to run it again, name the file with --suite";
  return [
    ...(carried === "" ? [] : [`Taken over from the scoring before: ${carried} (${why}).`]),
    ...(missing === "" ? [] : [`Without scores: ${missing} (${why}).`]),
  ];
}

const right = (title: string) => ({ title, align: "right", most: 24 }) as const;

function metricTable(metrics: readonly MetricTotals[]): string[] {
  if (metrics.length === 0) return ["No answer could be graded."];
  return tableLines(
    [
      { title: "scorer", align: "left", most: 30 },
      { title: "target", align: "left", most: 30, names: "cells" },
      right("scored"),
      right("unscored"),
      { title: "passed", align: "left", most: 40 },
      right("mean"),
    ],
    metrics.map(({ metric, target, scored, unscored, passed, mean }) => [
      visible(metric),
      visible(target),
      number(scored),
      unscored === 0 ? "-" : number(unscored),
      passed === null ? "-" : rateText(passed),
      figure(mean),
    ]),
  );
}

function passLines({ passes, metrics, scoring }: ScoreReport): string[] {
  const judged = metrics.filter(({ passed }) => passed !== null);
  // A single scorer has told the same already.
  if (judged.length === 0 || scoring === null || scoring.scorers.length < 2) return [];
  return [
    "",
    ...passes.map(({ target, passed, undecided }) => {
      const open = undecided === 0 ? "" : `; ${number(undecided)} undecided`;
      return `${visible(target)}: ${rateText(passed)} pass as a whole${open}`;
    }),
  ];
}

function judgeLines({ judges, repaired }: ScoreReport): string[] {
  if (judges.length === 0) return [];
  const rows = judges.map(({ judge, questions, asked, failed, unfinished, attempts, cost }) => [
    visible(judge),
    number(questions),
    number(asked),
    number(questions - asked),
    number(attempts),
    failed === 0 ? "-" : number(failed),
    unfinished === 0 ? "-" : number(unfinished),
    cost === null ? "-" : figure(cost),
  ]);
  const columns = ["questions", "asked now", "known", "requests", "failed", "open", "cost"].map(right);
  return [
    "",
    ...tableLines([{ title: "judge", align: "left", most: 30 }, ...columns], rows),
    ...repaired.map(
      ({ metric, answers }) =>
        `${visible(metric)}: ${counted(answers, "answer")} asked about again, because a reply could not be read`,
    ),
  ];
}

/** `150 of 170 (88 %, 82 to 92)` */
function rateText({ count, of, share, interval }: PassRate): string {
  if (share === null || interval === null) return "-";
  return `${number(count)} of ${number(of)} (${percent(share)} %, ${percent(interval.low)} to ${percent(interval.high)})`;
}

const percent = (part: number): string => String(Math.round(part * 100));

/** A number with four digits that count. */
export function figure(value: number | null): string {
  return value === null ? "-" : value.toLocaleString("en-US", { maximumSignificantDigits: 4 });
}

/** Every scoring of a batch in a table. */
export function scoringsText(batch: string, scorings: readonly Scoring[]): string {
  if (scorings.length === 0) return `${visible(batch)}: nothing is graded.`;
  const counts = scorings.findLast(({ finishedAt }) => finishedAt !== null)?.id;
  const rows = scorings.map(({ id, createdAt, suiteHash, answers, scorers, finishedAt, complete, version }) => [
    String(id),
    momentLabel(createdAt),
    suiteHash.slice(0, 12),
    number(answers),
    finishedAt === null ? "broken off" : id === counts ? (complete ? "counts" : "counts, not whole") : "earlier",
    version,
    scorers.map(({ metric }) => visible(metric.name)).join(", "),
  ]);
  return tableLines(
    [
      right("scoring"),
      { title: "began", align: "left", most: 20 },
      { title: "suite hash", align: "left", most: 12 },
      right("answers"),
      { title: "state", align: "left", most: 20 },
      { title: "version", align: "left", most: 12 },
      { title: "scorers", align: "left", most: 100 },
    ],
    rows,
  ).join("\n");
}
