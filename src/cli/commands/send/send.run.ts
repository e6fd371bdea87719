import { langfuseVariables } from "../../../app/scores/langfuse.ts";
import { sendScores, type ScoresSent } from "../../../app/scores/send-scores.ts";
import { collectorOf } from "../../../app/spans/collector.ts";
import { sendSpans } from "../../../app/spans/send-spans.ts";
import { exitCodes } from "../../../errors.ts";
import type { CommandResult } from "../../command-result.ts";
import { loadDotEnv } from "../../dot-env.ts";
import type { JsonData } from "../../json-outputs.ts";
import { tellSpans } from "../../progress/spans.ts";
import type { Terminal } from "../../terminal.ts";
import { counted, number } from "../../../report/say/quantity.ts";
import type { SendToFlags } from "./send.ts";

/** Sends requests and grades of a batch to OpenTelemetry. */
export async function spansSent(
  { otel = "", batch, results: out, json }: SendToFlags,
  terminal: Terminal,
): Promise<CommandResult> {
  const collector = collectorOf(otel, process.env);
  const sent = await sendSpans({ out, batch, since: 0, collector, mostMs: Number.POSITIVE_INFINITY });
  if (!json) tellSpans(sent, terminal);
  return resultOf({ ...sent }, sent.dropped + (sent.grades?.dropped ?? 0));
}

/** Sends the scores of a batch to Langfuse, or shows what would be sent. */
export async function scoresSent(
  { batch, results: out, json, ...flags }: SendToFlags,
  terminal: Terminal,
): Promise<CommandResult> {
  loadDotEnv(langfuseVariables);
  const { reasons, "run-ids": runIds, "dry-run": isDry } = flags;
  const show = (request: object): void => {
    if (!json) terminal.print(JSON.stringify(request));
  };
  const sent = await sendScores({ out, batch, reasons, runIds, env: process.env, show: isDry ? show : null });
  if (!json) tellScores(sent, !isDry, terminal);
  return resultOf({ isSent: !isDry, ...sent }, sent.refused);
}

/** 3 where something was not taken. */
const resultOf = (data: JsonData["send"], untaken: number): CommandResult => ({
  data,
  exit: untaken === 0 ? exitCodes.ok.code : exitCodes.couldNotRun.code,
});

/** Says how many scores Langfuse took, or would get, and what is not among them. */
function tellScores(
  { batch, scores, unscored, unplaced, refused, reason }: ScoresSent,
  isSent: boolean,
  terminal: Terminal,
): void {
  if (isSent) terminal.note(`${counted(scores, "score")} of ${batch} sent to Langfuse.`);
  else terminal.note(`${counted(scores, "score")} of ${batch} for Langfuse. Nothing was sent.`);
  if (unscored > 0) terminal.note(`${counted(unscored, "grade")} without a value: no score.`);
  if (unplaced > 0)
    terminal.warn(
      `${counted(unplaced, "score")} left out: each needs an id of its run, which is that of a trace in Langfuse.`,
    );
  if (refused === 0) return;
  terminal.warn(
    `${number(refused)} of ${counted(scores + refused, "score")} were not taken (${reason}). The same command sends them again; those that are there stay as they are.`,
  );
}
