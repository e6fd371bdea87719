import { sizeText } from "../../../api/files/file-size.ts";
import type { Price } from "../../../api/price.ts";
import type { QueueEstimate, SuitePlan } from "../../../app/plan/estimate.ts";
import type { PowerPlan } from "../../../app/plan/power.ts";
import type { PlannedRequest } from "../../../app/plan/planned-request.ts";
import { counted, duration, number, price as costFigure } from "../../../report/say/quantity.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import { checkedWords } from "../../../report/say/judges.ts";
import { tableLines } from "../../../report/terminal/table.ts";
import { hanging } from "../../../report/text/wrap.ts";
import { visible } from "../../../report/text/visible.ts";
import { dimensionsOf } from "../../../suite/matrix/matrix.ts";
import type { Rate, Suite } from "../../../suite/suite.ts";
import { mappingSummaryLines } from "../../progress/mapping-summary.ts";
import { powerLines } from "./plan.power.text.ts";

interface ToldPlan {
  /** No service was reached. */
  isOffline: boolean;
  /** Null: it was not asked for. */
  power: PowerPlan | null;
  /** Columns of its lines. */
  width: number;
}

/** A plan for a person, with the drops that it can show where they were asked for. */
export function planText(plan: SuitePlan, suite: Suite, { power, isOffline, width }: ToldPlan): string {
  return [
    `${visible(plan.suite)}: ${counted(plan.cases, "row")}, ${counted(plan.jobs, "job")}${plan.stored === 0 ? "" : `, ${counted(plan.stored, "stored answer")}`}`,
    ...[
      ...mappingSummaryLines(plan.files, suite),
      ...[...plan.rowsShow, ...plan.groupsShow].map((line) => visible(line)),
    ].flatMap((line) => hanging(line, width)),
    ...dimensionLines(suite),
    "",
    ...targetTable(plan.targets),
    ...(plan.judges.length === 0 ? [] : ["", "Questions to judges, at the most:", ...targetTable(plan.judges)]),
    ...plan.weekly.map(
      ({ scorer, questions, cost }) =>
        `Once a week tandem night also asks ${visible(scorer)} ${counted(questions, "question")} of its check${cost === null ? "" : ` (cost ${costFigure(cost)})`}.`,
    ),
    ...checkLines(plan),
    ...(plan.jobs === 0
      ? []
      : [
          "",
          ...queueTable(plan.queues),
          "",
          plan.durationMs === null ? "Time unknown: no rate, and no earlier run to go by." : `Takes ${timeText(plan)}.`,
          costText(plan, suite),
          ...raceText(suite),
          ...uploadText(plan),
          ...secondLookText(plan),
        ]),
    ...(power === null ? [] : ["", ...powerLines(power, suite.decision.stopWhen === "decided")]),
    ...plan.requests.flatMap((request) => ["", ...requestLines(request, suite)]),
    "",
    isOffline ? "Nothing was sent." : "Nothing was sent that costs.",
  ].join("\n");
}

/** The latest check of each judge, with the command for one that was never checked. */
function checkLines({ judgeChecks }: SuitePlan): string[] {
  return judgeChecks.map((check) => {
    const next = check.at === null ? `: after a run, tandem judge check ${shellWord(check.scorer)}` : "";
    return `Judge ${visible(check.judge)}: ${visible(checkedWords(check))}${next}`;
  });
}

/** The properties in which the targets differ, with their values. */
function dimensionLines({ targets }: Suite): string[] {
  return dimensionsOf(targets).map(({ name, values }) => {
    const first = values.slice(0, mostValues).map((value) => visible(shortText(String(value))));
    const more = values.length - first.length;
    return `  varies ${visible(name)}: ${first.join(", ")}${more > 0 ? ` and ${number(more)} more` : ""}`;
  });
}

/** Values that a line lists, and characters of one. */
const mostValues = 10;
const mostShown = 40;

const shortText = (text: string): string =>
  text.length > mostShown ? `${Array.from(text).slice(0, mostShown).join("")}...` : text;

function targetTable(targets: SuitePlan["targets"]): string[] {
  const rows = targets.map(({ target, jobs, repeats, baseUrl, endpoint, exampleId, cost }) => [
    visible(target),
    number(jobs),
    number(repeats),
    cost === null ? "-" : amount(cost),
    visible(
      baseUrl.startsWith("stored:")
        ? `the column "${baseUrl.replace(/^stored:/, "")}"`
        : `${baseUrl}  ${endpoint}  ${exampleId}`.trimEnd(),
    ),
  ]);
  return tableLines(
    [
      { title: "target", align: "left", most: 30, names: "cells" },
      { title: "jobs", align: "right", most: 12 },
      { title: "repeats", align: "right", most: 8 },
      { title: "cost", align: "right", most: 16 },
      { title: "where", align: "left", most: 200 },
    ],
    rows,
  );
}

