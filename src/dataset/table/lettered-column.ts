import { columnLetters } from "../../lib/column-letters.ts";

/** The name of a column of a sheet without a header, as spreadsheets call it: `column A`, and `column AA` after `column Z`. */
export const letteredColumn = (at: number): string => `column ${columnLetters(at)}`;

/** True for the name of a column in a sheet without a header. */
export const isLettered = (name: string): boolean => /^column [A-Z]{1,3}$/.test(name);
