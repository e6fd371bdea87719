import { difference, pValue, range, sidesFigures } from "../../words/figures.ts";
import { speedNotes } from "../../model/speed-basis.ts";
import { gateKindWords } from "../../words/gate-words.ts";
import { number } from "../../words/quantity.ts";
import { markdownCode, markdownFold, markdownText } from "../../text/markdown-text.ts";
import type { ReportGate, ReportMetric, ReportSummary } from "../../shape/model.ts";
import { listOf, markdownTable, moreLine, mostListed } from "./lists.ts";
import { uncountedLines } from "../../words/validity-words.ts";

/** Each metric of each pair, and how the gates were decided. */
export function gateSection(summary: ReportSummary): string {
  const { gates, metrics, pairs, verdict } = summary;
  if (gates.length === 0) return "";
  const rows = gates.slice(0, mostListed * 2).map((gate) => {
    const metric = metrics.find(({ name }) => name === gate.metric);
    return metric === undefined
      ? []
      : gateCells(gate, metric, { several: pairs.length > 1, isInvalid: verdict.state === "invalid" });
  });
  const candidate = pairs.length > 1 ? ["candidate"] : [];
  const hasRatio = metrics.some(({ relative }) => relative);
  return [
    "### Metrics",
    ...uncountedLines(summary).map(markdownText),
    markdownTable(
      ["", ...candidate, "metric", "baseline", "now", "difference", "range", "p", "worse", "better", "cases"],
      rows,
    ),
    `A difference above 0 is for the better, one below 0 for the worse${hasRatio ? "; × says how many times as much it is" : ""}.`,
    ...speedNotes(gates.slice(0, mostListed * 2), summary).map((note) => markdownText(`${note}.`)),
    ...moreLine(gates.length - mostListed * 2, "metric"),
    ...methodFold(gates, pairs.length > 1),
  ].join("\n\n");
}

/** The test by which a gate was decided, its reason, and the other details behind it. */
function methodFold(gates: readonly ReportGate[], several: boolean): string[] {
  const deciding = gates.filter(
    ({ state, method, details }) => state !== null && (method !== "" || details.length > 0),
  );
  if (deciding.length === 0) return [];
  const lines = deciding.slice(0, mostListed).map(({ candidate, name, method, details }) => {
    const who = several ? `${markdownCode(candidate)}, ` : "";
    const sentences = [...(method === "" ? [] : [`${method}.`]), ...details];
    return `${who}${markdownCode(name)}: ${markdownText(sentences.join(" "))}`;
  });
  return [markdownFold("How it was decided", listOf(lines))];
}

const gateSigns = { regression: "❌", pass: "✅", inconclusive: "⚠️", invalid: "⛔" } as const;

function gateCells(
  gate: ReportGate,
  metric: ReportMetric,
  { several, isInvalid }: { several: boolean; isInvalid: boolean },
): string[] {
  const { state, candidate, interval, confidence, sides, p, worse, better, cases, groups } = gate;
  const within =
    interval === null
      ? "–"
      : `${range(interval, metric)} (${Math.round(confidence * 100)} %${sides === 1 ? " each" : ""})`;
  const by = markdownText(difference(gate.difference, metric));
  const clustered = groups === null ? "" : ` in ${markdownText(groups)}`;
  return [
    state === null ? "" : `${gateSigns[state]} ${state}`,
    ...(several ? [markdownCode(candidate)] : []),
    `${markdownCode(gate.name)}${state === null ? "" : gateKindWords(gate).limit(gate, metric)}`,
    ...sidesFigures(gate, metric).map(markdownText),
    // Nothing is found where nothing is decided.
    isInvalid ? by : `**${by}**`,
    markdownText(within),
    markdownText(pValue(p)),
    number(worse),
    number(better),
    `${number(cases)}${clustered}`,
  ];
}
