import { endpointOf } from "../api/endpoints.ts";
import { seededRandom } from "../lib/random.ts";
import { foldCase } from "../text/fold.ts";
import { normalise } from "../text/normalise.ts";
import type { Answer, Laxity } from "./contract/scorer.ts";
import { scorerOfType } from "./registry.ts";
import { type MadeScorer, needsExpected, runsCode } from "./make.ts";

/** Pairs of rows that are tried. */
const mostPairs = 200;
/** Pairs below which rows that expect something else are too few to tell anything. */
const fewestPairs = 20;

/** Answers to no question in particular. */
const stockAnswers = ["I cannot answer that.", "I do not know.", "The weather is fine today."] as const;

/**
 * True for a scorer of which it can be said: it says pass or fail at once, always alike, and by the row's own expected
 * answer. One turned around by `not` looks for what must not be there, which most answers lack.
 */
export function isTried({ spec, metric, scorer }: Pick<MadeScorer, "spec" | "metric" | "scorer">): boolean {
  if (scorer.kind !== "pure" || !metric.passes || runsCode(spec)) return false;
  return needsExpected(spec) && spec.options["not"] !== true;
}

/** True for a scorer that looks for a text within the answer, where asking for the whole would tell. */
function isWithinText({ type }: { type: string }): boolean {
  const asks = scorerOfType(type)?.asks ?? null;
  return asks !== null && asks.place !== "whole" && asks.place !== "words";
}

/** Rows of a sample: enough for the pairs, however many rows there are. */
const mostRows = 2 * mostPairs;
/** Characters of an answer above which it is not kept, so that memory stays flat. */
const longestKept = 16_000;

/** A seeded sample of answers, which does not grow with the rows. */
export class AnswerSample {
  readonly #random = seededRandom("answers of other rows");
  readonly #kept: Answer[] = [];
  #seen = 0;

  /** `make` is called only for an answer that is kept; `length`: characters of it. */
  add(make: () => Answer, length: number): void {
    if (length > longestKept) return;
    this.#seen += 1;
    if (this.#kept.length < mostRows) {
      this.#kept.push(make());
      return;
    }
    const place = Math.floor(this.#random() * this.#seen);
    if (place < mostRows) this.#kept[place] = make();
  }

  get kept(): readonly Answer[] {
    return this.#kept;
  }
}

/** Tries the answers of a sample at rows that expect something else; null where there is nothing to try. */
export function laxityOf(made: MadeScorer, sample: readonly Answer[]): Laxity | null {
  if (!isTried(made)) return null;
  const rows = sample.filter((answer) => answer.case.expected !== null && made.applies(answer));
  if (rows.length < 2) return null;
  const pairs = differingPairs(rows);
  return pairs.length < fewestPairs ? ofStock(made, rows) : ofRows(made, pairs);
}

type RowPair = readonly [row: Answer, other: Answer];

/** Product of the lengths of two texts, over all pairs, above which fewer pairs do: edits of long texts take a while to count. */
const mostWork = 3e9;

function ofRows(made: MadeScorer, pairs: readonly RowPair[]): Laxity {
  let work = 0;
  const found: Laxity = { of: "rows", asked: 0, passing: 0, example: null, withinText: isWithinText(made.spec) };
  for (const [row, other] of pairs) {
    if (work > mostWork && found.asked >= fewestPairs) break;
    work += (textOf(other)?.length ?? 0) * (row.case.expected?.length ?? 0);
    found.asked += 1;
    if (!passes(made, { ...other, case: row.case })) continue;
    found.passing += 1;
    const example = exampleOf(made, row, other);
    // An answer that is what the other row expects is the poorest example of one that should not pass.
    if (found.example === null || (isExpected(found.example) && !isExpected(example))) found.example = example;
  }
  return found;
}

const isExpected = ({ answer, expected }: NonNullable<Laxity["example"]>): boolean =>
  foldCase(normalise(answer)) === foldCase(normalise(expected));

function ofStock(made: MadeScorer, rows: readonly Answer[]): Laxity {
  const asked = stockAnswers.length;
  const found: Laxity = { of: "stock", asked, passing: 0, example: null, withinText: isWithinText(made.spec) };
  for (const text of stockAnswers) {
    const passed = rows.filter((row) => passes(made, saying(row, text)));
    const [first] = passed;
    if (first === undefined || passed.length * 2 <= rows.length) continue;
    found.passing += 1;
    found.example ??= { answer: text, expected: short(first.case.expected ?? "") };
  }
  return found;
}

function passes({ scorer }: MadeScorer, answer: Answer): boolean {
  if (scorer.kind !== "pure") return false;
  const score = scorer.grade(answer);
  return !("unscored" in score) && score.pass === true;
}

function exampleOf({ look }: MadeScorer, row: Answer, other: Answer): NonNullable<Laxity["example"]> {
  const said = look === null ? textOf(other) : look(other).text;
  return { answer: short(said ?? ""), expected: short(row.case.expected ?? "") };
}

function textOf({ endpoint, record }: Answer): string | null {
  return record === null ? null : endpointOf(endpoint).textOf(record.output);
}

const longestExample = 57;

function short(text: string): string {
  const whole = text.replaceAll(/\s+/g, " ").trim();
  return whole.length > longestExample ? `${Array.from(whole).slice(0, longestExample).join("")}...` : whole;
}

/** A row that is answered by a text. */
export function saying<Row extends Pick<Answer, "case" | "endpoint">>(row: Row, text: string): Row & Answer {
  const output = endpointOf(row.endpoint).outputSaying(text);
  return {
    target: "",
    repeat: 1,
    error: null,
    latencyMs: null,
    firstMs: null,
    usage: null,
    attempts: 1,
    ...row,
    outcome: "ok",
    answer: endpointOf(row.endpoint).kindOf(output),
    record: { id: null, url: null, createdAt: null, output },
  };
}

/** Rows of which one expects something else than the other, each with an answer of the other; seeded, no pair twice. */
function differingPairs(rows: readonly Answer[]): RowPair[] {
  const forms = rows.map(({ case: { expected } }) => foldCase(normalise(expected ?? "")));
  const isPair = (one: number, other: number): boolean => forms[one] !== forms[other];
  const all = pairsAmong(forms);
  const pair = (one: number, other: number): RowPair[] => {
    const [row, answered] = [rows[one], rows[other]];
    return row === undefined || answered === undefined ? [] : [[row, answered]];
  };
  // So few that all are tried.
  if (all <= mostPairs) {
    return rows.flatMap((_, one) => rows.flatMap((__, other) => (isPair(one, other) ? pair(one, other) : [])));
  }
  const random = seededRandom("pairs of rows");
  const drawn = new Set<number>();
  while (drawn.size < mostPairs) {
    const [one, other] = [Math.floor(random() * rows.length), Math.floor(random() * rows.length)];
    if (isPair(one, other)) drawn.add(one * rows.length + other);
  }
  return Array.from(drawn).flatMap((place) => pair(Math.floor(place / rows.length), place % rows.length));
}

/** Number of ordered pairs that differ. */
function pairsAmong(forms: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + 1);
  let alike = 0;
  for (const count of counts.values()) alike += count * count;
  return forms.length * forms.length - alike;
}
