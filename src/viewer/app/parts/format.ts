import { decimal } from "../../../report/words/figures.ts";

const whole = new Intl.NumberFormat("en");

export function count(number: number): string {
  return whole.format(number);
}

/** `1 case`, `2,000 cases`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** `840 ms`, `1.3 s`, `2 min 5 s`. */
export function duration(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${decimal(seconds, seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function instant(at: number): string {
  return dayAndTime.format(new Date(at));
}

/** `not finished`, from `not-finished`. */
export function words(name: string): string {
  return name.replaceAll(/[-_]/g, " ");
}
