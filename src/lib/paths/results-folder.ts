import { shellWord } from "../shell-word.ts";

/** The folder of database and reports where none is named. */
export const usualResults = "results";

/** ` --results FOLDER`, for a command; empty where it is the usual one. */
export function folderFlag(out: string): string {
  return out === usualResults ? "" : ` --results ${shellWord(out)}`;
}
