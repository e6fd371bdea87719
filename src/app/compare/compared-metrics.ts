import type { NotCompared, ValidityCause } from "../../compare/cause.ts";
import {
  type ComparedMetric,
  type GateByKind,
  type MeasureOf,
  type MetricGate,
  primaryFirst,
} from "../../compare/comparison-plan.ts";
import { canonicalJson, type JsonObject } from "../../lib/json.ts";
import { looksAtExpected } from "../../score/make.ts";
import { scorerOfType } from "../../score/registry.ts";
import type { Metric } from "../../score/contract/scorer.ts";
import type { JudgeCheck } from "../../stats/rater-agreement.ts";
import type { Batch } from "../../store/batches.ts";
import type { Scoring } from "../../store/scores/scores.ts";
import type { StoredScorer } from "../../store/scores/stored-scorer.ts";
import { type GateKind, type GateSettings, kindOfGate, triesOf } from "../../suite/gate-settings.ts";
import type { DecisionSettings } from "../../suite/suite.ts";
import { defaultMargin } from "../../suite/default-values.ts";

interface ComparedSide {
  /** Its name wherever it is shown. */
  target?: string;
  parts: readonly { batch: Batch; target: { id: number; name?: string } }[];
}

interface Options {
  /** The batch whose scorers count. */
  batch: Batch;
  sides: readonly ComparedSide[];
  scorings: ReadonlyMap<number, Scoring | null>;
  /** Batches that have finished all their jobs without all of them being graded, and how many came after the grading; none when absent. */
  partlyGraded?: ReadonlyMap<number, number>;
  /** Batches that were read from exported pins, and the names that these had; none when absent. */
  exported?: ReadonlyMap<number, string>;
  /** Checks a judge by the labels of people. */
  checkOf?: (metric: string) => JudgeCheck;
}

/**
 * The metrics of a comparison, the primary one first, with the gates that decide by them: each scorer of the batch as a pass rate if it passes
 * or fails answers, else by its mean value; and in any other way that a gate asks for. A scorer that another batch does
 * not have, or has with other options, is not compared. `undecided`: gates whose metric the batch has no scores of, or
 * not of all answers.
 */
export function comparedMetrics(
  decision: DecisionSettings,
  given: Options,
): { metrics: ComparedMetric[]; notCompared: NotCompared[]; undecided: ValidityCause[] } {
  const { batch, sides, scorings, exported } = given;
  const scorers = primaryFirst(scorings.get(batch.id)?.scorers ?? []);
  const notCompared: NotCompared[] = [];
  const { confirm: ofAll = false } = decision;
  const gates = withDefault(decision, scorers, notCompared).map((gate) => {
    return { ...gate, confirm: gate.confirm ?? ofAll };
  });
  const metrics = scorers.flatMap((scorer) => {
    const places = new Map<number, number>();
    for (const part of sides.flatMap(({ parts }) => parts)) {
      const other = scorings.get(part.batch.id) ?? null;
      const place = placeOf(scorer, other);
      const { id, name } = part.batch;
      const why = whyNotCompared(scorer, other, { name, exportedAs: exported?.get(id) ?? null });
      if (place === null) {
        if (why !== null) notCompared.push({ metric: scorer.metric.name, kind: "other-scores", ...why });
      } else places.set(part.target.id, place);
    }
    const laxity = laxityOf(scorer, given);
    const byExpected = looksAtExpected(scorer.spec);
    const { asks = null, measuresRun = false } = scorerOfType(scorer.spec.type) ?? {};
    return measuresOf(scorer.metric, gates).map((measure) => ({
      metric: scorer.metric,
      ...measure,
      places,
      byExpected,
      measuresRun,
      ...(asks !== null && { asks }),
      ...judged(scorer, given),
      ...(laxity.size > 0 && { laxity }),
    }));
  });
  const undecided = gates.flatMap(({ metric }): ValidityCause[] =>
    scorers.some((scorer) => scorer.metric.name === metric) ? [] : [{ kind: "not-scored", metric }],
  );
  undecided.push(...gates.flatMap(({ metric }) => ungradedBatches(metric, given)));
  const isScored = scorings.get(batch.id) !== null || batch.suite.scorers.length === 0;
  if (!isScored && undecided.length === 0) undecided.push({ kind: "scored-in-part", batch: batch.name });
  return { metrics, notCompared: withoutRepeats(notCompared), undecided: withoutRepeats(undecided) };
}

