import type { CaseMapping, FieldSource, Suite } from "./suite.ts";

/** The fields of a case that may hold files, and where those are. */
export interface SentFiles {
  /** Paths of fields, with dots. */
  fields: readonly string[];
  /** The absolute folders of the files, by their number. */
  roots: readonly string[];
}

/** The files that the cases of a suite send. */
export function sentFiles({ mapping, files }: Pick<Suite, "mapping" | "files">): SentFiles | undefined {
  const fields = fileFields(mapping);
  return fields.length === 0 || files === undefined ? undefined : { fields, roots: files.roots };
}

/** The fields of a mapping that may hold files. */
export function fileFields({ input }: Pick<CaseMapping, "input">): string[] {
  return Object.entries(input ?? {}).flatMap(([field, source]) => (holdsFiles(source) ? [field] : []));
}

/** True for a source with cells that name files. */
function holdsFiles(source: FieldSource): boolean {
  return [source].flat().some((part) => typeof part !== "string" && "column" in part && part.type === "file");
}
