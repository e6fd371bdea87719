import { AppError } from "../errors.ts";
import { type Calibration, calibrateGates } from "../pipeline/calibrate.ts";
import { databasePath } from "../pipeline.ts";
import { loss, measure } from "../report/figures.ts";
import { counted, number } from "../report/quantity.ts";
import { tableLines } from "../report/table.ts";
import { visible } from "../report/visible.ts";
import { openDatabase } from "../store/database.ts";
import type { Terminal } from "./terminal.ts";

interface CalibrateFlags {
  reference: string;
  out: string;
  json: boolean;
  target?: string | undefined;
  drop: readonly (string | number)[];
  repetitions?: number | undefined;
  seed: string;
}

export async function printCalibration(flags: CalibrateFlags, terminal: Terminal): Promise<number> {
  const drops = flags.drop.map(Number);
  if (drops.some((drop) => !(drop > 0))) throw new AppError("USAGE", "--drop takes a number above 0, such as 0.05.");
  const { repetitions = null } = flags;
  if (repetitions !== null && !(Number.isInteger(repetitions) && repetitions >= 1)) {
    throw new AppError("USAGE", `--repetitions takes a whole number of 1 or more; got ${repetitions}.`);
  }
  const db = openDatabase(databasePath(flags.out), { mustExist: true });
  try {
    const { reference, target = null, seed } = flags;
    const found = calibrateGates(db, { reference, target, drops, repetitions, seed });
    terminal.print(flags.json ? JSON.stringify({ version: 1, ...found }, null, 2) : calibrationText(found));
    return 0;
  } finally {
    db.close();
  }
}

function calibrationText(found: Calibration): string {
  const { target, cases, clusters, batches, runs, gates, rows, alpha, left } = found;
  const size =
    clusters === cases ? counted(cases, "case") : `${counted(cases, "case")} in ${counted(clusters, "conversation")}`;
  const names = gates.map(({ metric, margin, of }) => `${visible(metric)} (margin ${loss(margin, measure(isOf(of)))})`);
  const of = isOf(gates[0]?.of ?? "pass");
  return [
    `${visible(target)} against itself: ${size} of ${counted(batches.length, "batch", "batches")}, ${counted(runs.candidate, "run")} against ${runs.baseline}`,
    `gates: ${names.join(", ")}`,
    "",
    ...tableLines(
      [
        { title: "true drop", align: "right", most: 14 },
        { title: "regression", align: "left", most: 30 },
        { title: "pass", align: "right", most: 10 },
        { title: "inconclusive", align: "right", most: 12 },
        { title: "promised", align: "left", most: 40 },
      ],
      rows.map(({ drop, regression, interval, states, repetitions, promised }) => [
        drop === 0 ? "none" : loss(drop, measure(of)),
        `${percent(regression)} (${percent(interval?.low ?? 0)} to ${percent(interval?.high ?? 1)})`,
        percent(states.pass / repetitions),
        percent(states.inconclusive / repetitions),
        drop <= (gates[0]?.margin ?? 0) ? `at most ${percent(alpha)} regressions` : `${percent(promised)} regressions`,
      ]),
    ),
    "",
    `${number(rows[0]?.repetitions ?? 0)} imitated comparisons for each drop, whole ${clusters === cases ? "cases" : "conversations"} drawn with replacement, seed ${found.seed}.`,
    ...(left > 0 ? [`${counted(left, "case")} left out: fewer than two runs, or beyond the first 20,000.`] : []),
  ].join("\n");
}

function isOf(of: string): "pass" | "value" | "ratio" {
  return of === "value" || of === "ratio" ? of : "pass";
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