/** A judge by the labels of the batches that are compared; nothing of another scorer. */
function judged({ metric, spec }: StoredScorer, { checkOf }: Options): Pick<ComparedMetric, "judge"> {
  if (scorerOfType(spec.type)?.family !== "judge" || checkOf === undefined) return {};
  return { judge: checkOf(metric.name) };
}

/** Finds the share of what is no answer to a row that a scorer passed, by the side that said it; of a pooled one in its first batch that knows. */
function laxityOf(scorer: StoredScorer, { sides, scorings }: Options): NonNullable<ComparedMetric["laxity"]> {
  return new Map(
    sides.flatMap(({ target, parts }) => {
      if (target === undefined) return [];
      for (const part of parts) {
        const scoring = scorings.get(part.batch.id) ?? null;
        const place = placeOf(scorer, scoring);
        const found = place === null ? undefined : scoring?.scorers[place]?.laxity?.[part.target.name ?? ""];
        if (found !== undefined) return [[target, found] as const];
      }
      return [];
    }),
  );
}

/** The metrics that a comparison will have, with their gates, as far as they are known before anything is scored. */
export function plannedMetrics(
  decision: DecisionSettings,
  scorers: readonly Pick<StoredScorer, "metric">[],
): Pick<ComparedMetric, "metric" | "of" | "gates">[] {
  const gates = withDefault(decision, scorers, []);
  return primaryFirst(scorers).flatMap(({ metric }) =>
    measuresOf(metric, gates).map((measure) => ({ metric, ...measure })),
  );
}

/** Several parts of a side may give the same reason. */
function withoutRepeats<Reason extends object>(reasons: readonly Reason[]): Reason[] {
  return Array.from(new Map(reasons.map((each) => [JSON.stringify(each), each])).values());
}

/** Gives the primary metric a gate if there is none, nothing is chosen instead, and a loss of it can be told from its scale. */
function withDefault(
  { gates, choose }: Pick<DecisionSettings, "gates" | "choose">,
  scorers: readonly Pick<StoredScorer, "metric">[],
  notCompared: NotCompared[],
): readonly GateSettings[] {
  if (gates.length > 0 || choose !== undefined) return gates;
  const primary = scorers.find(({ metric }) => metric.primary)?.metric ?? scorers[0]?.metric;
  if (primary === undefined) return [];
  if (marginOf(primary, defaultOf(primary), null) !== null) return [{ metric: primary.name, margin: null, of: null }];
  notCompared.push({ metric: primary.name, kind: "no-bounds" });
  return [];
}

/** Explains why a gate would only decide by the cases that happen to be graded. */
function ungradedBatches(metric: string, { sides, scorings, partlyGraded = new Map() }: Options): ValidityCause[] {
  const batches = new Map(sides.flatMap(({ parts }) => parts.map((part) => [part.batch.id, part.batch.name] as const)));
  return Array.from(batches).flatMap(([id, batch]): ValidityCause[] => {
    const scorer = scorings.get(id)?.scorers.find((each) => each.metric.name === metric);
    const later = partlyGraded.get(id);
    if (scorer === undefined || later === undefined) return [];
    if (later > 0) return [{ kind: "answers-since", batch, answers: later }];
    // Scorers that grade at once have graded everything.
    if (scorerOfType(scorer.spec.type)?.forRows === true) return [];
    return [{ kind: "graded-in-part", batch, metric, needsSuite: scorer.graded === "carried" }];
  });
}

