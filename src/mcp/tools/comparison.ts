import { z } from "zod";
import { comparedNow } from "../../app/compare.ts";
import { questionOfRow } from "../../report/model/row-figures.ts";
import type { WorstRow } from "../../report/model/worst-rows.ts";
import { commandText, nextWhy } from "../../report/say/next.ts";
import type { ReportSummary } from "../../report/shape/model.ts";
import { comparisonOfWanted } from "../../viewer/server/wanted-comparison.ts";
import { comparisonArguments, defineTool, wantedOf } from "../tool.ts";

/** The verdict of a comparison with what stands behind it, as `tandem compare` gives it. */
export const comparisonTool = defineTool({
  name: "comparison",
  title: "Verdict of a batch",
  description:
    "Is it fine, what changed, which rows, can it be relied on: the verdict of a batch (regression, pass, inconclusive, invalid or none) with its sentence, the next step as a command for a person, gates with figures, flips, behaviour, errors, cautions and the worst rows. The same as `tandem compare`.",
  input: z.strictObject(comparisonArguments),
  async call({ db, out }, given) {
    const { model, worst } = await comparedNow(db, comparisonOfWanted(db, wantedOf(given)), out);
    return { value: { ...toldOf(model), worstRows: worst.map(rowOf) } };
  },
});

/** The summary without what only a page draws. */
function toldOf(model: ReportSummary): object {
  const { past: _past, tags: _tags, tandem: _tandem, version: _version, ...reported } = model;
  return {
    ...reported,
    next: reported.next && { ...reported.next, why: nextWhy(reported.next), command: commandText(reported.next) },
    targets: reported.targets.map(({ latency, ...target }) => ({ ...target, latencyMs: quantilesOf(latency) })),
    members: reported.members.slice(0, mostFound),
    slices: reported.slices.slice(0, mostFound),
  };
}

const mostFound = 20;

function quantilesOf(latency: ReportSummary["targets"][number]["latency"]): object | null {
  if (latency === null) return null;
  const { p50, p90, p99, max } = latency;
  return { p50, p90, p99, max };
}

function rowOf({ row, change }: WorstRow): object {
  const { key, row: number, file, expected } = row;
  return { key, row: number, file, change: change.kind, trend: change.trend, question: questionOfRow(row), expected };
}
