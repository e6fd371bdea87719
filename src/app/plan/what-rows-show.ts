import { mayEndEarly } from "../../suite/early-end.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { unitNoun } from "../../report/say/causes.ts";
import type { GateLevels } from "../../compare/verdict/facts.ts";
import { showText } from "../../lib/show.ts";
import { loss, measure } from "../../report/say/figures.ts";
import { countRowsWords, enoughToPassWords, suiteWords } from "../../report/say/rows-to-add.ts";
import { counted, number, wholeShare } from "../../report/say/quantity.ts";
import { scorerOfType } from "../../score/registry.ts";
import { canPassByBetting, fewestToPassByBetting } from "../../stats/betting/fewest.ts";
import { fewestClusters } from "../../stats/difference.ts";
import { fewestToPass } from "../../stats/planning/gate-power.ts";
import { mostNewCases, repeatsThatTell } from "../../stats/planning/looks.ts";
import { fewestGained, fewestLost } from "../../stats/planning/reach.ts";
import { defaultMargin } from "../../suite/default-values.ts";
import { type GateKind, type GateSettings, kindOfGate } from "../../suite/gate-settings.ts";
import type { Suite } from "../../suite/suite.ts";
import { decisionLevels, nextAlpha } from "./decision-levels.ts";
import { type GateCases, gateSubject, largestGroup } from "./gate-fit.ts";

type Judged = Pick<Suite, "scorers" | "decision" | "repeats" | "compare" | "targets" | "mapping">;

/** Level of the two-sided p of what is called better. */
const betterAlpha = 0.05;

/**
 * Says what so many cases can and cannot show, in sentences for the moment before anything is sent; empty where they are enough for
 * every gate. Nothing is refused for being small.
 */
export function whatRowsShow(suite: Judged, cases: GateCases, file: string): string[] {
  if (cases.cases === 0) return [];
  const primary = suite.scorers.find((scorer) => scorer.primary);
  const usual: GateSettings[] =
    primary === undefined || suite.decision.choose !== undefined
      ? []
      : [{ metric: primary.name, margin: null, of: null }];
  const gates = suite.decision.gates.length === 0 ? usual : suite.decision.gates;
  const ofKind = (kind: GateKind): GateSettings[] => gates.filter((gate) => kindOfGate(gate) === kind);
  const open = ofKind("margin").flatMap((gate) => marginNote(gate, suite, { sizes: cases, file }) ?? []);
  const chance = ofKind("losses").flatMap((gate) => lossesNote(gate, suite, cases) ?? []);
  const [first] = ofKind("margin");
  const later = first === undefined || open.length === 0 ? [] : laterNote(first, suite, { rows: cases.cases, file });
  return [...new Set([...open, ...chance]), ...later];
}

/** More rows after a look that was open cost level, unless they were meant from the start. */
function laterNote(
  { margin }: GateSettings,
  { decision }: Judged,
  { rows, file }: { rows: number; file: string },
): string[] {
  const { looks, nights, secondLook } = decision;
  if (mayEndEarly(decision) || looks === 2 || nights > 1 || secondLook === true) return [];
  const { passAlpha } = decisionLevels({ ...decision, looks: 2 });
  // The second of two looks has at most so many new rows.
  const canPass = rows * (1 + mostNewCases) >= fewestToPass(margin ?? defaultMargin, passAlpha);
  const way = canPass
    ? `write \`compare: { looks: 2 }\` into ${suiteWords(file)} before this run`
    : "start with `--stop-when decided`";
  return [`If you will add rows later, ${way}: fewer are enough then.`];
}

