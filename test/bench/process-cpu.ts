import { readdirSync, readFileSync } from "node:fs";

/** CPU that a process has used, with its children: those that it has waited for, and those that live. */
export function cpuSeconds(pid: number): number {
  const living = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(name))
    .filter(({ parent }) => parent === pid);
  // Linux counts in hundredths of a second, whatever its kernel's own tick is.
  return [statOf(String(pid)), ...living].reduce((sum, { ticks }) => sum + ticks, 0) / 100;
}

function statOf(pid: string): { parent: number; ticks: number } {
  let text = "";
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // It has ended since the folder was listed.
    return { parent: 0, ticks: 0 };
  }
  // The name in parentheses may have spaces; the state comes behind it, and the times are the 12th to the 15th field from there.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  return { parent: fields[1] ?? 0, ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) };
}
