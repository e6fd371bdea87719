import { rmSync } from "node:fs";

/** Files that stand beside the place of a report, which is not finished. */
const files = new Set<string>();
let tell: (isWriting: boolean) => void = () => {};

/**
 * A file that is gone when the process ends before `settled` is told of it, also by `process.exit`. What a signal does
 * is for the command line to say: see `watchWriting`.
 */
export function unfinished(path: string): void {
  files.add(path);
  if (files.size > 1) return;
  process.on("exit", removeAll);
  tell(true);
}

/** The file is in its place, or gone. */
export function settled(path: string): void {
  if (!files.delete(path) || files.size > 0) return;
  process.off("exit", removeAll);
  tell(false);
}

/** Tells when the first unfinished file is begun, and when none is left. */
export function watchWriting(told: (isWriting: boolean) => void): void {
  tell = told;
}

function removeAll(): void {
  for (const path of files) rmSync(path, { force: true });
}
