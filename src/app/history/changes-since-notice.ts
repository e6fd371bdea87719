import type { Comparison } from "../../compare/comparison.ts";
import type { AlarmState } from "../../report/shape/alarm.ts";
import type { ChangesSinceNotice } from "../../report/shape/changes-since-notice.ts";
import { stillOpenWords, openWords, overWords, sinceWords } from "../../report/say/nights.ts";
import type { Batch } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { type EarlierNight, nightsBefore } from "../../store/nights/notices.ts";
import {
  type IssueFacts,
  isSameIssue,
  issuesOf,
  type NightIssues,
  notCleared,
  standingIssues,
  unfinishedIssue,
  unknownNight,
} from "./issues.ts";
import { readKeptNight } from "./saved-night.ts";

/** A night by its own comparison, and by the alarms over the nights. */
interface Tonight {
  comparison: Pick<Comparison, "verdict" | "gates" | "confirmation"> &
    Pick<IssueFacts, "candidates" | "targets" | "lostTags" | "choice">;
  alarms: readonly { state: AlarmState; noticedAt: number }[];
}

/**
 * Says what is new in a batch: beside the last night of its suite of which people were told, that asked the same cases and
 * was compared with the same; and by the alarms over the nights. Throws nothing: a night that cannot be read is as none.
 */
export function newsOf(db: Connection, batch: Batch, tonight: Tonight): ChangesSinceNotice {
  const [latest] = nightsBefore(db, batch.id, "told");
  // A change that no notice could tell of is new to its readers.
  const alarms = tonight.alarms.map(({ state, noticedAt }) => {
    const isUnheard = state === "still" && (latest === undefined || latest.startedAt < noticedAt);
    return { noticedAt, state: isUnheard ? ("new" as const) : state };
  });
  return newsAmong(nightsBefore(db, batch.id, "told"), batch, { ...tonight, alarms });
}

/** The same for those who see the run itself: beside every night, told or not. */
export function newsOfNights(db: Connection, batch: Batch, tonight: Tonight): ChangesSinceNotice | null {
  const nights = [...nightsBefore(db, batch.id, "all")];
  // After nights of one target alone a first comparison is no news.
  const isFirst = tonight.comparison.candidates.length > 0 && !nights.some(mayHaveCompared);
  return nights.length === 0 || isFirst ? null : newsAmong(nights, batch, tonight);
}

/** False for a night that asked one target alone. */
function mayHaveCompared({ summary }: EarlierNight): boolean {
  if (summary === null) return true;
  try {
    return readKeptNight(summary).candidates.length > 0;
  } catch {
    return true;
  }
}

function newsAmong(before: Iterable<EarlierNight>, batch: Batch, { comparison, alarms }: Tonight): ChangesSinceNotice {
  const now = issuesOf(batch.state, comparison);
  const own = newsBeside(now, before, { tonight: batch.createdAt, isFine: comparison.verdict === "pass" });
  if (own.state === "new" || alarms.some(({ state }) => state === "new")) return { ...own, state: "new" };
  if (own.state === "over" || alarms.some(({ state }) => state === "over")) return { ...own, state: "over" };
  return alarms.length > 0 ? { ...own, state: "still" } : own;
}

function newsBeside(
  now: NightIssues,
  nights: Iterable<EarlierNight>,
  { tonight, isFine }: { tonight: number; isFine: boolean },
): ChangesSinceNotice {
  const reported = toldSince(nights, now);
  const all = standingIssues([...reported.map(({ said }) => said), now]);
  const at = (place: number): number => reported[place]?.startedAt ?? tonight;
  const after = all.at(-1) ?? [];
  // A target that took no part is neither well nor ill: nothing is said of it until a night has asked it again.
  const standing = after.filter(({ takesPart }) => takesPart);
  const issues = standing.map(({ name }) => name);
  if (standing.some(({ since }) => since === reported.length))
    return { state: "new", since: null, sentence: null, troubles: issues };
  const isOver = standing.length === 0;
  const gone = (all.at(-2) ?? []).filter((issue) => !after.some((each) => isSameIssue(each, issue)));
  const wrong = isOver ? gone : standing;
  if (wrong.length === 0) return { state: "none", since: null, sentence: null, troubles: issues };
  const since = at(Math.min(...wrong.map((issue) => issue.since)));
  const names = wrong.map(({ name }) => name);
  if (isOver) {
    // Rows of such a value may fail all the same: only not all of them.
    const isAllFine = isFine && !gone.some(({ isLostTag }) => isLostTag === true);
    const over = overWords(names, { at: since, tonight, isFine: isAllFine });
    return { state: "over", since, sentence: over, troubles: names };
  }
  const isShown = standing.some((issue) => issue.isShown);
  const isBeside = standing.every((issue) => issue.isShown && issue.isBeside === true);
  const still = isBeside
    ? stillOpenWords(names, { at: since, tonight })
    : isShown
      ? `It has been so ${sinceWords(since, tonight)}`
      : openWords(names, { at: since, tonight });
  return { state: "still", since, sentence: still, troubles: names };
}

/**
 * The nights in which what stands tonight may have begun, the oldest first, by what they say: back to where each candidate of
 * tonight was compared with its baseline and nothing was wrong with it.
 */
function toldSince(nights: Iterable<EarlierNight>, now: NightIssues): { startedAt: number; said: NightIssues }[] {
  const reported: { startedAt: number; said: NightIssues }[] = [];
  let pairs: readonly (readonly [string, string])[] = [...(now.sides?.baselines ?? [])];
  for (const { startedAt, state, summary } of nights) {
    const said = issuesIn(state, summary);
    reported.push({ startedAt, said });
    pairs = notCleared(pairs, said);
    if (pairs.length === 0 && said.open !== "any") break;
  }
  return reported.toReversed();
}

function issuesIn(state: string, summary: string | null): NightIssues {
  if (summary === null) return unknownNight([unfinishedIssue]);
  try {
    return issuesOf(state, readKeptNight(summary));
  } catch {
    return { found: [], open: [], sides: null };
  }
}
