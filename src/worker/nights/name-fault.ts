import { windowsFault } from "../../lib/paths/device-name.ts";

/**
 * The reason why a schedule cannot have a file of this path below the folder of its suite, without its subject; null: it
 * can. It holds on every system: who spends the night is not who added it.
 */
export function nameFault(path: string): string | null {
  const steps = path.split("/");
  if (steps.some((step) => step === "" || step === "..") || /[\\:\0]/.test(path)) return "is no path below its folder";
  if (steps.some((step) => step.startsWith("."))) return "is hidden: a part of its path begins with a dot";
  if (steps.some((step) => /\.env(?:\.|$)/i.test(step))) return "holds settings of an environment, by its name";
  const fault = faultOnWindows(path);
  return fault === null ? null : `cannot lie on every machine: ${fault}`;
}

/** True for names of a schedule and of its namespace, of which folders are made. */
export const isNameOfSchedule = (name: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,62}$/u.test(name) && faultOnWindows(name) === null;

/** A bare NUL at the end of a path is let through for people who want no file: here it would be one. */
const faultOnWindows = (path: string): string | null => windowsFault(`${path}/file`, "win32");
