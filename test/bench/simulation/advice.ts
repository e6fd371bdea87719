import { type RandomStream, randomStream } from "../../../src/lib/random.ts";
import type { GateAdvice } from "../../../src/compare/verdict/facts.ts";
import { quantile } from "../../../src/stats/quantile.ts";
import { type AdvisedKind, advisedKinds } from "./advised-kinds.ts";
import { type DrawnCase, drawnResults, drawnStates } from "./drawn-gates.ts";
import type { Pace, Simulated } from "./simulation.ts";

/** A gate that is hardly ever inconclusive needs no advice. */
const mostRuns = 5_000;
/** Runs of the advised size for each, so that what is measured is the advice and not the chance of a single run. */
const redraws = 5;
/** Advised is a power of 80 %; of 200 runs so much of it may be chance. */
const promised = { least: 0.75, most: 0.9 };

interface Counted {
  inconclusive: number;
  /** Numbers of cases that were advised. */
  advised: number[];
  /** Redraws that were settled: where the difference stays as it was measured, and where the truth is drawn anew. */
  stays: number;
  anew: number;
}

/** More than so many times the cases at hand take too long to draw. */
const mostTimes = 50;

/** Cases by which a gate would be settled, also where they are more than anybody would write. */
function advisedCases(settle: GateAdvice | null): number | null {
  return settle?.kind === "cases" || settle?.kind === "too many" ? settle.cases : null;
}

/**
 * The advice of an inconclusive gate, followed: are so many cases enough? And the smallest drop that a gate prints, planted:
 * is it found?
 */
export function advice({ note, quick }: Pace): Simulated {
  const runs = quick ? 10 : 200;
  const advised = advisedKinds.flatMap((kind) =>
    [0, kind.worse].map((drop) => {
      note(`${kind.name}: advice, a drop of ${drop}`);
      return adviceLine(kind, { drop, runs });
    }),
  );
  const drops = advisedKinds.map((kind) => {
    note(`${kind.name}: smallest drop`);
    return dropLine(kind, runs);
  });
  const head = [
    "| data | true drop | inconclusive runs with a number of cases | cases advised (middle) | settled, where the difference stays as measured | settled, where the truth is drawn anew | as promised |",
    "| --- | --- | --- | --- | --- | --- | --- |",
  ];
  const head2 = [
    "| data | smallest drop printed (middle) | found, where it is planted | as promised |",
    "| --- | --- | --- | --- |",
  ];
  const table = [...head, ...advised.map(({ line }) => line), "", ...head2, ...drops.map(({ line }) => line)];
  return { table: table.join("\n"), kept: [...advised, ...drops].every(({ kept }) => kept) };
}

function adviceLine(
  kind: AdvisedKind,
  { drop, runs }: { drop: number; runs: number },
): { line: string; kept: boolean } {
  const random = randomStream(`advice/${kind.name}/${drop}`);
  const counted: Counted = { inconclusive: 0, advised: [], stays: 0, anew: 0 };
  for (let run = 0; counted.inconclusive < runs && run < mostRuns; run++)
    adviseOnce({ kind, drop, random, run }, counted);
  const { advised, stays, anew } = counted;
  const all = Math.max(1, advised.length * redraws);
  const kept = advised.length === 0 || stays / all >= promised.least;
  const cells = [
    kind.name,
    drop === 0 ? "none" : `${(drop / kind.margin).toFixed(1)} margins`,
    `${advised.length} of ${counted.inconclusive}`,
    String(Math.round(middle(advised))),
    percent(stays / all),
    percent(anew / all),
    kept ? "yes" : "**no**",
  ];
  return { line: `| ${cells.join(" | ")} |`, kept };
}

function adviseOnce(
  { kind, drop, random, run }: { kind: AdvisedKind; drop: number; random: RandomStream; run: number },
  counted: Counted,
): void {
  const cases = kind.draw(kind.groups, drop, random);
  const [gate] = drawnResults(kind.gates, cases, `advice/${run}`);
  if (gate?.kind !== "margin" || gate.state !== "inconclusive") return;
  counted.inconclusive += 1;
  const advised = advisedCases(gate.settle);
  if (advised === null || advised > mostTimes * cases.length) return;
  counted.advised.push(advised);
  const groups = Math.ceil((advised * kind.groups) / cases.length - 1e-9);
  for (let redraw = 0; redraw < redraws; redraw++) {
    const isSettled = (drawn: readonly DrawnCase[]): number =>
      Number(drawnStates(kind.gates, drawn, `advice/${run}/${redraw}`)[0]?.state !== "inconclusive");
    counted.stays += isSettled(resampled(cases, { from: kind.groups, groups }, random));
    counted.anew += isSettled(kind.draw(groups, drop, random));
  }
}

/** So many groups of a run, drawn with replacement. */
function resampled(
  cases: readonly DrawnCase[],
  { from, groups }: { from: number; groups: number },
  random: RandomStream,
): DrawnCase[] {
  const size = cases.length / from;
  return Array.from({ length: groups }, (_, cluster) => {
    const place = Math.floor(random.next() * from) * size;
    const group = cases.slice(place, place + size);
    return size === 1 ? group : group.map((each) => ({ ...each, cluster }));
  }).flat();
}

function dropLine(kind: AdvisedKind, runs: number): { line: string; kept: boolean } {
  const random = randomStream(`drop/${kind.name}`);
  const drops: number[] = [];
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const [gate] = drawnResults(kind.gates, kind.draw(kind.groups, 0, random), `drop/${run}`);
    if (gate?.kind !== "margin" || gate.smallestDrop === null) continue;
    drops.push(gate.smallestDrop);
    for (let redraw = 0; redraw < redraws; redraw++) {
      const drawn = kind.draw(kind.groups, gate.smallestDrop, random);
      found += Number(drawnStates(kind.gates, drawn, `drop/${run}/${redraw}`)[0]?.state === "regression");
    }
  }
  const share = found / Math.max(1, drops.length * redraws);
  const kept = share >= promised.least && share <= promised.most;
  const cells = [kind.name, kind.shown(middle(drops)), percent(share), said(kept, kind.named)];
  return { line: `| ${cells.join(" | ")} |`, kept: kept || kind.named !== undefined };
}

function said(kept: boolean, named: string | undefined): string {
  return kept ? "yes" : named === undefined ? "**no**" : `named: ${named}`;
}

function middle(values: readonly number[]): number {
  return quantile(Float64Array.from(values).toSorted(), 0.5) ?? Number.NaN;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
