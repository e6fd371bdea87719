import { z } from "zod";
import { existsSync } from "node:fs";
import { scorerOfType } from "../../score/registry.ts";
import { designEffect } from "../../stats/planning/design-effect.ts";
import { fewestLabels } from "../../stats/judged/corrected-difference.ts";
import {
  advisedLabels,
  type LabelsNeeded,
  labelsNeeded,
  type LabelVariation,
} from "../../stats/judged/labels-needed.ts";
import { listBatches } from "../../store/batches.ts";
import { storedComparisons } from "../../store/compared/comparisons.ts";
import { openDatabase } from "../../store/database.ts";
import { defaultMargin } from "../../suite/default-values.ts";
import { type GateSettings, kindOfGate } from "../../suite/gate-settings.ts";
import type { Suite } from "../../suite/suite.ts";
import { readComparison } from "../saved-comparison.ts";
import { decisionLevels } from "./decision-levels.ts";

/** Labels of people with which a gate of a judge is decided, 4 times in 5. */
export interface LabelsPlan extends LabelVariation {
  metric: string;
  of: "pass" | "value";
  /** The loss that the gate accepts. */
  margin: number;
  /** The batch and its sides whose labels told how people's differences vary; null: it is assumed. */
  from: string | null;
  cases: number;
  designEffect: number;
  /** The true loss that is supposed; 0: people see none. */
  loss: number;
  /** Cases to label, both answers of each; null: no number of them decides it. */
  labels: number | null;
  /** Where none does: so many cases, at least. `allLabelled`: every one of them labelled. */
  casesFirst: number | null;
  allLabelled: boolean;
}

interface Asked {
  suite: Pick<Suite, "name" | "scorers" | "decision">;
  database: string;
  cases: number;
  clusters: number;
  drop: number | null;
}

/** Standard deviation and correlation that are supposed before there are labels, of a range of 1; and how alike cases of a cluster are. */
const assumed = { sd: 0.42, correlation: 0.4, icc: 0.3 };

/** Plans the labels of each gate that a judge grades and people can correct. */
export function planLabels({ suite, database, cases, clusters, drop }: Asked): LabelsPlan[] {
  const stored = existsSync(database) ? storedVariations(database, suite.name) : new Map<string, StoredVariation>();
  const { alpha, passAlpha } = decisionLevels(suite.decision);
  return gatesOfJudges(suite).map(({ metric, of, margin }) => {
    const known = stored.get(`${metric} ${of}`);
    const { sd, correlation } = known ?? assumed;
    const effect = Math.max(1, designEffect(cases / Math.max(1, clusters), assumed.icc));
    const loss = drop ?? 0;
    const distance = Math.abs(margin - loss);
    const given = { distance, cases, alpha: loss > margin ? alpha : passAlpha, designEffect: effect };
    const found: LabelsNeeded | null =
      distance === 0 ? null : advisedLabels(labelsNeeded({ sd, correlation }, given), Math.min(fewestLabels, cases));
    return {
      metric,
      of,
      margin,
      from: known?.from ?? null,
      sd,
      correlation,
      cases,
      designEffect: effect,
      loss,
      labels: found?.labels ?? null,
      casesFirst: found?.cases ?? null,
      allLabelled: found !== null && found.labels === null && found.isAll,
    };
  });
}

function gatesOfJudges({ scorers, decision }: Asked["suite"]) {
  const primary = scorers.find((scorer) => scorer.primary) ?? scorers[0];
  const usual: GateSettings[] = primary === undefined ? [] : [{ metric: primary.name, margin: null, of: null }];
  return (decision.gates.length === 0 ? usual : decision.gates).flatMap((gate) => {
    const type = scorers.find(({ name }) => name === gate.metric)?.type;
    const of = gate.of ?? "pass";
    const margin = gate.margin ?? (of === "pass" ? defaultMargin : null);
    const isCorrected = type !== undefined && type !== "pairwise" && scorerOfType(type)?.family === "judge";
    if (!isCorrected || kindOfGate(gate) !== "margin" || margin === null || (of !== "pass" && of !== "value"))
      return [];
    return [{ metric: gate.metric, of, margin } as const];
  });
}

interface StoredVariation extends LabelVariation {
  from: string;
}

const corrected = z.looseObject({
  refused: z.null(),
  corrected: z.looseObject({ sd: z.number().positive(), correlation: z.number().nullable() }),
});

/** Variation of people's differences in the latest comparison with labels of a draw, by metric; of several candidates that which varies most. */
function storedVariations(database: string, suite: string): ReadonlyMap<string, StoredVariation> {
  const found = new Map<string, StoredVariation>();
  using db = openDatabase(database, { reading: true });
  for (const batch of listBatches(db, suite).toReversed()) {
    const own = new Map<string, StoredVariation>();
    for (const comparison of storedComparisons(db, batch.id).toReversed()) {
      for (const { candidate, baseline, metrics } of readComparison(comparison).candidates) {
        for (const metric of metrics) {
          const people = corrected.safeParse(metric.people);
          if (!people.success) continue;
          const { sd, correlation } = people.data.corrected;
          const name = `${metric.metric} ${metric.of}`;
          if ((own.get(name)?.sd ?? 0) >= sd) continue;
          const from = `${batch.name} (${candidate} against ${baseline})`;
          own.set(name, { sd, correlation: Math.max(0, correlation ?? 0), from });
        }
      }
    }
    for (const [name, variation] of own) if (!found.has(name)) found.set(name, variation);
  }
  return found;
}
