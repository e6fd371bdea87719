import { AppError } from "../../errors.ts";
import type { Suite } from "../../suite/suite.ts";

/**
 * A suite that runs its baseline alone, as often for each case as both sides of its comparison together: an A/A batch,
 * which shows what the gates say when nothing has changed. Throws USAGE when there is nothing to compare.
 */
export function againstItself(suite: Suite, asked: string | null): Suite {
  const { repeats, compare, targets } = suite;
  const known = targets.filter(({ stored }) => stored === undefined);
  const name = asked ?? compare?.baseline ?? (known.length === 1 ? known[0]?.name : undefined);
  const target = known.find((each) => each.name === name);
  if (target === undefined) {
    const what = name === undefined ? "has no baseline to run" : `has no target "${name}" that can be run`;
    throw new AppError("USAGE", `${suite.name} ${what}.`, {
      hint: `Name one with --target: ${known.map((each) => each.name).join(", ")}.`,
    });
  }
  // Nothing is compared while it runs, so that nothing could be decided.
  const { stopWhen: _, race: __, ...decision } = suite.decision;
  const noiseRepeats = repeats + Math.max(repeats, compare?.noiseRepeats ?? 1);
  return {
    ...suite,
    name: `${suite.name}-calibration`,
    targets: [target],
    compare: { baseline: target.name, candidates: [], noiseRepeats },
    decision,
    reports: [],
  };
}
