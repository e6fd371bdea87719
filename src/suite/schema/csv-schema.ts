import { z } from "zod";
import { showValue } from "../../lib/show.ts";
import { matching } from "./form.ts";
import { storedAs, kept } from "./kept.ts";

/** `csv:` says how the tables are written that a spreadsheet of some country opens. */
export const csvSection = z
  .strictObject({
    separator: storedAs(
      matching(/^(?:tab|[^"\r\n\p{L}\p{N}])$/u, "one character that is no letter, or tab")
        .optional()
        .describe(
          "Stands between cells: one character, or tab. Default: a comma, and a semicolon where decimals have a comma.",
        ),
      z.string().optional(),
      (written) => (written === "tab" ? "\t" : written),
    ),
    decimal: z.enum([".", ","]).optional().describe("Mark in numbers that tandem counted. Default: a point."),
    bom: z
      .boolean()
      .optional()
      .describe(
        "Begin with a byte order mark, by which Excel knows UTF-8, and cut texts that are longer than a cell of Excel holds. Default: false.",
      ),
  })
  .refine(({ separator, decimal = "." }) => separator !== decimal, {
    error: ({ input }) =>
      `separator and decimal are both ${showValue(Object(input)["separator"])}: a number would be two cells; take separator ";" with decimal ","`,
  })
  .describe(
    "How CSV files are written, where no flag says otherwise. Default: as the dataset is, where it has semicolons or a byte order mark; else commas, decimal points and no mark.",
  );

/** The form of CSV files as a suite keeps it. */
export const csvForm = z.object(kept(csvSection.shape));
export type CsvSettings = z.output<typeof csvForm>;
