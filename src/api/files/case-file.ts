import { z } from "zod";
import { isJsonObject, type JsonValue } from "../../lib/json.ts";

/** A file of a case as it is stored: which one it is and what it held. Its bytes are read when it is sent. */
const caseFile = z.strictObject({
  bytes: z.int().min(1),
  /** The path as the dataset has it, below its folder. */
  file: z.string().min(1),
  /** Number of that folder in the suite's list. */
  root: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  type: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/),
});
export type CaseFile = z.infer<typeof caseFile>;

/** The stored file that a value is; null for any other value. */
export function caseFileIn(value: JsonValue | undefined): CaseFile | null {
  // Most values are none, and looking closely at each would take as long as reading it.
  return isJsonObject(value) && "sha256" in value ? (caseFile.safeParse(value).data ?? null) : null;
}

/** The name of a file without its folders. */
export function fileNameOf({ file }: CaseFile): string {
  return file.split(/[/\\]/).at(-1) ?? file;
}

/** A part of a body: text, or a file that is read when it is sent. */
export type BodyPiece = string | { file: CaseFile; as: "base64" | "bytes" };

/** A body with files in it. */
export interface BodyWithFiles {
  pieces: readonly BodyPiece[];
  /** The absolute folders of the files, by their number. */
  roots: readonly string[];
}

/** The body as text, with the names of files in the place of what they hold. `write` makes a name fit for its place. */
export function shownBody({ pieces }: Pick<BodyWithFiles, "pieces">, write: (name: string) => string): string {
  return pieces
    .map((piece) => (typeof piece === "string" ? piece : write(`<${piece.file.file}, ${piece.file.bytes} bytes>`)))
    .join("");
}