/** The place of the same scorer in another scoring; null: there are no scores that could be compared. */
function placeOf(scorer: StoredScorer, scoring: Scoring | null): number | null {
  const place = scoring?.scorers.findIndex(({ metric }) => metric.name === scorer.metric.name) ?? -1;
  const found = scoring?.scorers[place];
  if (found === undefined || found.graded === "missing") return null;
  return identity(found) === identity(scorer) ? place : null;
}

/** The reason why the scores of a batch cannot be compared with those of a scorer, and the remedy; null: they can. */
export function whyNotCompared(
  scorer: StoredScorer,
  scoring: Scoring | null,
  { name, exportedAs }: { name: string; exportedAs: string | null },
): Pick<Extract<NotCompared, { kind: "other-scores" }>, "batch" | "is" | "exportedAs"> | null {
  if (placeOf(scorer, scoring) !== null) return null;
  const found = scoring?.scorers.find(({ metric }) => metric.name === scorer.metric.name);
  const is =
    scoring === null ? "unscored" : found === undefined ? "missing" : found.graded === "missing" ? "failed" : "differs";
  return { batch: name, is, exportedAs };
}

/**
 * The parts of a scorer that must be equal for scores to be comparable; the primary mark and the weight in a mean are
 * not among them.
 */
function identity({ spec, code }: StoredScorer): string {
  const { type, when, options } = spec;
  const reported: JsonObject = { type, when, options, code };
  return canonicalJson(reported);
}

function measuresOf(metric: Metric, gates: readonly GateSettings[]): { of: MeasureOf; gates: MetricGate[] }[] {
  const own = gates.filter((gate) => gate.metric === metric.name);
  const usual = defaultOf(metric);
  // A threshold hides how far from it the values are.
  const also: MeasureOf[] = usual === "pass" && metric.scale.kind !== "pass" ? ["value"] : [];
  const measures = new Set<MeasureOf>([usual, ...own.map(({ of }) => of ?? usual), ...also]);
  return Array.from(measures, (of) => {
    const asked = own.filter((each) => (each.of ?? usual) === of);
    return { of, gates: asked.map((each) => gateOf(metric, of, each)) };
  });
}

function gateOf(metric: Metric, of: MeasureOf, gate: GateSettings): MetricGate {
  return { ...gateMakers[kindOfGate(gate)](gate, metric, of), by: gate.by ?? null };
}

/** A gate of each kind, by its settings. */
const gateMakers: {
  [K in GateKind]: (gate: GateSettings, metric: Metric, of: MeasureOf) => Omit<GateByKind[K], "by">;
} = {
  margin: ({ margin, confirm, require, accept }, metric, of) => ({
    kind: "margin",
    margin: marginOf(metric, of, margin),
    ...confirming(confirm),
    ...(require !== undefined && { require }),
    ...(accept !== undefined && { accept }),
  }),
  losses: ({ losses, confirm }) => ({ kind: "losses", losses: losses ?? 0, ...confirming(confirm) }),
  cases: ({ cases }) => ({ kind: "cases", tries: triesOf(cases ?? { pass: "" }) ?? { pass: 1, of: 1 } }),
};

function confirming(confirm: GateSettings["confirm"]): { confirm?: true } {
  return confirm === true ? { confirm } : {};
}

function defaultOf(metric: Metric): MeasureOf {
  return metric.passes && metric.against === null ? "pass" : "value";
}

/** The loss that is accepted: what is written, else a small one by its scale; null: that does not say what a small one is. */
export function marginOf({ scale }: Metric, of: MeasureOf, margin: number | null): number | null {
  if (margin !== null) return margin;
  if (of === "pass" || of === "ratio" || scale.kind === "pass") return defaultMargin;
  return scale.kind === "bounded" ? defaultMargin * (scale.max - scale.min) : null;
}
