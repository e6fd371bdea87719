import { costOf, type Price } from "../../api/price.ts";
import { caseFileIn } from "../../api/files/case-file.ts";
import { attemptMs } from "../../lib/duration.ts";
import { fileColumn } from "../../lib/file-column.ts";
import type { CaseComparison, PairedResult } from "../../compare/cases/case-comparison.ts";
import type { Difference } from "../../compare/cases/difference.ts";
import { type ComparedMetric, type ComparisonPlan, passPlace } from "../../compare/comparison-plan.ts";
import { answersOf, latencyOf, type Run, type Side, usageOf } from "../../compare/cases/case-side.ts";
import { turnsOfCase } from "../../compare/cases/case-turn.ts";
import { isFlaky } from "../../compare/cases/flakiness.ts";
import { isCounted } from "../../compare/tallies/candidate-tally.ts";
import type { StopRule } from "../../compare/stop-rule.ts";
import { lacksAnswer } from "../../compare/cases/side-outcome.ts";
import type { SideValue } from "../../compare/cases/side-value.ts";
import type { JobScore } from "../../store/results/case-result.ts";
import { shownMembers } from "../../store/results/columns.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import { storedObject } from "../../lib/stored-json.ts";
import type { ReportChange, ReportRow, ReportRun, ReportSide, RunScore, SideScore, RunExtras } from "../shape/model.ts";
import type { RowSummary } from "../shape/reporter.ts";
import { excerpt, isCalm, questionOfRow, rankOf, type SearchedRow } from "./row-figures.ts";

/** The pairs that are compared, and which cases count where the run stopped when it was decided. */
type RowPlan = ComparisonPlan & { stop?: StopRule | null };

/** A case with all that a report shows of it. `place` counts the cases from 1. */
export function reportRow(
  result: PairedResult,
  compared: CaseComparison,
  comparisonPlan: RowPlan,
  place: number,
): ReportRow {
  const { row, turn } = result;
  const { key, cluster, tags, input, expected, columns } = askedOf(result);
  return {
    key,
    place,
    row,
    file: result.columns[fileColumn] ?? null,
    cluster,
    turn,
    tags,
    input,
    expected,
    columns,
    sides: comparisonPlan.sides.map(({ price }, index) =>
      reportSide(compared.runs[index] ?? [], compared.sides[index], { ...comparisonPlan, price }),
    ),
    changes: compared.differences.map((difference, index) =>
      reportChange(difference, turnsIn(result, compared, { plan: comparisonPlan, pair: index })),
    ),
  };
}

/** The parts of a row that were known before anybody answered. */
function askedOf(result: PairedResult): Omit<SearchedRow, "sides"> {
  const { key, cluster, tags, expected, columns } = result;
  return { key, cluster: cluster === key ? null : cluster, tags, input: inputFields(result.input), expected, columns };
}

/** The row of `reportRow` as far as a search looks at it, which needs no comparison. */
export function searchedRow(result: PairedResult, { sides }: Pick<ComparisonPlan, "sides">): SearchedRow {
  const runsOf = (side: ComparisonPlan["sides"][number]): SearchedRow["sides"][number]["runs"] =>
    answersOf(result, side).map(({ job: { error, runId }, answer }) => ({ answer, error, runId }));
  return { ...askedOf(result), sides: sides.map((side) => ({ runs: runsOf(side) })) };
}

/** The metrics that a side is scored by, and the price of a run. */
interface PricedSide {
  metrics: readonly ComparedMetric[];
  price: Price | null;
}

function reportSide(runs: readonly Run[], side: Side | undefined, { metrics, price }: PricedSide): ReportSide {
  const { mean = null, answered = null } = side?.scores[0] ?? {};
  return {
    runs: runs.map((run) => reportRun(run, { metrics, price })),
    scores: metrics.map((metric, index) => sideScore(side?.scores[index], metric)),
    ...(mean !== null && mean !== answered && { counted: mean }),
    ...(side !== undefined && isFlaky(side, passPlace({ metrics })) === true && { flaky: true }),
  };
}

