import { AppError } from "../../errors.ts";
import { faultsOf } from "../../lib/fault.ts";
import { suiteFile, type SuiteFileInput } from "../schema/schema.ts";
import type { DatasetFormat } from "../suite.ts";

/** The flags that say how a dataset is written. */
export interface FormatFlags {
  delimiter?: string | undefined;
  encoding?: string | undefined;
  /** false: the first row is data; true: it names the columns, also where that was found to be otherwise. */
  header?: boolean | undefined;
  lenient?: boolean | undefined;
  sheet?: string | undefined;
}

/**
 * The flags as a suite writes them under `format`; undefined when none is given. A tab can be typed as `tab` or `\t`.
 */
export function formatOfFlags({ delimiter, encoding, header, lenient, sheet }: FormatFlags): SuiteFileInput["format"] {
  if ([delimiter, encoding, header, sheet].every((flag) => flag === undefined) && lenient !== true) return undefined;
  const isTab = delimiter === "\t" || delimiter === String.raw`\t`;
  return {
    ...(delimiter !== undefined && { delimiter: isTab ? "tab" : delimiter }),
    ...(encoding !== undefined && { encoding }),
    ...(header !== undefined && { header }),
    ...(sheet !== undefined && { sheet }),
    ...(lenient === true && { lenient }),
  };
}

/** The format of a dataset: by the flags, else as it was known. Throws USAGE, naming the flag. */
export function formatFromFlags(flags: FormatFlags, known?: DatasetFormat): DatasetFormat | undefined {
  const section = formatOfFlags(flags);
  if (section === undefined) return known;
  const lines = faultsOf(suiteFile.pick({ format: true }), { format: section }).map(
    ({ path, message }) => `--${path.at(-1)} ${message}`,
  );
  if (lines.length > 0) throw new AppError("USAGE", lines.join("\n"));
  const { delimiter, encoding, header = known?.header, lenient = false, sheet = known?.sheet } = section;
  return {
    delimiter: delimiter === "tab" ? "\t" : (delimiter ?? known?.delimiter ?? null),
    encoding: encoding ?? known?.encoding ?? null,
    ...(header === false && { header }),
    ...(sheet !== undefined && { sheet }),
    lenient: lenient || known?.lenient === true,
  };
}
