import { win32 } from "node:path";

/** Names that Windows keeps for devices, whatever stands behind their first dot. */
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/** The part of a path by which Windows would not find a file there, with the reason; null: none, or another system. */
export function windowsFault(path: string, platform: NodeJS.Platform = process.platform): string | null {
  if (platform !== "win32") return null;
  const { root, base } = win32.parse(path);
  const steps = path.slice(root.length).split(/[/\\]/);
  // The bare name is written by those who want nothing.
  const device = steps.find((step) => isDeviceName(step) && !(step === base && /^nul$/i.test(step)));
  if (device !== undefined) return `${device} is the name of a device on Windows`;
  const odd = steps.find((step) => /[<>:"|?*]|[. ]$/.test(step) && step !== "." && step !== "..");
  return odd === undefined ? null : `${odd} is no name of a file on Windows`;
}

/** True for a name of which Windows makes no file: what is written to it is shown, printed or lost. */
function isDeviceName(name: string): boolean {
  return devices.test((name.split(".")[0] ?? "").trimEnd());
}
