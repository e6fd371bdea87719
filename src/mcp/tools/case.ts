import { z } from "zod";
import { rowOfCase } from "../../app/report/row-of-case.ts";
import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { reportMetrics } from "../../report/model/model-gates.ts";
import { otherCells } from "../../report/model/row-figures.ts";
import type { ReportRun } from "../../report/shape/row.ts";
import { oneCase } from "../../store/compared/one-case.ts";
import type { Connection } from "../../store/connection.ts";
import { labelsOfJob } from "../../store/scores/labels.ts";
import { comparisonOfWanted } from "../../viewer/server/wanted-comparison.ts";
import { comparisonArguments, defineTool, wantedOf } from "../tool.ts";

/** One case in full. */
export const caseTool = defineTool({
  name: "case",
  title: "One case in full",
  description:
    "One case of a comparison by its key: what was asked and expected, every answer with its scores, the reasons for them, labels of people, and what differs.",
  input: z.strictObject({
    ...comparisonArguments,
    key: z.string().min(1).describe("Key of the case, as rows tells it"),
    text_limit: z.int().min(100).max(20_000).default(2000).describe("Characters of each text"),
    text_from: z.int().min(0).default(0).describe("Where texts begin that are longer than text_limit: to read on"),
  }),
  call({ db }, { key, text_limit, text_from, ...which }) {
    const planned = comparisonOfWanted(db, wantedOf(which));
    const found = oneCase(db, planned.batches, key);
    if (found === null)
      throw new AppError("USAGE", `${planned.batch.name} has no case ${showText(key)}.`, {
        hint: "rows tells the keys.",
      });
    const { place: _, sides, ...whole } = rowOfCase(found, planned, 0);
    const row = { ...whole, columns: Object.fromEntries(otherCells(whole)) };
    const metrics = reportMetrics(planned.settings.metrics).map(({ name }) => name);
    const answers = sides.flatMap(({ runs }, side) =>
      runs.map((run) => answerOf(db, run, { metrics, target: planned.settings.sides[side]?.target ?? "" })),
    );
    return { value: { ...row, answers }, text: text_limit, textFrom: text_from };
  },
});

function answerOf(
  db: Connection,
  { jobId, scores, ...run }: ReportRun,
  { target, metrics }: { target: string; metrics: readonly string[] },
): object {
  const labels = labelsOfJob(db)(jobId);
  const named = scores.map((score, place) => (score === null ? null : { metric: metrics[place] ?? "", ...score }));
  return { target, ...run, scores: named.filter((score) => score !== null), labels };
}
