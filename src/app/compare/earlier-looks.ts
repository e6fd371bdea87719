import { kindOfGate } from "../../suite/gate-settings.ts";
import { mayEndEarly } from "../../suite/early-end.ts";
import type { ChosenBaseline, Look } from "../../compare/comparison.ts";
import { AppError } from "../../errors.ts";
import { storedObject } from "../../lib/stored-json.ts";
import { counted, number } from "../../report/say/quantity.ts";
import { mostNewCases } from "../../stats/planning/looks.ts";
import { type Batch, batchOfId, findBatch } from "../../store/batches.ts";
import { nextAlpha } from "../plan/decision-levels.ts";
import { botsOf, casesMissing, haveSameAnswers, storedLooks, type StoredLook } from "../../store/compared/looks.ts";
import type { Connection } from "../../store/connection.ts";
import type { Suite } from "../../suite/suite.ts";

/** Live bots that look the same may be others after so long. */
const sameBotMs = 24 * 60 * 60_000;

/**
 * Earlier looks at the comparison that a batch makes of its own targets, the oldest first, where both sides can be the same bots
 * as now: the same stored answers, or the same configuration within a day. Empty for what is no look: a night or a
 * trial of some rows.
 */
function earlierLooks(db: Connection, batch: Batch, withinMs = sameBotMs): StoredLook[] {
  const { compare, targets } = batch.suite;
  const stored = botsOf(db, batch.id);
  if (compare === null || stored === null || isTrial(batch)) return [];
  const own = storedObject(stored, "marks of bots");
  const columns = new Set(targets.flatMap((target) => (target.stored === undefined ? [] : [target.name])));
  return storedLooks(db, batch.id).filter((earlier) => {
    const marks = storedObject(earlier.bots, "marks of bots");
    const isNear = batch.createdAt - earlier.createdAt <= withinMs;
    const isSame = (name: string): boolean =>
      own[name] !== undefined &&
      own[name] === marks[name] &&
      (columns.has(name) ? haveSameAnswers(db, { earlier: earlier.id, now: batch.id }, name) : isNear);
    if (earlier.baseline !== compare.baseline || !isSame(compare.baseline)) return false;
    const before: unknown = JSON.parse(earlier.candidates ?? "[]");
    return Array.isArray(before) && compare.candidates.some((name) => before.includes(name) && isSame(name));
  });
}

/** A part of the sheet that was chosen, but for a sample, answers no question about the whole. */
function isTrial({ selection }: Batch): boolean {
  return selection !== null && selection.sample === null;
}

/**
 * Checks before anything is sent that a run which is told as a second look is one. Throws USAGE: it needs the same suite and
 * targets and all cases of the first, and there is no third.
 */
export function checkSecondLook(db: Connection, batch: Batch): void {
  const { decision, compare } = batch.suite;
  if (decision.secondLook !== true) return;
  if (compare === null || compare.candidates.length === 0 || isTrial(batch)) {
    throw new AppError("USAGE", "--second-look is for a comparison of all targets of a suite, over all cases.", {
      hint: "Leave out --against, and flags that select some of the cases.",
    });
  }
  const earlier = earlierLooks(db, batch, Infinity);
  const second = earlier.find(({ wasSecond }) => wasSecond === 1);
  if (second !== undefined) {
    throw new AppError("USAGE", `--second-look: ${second.name} was the second look at this comparison already.`, {
      hint: "A third one would find something by chance too often. Go by the rows that changed, or begin anew with other cases and `looks: 2`.",
    });
  }
  const first = earlier.findLast(({ wasOpen }) => wasOpen === 1);
  if (first === undefined) {
    throw new AppError("USAGE", `--second-look: there is no first look at this comparison of ${batch.suiteName}.`, {
      hint: "It has to be open, or a regression, in these results, of the same targets with the same configuration or the same stored answers. Leave the flag out for a first look.",
    });
  }
  const [before, now] = [batchOfId(db, first.id).suite, batch.suite].map(decidedBy);
  if (before !== now) {
    throw new AppError("USAGE", `--second-look: scorers, gates or the mapping are not those of ${first.name}.`, {
      hint: "A second look needs the same suite.",
    });
  }
  const { missing, keys, earlier: looked, now: cases } = casesMissing(db, { earlier: first.id, now: batch.id });
  if (missing > 0) {
    const listed = `${keys.join(", ")}${missing > keys.length ? " ..." : ""}`;
    throw new AppError(
      "USAGE",
      `--second-look: ${number(missing)} of ${counted(looked, "row")} of ${first.name} are not in it: ${listed}`,
      { hint: "A second look is over all rows of the first, and new ones." },
    );
  }
  if (cases <= looked && batch.suite.repeats <= batchOfId(db, first.id).suite.repeats) {
    throw new AppError("USAGE", `--second-look: there is no row that ${first.name} has not looked at.`, {
      hint: "Add rows to the sheet, or ask each more often (--repeats).",
    });
  }
}

