import type { FileFacts } from "../dataset/file-facts.ts";

const separators: Partial<Record<string, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "pipes" };
const otherForms = { csv: "", jsonl: "JSON Lines", json: "JSON", excel: "Excel" } as const;

type FileForm = Pick<FileFacts, "encoding" | "format" | "delimiter" | "compressed">;

/** The way in which a file was read: `utf-8, separated by semicolons`. */
export function formWords({ encoding, format, delimiter, compressed }: FileForm): string {
  const form = delimiter === null ? otherForms[format] : `separated by ${separators[delimiter] ?? delimiter}`;
  return [encoding, form, ...(compressed ? ["gzip"] : [])].join(", ");
}

/** True for a table in UTF-8 with commas: there was nothing to find out. */
export const isUsualForm = ({ encoding, format, delimiter }: FileForm): boolean =>
  encoding === "utf-8" && (format !== "csv" || delimiter === ",");
