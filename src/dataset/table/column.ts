import { AppError } from "../../errors.ts";
import { showText } from "../../lib/show.ts";
import { didYouMean } from "../../lib/suggest.ts";

/** A value of `turn`: the rows of a cluster are its turns in the order in which they stand. */
export const orderColumn = "__order";

/** A column that was found; `loosely` when it is spelled a little differently in the file. */
interface Found {
  at: number;
  loosely: boolean;
}

/**
 * The place of a column in a header: spelled exactly so, or else the only one that is so but for case, spaces around it
 * and characters that cannot be seen. Raises COLUMN_UNKNOWN with what was meant.
 */
export function findColumn(
  header: readonly string[],
  column: string,
  missing: { file: string; usedFor: string },
): Found {
  const at = header.indexOf(column);
  if (at >= 0) return { at, loosely: false };
  const wanted = looseName(column);
  const like = [...header.keys()].filter((i) => looseName(header[i] ?? "") === wanted);
  const [only] = like;
  if (only !== undefined && like.length === 1) return { at: only, loosely: true };
  const names = like.map((i) => showText(header[i] ?? "")).join(" and ");
  const meant = like.length > 1 ? `It could be ${names}.` : didYouMean(column, header);
  const { file, usedFor } = missing;
  throw new AppError("COLUMN_UNKNOWN", `${file} has no column ${showText(column)}, which ${usedFor} names.`, {
    hint: `${meant === null ? "" : `${meant} `}The file has: ${header.join(", ")}.`,
  });
}

/** A column's name without what people do not see: case, spaces around and doubled, invisible characters. */
export const looseName = remembered((name) =>
  name
    .normalize("NFC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase(),
);

/** Forms that are kept: a header is compared with many names, each time as a whole. */
const mostForms = 10_000;

/** A form of names that is made once for each. */
export function remembered(form: (name: string) => string): (name: string) => string {
  const forms = new Map<string, string>();
  return (name) => {
    const known = forms.get(name);
    if (known !== undefined) return known;
    if (forms.size >= mostForms) forms.clear();
    const made = form(name);
    forms.set(name, made);
    return made;
  };
}
