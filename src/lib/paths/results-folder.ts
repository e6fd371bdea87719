import { shellWord } from "../shell-word.ts";

/** The folder of database and reports where none is named. */
export const defaultResults = "results";

/** `--results FOLDER` by its words, for a command; none where it is the usual one. */
export const folderWords = (out: string): string[] => (out === defaultResults ? [] : ["--results", out]);

/** ` --results FOLDER`, for a command; empty where it is the usual one. */
export function folderFlag(out: string): string {
  return out === defaultResults ? "" : ` --results ${shellWord(out)}`;
}
