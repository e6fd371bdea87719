import { duration } from "../../../report/say/quantity.ts";

/** A duration as everywhere in reports; a dash where there is none. */
export function durationShown(ms: number | null): string {
  return ms === null ? "–" : duration(ms);
}

/** `not finished`, from `not-finished`. */
export function words(name: string): string {
  return name.replaceAll(/[-_]/g, " ");
}
