import { AppError } from "../errors.ts";

/** Words for where nobody can be asked. */
interface Unasked {
  message: string;
  hint: string;
}

const notRemoved: Unasked = {
  message: "Nothing was removed: nobody is here to be asked.",
  hint: "Add --yes to remove what is shown.",
};

/** Asks the person at the keyboard before something is done. Throws USAGE where there is none; by default about what is removed. */
export async function isAllowed(question: string, { message, hint }: Unasked = notRemoved): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new AppError("USAGE", message, { hint });
  const { createInterface } = await import("node:readline/promises");
  using lines = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await lines.question(`${question} [y/N]? `);
  return /^y(es)?$/i.test(typed.trim());
}
