import type { GateState } from "../../../src/compare/verdict-word.ts";
import { gateFindings } from "../../../src/compare/verdict/decide.ts";
import { type GroupColumn, groupTally } from "../../../src/compare/tallies/group-columns.ts";
import { normalCdf } from "../../../src/stats/distributions/normal.ts";
import type { RandomStream } from "../../../src/lib/random.ts";
import { gauss } from "./draws.ts";
import { drawnQuestions, type DrawnCase, passGate } from "./drawn-gates.ts";
import { nominal, type Situation } from "./situation.ts";

/** A drawn case with the cells of columns that the suite uses for nothing, and its key where that may tell a question. */
interface CaseWithColumns extends DrawnCase {
  columns: Record<string, string>;
  key?: string;
  expected?: string;
}

/** Cases that are drawn in groups, and the number of each one's group. */
interface Grouped {
  cases: CaseWithColumns[];
  groups: number[];
}

const levels = { alpha: 0.05, passAlpha: 0.05 };

interface States {
  byRows: GateState;
  state: GateState;
}

/** The states of one gate over all cases: by rows alone, and by the rule that looks at columns nobody named. */
export function drawnByColumns(cases: readonly CaseWithColumns[], seed: string): States {
  const tally = groupTally({ isOpen: () => true, key: "id", expected: "golden" });
  for (const { columns, tags = {}, key = "", expected = null } of cases)
    tally.add({ columns, tags, key, input: "{}", expected });
  let found: GroupColumn[] | null = null;
  const groupColumns = () => (found ??= tally.columns(Int32Array.from(cases.keys())));
  return { byRows: stateOf(cases, seed), state: stateOf(cases, seed, { groupColumns }) };
}

function stateOf(
  cases: readonly DrawnCase[],
  seed: string,
  given: Parameters<typeof drawnQuestions>[3] = {},
): GateState {
  const [finding] = gateFindings(drawnQuestions(passGate(0.05), cases, seed, given), levels);
  return finding?.state ?? "invalid";
}

const changed = "**columns** change the verdict";
const says = { regression: "REGRESSION", pass: "PASS" } as const;
const rows = (state: keyof typeof says): string => `${says[state]} by rows alone`;
const ruled = (state: keyof typeof says): string => `**${says[state]}** with the rule`;
const named = (state: keyof typeof says): string => `${says[state]} where \`cluster\` names the groups`;

/** What is said of groups by rows alone, by the rule, and where the suite says what belongs together. */
function saidOf({ cases, groups }: Grouped, seed: string): Record<string, boolean> {
  const { byRows, state } = drawnByColumns(cases, seed);
  const clustered = cases.map((each, place) => ({ ...each, cluster: groups[place] ?? 0 }));
  const declared = stateOf(clustered, seed);
  return Object.fromEntries(
    (["regression", "pass"] as const).flatMap((claim) => [
      [rows(claim), byRows === claim],
      [ruled(claim), state === claim],
      [named(claim), declared === claim],
    ]),
  );
}

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

interface Groups {
  n: number;
  groups: number;
  icc: number;
}

/**
 * Groups whose rows differ alike, with a true loss of 5 points: each row is -1, 0 or 1 where a normal variable, correlated
 * within its group, crosses a threshold.
 */
function alikeGroups({ n, groups, icc }: Groups, random: RandomStream): Grouped {
  // 15 % are lost and 10 % won: a loss of 5 points.
  const [own, shared] = [Math.sqrt(1 - latent(icc)), Math.sqrt(latent(icc))];
  const effects = Array.from({ length: groups }, () => gauss(random));
  return inGroups({ n, groups }, (group) => {
    const u = normalCdf(shared * (effects[group] ?? 0) + own * gauss(random));
    return u < 0.15 ? lost : u > 0.9 ? won : kept;
  });
}

/**
 * Groups of which a few break, with a true loss of 5 points: most rows of these are lost, and of all others as many are won as
 * lost by chance.
 */
function breakingGroups({ n, groups, icc }: Groups, random: RandomStream): Grouped {
  // The variance between groups is .05 (share - .05), that of all rows .05 + .1 - .05².
  const share = 0.05 + (icc * 0.1475) / 0.05;
  const isBroken = Array.from({ length: groups }, () => random.next() < 0.05 / share);
  return inGroups({ n, groups }, (group) => {
    if (isBroken[group] === true && random.next() < share) return lost;
    const u = random.next();
    return u < 0.05 ? lost : u < 0.1 ? won : kept;
  });
}

