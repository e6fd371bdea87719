import { growingFloats, type GrowingFloats } from "../../compare/tallies/growing.ts";
import { isJsonObject } from "../../lib/json.ts";
import { storedObject } from "../../lib/stored-json.ts";
import { answerPasses } from "../../score/contract/case-pass.ts";
import type { Interval } from "../../stats/interval.ts";
import { wilsonInterval } from "../../stats/paired/proportion.ts";
import { quantile } from "../../stats/quantile.ts";
import { batchTargets } from "../../store/batches.ts";
import type { Connection } from "../../store/connection.ts";
import { storedTags } from "../../store/results/columns.ts";
import { scoredAnswers } from "../../store/scores/scored-answers.ts";
import type { Scoring } from "../../store/scores/scores.ts";
import type { JobScore } from "../../store/results/case-result.ts";
import { scoreOf } from "./score-pass.ts";
import { isBesideThePoint } from "../../score/contract/scorer.ts";

/** Totals of one scorer over the answers of one target. */
export interface MetricTotals {
  metric: string;
  target: string;
  /** Answers with a score; the unscored are apart. */
  scored: number;
  unscored: number;
  mean: number | null;
  median: number | null;
  p10: number | null;
  p90: number | null;
  min: number | null;
  max: number | null;
  /** Pass rate of the answers that pass or fail; null for a scorer that only measures. */
  passed: PassRate | null;
}

/** A share with Wilson's 95 % interval. */
export interface PassRate {
  count: number;
  of: number;
  share: number | null;
  interval: Interval | null;
}

/** Everything that a scoring came to. */
export interface ScoreTotals {
  metrics: MetricTotals[];
  /** Answers that pass as a whole by the suite's rule, by target; `undecided`: something that counts is unscored. */
  passes: { target: string; passed: PassRate; undecided: number }[];
  /** The same by tag, and by language where the dataset tells it. */
  groups: { tag: string; value: string; metrics: MetricTotals[] }[];
  /** Tags with more values than are listed. */
  leftOut: { tag: string; values: number }[];
}

/** Values of one tag that are counted apart. */
const mostValues = 200;
/** A group keeps so many values for its percentiles; beyond, it has none. */
const mostOfGroup = 100_000;

/** Counts a scoring in one pass over its scores. */
export function scoreTotals(db: Connection, scoring: Scoring): ScoreTotals {
  const targets = batchTargets(db, scoring.batchId);
  const metrics = scoring.scorers.map(({ metric }) => metric);
  const names = metrics.map(({ name }) => name);
  const whole = new GroupTally(names, Number.POSITIVE_INFINITY);
  const groups = new TagGroups(names);
  const passes = new Map(targets.map(({ id }) => [id, { pass: 0, fail: 0, undecided: 0 }]));
  for (const { targetId, tags, input, scores } of scoredAnswers(db, scoring.id)) {
    whole.add(targetId, scores);
    groups.add(tagsOf(tags, input), targetId, scores);
    const tally = passes.get(targetId);
    if (tally === undefined) continue;
    const graded = metrics.map((_, place) => (scores[place] === undefined ? null : scoreOf(scores[place])));
    if (graded.every((score) => score === null || isBesideThePoint(score))) continue;
    const pass = answerPasses(scoring.rule, metrics, graded);
    tally[pass === null ? "undecided" : pass ? "pass" : "fail"] += 1;
  }
  return {
    metrics: whole.totals(targets),
    passes: targets.flatMap(({ id, name }) => {
      const { pass = 0, fail = 0, undecided = 0 } = passes.get(id) ?? {};
      return pass + fail + undecided === 0 ? [] : [{ target: name, passed: rateOf(pass, pass + fail), undecided }];
    }),
    ...groups.totals(targets),
  };
}

/** The tags of a case; with its language, where its request says it and no tag does. */
function tagsOf(tags: string | null, input: string): Record<string, string> {
  const own = storedTags(tags);
  if (own["language"] !== undefined || !input.includes("language")) return own;
  const request = storedObject(input, "an input");
  const variables = isJsonObject(request["variables"]) ? request["variables"] : {};
  const language = request["user_language"] ?? variables["language"];
  return typeof language === "string" && language !== "" ? { ...own, language } : own;
}

