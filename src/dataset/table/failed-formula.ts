import type { Row } from "../row.ts";

/** The fault of a cell that shows an error of a formula, which is neither asked nor expected. */
export function failedFormula(row: Row, at: number): { kind: string; message: string; hint: string } | null {
  const cell = row.failed?.get(at);
  if (cell === undefined) return null;
  const message = `the cell ${cell} shows the error ${row.cells[at] ?? ""}`;
  return { kind: "failed-formula", message, hint: "Mend the formula, or clear the cell." };
}
