import type { Basis } from "../../../src/compare/verdict/guards.ts";
import { openBasis } from "../../../src/compare/verdict/kind.ts";
import { findingsFrom, worstState } from "../../../src/compare/verdict/decide.ts";
import type { GateState } from "../../../src/compare/verdict-word.ts";
import { type Random, seededRandom } from "../../../src/lib/random.ts";
import { openBets, pOfBest } from "../../../src/stats/betting/bets.ts";
import { drawnCluster, type ImitatedBot } from "./imitated-bot.ts";
import { imitatedRuns, type ImitatedRuns } from "../../../src/stats/betting/until-decided.ts";
import type { Pace, Simulated } from "./simulation.ts";

/** A run of at most 1,000 cases that stops when it is decided, with a margin of 5 points. */
interface StoppedRun {
  name: string;
  bot: ImitatedBot;
  /** Cases of each conversation. */
  size: number;
  /** The loss is the margin: neither claim is right. */
  isAtMargin?: boolean;
}

const once = { baseline: 1, candidate: 1 };
const atMost = 1_000;
const margin = 0.05;
const alpha = 0.05;

const stoppedRuns: readonly StoppedRun[] = [
  { name: "identical bots", bot: { drop: 0, noise: 0, runs: once }, size: 1 },
  { name: "2 % of the cases turn by chance", bot: { drop: 0, noise: 0.02, runs: once }, size: 1 },
  { name: "10 % turn by chance", bot: { drop: 0, noise: 0.1, runs: once }, size: 1 },
  {
    name: "10 % by chance, 2 runs of the baseline",
    bot: { drop: 0, noise: 0.1, runs: { baseline: 2, candidate: 1 } },
    size: 1,
  },
  { name: "a drop of 10 points, 2 % by chance", bot: { drop: 0.1, noise: 0.02, runs: once }, size: 1 },
  { name: "a drop of 15 points, 4 % by chance", bot: { drop: 0.15, noise: 0.04, runs: once }, size: 1 },
  { name: "a drop of 20 points, 10 % by chance", bot: { drop: 0.2, noise: 0.1, runs: once }, size: 1 },
  { name: "conversations of 4: identical bots", bot: { drop: 0, noise: 0, runs: once }, size: 4 },
  {
    name: "conversations of 4: 20 points, lost together",
    bot: { drop: 0.2, noise: 0.02, runs: once, together: true },
    size: 4,
  },
  { name: "**at the margin**, none by chance", bot: { drop: margin, noise: 0, runs: once }, size: 1, isAtMargin: true },
  {
    name: "**at the margin**, 2 % by chance",
    bot: { drop: margin, noise: 0.02, runs: once },
    size: 1,
    isAtMargin: true,
  },
  {
    name: "**at the margin**, 10 % by chance",
    bot: { drop: margin, noise: 0.1, runs: once },
    size: 1,
    isAtMargin: true,
  },
  {
    name: "**at the margin**, 10 % by chance, 2 runs of the baseline",
    bot: { drop: margin, noise: 0.1, runs: { baseline: 2, candidate: 1 } },
    size: 1,
    isAtMargin: true,
  },
  {
    name: "**at the margin**, conversations of 4, lost together",
    bot: { drop: margin, noise: 0.02, runs: once, together: true },
    size: 4,
    isAtMargin: true,
  },
];

/** The number of cases until a run is decided, and how often wrongly, where it is looked at after every case. */
export function stopping({ note, quick }: Pace): Simulated {
  const runs = quick ? 200 : 4_000;
  const lines = stoppedRuns.map((given) => {
    note(`stop when decided: ${given.name}`);
    return lineOf(given, imitated(given, runs));
  });
  const families = [0, 0.02].map((noise) => {
    note(`stop when decided: two candidates and two gates, ${noise} by chance`);
    return familyLine(noise, quick ? 100 : 2_000);
  });
  const head = [
    "| at most 1,000 cases, margin 5 points | cases, in the mean | four of five with | pass | regression | as promised |",
    "| --- | --- | --- | --- | --- | --- |",
  ];
  const all = [...lines, ...families];
  return { table: [...head, ...all.map(({ line }) => line)].join("\n"), kept: all.every(({ kept }) => kept) };
}

/** So many runs of a situation, for tests too. */
function imitated({ bot, size, name }: StoppedRun, runs: number): ImitatedRuns {
  const draw = (random: Random) => drawnCluster(bot, size, random);
  return imitatedRuns(
    draw,
    { margin, most: size, alpha, passAlpha: alpha, atMost },
    { runs, seed: `stopping/${name}` },
  );
}

function lineOf({ name, bot, isAtMargin = false }: StoppedRun, { mean, mostly, pass, regression }: ImitatedRuns) {
  const wrong = bot.drop > margin ? pass : regression;
  const kept = isAtMargin ? Math.max(pass, regression) <= alpha : wrong <= alpha;
  return {
    line: row([name, Math.round(mean), mostly ?? "-", share(pass), share(regression), kept ? "yes" : "NO"]),
    kept,
  };
}

/** Two candidates with two gates each, all at the margin: the whole rule, with Holm over the four. */
function familyLine(noise: number, runs: number) {
  const random = seededRandom(`stopping/family/${noise}`);
  const ends = Array.from({ length: runs }, () => familyRun(noise, random));
  const shareOf = (state: GateState | null): number => ends.filter((end) => end.state === state).length / runs;
  const mean = ends.reduce((sum, { cases }) => sum + cases, 0) / runs;
  const [pass, regression] = [shareOf("pass"), shareOf("regression")];
  const kept = Math.max(pass, regression) <= alpha;
  const name = `**at the margin**, 2 candidates with 2 gates each, ${share(noise)} by chance`;
  return { line: row([name, Math.round(mean), "-", share(pass), share(regression), kept ? "yes" : "NO"]), kept };
}

function familyRun(noise: number, random: Random): { cases: number; state: GateState | null } {
  const gates = Array.from({ length: 4 }, () => openBets({ margin, most: 1 }));
  const bot = { drop: margin, noise, runs: once };
  for (let cases = 1; cases <= atMost; cases++) {
    for (const bets of gates) bets.add(drawnCluster(bot, 1, random).sum, 1);
    const all = gates.map((bets): Basis => {
      const { pass, regression } = bets.best();
      return { ...openBasis, weight: 1, claims: { pPass: pOfBest(pass), pRegression: pOfBest(regression) } };
    });
    const state = worstState(findingsFrom(all, { alpha, passAlpha: alpha }));
    if (state === "regression" || state === "pass") return { cases, state };
  }
  return { cases: atMost, state: null };
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

const share = (of: number): string => `${Math.round(1000 * of) / 10} %`;
