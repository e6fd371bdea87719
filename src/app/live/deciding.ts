import { primaryPlace } from "../../compare/comparison-plan.ts";
import type { ComparisonSettings } from "../../compare/comparison.ts";
import { decidingWords, racePurpose, racingWords } from "../../report/say/stopping.ts";
import { reportMetrics } from "../../report/model/model-gates.ts";
import { AppError } from "../../errors.ts";
import type { Drive } from "../../runner/drive.ts";
import type { RunContext } from "../context.ts";
import type { CodeTrust } from "../../score/contract/code-trust.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { spareJobs, spareTargets } from "../../store/plan/spared.ts";
import { hasChecks, latestScoring } from "../../store/scores/scores.ts";
import { raceOf, racePrefix, unboundedAdvice, whyNoRace } from "../compare/race.ts";
import type { CaseReader } from "../compare/sent-prefix.ts";
import { prefixWatch, watchPlanOf, whyToTheEnd } from "../compare/stop-rule.ts";
import { gradingOf } from "../grade/grading.ts";
import { openScorers } from "../grade/scorers.ts";
import type { Deciding } from "../send/send.ts";
import { gradedAtOnce, gradedCaseReader, provisionalComparison } from "./graded-now.ts";

/** The way in which a batch is followed until it is decided. */
export type Following =
  /** Everything is sent, and why. */
  | { kind: "to-the-end"; why: string }
  /** Its gates can be graded as the answers come. */
  | { kind: "at-once"; deciding: Deciding }
  /** Cases are sent in rounds, each with its grading, and why: scorers that take their time, such as judges. */
  | { kind: "in-rounds"; why: string };

/** Null: the suite does not ask for it. Call it before anything is sent. */
export async function chooseFollowing({ db, trust, onNotice }: RunContext, batch: Batch): Promise<Following | null> {
  const { decision } = batch.suite;
  const isRace = decision.race !== undefined;
  if (!isRace && decision.stopWhen !== "decided") return null;
  const { grading, suiteHash, stored, whole } = await openProvisional(db, batch, trust);
  const { pairs, metrics } = whole.settings;
  const why = pairs.length === 0 ? "nothing is compared" : isRace ? whyNoRace(metrics) : whyToTheEnd(metrics);
  if (why !== null) return { kind: "to-the-end", why };
  const race = raceOf(decision, metrics);
  const [about] = reportMetrics(metrics);
  if (race !== null && about !== undefined) onNotice(racePurpose(race, about));
  const deciding = isRace ? new Set([metrics[primaryPlace(metrics)]?.metric.name]) : gatedMetrics(metrics);
  const atOnce = gradedAtOnce(grading);
  if (!stored.every(({ metric }, place) => !deciding.has(metric.name) || atOnce.has(place))) {
    const slow = isRace
      ? "It is decided by a scorer that takes its time"
      : "Its gates take scorers that take their time";
    return { kind: "in-rounds", why: slow };
  }
  const quick = stored.filter((_, place) => atOnce.has(place));
  const { settings, batches } = provisionalComparison(db, batch, { suiteHash, scorers: quick });
  const read = gradedCaseReader(db, batchTargets(db, batch.id), { batches, grading });
  const followed = isRace ? followedRace(db, batch, { settings, read }) : followedGates(db, batch, { settings, read });
  return followed === null
    ? { kind: "to-the-end", why: "there is no scorer that it could be decided by" }
    : { kind: "at-once", deciding: decidingBy(followed) };
}

/**
 * Throws USAGE where no race can be decided by the scores of a batch: its scorers are known by then. Call it before anything is
 * sent.
 */
export async function checkRace({ db, trust }: RunContext, batch: Batch): Promise<void> {
  if (batch.suite.decision.race === undefined) return;
  const { whole } = await openProvisional(db, batch, trust);
  const why = whyNoRace(whole.settings.metrics);
  if (why !== null) throw new AppError("USAGE", `race (--race) cannot decide: ${why}.`, { hint: unboundedAdvice });
}

/** The grading of a batch, and its comparison by all of its scorers, before there are scores. */
async function openProvisional(db: Connection, batch: Batch, trust: CodeTrust | null) {
  const scorers = await openScorers(batch.suite, {
    trust,
    checks: hasChecks(db, batch.id),
    before: latestScoring(db, batch.id),
  });
  await scorers.close();
  const grading = gradingOf(scorers);
  const { hash: suiteHash, stored } = scorers;
  return { grading, suiteHash, stored, whole: provisionalComparison(db, batch, { suiteHash, scorers: stored }) };
}

