import { langfuseVariables } from "../../../app/scores/langfuse.ts";
import { sendScores } from "../../../app/scores/send-scores.ts";
import { collectorOf } from "../../../app/spans/collector.ts";
import { sendSpans } from "../../../app/spans/send-spans.ts";
import { exitCodes } from "../../../errors.ts";
import type { CommandResult } from "../../command-result.ts";
import { loadDotEnv } from "../../dot-env.ts";
import type { JsonData } from "../../json-outputs.ts";
import { tellScores } from "../../progress/scores.ts";
import { tellSpans } from "../../progress/spans.ts";
import type { Terminal } from "../../terminal.ts";

interface SendFlags {
  batch: string;
  results: string;
  json: boolean;
}

/** Sends requests and grades of a batch to OpenTelemetry. */
export async function spansSent(
  { otel = "", batch, results: out, json }: SendFlags & { otel?: string | undefined },
  terminal: Terminal,
): Promise<CommandResult> {
  const collector = collectorOf(otel, process.env);
  const sent = await sendSpans({ out, batch, since: 0, collector, mostMs: Number.POSITIVE_INFINITY });
  if (!json) tellSpans(sent, terminal);
  return resultOf({ ...sent }, sent.dropped + (sent.grades?.dropped ?? 0));
}

/** Sends the scores of a batch to Langfuse, or shows what would be sent. */
export async function scoresSent(
  { batch, results: out, json, ...flags }: SendFlags & { "dry-run": boolean; reasons: boolean; "run-ids": boolean },
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