function rateOf(count: number, of: number): PassRate {
  return { count, of, share: of === 0 ? null : count / of, interval: wilsonInterval(count, of, 0.95) };
}

/** The scores of a group of answers, by target and scorer. */
class GroupTally {
  readonly #names: readonly string[];
  readonly #most: number;
  readonly #cells = new Map<number, Cell[]>();

  constructor(names: readonly string[], most: number) {
    this.#names = names;
    this.#most = most;
  }

  add(targetId: number, scores: readonly (JobScore | undefined)[]): void {
    const cells = this.#cells.get(targetId) ?? this.#names.map(() => new Cell(this.#most));
    this.#cells.set(targetId, cells);
    for (const [place, score] of scores.entries()) if (score !== undefined) cells[place]?.add(score);
  }

  totals(targets: readonly { id: number; name: string }[]): MetricTotals[] {
    return this.#names.flatMap((metric, place) =>
      targets.flatMap(({ id, name: target }) => {
        const cell = this.#cells.get(id)?.[place];
        return cell === undefined || cell.isEmpty ? [] : [{ metric, target, ...cell.totals() }];
      }),
    );
  }
}

/** Groups by each value of each tag. */
class TagGroups {
  readonly #names: readonly string[];
  readonly #tags = new Map<string, { values: Map<string, GroupTally>; others: Set<string> }>();

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  add(tags: Record<string, string>, targetId: number, scores: readonly (JobScore | undefined)[]): void {
    for (const [tag, value] of Object.entries(tags)) {
      const group = this.#tags.get(tag) ?? { values: new Map<string, GroupTally>(), others: new Set<string>() };
      this.#tags.set(tag, group);
      const tally = group.values.get(value) ?? new GroupTally(this.#names, mostOfGroup);
      if (group.values.size >= mostValues && !group.values.has(value)) {
        if (group.others.size < 10_000) group.others.add(value);
        continue;
      }
      group.values.set(value, tally);
      tally.add(targetId, scores);
    }
  }

  totals(targets: readonly { id: number; name: string }[]): Pick<ScoreTotals, "groups" | "leftOut"> {
    const tags = [...this.#tags];
    return {
      groups: tags.flatMap(([tag, { values }]) =>
        [...values].map(([value, tally]) => ({ tag, value, metrics: tally.totals(targets) })),
      ),
      leftOut: tags.flatMap(([tag, { others }]) => (others.size === 0 ? [] : [{ tag, values: others.size }])),
    };
  }
}

/** The scores of one scorer about one target. */
class Cell {
  readonly #most: number;
  readonly #values: GrowingFloats = growingFloats();
  #scored = 0;
  #unscored = 0;
  #sum = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #passed = 0;
  #rated = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#scored + this.#unscored === 0;
  }

  add({ value, pass, applies }: JobScore): void {
    if (applies === false) return;
    if (value === null) {
      this.#unscored += 1;
      return;
    }
    this.#scored += 1;
    this.#sum += value;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
    if (this.#values.length < this.#most) this.#values.push(value);
    if (pass === null) return;
    this.#rated += 1;
    if (pass) this.#passed += 1;
  }

  totals(): Omit<MetricTotals, "metric" | "target"> {
    const sorted = this.#values.view().toSorted();
    const part = (p: number): number | null => (sorted.length < this.#scored ? null : quantile(sorted, p));
    const some = this.#scored > 0;
    return {
      scored: this.#scored,
      unscored: this.#unscored,
      mean: some ? this.#sum / this.#scored : null,
      median: part(0.5),
      p10: part(0.1),
      p90: part(0.9),
      min: some ? this.#min : null,
      max: some ? this.#max : null,
      passed: this.#rated === 0 ? null : rateOf(this.#passed, this.#rated),
    };
  }
}