/** A batch as it is read while it is sent. */
interface Provisional {
  settings: ComparisonSettings;
  read: CaseReader;
}

function followedGates(db: Connection, batch: Batch, { settings, read }: Provisional): Followed {
  const prefix = prefixWatch(db, batch, { settings, plan: watchPlanOf(db, batch, settings), read });
  return {
    advance: prefix.advance,
    dropped: () => [],
    spare(isDecided) {
      if (isDecided) spareJobs(db, batch.id);
    },
    lines: (isDecided) => [decidingWords(prefix.watch.standing(), isDecided)],
  };
}

/** Null where it has no metric that is graded at once. */
function followedRace(db: Connection, batch: Batch, { settings, read }: Provisional): Followed | null {
  const race = raceOf(batch.suite.decision, settings.metrics);
  const prefix = race === null ? null : racePrefix(db, batch, { settings, race, read, isWhole: false });
  if (prefix === null) return null;
  return {
    advance: prefix.advance,
    dropped: prefix.dropped,
    spare(isDecided) {
      if (isDecided) spareJobs(db, batch.id);
      else spareTargets(db, batch.id, prefix.dropped());
    },
    lines: () => [racingWords(prefix.watch)],
  };
}

function gatedMetrics(metrics: ComparisonSettings["metrics"]): Set<string | undefined> {
  return new Set(metrics.flatMap(({ metric, gates }) => (gates.length > 0 ? [metric.name] : [])));
}

/** Longest look at a time: answers wait for it. */
const turnMs = 20;
/** No more of the time than this share is spent on looking. */
const lookShare = 0.5;
/** A look that took long by chance does not put off the next one. */
const longestPauseMs = 25;
/** Skipped and held jobs bring no event: it looks this often all the same. */
const idleLookMs = 500;

/** Something that is looked at while a batch is sent. */
interface Followed {
  /** Looks at more, for about so many milliseconds; true when nothing more is needed. */
  advance: (budgetMs: number) => boolean;
  /** Targets of which no more is needed. */
  dropped: () => number[];
  /** Leaves out what is not needed: everything where it is decided. */
  spare: (isDecided: boolean) => void;
  lines: (isDecided: boolean) => string[];
}

/** Looks soon after something was settled, and not more often than it can afford. */
function decidingBy(followed: Followed): Deciding {
  let timer: NodeJS.Timeout | null = null;
  let idle: NodeJS.Timeout | null = null;
  let drive: Pick<Drive, "enough" | "drop"> | null = null;
  const left = new Set<number>();
  let isDecided = false;
  let failure: { error: unknown } | null = null;
  let pauseMs = 1;
  const look = (budgetMs: number): void => {
    if (isDecided) return;
    const since = performance.now();
    isDecided = followed.advance(budgetMs);
    pauseMs = Math.min(longestPauseMs, (performance.now() - since) * (1 / lookShare - 1));
    if (isDecided) drive?.enough();
    for (const targetId of followed.dropped()) {
      if (drive === null || left.has(targetId)) continue;
      left.add(targetId);
      drive.drop?.(targetId);
    }
  };
  const lookByItself = (): void => {
    timer = null;
    try {
      look(turnMs);
    } catch (error) {
      // A timer's error would be lost: it is thrown at the end, which comes at once.
      failure = { error };
      drive?.enough();
    }
  };
  const soon = (): void => {
    if (timer !== null || isDecided || failure !== null || drive === null) return;
    timer = setTimeout(lookByItself, pauseMs);
  };
  const close = (): void => {
    if (timer !== null) clearTimeout(timer);
    if (idle !== null) clearInterval(idle);
    drive = null;
  };
  return {
    look() {
      look(Number.POSITIVE_INFINITY);
      if (!isDecided) followed.spare(false);
      return isDecided;
    },
    begin(sending) {
      drive = sending;
      idle = setInterval(soon, idleLookMs);
    },
    noticed: soon,
    close,
    end() {
      close();
      if (failure !== null) throw failure.error;
      look(Number.POSITIVE_INFINITY);
      followed.spare(isDecided);
    },
    lines: () => followed.lines(isDecided),
  };
}
