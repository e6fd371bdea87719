import type { Case } from "../dataset/case.ts";
import { AppError } from "../errors.ts";
import { isJsonObject, type JsonValue } from "../lib/json.ts";
import { clusterRank } from "./rank.ts";

/**
 * The choice of cases that take part, as it is stored with a batch. Cases that belong together (a cluster, such as a
 * conversation) are taken or left as a whole; only `keys` takes no more of them than the turns that are needed.
 */
export interface Selection {
  /** A text, or a regular expression between slashes, that is in the key or in a text of the input; null: every case is taken. */
  grep: string | null;
  /** Tag to the values that will do; every tag must have one of its values. */
  tags: Record<string, string[]>;
  /** Keys of cases; empty: all. */
  keys: string[];
  /** Batch in which the case has a job without an answer. */
  failed: string | null;
  /** Batch in which the case was not, or was different. */
  changed: string | null;
  /** Number of clusters, chosen by the seed: a larger sample holds all of a smaller one. */
  sample: number | null;
  /** Number of clusters, by their first row in the dataset. */
  limit: number | null;
  /** These of so many parts of what is left, by cluster. */
  shard: Shard | null;
  /** Names of targets; empty: all. */
  targets: string[];
}

export interface Shard {
  /** Numbers of the parts, from 1. */
  parts: number[];
  of: number;
}

/** Every case takes part. */
export const everything: Selection = {
  grep: null,
  tags: {},
  keys: [],
  failed: null,
  changed: null,
  sample: null,
  limit: null,
  shard: null,
  targets: [],
};

/** Tells if a case meets the conditions on it alone; null when there are none. Throws USAGE for a bad pattern. */
export function caseFilter(
  selection: Selection,
  earlier: { isFailed: (key: string) => boolean; isChanged: (one: Case) => boolean },
): ((one: Case) => boolean) | null {
  const { grep, keys, failed, changed } = selection;
  const tags = Object.entries(selection.tags);
  const wanted = new Set(keys);
  const tests: ((one: Case) => boolean)[] = [
    ...(keys.length > 0 ? [({ key }: Case) => wanted.has(key)] : []),
    ...(tags.length > 0 ? [(one: Case) => tags.every(([name, values]) => values.includes(one.tags[name] ?? ""))] : []),
    ...(grep === null ? [] : [matching(grep)]),
    ...(failed === null ? [] : [({ key }: Case) => earlier.isFailed(key)]),
    ...(changed === null ? [] : [earlier.isChanged]),
  ];
  return tests.length === 0 ? null : (one) => tests.every((test) => test(one));
}

/** Tells whether a cluster is in a shard. It depends on the cluster's name alone: the shards are disjoint and together everything. */
export function isInShard({ parts, of }: Shard): (cluster: string) => boolean {
  return (cluster) => parts.includes((clusterRank("shard", cluster) % of) + 1);
}

/** Texts that differ only in how their letters are composed, or in case, match. */
function matching(pattern: string): (one: Case) => boolean {
  const regexp = patternOf(pattern);
  const has = (text: string): boolean => regexp.test(text.normalize("NFC"));
  return ({ key, input }) => has(key) || someText(input, has);
}

function patternOf(pattern: string): RegExp {
  const [, source, flags = ""] = /^\/(.+)\/([a-z]*)$/s.exec(pattern) ?? [];
  try {
    if (source === undefined) return new RegExp(literally(pattern.normalize("NFC")), "iu");
    // A pattern that remembers where it stood would skip cases.
    return new RegExp(source.normalize("NFC"), `${flags.replaceAll(/[gyu]/g, "")}u`);
  } catch (cause) {
    throw new AppError("USAGE", `--grep takes a text, or a regular expression between slashes; got ${pattern}`, {
      hint: cause instanceof Error ? cause.message : "Put a backslash before what is meant literally.",
      cause,
    });
  }
}

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

function someText(value: JsonValue, has: (text: string) => boolean): boolean {
  if (typeof value === "string") return has(value);
  if (Array.isArray(value)) return value.some((inner) => someText(inner, has));
  return isJsonObject(value) && Object.values(value).some((inner) => someText(inner, has));
}

const flag = (name: string, value: string | number | null): string[] => (value === null ? [] : [`--${name} ${value}`]);

/** A selection as the flags that say it; `every case` when nothing is left out. */
export function selectionText(selection: Selection): string {
  const { grep, tags, keys, failed, changed, sample, limit, shard, targets } = selection;
  const flags = [
    ...flag("grep", grep),
    ...Object.entries(tags).flatMap(([name, values]) => values.flatMap((value) => flag("tag", `${name}=${value}`))),
    ...keys.flatMap((key) => flag("key", key)),
    ...flag("failed", failed),
    ...flag("changed", changed),
    ...flag("sample", sample),
    ...flag("limit", limit),
    ...flag("shard", shard === null ? null : `${shard.parts.join("+")}/${shard.of}`),
    ...targets.flatMap((target) => flag("target", target)),
  ];
  return flags.length === 0 ? "every case" : flags.join(" ");
}
