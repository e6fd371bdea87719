import type { TriesAsked } from "../../stats/planning/tries.ts";
import { knownTries, type KnownTries } from "../cases/case-tries.ts";
import type { ComparedMetric, GateByKind } from "../comparison-plan.ts";
import {
  answerTo,
  type AskedMetric,
  type GateFinding,
  type GatePlan,
  type GateRule,
  type OfSegment,
  plannedOf,
  segmentFigures,
  subjectOf,
  type Watch,
} from "./gate-rule.ts";
import type { CasesGateResult, CasesQuestion, TriesEvidence } from "./gate-shapes.ts";
import type { GateState } from "../verdict-word.ts";

/** Asks every case for so many passes of its tries: golden rows that must hold. Nothing is claimed beyond them. */
export const casesRule: GateRule<"cases"> = {
  claims: false,
  ask: casesQuestion,
  values: valuesOf,
  isEmpty: ({ counted }) => counted.cases === 0,
  stand: (question) => ({
    ...noClaim,
    state: () => casesState(question),
    cannotTell: () => question.chosen !== null,
  }),
  result: casesResult,
  watch: casesWatch,
  limit: ({ tries: { pass, of } }) => `${pass} of ${of}`,
  lost: () => null,
};

const noClaim = { p: null, weight: 0, tooFew: () => false, pLoss: () => null };
/** So many rows are named. */
const mostNamed = 20;

type Held = "held" | "failing" | "open";

/** A case is decided as soon as no further try can change it. */
function heldOf({ passed, failed }: KnownTries, { pass, of }: TriesAsked): Held {
  if (passed >= pass) return "held";
  return failed > of - pass ? "failing" : "open";
}

function casesQuestion(
  { tries: asked }: GateByKind["cases"],
  about: AskedMetric,
  segment: OfSegment | null,
): CasesQuestion {
  const { given, numbers } = about;
  const { tries } = numbers;
  const counted: TriesEvidence = { cases: 0, held: 0, failing: 0, open: 0, rows: [] };
  const openRows: string[] = [];
  let seen = 0;
  for (const [place, passed] of (tries?.passed ?? []).entries()) {
    if (segment !== null && tries?.tags[place]?.[segment.slice.tag] !== segment.slice.value) continue;
    seen += 1;
    const failed = tries?.failed[place] ?? null;
    if (passed === null || failed === null) continue;
    const held = heldOf({ passed, failed }, asked);
    counted.cases += 1;
    counted[held] += 1;
    const rows = held === "failing" ? counted.rows : held === "open" ? openRows : null;
    if (rows !== null && rows.length < mostNamed) rows.push(tries?.names.get(place) ?? "");
  }
  const left = given.stop === null ? 0 : Math.max(0, plannedOf(given.stop, segment) - seen);
  const figures = segmentFigures(about, segment, null);
  return { ...subjectOf(about, segment), kind: "cases", figures, tries: asked, counted, openRows, left };
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

function casesState({ invalid, chosen, counted, left }: CasesQuestion): GateState {
  if (invalid !== null || counted.cases === 0) return "invalid";
  if (counted.failing > 0) return "regression";
  return counted.open > 0 || left > 0 || chosen !== null ? "inconclusive" : "pass";
}

function casesResult(question: CasesQuestion, { state, word }: GateFinding): CasesGateResult {
  const { tries, counted, invalid } = question;
  const about = { ...answerTo(question), kind: "cases" as const, tries, state, word, tooFew: false };
  if (state === "invalid") return { ...about, decided: null, reason: invalid ?? "no case has a score" };
  return { ...about, decided: counted, reason: state === "inconclusive" ? openWords(question) : null };
}

function openWords({ chosen, counted, openRows, left, tries: { pass, of } }: CasesQuestion): string {
  if (chosen !== null) return chosen;
  const { open, cases } = counted;
  if (open === 0) return `it passes only when every case was looked at: ${left} of ${cases + left} were not sent`;
  const [first] = openRows;
  const rows = open === 1 ? `${first ?? ""} has` : `${open} of ${cases} cases (such as ${first ?? ""}) have`;
  return `${rows} too few tries that are finished and graded to tell whether ${pass} of ${of} pass`;
}

/** A case that cannot hold any more decides at once; that all hold is only known of all. */
function casesWatch(
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
    stand(isValid) {
      const found = cases < planned || open > 0 ? "inconclusive" : "pass";
      const state = !isValid ? "invalid" : failing > 0 ? "regression" : found;
      return { ...noClaim, state: () => state, cannotTell: () => false };
    },
    share: () => (failing > 0 ? 1 : Math.min(1, cases / Math.max(1, planned))),
  };
}
