import { z } from "zod";
import { reportFormats, reportNames, reportNamesOnRequest } from "../../report/formats/formats.ts";

/** Keys of the file itself about how its jobs are sent. */
export const runKeys = {
  repeats: z.int().min(1).max(1_000).default(1).describe("How often each case runs on each target. Default: 1."),
  interleave: z
    .enum(["off", "strict"])
    .default("off")
    .describe("strict: no side leads by more than a few cases. Default: off, deployments do not wait for each other."),
  on_in_doubt: z
    .enum(["resend", "hold", "fail"])
    .optional()
    .describe(
      "What becomes of a request that was in flight when its process died: it is sent again, held back or ended as failed. Default: resend, and over workers hold.",
    ),
  on_ambiguous: z
    .enum(["retry", "fail"])
    .default("retry")
    .describe("What a run does with an attempt that may or may not have run (and been paid). Default: retry."),
};

/** Keys of the file itself about what is written. */
export const reportKeys = {
  reports: z
    .array(z.enum(reportNames))
    .optional()
    .describe(
      `What is written when a run ends: the summary in the terminal, and ${reportFiles()}. Default: everything but ${reportNamesOnRequest.join(" and ")}; of a sheet in a workbook, excel in place of csv.`,
    ),
};

/** `report.html, comparison.csv and runs.csv, report.md`: files that one name of `reports:` asks for stand together. */
function reportFiles(): string {
  const files = reportNames.map((name) => reportFormats.filter(({ suite }) => suite === name).map(({ file }) => file));
  return files.flatMap((each) => (each.length === 0 ? [] : [each.join(" and ")])).join(", ");
}
