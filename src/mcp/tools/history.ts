import { z } from "zod";
import { historyOf } from "../../app/history/history.ts";
import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { timedHistory } from "../../report/model/timed-alarm.ts";
import { findBatch } from "../../store/batches.ts";
import { defineTool } from "../tool.ts";

/** The nights of a suite, with alarms where a change is more than chance. */
export const historyTool = defineTool({
  name: "history",
  title: "Nights of a suite",
  description:
    "The batches of a suite over time: verdict, primary metric, differences, errors, latency, cost and what changed, and alarms where a change over the nights is more than chance. The same as `tandem history --json`.",
  input: z.strictObject({
    suite: z.string().min(1).optional().describe("Name of the suite; default: that of the latest batch"),
    last: z.int().min(1).max(200).default(30).describe("Only the latest so many nights"),
  }),
  call({ db }, { suite = findBatch(db, "latest").suiteName, last }) {
    const { nights, ...history } = timedHistory(historyOf(db, suite));
    if (nights.length === 0)
      throw new AppError("BATCH_NOT_FOUND", `There is no batch of a suite ${showText(suite)}.`, {
        hint: "batches tells what there is.",
      });
    return { value: { ...history, nightsInAll: nights.length, nights: nights.slice(-last) } };
  },
});
