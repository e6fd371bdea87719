import { type Flags, count, string, strings } from "../flag.ts";
import type { InferredOptionTypes } from "yargs";
import { AppError } from "../../errors.ts";
import type { Selection, Shard } from "../../plan/select.ts";

/** Flags that select cases: whole conversations, decided before anything is sent, and stored with the batch. */
export const selectionFlags = {
  grep: string("selection", "Only rows with this text, or /regular expression/, in key or input", {
    value: "TEXT",
    more: true,
  }),
  tag: strings("selection", "Only rows with this tag; repeat it for more of them", { value: "NAME=VALUE", more: true }),
  key: strings("selection", "Only this row, with the earlier turns that it needs; once for each", {
    value: "KEY",
    more: true,
  }),
  failed: string(
    "selection",
    "Only rows that got no answer, or an error, in this batch (default: the suite's latest)",
    { value: "BATCH", more: true },
  ),
  changed: string("selection", "Only rows that are new or different since this batch (default: the suite's latest)", {
    value: "BATCH",
    more: true,
  }),
  sample: count("selection", "Of those only N rows or conversations, drawn by --seed", { least: 1 }),
  limit: count("selection", "Of those only the first N rows or conversations", { more: true, least: 1 }),
  shard: string("selection", "Of those only part i of n, such as 2/5; `merge` puts the parts together", {
    value: "I/N",
    more: true,
  }),
  target: strings("selection", "Only this target, once for each", { value: "TARGET", more: true }),
} as const satisfies Flags;

/** The selection of the flags; null without any of them. Throws USAGE. */
export function selectionFrom(flags: InferredOptionTypes<typeof selectionFlags>): Selection | null {
  const { grep, tag, key, failed, changed, sample, limit, shard, target } = flags;
  const given = [grep, failed, changed, sample, limit, shard].some((value) => value !== undefined);
  if (!given && tag.length + key.length + target.length === 0) return null;
  return {
    grep: grep ?? null,
    tags: tagsFrom(tag),
    keys: [...key],
    failed: failed ?? null,
    changed: changed ?? null,
    sample: sample ?? null,
    limit: limit ?? null,
    shard: shard === undefined ? null : shardFrom(shard),
    targets: [...target],
  };
}

function tagsFrom(written: readonly string[]): Record<string, string[]> {
  const tags = new Map<string, string[]>();
  for (const pair of written) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined) {
      throw new AppError("USAGE", `--tag takes NAME=VALUE; got "${pair}".`, {
        hint: "For example --tag language=hi; `case.tags` of the suite names the columns.",
      });
    }
    tags.set(name, [...(tags.get(name) ?? []), value]);
  }
  return Object.fromEntries(tags);
}

function shardFrom(written: string): Shard {
  const [, part, of] = (/^(\d{1,6})\/(\d{1,6})$/.exec(written) ?? []).map(Number);
  if (part === undefined || of === undefined || part < 1 || part > of) {
    throw new AppError("USAGE", `--shard takes i/n with i from 1 to n, such as 2/5; got "${written}".`);
  }
  return { parts: [part], of };
}
