import { rmSync } from "node:fs";

/** Files that stand beside the place of a report which is not finished, and folders of what it is made from. */
const files = new Set<string>();
let tell: (isWriting: boolean) => void = () => {};

/**
 * Marks a file or a folder that is removed when the process ends before `settled` is called for it, also by `process.exit`. The
 * command line decides about signals: see `watchWriting`.
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
export function watchWriting(reported: (isWriting: boolean) => void): void {
  tell = reported;
}

function removeAll(): void {
  for (const path of files) rmSync(path, { recursive: true, force: true });
}
