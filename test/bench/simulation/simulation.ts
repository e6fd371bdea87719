import { helpDesk } from "./help-desk.ts";
import { advice } from "./advice.ts";
import { race } from "./race.ts";
import { looks } from "./looks.ts";
import { askedAgainSituations } from "./asked-again.ts";
import { nights } from "./nights.ts";
import { stopping } from "./stopping.ts";
import { atTheMarginSituations } from "./at-the-margin.ts";
import { choiceSituations } from "./choice.ts";
import { frontSituations } from "./front.ts";
import { strengthSituations } from "./strengths.ts";
import { segmentSituations } from "./slices.ts";
import { fewUnits } from "./few-units.ts";
import { dependenceSituations } from "./dependence.ts";
import { lostTagSituations } from "./lost-tags.ts";
import { beyondNoise } from "./beyond-noise.ts";
import { drift } from "./drift.ts";
import { gapSituations } from "./gaps.ts";
import { judgeCheck } from "./judge-check.ts";
import { labelSituations } from "./labels.ts";
import { severalEqual, words } from "./equal-bots.ts";
import { notices } from "./equal-nights.ts";
import { type Rate, simulate, type Situation } from "./situation.ts";
import { situations } from "./situations.ts";
import { twoLookSituations } from "./two-looks.ts";
import { withoutEnds } from "./without-ends.ts";

interface SimulationOptions {
  /** Names of parts; none: all. */
  only: readonly string[];
  /** A twentieth of the repetitions: for a look, not for the page. */
  quick: boolean;
  note: (text: string) => void;
}

/** A table, and whether every promise in it was kept. */
export interface Simulated {
  table: string;
  kept: boolean;
}

/** Tells what is going on, and how much of it is done. */
export type Pace = Pick<SimulationOptions, "note" | "quick">;

/** The parts by their names: each has its place on the page. */
export const parts: Record<string, (pace: Pace) => Simulated | Promise<Simulated>> = {
  situations: (pace) => drawn(situations, pace),
  margin: (pace) => drawn(atTheMarginSituations, pace),
  "without-ends": (pace) => drawn(withoutEnds, pace),
  "few-units": (pace) => drawn(fewUnits, pace),
  slices: (pace) => drawn(segmentSituations, pace),
  dependence: (pace) => drawn(dependenceSituations, pace),
  "lost-tags": (pace) => drawn(lostTagSituations, pace),
  choice: (pace) => drawn(choiceSituations, pace),
  front: (pace) => drawn(frontSituations, pace),
  race,
  strengths: (pace) => drawn(strengthSituations, pace),
  advice,
  stopping,
  "beyond-noise": beyondNoise,
  nights,
  looks,
  "asked-again": (pace) => drawn(askedAgainSituations, pace),
  gaps: (pace) => drawn(gapSituations, pace),
  labels: (pace) => drawn(labelSituations, pace),
  drift,
  "judge-check": judgeCheck,
  words,
  several: (pace) => drawn(severalEqual, pace),
  notices,
  confirm: (pace) => drawn(twoLookSituations, pace),
  "help-desk": helpDesk,
};

/**
 * `npm run bench -- --simulate`: how often the shipped gates and tests, and the rules that others use, speak up where
 * the truth is known: in data that is drawn, and in runs of the help desk. Fixed seeds; docs/reference/simulations.md tells
 * the worst of each part. A promise that was not kept ends it with 1.
 */
export async function simulation({ only, quick, note }: SimulationOptions): Promise<void> {
  for (const name of only.length > 0 ? only : Object.keys(parts)) {
    const part = parts[name];
    if (part === undefined) throw new Error(`there is no part ${name}; there are ${Object.keys(parts).join(", ")}`);
    const { table, kept } = await part({ note, quick });
    process.stdout.write(`${table}\n`);
    if (!kept) process.exitCode = 1;
  }
}

function drawn(given: readonly Situation[], { note, quick }: Pace): Simulated {
  const rates = given.flatMap((situation) => {
    note(`${situation.name}: ${situation.asks}`);
    const { repetitions } = situation;
    return simulate({ ...situation, repetitions: quick ? Math.ceil(repetitions / 20) : repetitions });
  });
  return { table: tableOf(rates), kept: rates.every(({ kept }) => kept !== false) };
}

function tableOf(rates: readonly Rate[]): string {
  const lines = rates.map(({ situation, rule, rate, chance, kept, named }, index) => {
    const first = rates[index - 1]?.situation !== situation;
    const share = `${(rate * 100).toFixed(1)} % ± ${(chance * 100).toFixed(1)}`;
    const limit = named === null ? "" : `named: ${(named * 100).toFixed(1)} %`;
    const said = kept === null ? "" : kept ? limit || "yes" : "**no**";
    return `| ${first ? situation.name : ""} | ${first ? situation.asks : ""} | ${rule.trim()} | ${share} | ${said} |`;
  });
  return ["| data | what is counted | rule | share | as promised |", "| --- | --- | --- | --- | --- |", ...lines].join(
    "\n",
  );
}