const lost = { baseline: 1, candidate: 0 };
const won = { baseline: 0, candidate: 1 };
const kept = { baseline: 1, candidate: 1 };

function inGroups(
  { n, groups }: Pick<Groups, "n" | "groups">,
  draw: (group: number) => Pick<DrawnCase, "baseline" | "candidate">,
): Grouped {
  const places = Array.from({ length: n }, (_, at) => at % groups);
  return { cases: places.map((group) => ({ ...draw(group), columns: { topic: `t${group}` } })), groups: places };
}

const languages = ["en", "es", "hi"];

/**
 * Questions in three languages, which only their keys tell: `q7-en`, `q7-es`, `q7-hi`. A share is lost in four of five
 * languages, and in each language some answers turn over by chance.
 */
export function translations(questions: number, share: number, random: RandomStream): Grouped {
  const groups = Array.from({ length: questions * languages.length }, (_, at) => Math.floor(at / languages.length));
  const isLost = Array.from({ length: questions }, () => random.next() < share / 0.8);
  const cases = groups.map((question, at) => {
    const language = languages[at % languages.length] ?? "";
    const isBad = isLost[question] === true && random.next() < 0.8;
    const u = random.next();
    const sides = isBad || u < 0.03 ? lost : u < 0.06 ? won : kept;
    return { ...sides, columns: {}, tags: { language }, key: `q${question}-${language}` };
  });
  return { cases, groups };
}

/** The correlation of the normal variables that gives about this one of the differences cut from them. */
function latent(icc: number): number {
  return Math.min(0.95, icc * 1.45);
}

/** Columns whose values are drawn by lot. */
export const nothingMeant = [
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

const few = { n: 200, groups: 20 };
const more = { n: 600, groups: 40 };
const fewer = { n: 200, groups: 10 };

interface UndeclaredGroups extends Groups {
  draw: (sheet: Groups, random: RandomStream) => Grouped;
  how: string;
  /** Highest rate of a pass, where it is above what is promised: told below the table. */
  atMost?: number;
}

const groupSheets: readonly UndeclaredGroups[] = [
  { ...few, icc: 0.1, draw: alikeGroups, how: "whose rows come out alike", atMost: 0.075 },
  { ...few, icc: 0.3, draw: alikeGroups, how: "whose rows come out alike" },
  { ...more, icc: 0.3, draw: alikeGroups, how: "whose rows come out alike" },
  { ...fewer, icc: 0.3, draw: alikeGroups, how: "whose rows come out alike" },
  { ...few, icc: 0.1, draw: breakingGroups, how: "some of which break", atMost: 0.105 },
  { ...few, icc: 0.3, draw: breakingGroups, how: "some of which break", atMost: 0.24 },
  { ...more, icc: 0.3, draw: breakingGroups, how: "some of which break", atMost: 0.105 },
  { ...fewer, icc: 0.3, draw: breakingGroups, how: "some of which break", atMost: 0.4 },
];

const atTheMargin = groupSheets.map(({ draw, how, atMost, ...sheet }): Situation => ({
  name: `${sheet.n} rows in ${sheet.groups} groups ${how}, ICC ${sheet.icc}, of a column that nobody named`,
  asks: "false answers when the drop is exactly the margin",
  repetitions: 2_000,
  once: (random, repetition) => saidOf(draw(sheet, random), `alike/${repetition}`),
  promised: { [ruled("regression")]: nominal, [ruled("pass")]: nominal },
  ...(atMost !== undefined && { named: { [ruled("pass")]: atMost } }),
}));

const inThreeLanguages = [120, 400].map((questions): Situation => ({
  name: `${questions} questions in three languages, told by their keys alone`,
  asks: "false answers when the drop is exactly the margin",
  repetitions: 2_000,
  once: (random, repetition) => saidOf(translations(questions, 0.05, random), `translations/${repetition}`),
  promised: { [ruled("regression")]: nominal, [ruled("pass")]: nominal },
}));

export const dependenceSituations: readonly Situation[] = [...nothingMeant, ...atTheMargin, ...inThreeLanguages];