/** The parts of a suite by which a comparison is decided. */
function decidedBy({ decision: { gates, ignore }, ...suite }: Suite): string {
  return JSON.stringify([gradedBy(suite), gates, ignore]);
}

/** The parts of a suite by which answers are graded. */
const gradedBy = ({ scorers, pass, mapping }: Pick<Suite, "scorers" | "pass" | "mapping">): string =>
  JSON.stringify([scorers, pass, mapping]);

/** Which look at its comparison a batch is; null: it is no look. */
export function lookOf(db: Connection, batch: Batch): Look | null {
  const { looks, secondLook, nights, gates } = batch.suite.decision;
  // Rows that are counted are no claim that chance could make.
  if (gates.length > 0 && gates.every((gate) => kindOfGate(gate) !== "margin")) return null;
  const isFollowed = mayEndEarly(batch.suite.decision);
  if (botsOf(db, batch.id) === null || isTrial(batch) || isFollowed || nights > 1) return null;
  const within = secondLook === true ? Infinity : sameBotMs;
  const graded = gradedBy(batch.suite);
  const earlier = earlierLooks(db, batch, within).filter(
    // Graded in another way it was another comparison.
    ({ id, wasOpen }) => wasOpen === 1 && gradedBy(batchOfId(db, id).suite) === graded,
  );
  const by = looks === 2 ? "suite" : secondLook === true ? "flag" : null;
  const names = earlier.map(({ name }) => name);
  return { number: names.length + 1, earlier: names, by, broken: brokenLook(db, batch, earlier) };
}

/**
 * Level of the look after a batch; null: none is offered. Undefined: the same again. Runs that asked the same rows once more leave
 * the one with new rows to come: to ask them again is what is advised first.
 */
export function levelOfNext(db: Connection, batch: Batch, look: Look | null): number | null | undefined {
  const asksTheSame = (look?.earlier ?? []).every((name) => {
    const { missing, earlier, now } = casesMissing(db, { earlier: findBatch(db, name).id, now: batch.id });
    return missing === 0 && earlier === now;
  });
  return nextAlpha(batch.suite.decision, asksTheSame ? 1 : (look?.number ?? 1));
}

/** A sentence where a second look that was declared does not hold what its level was counted for; null where it does. */
function brokenLook(db: Connection, batch: Batch, earlier: readonly StoredLook[]): string | null {
  const [first] = earlier;
  if (batch.suite.decision.looks !== 2 || first === undefined) return null;
  const { missing, earlier: looked, now: cases } = casesMissing(db, { earlier: first.id, now: batch.id });
  if (missing > 0) return `${number(missing)} of ${counted(looked, "row")} of the first are not in it`;
  if (cases - looked <= mostNewCases * looked) return null;
  return `it has ${number(cases - looked)} new cases beside ${number(looked)}, more than twice as many`;
}

/**
 * The earlier run that chose the baseline of a batch as the best of several, by cases that are asked now too; null: none is
 * known. The baseline has to be the same bot: the same stored answers, or the same configuration.
 */
export function choiceOfBaseline(db: Connection, batch: Batch): ChosenBaseline | null {
  const { compare, decision, targets } = batch.suite;
  const stored = botsOf(db, batch.id);
  if (compare === null || stored === null || decision.choose !== undefined) return null;
  const own = storedObject(stored, "marks of bots");
  const { baseline } = compare;
  const isStored = targets.some((target) => target.name === baseline && target.stored !== undefined);
  const found = storedLooks(db, batch.id).findLast(({ id, bots, chosen }) => {
    if (chosen !== baseline || storedObject(bots, "marks of bots")[baseline] !== own[baseline]) return false;
    const batches = { earlier: id, now: batch.id };
    const { missing, earlier } = casesMissing(db, batches);
    return missing < earlier && (!isStored || haveSameAnswers(db, batches, baseline));
  });
  if (found === undefined) return null;
  const among: unknown = JSON.parse(found.candidates ?? "[]");
  return { baseline, batch: found.name, of: Array.isArray(among) ? among.length + 1 : 0 };
}