/** The score of a side as it was answered: a missing answer is seen as such, not as the worst score. */
function sideScore(value: SideValue | undefined, { of }: ComparedMetric): SideScore | null {
  if (value === undefined || value.runs + value.unscored === 0) return null;
  const mean = value.answered;
  return {
    value: mean === null || of !== "ratio" ? mean : Math.exp(mean),
    passes: value.passes ?? 0,
    runs: value.runs,
  };
}

function reportRun({ job, outcome, output, answer }: Run, { metrics, price }: PricedSide): ReportRun {
  const usage = usageOf(job);
  const firstMs = attemptMs(job.sentAt, job.firstAt);
  const cost = outcome === "answered" ? costOf(price, usage) : null;
  return {
    ...shownMembers(job),
    outcome,
    failed: lacksAnswer(outcome),
    answer,
    latencyMs: latencyOf(job),
    ...(firstMs !== null && { firstMs }),
    ...(usage !== null && { usage }),
    ...(cost !== null && { cost }),
    scores: metrics.map(({ places }) => runScore(job.scores[places.get(job.targetId) ?? -1])),
    extras: output === null ? null : runExtras(output),
  };
}

function runScore(score: JobScore | undefined): RunScore | null {
  if (score === undefined) return null;
  const { value, pass, reason, edit } = score;
  return { value, pass, reason, ...(edit === undefined ? {} : { edited: edit }) };
}

/** `turns`: null where the summary counts nothing of the case. */
function reportChange(difference: Difference, turns: ReportChange["turns"] | null): ReportChange {
  const { candidate, change, flips, distance, noise, excess, members, gapMs } = difference;
  return {
    candidate,
    kind: change,
    ...(flips.length > 0 && { flips }),
    ...(turns !== null && turns !== undefined && { turns }),
    trend: trendOf(difference),
    distance,
    noise,
    excess,
    members: (members ?? []).map(({ path, baseline, candidate: now }) => ({ path, baseline, candidate: now })),
    gapMs,
  };
}

function trendOf({ turn }: Difference): ReportChange["trend"] {
  return turn === "same" ? null : turn;
}

/** The turn of a case by each metric, as the summary counts it; null: it counts nothing of the case. */
function turnsIn(
  { caseId }: PairedResult,
  { differences, sides, runs }: CaseComparison,
  { plan, pair }: { plan: RowPlan; pair: number },
): ReportChange["turns"] | null {
  const difference = differences[pair];
  const [baseline, candidate] = [plan.pairs[pair]?.baseline ?? -1, plan.pairs[pair]?.candidate ?? -1].map((place) => {
    const [side, target] = [sides[place], plan.sides[place]];
    return side === undefined || target === undefined
      ? undefined
      : { side, compared: target, runs: [...(runs[place] ?? [])] };
  });
  if (difference === undefined || baseline === undefined || candidate === undefined) return null;
  if (!isCounted(difference, plan.stop?.placeOf(caseId))) return null;
  return turnsOfCase(plan.metrics, { baseline, candidate }, difference);
}

/** The facts about a row that are known without reading its answers again. */
export function rowSummary({ differences }: Pick<CaseComparison, "differences">): RowSummary {
  const changes = differences.map((difference) => {
    const { change: kind, distance, excess } = difference;
    return { kind, trend: trendOf(difference), distance, excess };
  });
  return { isCalm: changes.every(isCalm), rank: Math.max(0, ...changes.map(rankOf)) };
}

/** The beginning of the question of a mapped input. */
export const questionOfInput = (input: string): string => excerpt(questionOfRow({ input: inputFields(input) }));

/** The prompt first, then the other fields as they are sent; what is within objects by its path. */
function inputFields(input: string): ReportRow["input"] {
  const request = storedObject(input, "an input");
  const fields = flat(request, "").filter(({ text }) => text !== "");
  const prompt = fields.filter(({ field }) => field === "input_prompt");
  return [...prompt, ...fields.filter(({ field }) => field !== "input_prompt")];
}

