import { compareRead } from "../../../src/compare/cases/case-comparison.ts";
import { readSide } from "../../../src/compare/cases/case-side.ts";
import { candidateTally } from "../../../src/compare/tallies/candidate-tally.ts";
import { type RandomStream, randomStream } from "../../../src/lib/random.ts";
import type { CaseResult } from "../../../src/store/results/case-result.ts";
import { candidate, passing, prod, settings } from "../../compare/case-result.ts";
import { deskAnswers } from "../../datasets/desk-run.ts";
import type { Pace, Simulated } from "./simulation.ts";

/** Answers of prod to each prompt, of which those of both sides are drawn. */
const pool = 24;
const repetitions = 200;
/** The two numbers may differ by so much of the larger one. */
const allowed = 0.2;

/**
 * Comparisons of prod with itself: as many cases are called changed beyond noise as are stated to be so by chance alone. The
 * answers are those of real runs; which of them are a side's is drawn anew for each comparison.
 */
export async function beyondNoise({ note, quick }: Pace): Promise<Simulated> {
  note(`${pool} answers to each prompt`);
  const answers = await deskAnswers({ runs: pool, seed: "beyond noise" });
  const rounds = quick ? 10 : repetitions;
  const found = [
    { candidate: 1, baseline: 2 },
    { candidate: 3, baseline: 3 },
  ].map((runs) => {
    note(`${runs.candidate} against ${runs.baseline}`);
    const random = randomStream(`beyond noise/${runs.candidate}/${runs.baseline}`);
    const sum = { seen: 0, stated: 0 };
    for (let round = 0; round < rounds; round++) {
      const { seen, stated } = comparedOnce(answers, runs, random);
      sum.seen += seen;
      sum.stated += stated;
    }
    const kept = Math.abs(sum.seen - sum.stated) <= allowed * Math.max(sum.seen, sum.stated);
    const cells = [
      `${rounds} comparisons of ${answers.length} prompts, ${runs.candidate} against ${runs.baseline}`,
      sum.seen.toLocaleString("en-US"),
      sum.stated.toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
      kept ? "yes" : "**no**",
    ];
    return { line: `| ${cells.join(" | ")} |`, kept };
  });
  const head = [
    "| prod against prod | cases beyond noise | stated to be so by chance alone | within 20 % |",
    "| --- | --- | --- | --- |",
  ];
  return { table: [...head, ...found.map(({ line }) => line)].join("\n"), kept: found.every(({ kept }) => kept) };
}

const plan = { ...settings, metrics: [passing()] };

function comparedOnce(
  answers: readonly CaseResult[],
  runs: { candidate: number; baseline: number },
  random: RandomStream,
): { seen: number; stated: number } {
  const tally = candidateTally(plan, false);
  for (const [cluster, { jobs, ...about }] of answers.entries()) {
    const drawn = some(jobs, runs.baseline + runs.candidate, random).map((job, place) => {
      const isBaseline = place < runs.baseline;
      const [targetId = 0] = (isBaseline ? prod : candidate).targetIds;
      const repeat = isBaseline ? place + 1 : place - runs.baseline + 1;
      return Object.assign({}, job, { targetId, repeat });
    });
    const result = { ...about, jobs: drawn };
    const [from, to] = plan.sides.map((side) => readSide(result, side, plan.metrics));
    if (from === undefined || to === undefined) continue;
    const compared = compareRead(result, [from, to], plan);
    const [difference] = compared.differences;
    if (difference === undefined) continue;
    const read = { baseline: from, candidate: to };
    tally.add({ result, compared, from: from.side, to: to.side, read, difference, cluster });
  }
  const { changes, changedByChance } = tally.results();
  return { seen: changes.changed ?? 0, stated: changedByChance ?? 0 };
}

/** So many of the values, none twice. */
function some<T>(values: readonly T[], count: number, random: RandomStream): T[] {
  const left = [...values];
  return Array.from({ length: count }, () => left.splice(Math.floor(random.next() * left.length), 1)).flat();
}
