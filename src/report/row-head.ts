import type { ChangeKind, ReportChange, ReportRow } from "./model.ts";

/** What a list shows of a row, and what lists are sorted and filtered by. */
export interface RowHead {
  key: string;
  place: number;
  question: string;
  tags: Record<string, string>;
  sides: HeadSide[];
  changes: HeadChange[];
  /** Some run of some target has no usable answer. */
  failed: boolean;
  /** The same question was passed once and failed once by the same target, or became so. */
  flaky: boolean;
}

interface HeadSide {
  /** Of the first run. */
  outcome: string;
  failed: boolean;
  excerpt: string;
  /** By metric. */
  scores: (number | null)[];
  latencyMs: number | null;
}

type HeadChange = Pick<ReportChange, "kind" | "trend" | "distance" | "excess"> & { rank: number; members: number };

/** Kinds of change that the baseline's own noise does not explain. */
const beyondNoise: ReadonlySet<ChangeKind> = new Set([
  "changed",
  "error-appeared",
  "error-gone",
  "newly-flaky",
  "newly-stable",
]);

export function isBeyondNoise(kind: ChangeKind): boolean {
  return beyondNoise.has(kind);
}

const excerptLength = 170;

export function headOf(row: ReportRow): RowHead {
  const sides = row.sides.map(({ runs, scores }): HeadSide => {
    const first = runs[0];
    return {
      outcome: first?.outcome ?? "missing",
      failed: runs.some(({ failed }) => failed),
      excerpt: excerpt(first?.answer ?? first?.error ?? ""),
      scores: scores.map((score) => score?.value ?? null),
      latencyMs: first?.latencyMs ?? null,
    };
  });
  const flaky = row.sides.some(({ scores }) =>
    scores.some((score) => score !== null && score.passes > 0 && score.passes < score.runs),
  );
  return {
    key: row.key,
    place: row.place,
    question: excerpt(questionOf(row)),
    tags: row.tags,
    sides,
    changes: row.changes.map((change) => ({
      kind: change.kind,
      trend: change.trend,
      distance: change.distance,
      excess: change.excess,
      rank: rankOf(change),
      members: change.members.length,
    })),
    failed: sides.some(({ failed }) => failed),
    flaky: flaky || row.changes.some(({ kind }) => kind === "newly-flaky" || kind === "newly-stable"),
  };
}

/** The prompt of a row, or what stands in its place. */
export function questionOf({ input }: Pick<ReportRow, "input">): string {
  return input[0]?.text ?? "";
}

/** White space drawn together, and no more than a list shows; never half a character. */
function excerpt(text: string): string {
  const short = text.slice(0, excerptLength * 2).replaceAll(/\s+/g, " ");
  return short.length <= excerptLength ? short : `${short.slice(0, excerptLength).replace(/[\uD800-\uDBFF]$/, "")} …`;
}

/**
 * What a person should look at first has the highest: answers that turned into errors, then what got worse or better
 * beyond noise, then what only changed, each by its distance (beyond noise, where that is known).
 */
export function rankOf(change: Pick<ReportChange, "kind" | "trend" | "excess" | "distance">): number {
  const { kind, trend, excess, distance } = change;
  return groupOf(kind, trend) + Math.max(0, Math.min(0.99, excess ?? distance ?? 0));
}

function groupOf(kind: ChangeKind, trend: ReportChange["trend"]): number {
  if (kind === "error-appeared") return 6;
  const beyond = isBeyondNoise(kind);
  if (trend === "worse") return beyond ? 5 : 4;
  if (trend === "better") return 3;
  return beyond ? 2 : kind === "differs" ? 1 : 0;
}

/** Everything in a row that a search looks at, in the form in which texts are compared. */
export function searchText(row: ReportRow): string {
  const parts = [row.key, row.expected ?? "", ...Object.values(row.tags)];
  for (const { text } of row.input) parts.push(text);
  for (const { runs } of row.sides) {
    for (const { answer, error, runId } of runs) parts.push(answer ?? "", error ?? "", runId ?? "");
  }
  for (const cell of Object.values(row.columns)) parts.push(cell);
  return folded(parts.join("\n"));
}

/** A text as searches compare it: compatible forms are one, and so are upper and lower case. */
export function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
