import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import { showValue } from "../../lib/show.ts";
import type { RowHead } from "../../report/shape/row-head.ts";
import type { ReportSummary } from "../../report/shape/model.ts";
import type { Comparisons } from "../../viewer/server/open-comparisons.ts";
import type { Readiness } from "../../viewer/server/open-comparison.ts";
import { queryOfRows } from "../../report/query/query-edit.ts";
import { rowFilters } from "../../report/model/row-filters.ts";
import { indexSorts } from "../../report/row-index/row-index.ts";
import type { Wanted } from "../../viewer/server/wanted-comparison.ts";
import { comparisonArguments, defineTool, wantedOf } from "../tool.ts";

/** Pages of the rows of a comparison, filtered, sorted and searched as in the viewer. */
export const rowsTool = defineTool({
  name: "rows",
  title: "List rows",
  description:
    "Rows (cases) of a comparison, filtered, sorted and searched, with excerpts of the answers, scores and what changed. `case` tells one in full.",
  input: z.strictObject({
    ...comparisonArguments,
    show: z
      .enum(["all", ...rowFilters])
      .default("all")
      .describe(
        "worse, better: by the primary metric; changed: beyond what the baseline varies by itself; members: other output fields; errors: without a usable answer; failed, passed: by the first metric, of any target; slow: the twentieth that took longest",
      ),
    sort: z
      .enum(["dataset", ...indexSorts])
      .default("rank")
      .describe("rank: what to look at first"),
    candidate: z.string().optional().describe("By which candidate rows are filtered and sorted; default: the first"),
    tags: z.record(z.string(), z.string()).default({}).describe("Only rows with these values of tags"),
    text: z
      .string()
      .max(500)
      .default("")
      .describe(
        'A query: words that the row holds, and conditions such as `worse lang:hi time>2s score<20 answer:"could not"`; a text with signs in it stands in quotes',
      ),
    offset: z.int().min(0).default(0).describe("How many to leave out"),
    limit: z.int().min(1).max(50).default(10).describe("How many to tell"),
  }),
  async call({ comparisons }, given, signal) {
    const { show, sort, tags, text, offset, limit, candidate, ...which } = given;
    const made = await ready(comparisons, wantedOf(which), signal);
    if (made.opened === null) return { value: { rows: null, note: waitingNote(made.state) } };
    const { summary, counts } = made.index;
    const pair = placeOf(candidate, summary);
    const named = Object.entries(tags).map(([tag, value]) => ({ tag, value }));
    // A text of the agent's own may join its conditions in any way.
    const asked = [...(show === "all" ? [] : [show]), ...(text.trim() === "" ? [] : [`(${text})`])].join(" ");
    const query = { pair, sort, text: queryOfRows({ text: asked, tags: named }), by: null };
    const { matched, heads } = await made.opened.page(query, { offset, limit, signal });
    const next = offset + heads.length;
    const rows = heads.map((head) => rowOf(head, summary));
    return { value: { matched, nextOffset: next < matched ? next : null, counts: counts[pair] ?? {}, rows } };
  },
});

/** The pair of a candidate. Throws USAGE where there is none. */
function placeOf(candidate: string | undefined, { pairs }: ReportSummary): number {
  const place = candidate === undefined ? 0 : pairs.findIndex((pair) => pair.candidate === candidate);
  if (place !== -1) return place;
  const known = pairs.map((pair) => pair.candidate).join(", ");
  throw new AppError("USAGE", `There is no candidate ${showValue(candidate)}.`, {
    hint: known === "" ? "Nothing is compared: leave it out." : `There is: ${known}.`,
  });
}

/** Time that a call waits for a comparison to be made ready; clients wait a minute. */
const patienceMs = 20_000;

type Made =
  | { opened: ReturnType<Comparisons["open"]>; index: Extract<Readiness, { kind: "ready" }>["index"] }
  | { opened: null; state: Readiness };

/** Throws what stopped the comparison from being made ready. */
async function ready(comparisons: Comparisons, wanted: Wanted, signal: AbortSignal): Promise<Made> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const opened = comparisons.open(wanted);
    const { state } = opened;
    if (state.kind === "ready") return { opened, index: state.index };
    if (performance.now() > end || signal.aborted) return { opened: null, state };
    await wait(40);
  }
}

function waitingNote(state: Readiness): string {
  const done = state.kind === "at" ? `, ${state.done} of at most ${state.of} cases so far` : "";
  return `The rows are being put in order${done}. Ask again.`;
}

function rowOf({ key, row, file, question, sides, changes, tags }: RowHead, summary: ReportSummary): object {
  return {
    key,
    row,
    file,
    question,
    tags,
    answers: sides.map(({ outcome, excerpt, scores, latencyMs }, place) => ({
      target: summary.targets[place]?.name ?? "",
      outcome,
      excerpt,
      scores: Object.fromEntries(scores.map((value, index) => [summary.metrics[index]?.name ?? "", value])),
      latencyMs,
    })),
    changes: changes.map(({ kind, trend, distance }, place) => ({
      candidate: summary.pairs[place]?.candidate ?? "",
      change: kind,
      trend,
      distance,
    })),
  };
}
