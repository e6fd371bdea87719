import { AppError } from "../../errors.ts";
import { createLiquid } from "../../lib/liquid.ts";
import { findColumn } from "../table/column.ts";

/** A template made ready for a header. */
interface Template {
  /** Makes a text from a row's columns. Raises an Error when the template cannot be rendered for the row. */
  render: (columns: Record<string, string>) => string;
  /** The columns it uses: the name it has for each, and where it is. */
  columns: { name: string; at: number; loosely: boolean }[];
}

/** The whole row, for columns whose names are not plain words: `{{ row["Question text"] }}`. */
const rowName = "row";

/**
 * Compiles a Liquid template without access to files or prototypes. A template that is not Liquid raises
 * SUITE_INVALID, a column the dataset does not have COLUMN_UNKNOWN; both name the template by `usedFor`.
 */
export async function compileTemplate(
  text: string,
  header: readonly string[],
  place: { file: string; usedFor: string },
): Promise<Template> {
  const engine = await createLiquid();
  const parsed = parseOrRaise(() => engine.parse(text), place.usedFor);
  const names = new Set(usedColumns(engine.variables(parsed), header));
  const missing = { ...place, usedFor: `the template of ${place.usedFor}` };
  const columns = Array.from(names, (name) => ({ name, ...findColumn(header, name, missing) }));
  const renamed = columns.filter(({ loosely }) => loosely).map(({ name, at }) => ({ name, column: header[at] ?? "" }));
  const hasOwnRow = header.includes(rowName);
  const render = (row: Record<string, string>): string => {
    const known = renamed.length === 0 ? row : withNames(row, renamed);
    return engine.fill(parsed, hasOwnRow ? known : { ...known, [rowName]: known });
  };
  return { render, columns };
}

/** The row with further names for some of its columns. */
function withNames(row: Record<string, string>, names: readonly { name: string; column: string }[]): typeof row {
  return { ...row, ...Object.fromEntries(names.map(({ name, column }) => [name, row[column] ?? ""])) };
}

/** Names of columns in the variables of a template: the first segment, or that after `row`. */
function usedColumns(variables: readonly (readonly unknown[])[], header: readonly string[]): string[] {
  return variables.flatMap((segments) => {
    const [first, second] = segments;
    const name = first === rowName && !header.includes(rowName) ? second : first;
    return typeof name === "string" ? [name] : [];
  });
}

function parseOrRaise<T>(parse: () => T, usedFor: string): T {
  try {
    return parse();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("SUITE_INVALID", `The template of ${usedFor} is not valid: ${reason}`, { cause });
  }
}
