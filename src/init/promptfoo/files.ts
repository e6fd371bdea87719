import type { ConfigFolder } from "./folder.ts";
import type { LeftOut } from "./left-out.ts";
import { Placed, placedIn } from "./place.ts";

/** Everything that files of a configuration are read with. */
export interface FileReading {
  folder: ConfigFolder;
  left: LeftOut;
}

const codeAdvice = "it is code, which `init` does not run; write what it makes into a file of text or a sheet";

/** True for the name of a file of code, with or without a function of it. */
export const isCode = (reference: string): boolean =>
  /^(?:exec|package):|\.(?:[cm]?(?:js|ts)|py|rb|sh|exe)(?::[\w.]+)?$/.test(reference);

/** Reason why nothing is read for a reference. */
export function whyNone(reference: string, folder: ConfigFolder): string {
  if (isCode(reference)) return codeAdvice;
  if (/^(?!file:)[a-z]+:\/\//.test(reference)) return "nothing is loaded from elsewhere; download it as a sheet first";
  return folder.whyNone(reference);
}

/** The values in the files of YAML, JSON or JSON Lines that a reference means, and a note where it means none. */
export function valuesInFiles(reference: string, what: string, place: string, { folder, left }: FileReading): Placed[] {
  const files = whyNone(reference, folder) === folder.whyNone(reference) ? folder.filesOf(reference) : [];
  const found = files.flatMap((file): Placed[] => {
    const text = /\.(?:ya?ml|jsonl?)$/i.test(file) ? folder.textOf(file) : null;
    if (text === null) return [];
    if (!file.endsWith(".jsonl")) return [placedIn(text, file)];
    return text.split("\n").flatMap((line, i) => {
      const at = `${file}:${i + 1}`;
      return line.trim() === "" ? [] : [new Placed(placedIn(line, at).value, at)];
    });
  });
  if (found.length === 0) left.note(`${what} ${reference}`, whyNone(reference, folder), place);
  return found;
}
