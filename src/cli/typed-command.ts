import { shellWord } from "../lib/shell-word.ts";

/** Flags that were for that one time, without a value and with one. */
const once = new Set(["--resume", "--accept-changes"]);
const onceWithValue = ["--on-in-doubt", "--notify", "--notify-command", "--notify-link", "--notify-on"];

/**
 * The command line as it was typed, to be typed again with other values of some flags: without what only that time was to
 * do, and without webhooks, which are secrets.
 */
export function typedCommand(args: readonly string[], changed: { repeats?: number; sample?: number }): string {
  const replaced = Object.keys(changed).flatMap((flag) =>
    flag === "sample" ? ["--sample", "--limit"] : [`--${flag}`],
  );
  const left = [...onceWithValue, ...replaced];
  const kept: string[] = [];
  for (let place = 0; place < args.length; place++) {
    const word = args[place] ?? "";
    if (once.has(word) || left.some((flag) => word.startsWith(`${flag}=`))) continue;
    if (left.includes(word)) place += 1;
    else kept.push(word);
  }
  const added = Object.entries(changed).flatMap(([flag, value]) => [`--${flag}`, String(value)]);
  return ["tandem", ...[...kept, ...added].map(shellWord)].join(" ");
}
