import { duration } from "../../../report/words/quantity.ts";

/** A duration as everywhere in reports; a dash where there is none. */
export function durationShown(ms: number | null): string {
  return ms === null ? "–" : duration(ms);
}

const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function instant(at: number): string {
  return dayAndTime.format(new Date(at));
}

const dayAndSeconds = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

export function instantWithSeconds(at: number): string {
  return dayAndSeconds.format(new Date(at));
}

/** `not finished`, from `not-finished`. */
export function words(name: string): string {
  return name.replaceAll(/[-_]/g, " ");
}
