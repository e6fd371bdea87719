import { type ComparedMetric, type Pair, primaryPlace } from "../../compare/comparison-plan.ts";
import type { OtherJudge } from "../../compare/cause.ts";
import type { Batch, BatchTarget } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { hasReplies, type JudgeChange, judgeChanges } from "../../store/scores/judge-nights.ts";
import { latestScoring, type Scoring } from "../../store/scores/scores.ts";

interface Judged {
  sides: readonly { parts: readonly { batch: Batch; target: BatchTarget }[] }[];
  pairs: readonly Pair[];
  metrics: readonly ComparedMetric[];
  scorings: ReadonlyMap<number, Scoring | null>;
}

/** The judge of some replies: the one before a change, the one since, or one of both, as it was noticed later. */
type Which = "before" | "between" | "since";

/**
 * Sides that were graded by a judge before and after it was found to have changed, by a metric that decides: nothing can be
 * said of their difference until both are graded again, for which their answers are stored.
 */
export function changedJudges(db: Connection, { sides, pairs, metrics, scorings }: Judged): OtherJudge[] {
  const suites = new Set(sides.flatMap(({ parts }) => parts.map(({ batch }) => batch.suiteName)));
  const changes = Array.from(suites).flatMap((suite) => judgeChanges(db, suite));
  if (changes.length === 0) return [];
  const primary = metrics[primaryPlace(metrics)]?.metric.name;
  const deciding = new Set(
    metrics.flatMap(({ metric, judge, gates }) =>
      judge !== undefined && (gates.length > 0 || metric.name === primary) ? [metric.name] : [],
    ),
  );
  const found = changes
    .filter(({ scorer }) => deciding.has(scorer))
    .flatMap((change) =>
      pairs.flatMap((pair) => {
        const own = [pair.baseline, pair.candidate].flatMap((place) => sides[place]?.parts ?? []);
        const graded = own.map((part) => ({ ...part, of: judgesOf(db, change, { ...part, scorings }) }));
        return areOfOne(graded) ? [] : [causeOf(change, graded)];
      }),
    );
  return Array.from(new Map(found.map((each) => [JSON.stringify(each), each])).values());
}

/** All replies are of one judge; while it is not known of which, those of one grading are. */
function areOfOne(graded: readonly { batch: Batch; of: ReadonlySet<Which> }[]): boolean {
  const all = new Set(graded.flatMap(({ of }) => [...of]));
  const batches = new Set(graded.map(({ batch }) => batch.id));
  return all.size < 2 && (!all.has("between") || batches.size === 1);
}

/**
 * Whose grades the batches of a suite have: name of a judge's score to a text that is the same for the grades of one judge, whatever
 * it is. Empty where no judge is known to have changed.
 */
export function judgeEras(db: Connection, suiteName: string): (batchId: number) => ReadonlyMap<string, string> {
  const changes = judgeChanges(db, suiteName);
  if (changes.length === 0) return () => new Map();
  const byScorer = Map.groupBy(changes, ({ scorer }) => scorer);
  return (batchId) => {
    const scoring = latestScoring(db, batchId);
    if (scoring === null) return new Map();
    return new Map(
      Array.from(byScorer, ([scorer, own]) => {
        // While it is not known which judge it was, it counts as the new one: a series begins where the change may have been.
        const era = own.map((change) => {
          const of = judgesIn(db, change, { scoring });
          return [of.has("before") ? "before" : "", of.has("between") || of.has("since") ? "since" : ""].join("");
        });
        return [scorer, era.join(" ")] as const;
      }),
    );
  };
}

function judgesOf(
  db: Connection,
  change: JudgeChange,
  { batch, target, scorings }: { batch: Batch; target: BatchTarget; scorings: Judged["scorings"] },
): ReadonlySet<Which> {
  const scoring = scorings.get(batch.id) ?? null;
  // The nights of one suite tell of the judge of that suite.
  if (scoring === null || batch.suiteName !== change.suiteName) return new Set();
  return judgesIn(db, change, { scoring, target });
}

/** The judges whose replies a scoring holds, about all answers or those of one target. */
function judgesIn(
  db: Connection,
  { scorer, sameUntil, newFrom, at }: JudgeChange,
  { scoring, target }: { scoring: Scoring; target?: BatchTarget },
): ReadonlySet<Which> {
  const place = scoring.scorers.findIndex(({ metric }) => metric.name === scorer);
  if (place === -1) return new Set();
  const asked = { scoringId: scoring.id, scorer: place, targetId: target?.id ?? null };
  const spans: [Which, { after: number; upTo: number }][] = [
    ["before", { after: -1, upTo: sameUntil }],
    ["between", { after: sameUntil, upTo: newFrom }],
    ["since", { after: newFrom, upTo: Number.MAX_SAFE_INTEGER }],
  ];
  const found = spans.flatMap(([which, span]) => (hasReplies(db, asked, span) ? [which] : []));
  // An exported pin keeps no replies.
  return new Set(found.length > 0 ? found : [scoring.createdAt < at ? "before" : "since"]);
}

function causeOf({ scorer, at }: JudgeChange, graded: readonly { batch: Batch; of: ReadonlySet<Which> }[]): OtherJudge {
  const stale = graded.filter(({ of }) => of.has("before") || of.has("between")).map(({ batch }) => batch.name);
  return { kind: "other-judge", scorer, at, batches: Array.from(new Set(stale)) };
}