function queueTable(queues: QueueEstimate[]): string[] {
  const rows = queues.map((queue) => [
    visible(queue.name),
    number(queue.jobs),
    number(queue.concurrency),
    rateText(queue.rate),
    queue.earlier === null ? "unknown" : `${duration(queue.earlier.meanMs)} (${counted(queue.earlier.runs, "run")})`,
    timeText(queue),
  ]);
  return tableLines(
    [
      { title: "limits of", align: "left", most: 40 },
      { title: "jobs", align: "right", most: 12 },
      { title: "at once", align: "right", most: 8 },
      { title: "rate", align: "right", most: 10 },
      { title: "a run takes", align: "left", most: 30 },
      { title: "all take", align: "left", most: 30 },
    ],
    rows,
  );
}

function timeText({ durationMs, atLeast }: { durationMs: number | null; atLeast: boolean }): string {
  if (durationMs === null) return "unknown";
  return `${atLeast ? "at least" : "about"} ${duration(durationMs)}`;
}

function costText({ cost, unpriced }: SuitePlan, { deployments }: Suite): string {
  if (cost === null) return "Cost unknown: no deployment has a `price`.";
  const prices = deployments.flatMap(({ name, price }) => (price === null ? [] : [`${name} ${priceText(price)}`]));
  const missing = unpriced.length === 0 ? [] : [`no price for ${unpriced.join(", ")}`];
  // Prices of single targets stand in the table, as what each costs.
  const by = [...(prices.length === 0 ? [] : [prices.join(", ")]), ...missing].join("; ");
  return `Costs ${amount(cost)} without retries${by === "" ? "" : ` (${by})`}.`;
}

/** A race knows beforehand the most that it sends alone. */
function raceText({ decision }: Suite): string[] {
  return decision.race === undefined
    ? []
    : ["A race sends at most this: a target that is behind beyond doubt is not asked any more."];
}

/** The files of all jobs: each target is sent those of every case, as often as it is asked. */
function uploadText({ files, cases, jobs }: SuitePlan): string[] {
  const bytes = files.reduce((sum, { sent }) => sum + sent.bytes, 0);
  return bytes === 0 ? [] : [`Sends ${sizeText((bytes * jobs) / cases)} of files in all; as base64 a third more.`];
}

/** A regression is seldom of every case: its gate may be about some of them, and a pin is not asked. */
function secondLookText({ secondLook }: SuitePlan): string[] {
  if (secondLook === null) return [];
  const { jobs, cost } = secondLook;
  const price = cost === null ? "" : ` for ${amount(cost)}`;
  return [
    `If a gate finds a regression, its cases are asked once more: at most ${counted(jobs, "further job")}${price}.`,
  ];
}

/** A cost without the rounding errors of binary fractions. */
const amount = (cost: number): string => cost.toLocaleString("en-US", { maximumFractionDigits: 6 });

function rateText(rate: Rate | null): string {
  if (rate === null) return "-";
  const unit = { 1000: "s", 60000: "m", 3600000: "h" }[rate.windowMs] ?? `${rate.windowMs} ms`;
  return `${rate.count}/${unit}`;
}

const mostLines = 60;

function requestLines(
  { target, case: key, turn, method, url, headers, body }: PlannedRequest,
  { targets }: Pick<Suite, "targets">,
): string[] {
  // The lines of a form are those of its text.
  const isForm = typeof body === "string" && headers["content-type"]?.startsWith("multipart/") === true;
  const lines = (isForm ? body.replaceAll("\r\n", "\n") : JSON.stringify(body, null, 2)).split("\n");
  const more = lines.length - mostLines;
  const keepsHistory = targets.some(({ name, keepsHistory: keeps }) => name === target && keeps === true);
  const history = keepsHistory ? "its service knows what was said before" : "the replies so far are added to messages";
  return [
    `To ${visible(target)}, case ${visible(key)}${turn > 1 ? ` (turn ${turn}: ${history})` : ""}:`,
    `${method} ${visible(url)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    // In a JSON text the characters that `visible` replaces can only be inside of a string.
    ...lines.slice(0, mostLines).map((line) => visible(line)),
    ...(more > 0 ? [`... and ${counted(more, "more line")}: see --json`] : []),
  ];
}

/** `0.02 a run`, or `2.5 and 10 for a million tokens read and written` */
function priceText(price: Price): string {
  if (typeof price === "number") return `${price} a run`;
  const run = price.run === 0 ? "" : `${price.run} a run and `;
  const cache = price.cached === undefined ? "" : ` (${price.cached} from a cache)`;
  return `${run}${price.input} and ${price.output} for a million tokens read${cache} and written`;
}
