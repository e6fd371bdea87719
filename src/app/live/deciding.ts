import type { ComparisonSettings } from "../../compare/comparison.ts";
import { decidingWords } from "../../report/words/deciding-words.ts";
import type { CodeTrust } from "../../score/contract/code-trust.ts";
import { type Batch, batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { spareJobs } from "../../store/plan/spared.ts";
import { hasChecks, latestScoring } from "../../store/scores/scores.ts";
import { type PrefixWatch, prefixWatch, watchPlanOf, whyToTheEnd } from "../compare/stop-rule.ts";
import { gradingOf } from "../grade/grading.ts";
import { openScorers } from "../grade/scorers.ts";
import type { Deciding } from "../send/send.ts";
import { gradedAtOnce, gradedCaseReader, provisionalComparison } from "./graded-now.ts";

/** The way in which a batch is followed until it is decided. */
export type WayToDecide =
  /** Everything is sent, and why. */
  | { kind: "to-the-end"; why: string }
  /** Its gates can be graded as the answers come. */
  | { kind: "at-once"; deciding: Deciding }
  /** They take scorers that take their time, such as judges: these are asked between rounds of sending. */
  | { kind: "in-rounds" };

/** Null: the suite does not ask for it. Call it before anything is sent. */
export async function wayToDecide(
  db: Connection,
  batch: Batch,
  { trust }: { trust: CodeTrust | null },
): Promise<WayToDecide | null> {
  if (batch.suite.decision.stopWhen !== "decided") return null;
  const scorers = await openScorers(batch.suite, {
    trust,
    checks: hasChecks(db, batch.id),
    before: latestScoring(db, batch.id),
  });
  await scorers.close();
  const grading = gradingOf(scorers);
  const atOnce = gradedAtOnce(grading);
  const { hash: suiteHash, stored } = scorers;
  const whole = provisionalComparison(db, batch, { suiteHash, scorers: stored });
  const why = whole.settings.pairs.length === 0 ? "nothing is compared" : whyToTheEnd(whole.settings.metrics);
  if (why !== null) return { kind: "to-the-end", why };
  const gated = gatedMetrics(whole.settings);
  const isQuick = stored.every(({ metric }, place) => !gated.has(metric.name) || atOnce.has(place));
  if (!isQuick) return { kind: "in-rounds" };
  const quick = stored.filter((_, place) => atOnce.has(place));
  const { settings, batches } = provisionalComparison(db, batch, { suiteHash, scorers: quick });
  const read = gradedCaseReader(db, batchTargets(db, batch.id), { batches, grading, firstRuns: false });
  const prefix = prefixWatch(db, batch, { settings, plan: watchPlanOf(db, batch, settings), read });
  return { kind: "at-once", deciding: decidingBy(prefix, () => void spareJobs(db, batch.id)) };
}

function gatedMetrics({ metrics }: Pick<ComparisonSettings, "metrics">): Set<string> {
  return new Set(metrics.flatMap(({ metric, gates }) => (gates.length > 0 ? [metric.name] : [])));
}

/** Longest look at a time: answers wait for it. */
const turnMs = 20;
/** No more of the time than this share is spent on looking. */
const lookShare = 0.5;
/** A look that took long by chance does not put off the next one. */
const longestPauseMs = 25;
/** Nobody is told of what was skipped or held. */
const idleLookMs = 500;

/** Looks soon after something was settled, and not more often than it can afford. */
function decidingBy(prefix: PrefixWatch, spare: () => void): Deciding {
  let timer: NodeJS.Timeout | null = null;
  let idle: NodeJS.Timeout | null = null;
  let enough: (() => void) | null = null;
  let isDecided = false;
  let failure: { error: unknown } | null = null;
  let pauseMs = 1;
  const look = (budgetMs: number): void => {
    if (isDecided) return;
    const since = performance.now();
    isDecided = prefix.advance(budgetMs);
    pauseMs = Math.min(longestPauseMs, (performance.now() - since) * (1 / lookShare - 1));
    if (isDecided) enough?.();
  };
  const lookByItself = (): void => {
    timer = null;
    try {
      look(turnMs);
    } catch (error) {
      // Nobody awaits a timer: it is thrown at the end, which comes at once.
      failure = { error };
      enough?.();
    }
  };
  const soon = (): void => {
    if (timer !== null || isDecided || failure !== null || enough === null) return;
    timer = setTimeout(lookByItself, pauseMs);
  };
  const close = (): void => {
    if (timer !== null) clearTimeout(timer);
    if (idle !== null) clearInterval(idle);
    enough = null;
  };
  return {
    look() {
      look(Number.POSITIVE_INFINITY);
      return isDecided;
    },
    begin(onDecided) {
      enough = onDecided;
      idle = setInterval(soon, idleLookMs);
    },
    noticed: soon,
    close,
    end() {
      close();
      if (failure !== null) throw failure.error;
      look(Number.POSITIVE_INFINITY);
      if (isDecided) spare();
    },
    lines: () => [decidingWords(prefix.watch.standing(), isDecided)],
  };
}
