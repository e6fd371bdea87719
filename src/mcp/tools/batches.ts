import { z } from "zod";
import { BatchEntries } from "../../viewer/server/home/batch-entries.ts";
import { defineTool } from "../tool.ts";

/** The batches of a results folder, page by page. */
export const batchesTool = defineTool({
  name: "batches",
  title: "List batches",
  description:
    "The batches (runs of a suite) of the results folder, the latest first, with state, progress, targets, verdict and pins.",
  input: z.strictObject({
    suite: z.string().optional().describe("Only those of this suite"),
    offset: z.int().min(0).default(0).describe("How many to leave out"),
    limit: z.int().min(1).max(100).default(20).describe("How many to tell"),
  }),
  call({ db }, { suite, offset, limit }) {
    const { batches, pins } = new BatchEntries(db).list();
    const found = batches.filter((batch) => suite === undefined || batch.suite === suite);
    const shown = found.slice(offset, offset + limit).map(({ id: _id, createdAt, live: isAtWork, ...batch }) => ({
      ...batch,
      isAtWork,
      startedAt: new Date(createdAt).toISOString(),
    }));
    const next = offset + shown.length;
    return { value: { found: found.length, nextOffset: next < found.length ? next : null, batches: shown, pins } };
  },
});