/** Null where so many cases are enough for a PASS of bots that are equal, and where nothing is known of what they show. */
function marginNote(
  gate: GateSettings,
  suite: Judged,
  { sizes, file }: { sizes: GateCases; file: string },
): string | null {
  const { by = null } = gate;
  const rows = largestGroup(by, sizes);
  // Rows that ask the same count as one.
  const cases = by === null ? Math.min(rows, sizes.questions() ?? rows) : rows;
  const named = cases === rows ? counted(rows, "row") : `${counted(cases, "question")} (${counted(rows, "row")})`;
  const levels = decisionLevels(suite.decision);
  const ofGroups = by === null && sizes.clusters !== null && sizes.clusters < sizes.cases;
  if (ofGroups) return groupsNote(gate, suite, sizes);
  const isTooFew = cases < fewestClusters;
  if (!isRate(gate, suite)) {
    const least = `with ${named} nothing is decided; ${fewestClusters} are the fewest`;
    return isTooFew ? `${gateSubject(gate)}: ${least}.` : null;
  }
  const margin = gate.margin ?? defaultMargin;
  const once = fewestToPass(margin, levels.passAlpha);
  const isLookedAt = suite.decision.stopWhen === "decided";
  const fewest = isLookedAt ? fewestToPassByBetting({ margin, most: 1 }, levels.passAlpha) : once;
  if (cases >= fewest) return null;
  const where = by === null ? "" : ` of one value of ${showText(by)}, the most that there are`;
  const enough = enoughToPassWords({ first: fewest, added: isLookedAt ? null : fewestAdded(margin, suite) });
  const sooner = isLookedAt && cases >= once ? ` (${number(once)} with \`stop_when: never\`)` : "";
  const equal = `with ${named}${where}, bots that are equal stay undecided; ${enough}${sooner}`;
  const open = `${limitOf(gate, margin)}: ${equal}.`;
  // By betting it depends on the order in which they come.
  return isLookedAt
    ? open
    : `${open} ${reachWords(gate, suite, { cases, margin, levels })}${byRows(gate, suite, file)}`;
}

/** The fewest rows in all where some are added after this run, which is a second look then; null: they have no look of their own. */
function fewestAdded(margin: number, { decision }: Judged): number | null {
  const alpha = nextAlpha(decision, 1);
  return alpha === undefined || alpha === null ? null : fewestToPass(margin, alpha);
}

/** Changes in one direction from which these cases show something. */
function reachWords(
  gate: GateSettings,
  suite: Judged,
  { cases, margin, levels }: { cases: number; margin: number; levels: GateLevels },
): string {
  const of = { cases, isSingle: isSingle(suite) };
  const candidates = Math.max(1, suite.compare?.candidates.length ?? 1);
  // A claim is adjusted over all gates and candidates.
  const claims = candidates * Math.max(1, suite.decision.gates.filter((each) => kindOfGate(each) === "margin").length);
  const at = { margin, ...levels };
  const lost = fewestLost(of, { ...at, alpha: levels.alpha / claims });
  const isPrimary =
    (gate.by ?? null) === null && suite.scorers.some((each) => each.primary && each.name === gate.metric);
  const gained = isPrimary ? fewestGained(of, { ...at, shownAlpha: betterAlpha / candidates }) : null;
  const often = isSingle(suite) ? "" : " in all their runs";
  if (lost === null) return "They are too few for a REGRESSION, even if all fail.";
  const better = gained === null ? "" : `, BETTER ${number(gained)} newly passing`;
  return `A REGRESSION takes ${number(lost)} newly failing${better}${often}, with none the other way.`;
}

/** The way to go by these rows alone: each of them asked more often, so that answers that differ by chance are told apart. */
function byRows({ metric }: GateSettings, suite: Judged, file: string): string {
  if (suite.repeats >= repeatsThatTell || asked(suite).length === 0) return "";
  const repeats = repeatThemselves(suite) ? null : repeatsThatTell;
  return ` To decide by these rows alone, ${countRowsWords(metric, { repeats, file })}.`;
}

