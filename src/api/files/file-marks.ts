import { randomBytes } from "node:crypto";
import { hashText } from "../../lib/hash.ts";
import type { JsonValue } from "../../lib/json.ts";
import type { BodyPiece, CaseFile } from "./case-file.ts";

/**
 * Stand-ins for the files of one request: while an endpoint puts it together, a short text is in the place of each file,
 * which templates and JSON carry along unchanged. No case can hold one, for they are drawn anew for every request.
 */
export interface FileMarks {
  /** A text that stands for the file as a data URL. */
  mark: (file: CaseFile) => string;
  /** The file that a value stands for; null for any other value. */
  fileOf: (value: JsonValue | undefined) => CaseFile | null;
  /**
   * A text that stands in no part of a form: it is made of what all of them hold, so that the same form is the same bytes
   * whenever it is sent.
   */
  boundary: (parts: readonly string[]) => string;
  /** True for a text in which a file stands. */
  standIn: (text: string) => boolean;
  /**
   * The text cut at its marks; null when no file was marked. Raises an Error for a mark that a template has changed, and for
   * a file that is left out: a request without what it asks about would be paid for nothing.
   */
  cut: (text: string) => BodyPiece[] | null;
}

const end = "-file";

/** The stand-in for the same file as nothing but its base64, in a value that may be a list of them. */
export function asBase64(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(asBase64);
  return typeof value === "string" && value.endsWith(`-url${end}`) ? withForm(value, "base64") : value;
}

/** The stand-in for the bytes of the same file. */
export const asBytes = (mark: string): string => withForm(mark, "bytes");

const withForm = (mark: string, form: string): string => `${mark.slice(0, -`url${end}`.length)}${form}${end}`;

/** Shared by all requests without files: it stands for none. */
export const noMarks: FileMarks = fileMarks();

export function fileMarks(): FileMarks {
  const files: CaseFile[] = [];
  let drawn: string | null = null;
  const nonce = (): string =>
    (drawn ??= BigInt(`0x${randomBytes(16).toString("hex")}`)
      .toString()
      .padStart(39, "0"));
  return {
    mark: (file) => `tandem-${nonce()}-${files.push(file) - 1}-url${end}`,
    fileOf(value) {
      if (drawn === null || typeof value !== "string") return null;
      const [, place] = new RegExp(`^tandem-${drawn}-(\\d+)-url${end}$`).exec(value) ?? [];
      return files[Number(place ?? -1)] ?? null;
    },
    boundary(parts) {
      const content = JSON.stringify(parts);
      const mark = new RegExp(`tandem-${drawn ?? "none"}-(\\d+)-`, "g");
      const stable = content.replaceAll(mark, (_, place) => files[Number(place)]?.sha256 ?? "");
      return `tandem-${hashText(stable, 32)}`;
    },
    standIn: (text) => drawn !== null && text.includes(drawn),
    cut(text) {
      if (drawn === null) return null;
      const parts = text.split(new RegExp(`tandem-${drawn}-(\\d+)-(url|base64|bytes)${end}`));
      const pieces = parts.flatMap((part, index): BodyPiece[] => {
        if (index % 3 === 0) return [part];
        const file = files[Number(parts[index])];
        if (index % 3 === 2 || file === undefined) return [];
        const form = parts[index + 1];
        if (form === "bytes") return [{ file, as: form }];
        return [...(form === "url" ? [`data:${file.type};base64,`] : []), { file, as: "base64" }];
      });
      // A filter may have changed its letters, or cut its end off.
      const rest = new RegExp(`tandem-${drawn.slice(0, 9)}`, "i");
      if (pieces.some((piece) => typeof piece === "string" && rest.test(piece)))
        throw new Error("a template changes the text of a file; use it without filters");
      const lost = files.find((file) => !pieces.some((piece) => typeof piece !== "string" && piece.file === file));
      if (lost !== undefined)
        throw new Error(`the file ${lost.file} stands nowhere in the request; use its field as it is, without filters`);
      return pieces;
    },
  };
}
