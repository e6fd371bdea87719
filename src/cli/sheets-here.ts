import { Sheets } from "../dataset/sheets.ts";

/** The sheets of a command: named from the folder in which it was typed, and `-` is its standard input. */
export const sheetsHere = (): Sheets => new Sheets({ folder: process.cwd(), standardInput: () => process.stdin });