function flat(object: JsonObject, prefix: string): ReportRow["input"] {
  return Object.entries(object).flatMap(([name, value]) =>
    isJsonObject(value) && caseFileIn(value) === null
      ? flat(value, `${prefix}${name}.`)
      : [{ field: `${prefix}${name}`, text: fieldText(value) }],
  );
}

function fieldText(value: JsonValue): string {
  if (value === null) return "";
  if (typeof value === "string") return value;
  const entries = [value].flat();
  if (entries.some((entry) => caseFileIn(entry) !== null)) return entries.map(entryText).join("\n");
  return Array.isArray(value) && value.every(isMessage)
    ? value.map(messageText).join("\n\n")
    : JSON.stringify(value, null, 1);
}

/** A file of the case by its path, or the address of one. */
function entryText(entry: JsonValue): string {
  return typeof entry === "string" ? entry : (caseFileIn(entry)?.file ?? JSON.stringify(entry));
}

function isMessage(value: JsonValue): value is { role: string; content: string } {
  return isJsonObject(value) && typeof value["role"] === "string" && typeof value["content"] === "string";
}

function messageText({ role, content }: { role: string; content: string }): string {
  return `${role}: ${content}`;
}

/** Greatest number of references or log entries that are told. */
const mostEntries = 50;
/** A snippet or a log message is cut after so many characters: the run's page has all of it. */
const longestText = 2000;

/** Members of an output that are told beside the answer. */
const extraMembers = [
  "references",
  "logs",
  "output_audio",
  "output_video",
  "output_documents",
  "reply_buttons",
  "finish_reason",
  "final_search_query",
  "error",
] as const;

function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** The parts of an output beside the answer; empty ones are left out, and null when there are none. */
export function runExtras(output: JsonObject): RunExtras | null {
  // As most are: nothing has to be made to be thrown away.
  if (extraMembers.every((name) => isNothing(output[name]))) return null;
  const references = list(output["references"]).filter(isJsonObject);
  const logs = list(output["logs"]).filter(isJsonObject);
  const finish = texts(output["finish_reason"]);
  const leftOut = Math.max(0, references.length - mostEntries) + Math.max(0, logs.length - mostEntries);
  const extras: RunExtras = {
    ...some("references", references.slice(0, mostEntries).map(referenceOf)),
    ...some("audio", texts(output["output_audio"])),
    ...some("video", texts(output["output_video"])),
    ...some("documents", texts(output["output_documents"])),
    ...some(
      "buttons",
      list(output["reply_buttons"])
        .filter(isJsonObject)
        .flatMap(({ title }) => texts(title)),
    ),
    ...some("logs", logs.slice(0, mostEntries).map(logOf)),
    ...(finish.length === 0 ? {} : { finishReason: finish.join(", ") }),
    ...named("searchQuery", output["final_search_query"]),
    ...named("functionError", output["error"]),
    ...(leftOut === 0 ? {} : { leftOut }),
  };
  return Object.keys(extras).length === 0 ? null : extras;
}

function some<Name extends keyof RunExtras, Entry>(name: Name, entries: Entry[]): { [key in Name]?: Entry[] } {
  const found: { [key in Name]?: Entry[] } = {};
  if (entries.length > 0) found[name] = entries;
  return found;
}

function named<Name extends keyof RunExtras>(name: Name, value: JsonValue | undefined): { [key in Name]?: string } {
  const found: { [key in Name]?: string } = {};
  if (value === undefined || isNothing(value)) return found;
  found[name] = cut(typeof value === "string" ? value : JSON.stringify(value));
  return found;
}

function referenceOf({ url, title, snippet, score }: JsonObject): NonNullable<RunExtras["references"]>[number] {
  return {
    url: typeof url === "string" ? url : "",
    title: typeof title === "string" && title !== "" ? title : null,
    snippet: typeof snippet === "string" && snippet !== "" ? cut(snippet) : null,
    score: typeof score === "number" ? score : null,
  };
}

function logOf({ level, message }: JsonObject): { level: string; message: string } {
  return { level: typeof level === "string" ? level : "log", message: typeof message === "string" ? cut(message) : "" };
}

function list(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A text, or those of a list. */
function texts(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === "string" && each !== "").map(String);
}

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
