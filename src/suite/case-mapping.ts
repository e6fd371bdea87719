import { dirname, resolve } from "node:path";
import { scriptColumns } from "../lib/script-columns.ts";
import type { SuiteFile } from "./schema/schema.ts";
import { sizeBytes } from "../api/files/file-size.ts";
import type { CaseMapping, DatasetFormat, FieldPart, FieldSource, FileSettings } from "./suite.ts";

/** The format of dataset files, with what is found by itself as null. */
export function formatOf({ delimiter, encoding, header, lenient }: NonNullable<SuiteFile["format"]>): DatasetFormat {
  return {
    delimiter: delimiter === "tab" ? "\t" : (delimiter ?? null),
    encoding: encoding ?? null,
    ...(header === false && { header }),
    lenient,
  };
}

/** The bounds of the files that cases send; paths are relative to `base`, datasets absolute. */
export function filesOf(
  { root, max_file: maxFile = "", max_request: maxRequest = "" }: Partial<NonNullable<SuiteFile["files"]>>,
  { base, datasets, suite }: { base: string; datasets: readonly string[]; suite: string | null },
): FileSettings {
  return {
    roots: root === undefined ? datasets.map((path) => (path === "-" ? "" : dirname(path))) : [resolve(base, root)],
    own: [...datasets.filter((path) => path !== "-"), ...(suite === null ? [] : [suite])],
    maxFile: sizeBytes(maxFile) ?? 20_000_000,
    maxRequest: sizeBytes(maxRequest) ?? 50_000_000,
  };
}

/** The mapping of a case as it is written, with what whole conversations and messages stand for. */
export function mappingOf(file: SuiteFile): CaseMapping {
  const {
    key,
    input,
    expected,
    cluster,
    turn,
    turns,
    messages,
    opening,
    tags,
    history,
    order_by: orderBy,
    scorers,
  } = file.case ?? {};
  const mapping = {
    key: key ?? null,
    input: input === undefined ? null : mapValues(input, sourceOf),
    expected: expected ?? null,
    cluster: cluster === false ? null : (cluster ?? null),
    ...(cluster === false && { independent: true as const }),
    turn: turn ?? null,
    opening: opening ?? null,
    tags: tags ?? [],
    ...(history !== undefined && { history }),
    ...(orderBy !== undefined && { orderBy }),
    ...(scorers !== undefined && { scorers }),
  };
  const { turn: number, prompt, conversation, opening: before } = scriptColumns;
  const sent = { ...mapping.input, input_prompt: prompt };
  if (turns !== undefined) {
    return { ...mapping, turns, input: sent, cluster: mapping.key ?? conversation, turn: number };
  }
  if (messages === undefined) return mapping;
  const from = { opening: mapping.opening ?? before, cluster: mapping.cluster ?? conversation };
  return { ...mapping, messages, input: sent, turn: number, ...from };
}

type WrittenSource = NonNullable<NonNullable<SuiteFile["case"]>["input"]>[string];

type WrittenPart = Exclude<WrittenSource, unknown[]>;

function sourceOf(written: WrittenSource): FieldSource {
  return Array.isArray(written) ? written.map(partOf) : partOf(written);
}

function partOf(written: WrittenPart): FieldPart {
  if (typeof written === "string" || "value" in written) return written;
  return { column: written.column, type: written.type ?? null };
}

function mapValues<V, W>(record: Record<string, V>, change: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
