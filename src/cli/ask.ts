import { createInterface } from "node:readline/promises";
import { AppError } from "../errors.ts";

/** Asks the person at the keyboard before something is removed. Throws USAGE where there is none. */
export async function isAllowed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new AppError("USAGE", "Nothing was removed: nobody is here to be asked.", {
      hint: "Add --yes to remove what is shown.",
    });
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const typed = await lines.question(`${question} [y/N]? `);
    return /^y(es)?$/i.test(typed.trim());
  } finally {
    lines.close();
  }
}