/** Conversations, or other groups, of which each counts as one. */
function groupsNote(gate: GateSettings, suite: Judged, { cases, clusters, sizes }: GateCases): string | null {
  const groups = clusters ?? cases;
  const { mapping } = suite;
  const column = mapping.turn === null && mapping.turns === undefined ? mapping.cluster : null;
  const of = column === null ? ({ kind: "conversations" } as const) : ({ kind: "groups", column } as const);
  const noun = (count: number): string => unitNoun(of, count);
  const { passAlpha } = decisionLevels(suite.decision);
  if (groups < fewestClusters) {
    return `${gateSubject(gate)}: with ${number(groups)} ${noun(groups)} nothing is decided; ${fewestClusters} are the fewest.`;
  }
  if (!isRate(gate, suite) || sizes.length === 0) return null;
  const margin = gate.margin ?? defaultMargin;
  const open = `${limitOf(gate, margin)}: with ${number(groups)} ${noun(groups)} (${counted(cases, "row")}), bots that are equal stay undecided`;
  if (suite.decision.stopWhen === "decided") {
    const longest = Math.max(...sizes.map(({ size }) => size));
    if (canPassByBetting({ margin, most: longest }, passAlpha, sizes)) return null;
    return `${open} with \`stop_when: decided\`, since the longest has ${counted(longest, "row")}. Add more, or write \`stop_when: never\`.`;
  }
  const squares = sizes.reduce((sum, { size, clusters: many }) => sum + many * size * size, 0);
  const effective = (cases * cases) / squares;
  const fewest = fewestToPass(margin, passAlpha);
  if (effective >= fewest - 1e-9) return null;
  const unequal = effective < groups * (1 - 1e-9) ? " of one size" : "";
  const enough = enoughToPassWords({ first: fewest, added: fewestAdded(margin, suite) }, unequal);
  return `${open}; ${enough}. A REGRESSION can be found.`;
}

/** Chances that one answer of a bot that does not change is wrong, for which false alarms are counted. */
const wrongByChance = 0.02;

/** A gate that counts losses has its false alarms where answers differ by chance. */
function lossesNote(gate: GateSettings, suite: Judged, sizes: GateCases): string | null {
  const isLive = asked(suite).length > 0 && !repeatThemselves(suite);
  if (!isLive || suite.repeats > 1 || gate.losses !== 0) return null;
  const cases =
    gate.by === undefined || gate.by === null ? sizes.cases : sizes.values(gate.by).reduce((a, b) => a + b, 0);
  const falsely = (runs: number): number => {
    const lost = (1 - wrongByChance) ** runs * wrongByChance ** runs;
    return -Math.expm1(cases * Math.log1p(-lost));
  };
  const [once, thrice] = [falsely(1), falsely(repeatsThatTell)];
  const rare = thrice < 0.0005 ? "less than 0.1 %" : `${(100 * thrice).toFixed(1)} %`;
  return `${gateSubject(gate)} (losses: 0): if ${wholeShare(wrongByChance)} of the answers are wrong by chance, ${counted(cases, "row")} asked once give a false alarm in ${wholeShare(once)} of the runs; with \`repeats: ${repeatsThatTell}\` in ${rare}.`;
}

/** Targets that are sent something: answers that were given before stay as they are. */
const asked = ({ targets }: Pick<Suite, "targets">): Suite["targets"] =>
  targets.filter(({ stored }) => stored === undefined);

const repeatThemselves = (suite: Pick<Suite, "targets">): boolean =>
  asked(suite).every(({ endpoint }) => endpointOf(endpoint).repeatsItself);

function limitOf(gate: GateSettings, margin: number): string {
  return `${gateSubject(gate)} (limit ${loss(margin, measure("pass"))})`;
}

function isRate({ metric, of }: GateSettings, { scorers }: Pick<Suite, "scorers">): boolean {
  const spec = scorers.find(({ name }) => name === metric);
  if (of !== null || spec === undefined) return of === "pass";
  const isPass = scorerOfType(spec.type)?.metricOf(spec.options).passes ?? false;
  // A judge of two answers is compared by its values.
  return isPass && spec.type !== "pairwise";
}

function isSingle({ repeats, compare }: Pick<Suite, "repeats" | "compare">): boolean {
  return repeats === 1 && (compare?.noiseRepeats ?? 1) === 1;
}
