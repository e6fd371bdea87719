import type { GateState } from "../../../src/compare/verdict-word.ts";
import { gateFindings } from "../../../src/compare/summary/gates.ts";
import { type GroupColumn, groupTally } from "../../../src/compare/tallies/group-columns.ts";
import { normalCdf } from "../../../src/stats/distributions/normal.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { gauss } from "./draws.ts";
import { drawnQuestions, type DrawnCase, passGate } from "./drawn-gates.ts";
import type { Situation } from "./situation.ts";

/** A drawn case with the cells of columns that the suite uses for nothing. */
interface CaseWithColumns extends DrawnCase {
  columns: Record<string, string>;
}

const levels = { alpha: 0.05, passAlpha: 0.05 };

/** The states of one gate over all cases: by rows alone, and by the rule that looks at columns nobody named. */
function drawnByColumns(cases: readonly CaseWithColumns[], seed: string): { byRows: GateState; state: GateState } {
  const compared = passGate(0.05);
  const tally = groupTally({ isOpen: () => true, key: null });
  for (const { columns } of cases) tally.add({ columns, tags: {}, key: "", input: "{}", expected: null });
  let found: GroupColumn[] | null = null;
  const groupColumns = () => (found ??= tally.columns(Int32Array.from(cases.keys())));
  const stateOf = (given: Parameters<typeof drawnQuestions>[3]): GateState => {
    const [finding] = gateFindings(drawnQuestions(compared, cases, seed, given), levels);
    return finding?.state ?? "invalid";
  };
  return { byRows: stateOf({}), state: stateOf({ groupColumns }) };
}

const changed = "columns change the verdict";
const rowsRegression = "REGRESSION by rows alone";
const rowsPass = "PASS by rows alone";
const regression = "REGRESSION with the rule";
const pass = "PASS with the rule";

/** Eight in ten pass; one in twenty turns over to each side by chance, and a share more is lost. */
function turned(random: RandomStream, lost: number): Pick<DrawnCase, "baseline" | "candidate"> {
  const draw = random.next();
  if (draw < 0.05 + lost) return { baseline: 1, candidate: 0 };
  return draw < 0.1 + lost ? { baseline: 0, candidate: 1 } : { baseline: 1, candidate: 1 };
}

/** Columns of so many values each, drawn for each row by itself. */
function randomColumns(
  { n, values, lost }: { n: number; values: readonly number[]; lost: number },
  random: RandomStream,
): CaseWithColumns[] {
  return Array.from({ length: n }, () => ({
    ...turned(random, lost),
    columns: Object.fromEntries(
      values.map((count, at) => [`topic ${at}`, `v${Math.floor(random.next() * count)}`] as const),
    ),
  }));
}

/**
 * Groups whose rows differ alike, with a true loss of 5 points: each row is -1, 0 or 1 where a normal variable, correlated
 * within its group, crosses a threshold.
 */
function alikeGroups(
  { n, groups, icc }: { n: number; groups: number; icc: number },
  random: RandomStream,
): CaseWithColumns[] {
  // 15 % are lost and 10 % won: a loss of 5 points.
  const [own, shared] = [Math.sqrt(1 - latent(icc)), Math.sqrt(latent(icc))];
  const effects = Array.from({ length: groups }, () => gauss(random));
  return Array.from({ length: n }, (_, at) => {
    const group = at % groups;
    const u = normalCdf(shared * (effects[group] ?? 0) + own * gauss(random));
    const sides =
      u < 0.15
        ? { baseline: 1, candidate: 0 }
        : u > 0.9
          ? { baseline: 0, candidate: 1 }
          : { baseline: 1, candidate: 1 };
    return { ...sides, columns: { topic: `t${group}` } };
  });
}

/** The correlation of the normal variables that gives about this one of the differences cut from them. */
function latent(icc: number): number {
  return Math.min(0.95, icc * 1.45);
}

const nothingMeant = [
  { n: 100, values: [10], lost: 0 },
  { n: 100, values: [10], lost: 0.05 },
  { n: 300, values: [30], lost: 0 },
  { n: 300, values: [30], lost: 0.05 },
  { n: 300, values: [30], lost: 0.1 },
  { n: 300, values: [6, 12, 25, 50, 100], lost: 0.1 },
].map((sheet): Situation => ({
  name: `${sheet.n} rows, ${sheet.values.length === 1 ? "a column" : `${sheet.values.length} columns`} of ${sheet.values.join(", ")} values by lot, ${sheet.lost * 100} % lost`,
  asks: "false alarms: no column means anything",
  repetitions: 2_000,
  once: (random, repetition) => {
    const { byRows, state } = drawnByColumns(randomColumns(sheet, random), `dependence/${repetition}`);
    return { [changed]: byRows !== state };
  },
  promised: { [changed]: 0.02 },
}));

const atTheMargin = [
  { n: 200, groups: 20, icc: 0.1 },
  { n: 200, groups: 20, icc: 0.3 },
  { n: 600, groups: 40, icc: 0.3 },
  { n: 200, groups: 10, icc: 0.3 },
].map((sheet): Situation => ({
  name: `${sheet.n} rows in ${sheet.groups} groups of an undeclared column, ICC ${sheet.icc}`,
  asks: "false answers: just the margin is lost",
  repetitions: 2_000,
  once: (random, repetition) => {
    const { byRows, state } = drawnByColumns(alikeGroups(sheet, random), `alike/${repetition}`);
    return {
      [rowsRegression]: byRows === "regression",
      [regression]: state === "regression",
      [rowsPass]: byRows === "pass",
      [pass]: state === "pass",
    };
  },
}));

export const dependenceSituations: readonly Situation[] = [...nothingMeant, ...atTheMargin];
