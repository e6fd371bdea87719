import { z } from "zod";
import type { Comparison } from "../../compare/comparison.ts";
import { boundedJson } from "../../lib/json.ts";
import type { HistoryAlarm } from "../../report/shape/alarm.ts";
import type { News } from "../../report/shape/news.ts";
import { overWords, sinceWords } from "../../report/words/night-words.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { nightsTold, type ToldNight } from "../../store/nights/told.ts";
import { troublesOf, unfinishedTrouble } from "./troubles.ts";

const gate = z.object({
  metric: z.string(),
  candidate: z.string(),
  slice: z.object({ tag: z.string(), value: z.string() }).nullable(),
  state: z.string(),
});

/** The parts of a comparison that say what is wrong. */
const found = z.object({
  verdict: z.string().nullable(),
  gates: z.array(gate),
  confirmation: z.object({ unfinished: z.string().nullable() }).optional(),
});

/**
 * Says what is new in a batch: beside the last night of its suite of which people were told, that asked the same cases and
 * was compared with the same; and by the alarms over the nights. Throws nothing: a night that cannot be read is as none.
 */
export function newsOf(
  db: Connection,
  batch: Batch,
  {
    comparison,
    alarms,
  }: {
    comparison: Pick<Comparison, "verdict" | "gates" | "confirmation">;
    alarms: readonly Pick<HistoryAlarm, "state">[];
  },
): News {
  const now = troublesOf(batch.state, comparison);
  const before = nightsTold(db, batch.id);
  const own = newsBeside(now, before, { tonight: batch.createdAt, isFine: comparison.verdict === "pass" });
  if (own.state === "new" || alarms.some(({ state }) => state === "new")) return { ...own, state: "new" };
  if (own.state === "over" || alarms.some(({ state }) => state === "over")) return { ...own, state: "over" };
  return alarms.length > 0 ? { ...own, state: "still" } : own;
}

function newsBeside(
  now: ReadonlySet<string>,
  nights: Iterable<ToldNight>,
  { tonight, isFine }: { tonight: number; isFine: boolean },
): News {
  let start: number | null = null;
  let wrong: ReadonlySet<string> = now;
  let isFirst = true;
  for (const { startedAt, state, summary } of nights) {
    const then = troublesIn(state, summary);
    if (isFirst) {
      isFirst = false;
      if (now.size > 0 && [...now].some((trouble) => !then.has(trouble)))
        return { state: "new", since: null, sentence: null };
      if (now.size === 0) wrong = then;
    }
    if (![...wrong].some((trouble) => then.has(trouble))) break;
    start = startedAt;
  }
  if (start === null) return { state: now.size === 0 ? "none" : "new", since: null, sentence: null };
  if (now.size > 0) return { state: "still", since: start, sentence: `It has been so ${sinceWords(start, tonight)}` };
  return { state: "over", since: start, sentence: overWords([...wrong], { at: start, tonight, isFine }) };
}

function troublesIn(state: string, summary: string | null): Set<string> {
  if (summary === null) return new Set([unfinishedTrouble]);
  try {
    return troublesOf(state, found.parse(boundedJson(summary)));
  } catch {
    return new Set();
  }
}
