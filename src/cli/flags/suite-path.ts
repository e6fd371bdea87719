import { existsSync } from "node:fs";
import { AppError } from "../../errors.ts";
import { suiteFileName, suiteFileNames } from "../../suite/file-name.ts";
import type { Terminal } from "../terminal.ts";

/** The suite or dataset that is named, else the suite of the working folder, which is said. Throws SUITE_NOT_FOUND without either. */
export function suitePath(named: string | undefined, terminal: Terminal): string {
  const path = named ?? suiteHere(terminal);
  if (path !== null) return path;
  throw new AppError("SUITE_NOT_FOUND", `No suite is named, and there is no ${suiteFileName} in this folder.`, {
    hint: "Name a suite or a dataset, or write a suite for a sheet: tandem init SHEET",
  });
}

/** The suite of the working folder, which is said; null where there is none. Throws USAGE where there are two. */
export function suiteHere(terminal: Terminal): string | null {
  const [path, other] = suiteFileNames.filter((name) => existsSync(name));
  if (path === undefined) return null;
  if (other !== undefined)
    throw new AppError("USAGE", `No suite is named, and this folder has both ${path} and ${other}.`, {
      hint: "Name the one you mean, or move the other away.",
    });
  terminal.note(`suite: ${path} of this folder`);
  return path;
}
