import type { TriesAsked } from "../../stats/planning/tries.ts";
import type { GateCause } from "../cause.ts";
import { knownTries, type KnownTries } from "../cases/case-tries.ts";
import type { ComparedMetric, GateByKind } from "../comparison-plan.ts";
import type { TriesEvidence } from "./facts.ts";
import {
  type AskedOf,
  type AskedMetric,
  commonBasis,
  decidedAs,
  type GateKindRule,
  type GatePlan,
  openBasis,
  plannedOf,
  sliceFigures,
  subjectOf,
  type Watch,
} from "./kind.ts";
import type { Slice } from "../tallies/slices.ts";

/** Asks every case for so many passes of its tries: golden rows that must hold. Nothing is claimed beyond them. */
export const casesKind: GateKindRule<"cases"> = {
  claims: false,
  ask: askCases,
  values: valuesOf,
  conclude: ({ facts }, finding) => ({
    ...facts,
    decided: finding.state === "invalid" ? null : facts.decided,
    ...decidedAs(finding),
  }),
  watch: watchCases,
  limit: ({ tries: { pass, of } }) => `${pass} of ${of}`,
  lost: () => null,
};

/** So many rows are named. */
const mostNamed = 20;

type Held = "held" | "failing" | "open";

/** A case is decided as soon as no further try can change it. */
function heldOf({ passed, failed }: KnownTries, { pass, of }: TriesAsked): Held {
  if (passed >= pass) return "held";
  return failed > of - pass ? "failing" : "open";
}

function askCases({ tries: asked }: GateByKind["cases"], about: AskedMetric, of: Slice | null): AskedOf<"cases"> {
  const { given, numbers } = about;
  const { tries } = numbers;
  const counted: TriesEvidence = { cases: 0, held: 0, failing: 0, open: 0, rows: [] };
  const openRows: string[] = [];
  let seen = 0;
  for (const [place, passed] of (tries?.passed ?? []).entries()) {
    if (of !== null && tries?.tags[place]?.[of.tag] !== of.value) continue;
    seen += 1;
    const failed = tries?.failed[place] ?? null;
    if (passed === null || failed === null) continue;
    const held = heldOf({ passed, failed }, asked);
    counted.cases += 1;
    counted[held] += 1;
    const rows = held === "failing" ? counted.rows : held === "open" ? openRows : null;
    if (rows !== null && rows.length < mostNamed) rows.push(tries?.names.get(place) ?? "");
  }
  const left = given.stop === null ? 0 : Math.max(0, plannedOf(given.stop, of) - seen);
  const figures = sliceFigures(about, of, null);
  return {
    kind: "cases",
    facts: { ...subjectOf(about, of), kind: "cases", figures, tries: asked, decided: counted },
    basis: {
      ...commonBasis(about),
      empty: counted.cases === 0 ? { kind: "no-score" } : null,
      counted: counted.failing > 0 ? "regression" : "pass",
      unseen: () => openTries(counted, { openRows, left, asked }),
    },
  };
}

/** A row that the baseline lacks has to hold as well, also where it is the only one with its value. */
function valuesOf(tag: string, { numbers: { tries } }: AskedMetric): Set<string> {
  const found = new Set<string>();
  for (const [place, tags] of (tries?.tags ?? []).entries()) {
    const value = tags[tag];
    if (value !== undefined && tries?.passed[place] !== null) found.add(value);
  }
  return found;
}

function openTries(
  { open, cases }: TriesEvidence,
  { openRows, left, asked: { pass, of } }: { openRows: readonly string[]; left: number; asked: TriesAsked },
): GateCause | null {
  if (open === 0) return left === 0 ? null : { kind: "not-sent", rows: left, of: cases + left };
  return { kind: "tries-open", rows: open, of: cases, first: openRows[0] ?? "", pass, tries: of };
}

/** A case that cannot hold any more decides at once; that all hold is only known of all. */
function watchCases(
  compared: ComparedMetric,
  { tries: asked }: GateByKind["cases"],
  { planned, metric }: GatePlan,
): Watch {
  let [cases, failing, open] = [0, 0, 0];
  return {
    add(_, candidate) {
      cases += 1;
      const tries = knownTries(candidate, compared, { place: metric, of: asked.of });
      if (tries === null) return;
      const held = heldOf(tries, asked);
      if (held === "failing") failing += 1;
      else if (held === "open") open += 1;
    },
    end: () => {},
    basis: () => ({
      ...openBasis,
      counted: failing > 0 ? "regression" : "pass",
      unseen: () => (cases < planned || open > 0 ? { kind: "not-sent", rows: planned - cases, of: planned } : null),
    }),
    share: () => (failing > 0 ? 1 : Math.min(1, cases / Math.max(1, planned))),
  };
}
