import { isMadeKey } from "../../../compare/cases/made-key.ts";
import { difference, pValue } from "../../words/figures.ts";
import { flipBasis, flipWords } from "../../words/flip-words.ts";
import { onMetric } from "../../words/metric-words.ts";
import { number } from "../../words/quantity.ts";
import { rowWords } from "../../words/row-words.ts";
import { heldWords, sliceWords } from "../../words/slice-words.ts";
import { markdownCode, markdownFold, markdownText } from "../../text/markdown-text.ts";
import type { ReportFlip, ReportSummary } from "../../shape/model.ts";
import { listOf, markdownTable, moreLine, mostListed } from "./lists.ts";
import { uncountedLines } from "../../words/validity-words.ts";

const mostKeys = 8;

/** Cases that fail or pass newly. */
export function flipSection(summary: ReportSummary): string {
  const { flips, pairs } = summary;
  const found = flips.filter(({ cases }) => cases > 0);
  if (found.length === 0) return "";
  const lines = found.map(({ candidate, kind, cases, keys, rows }) => {
    const more = cases > Math.min(keys.length, mostKeys) ? ", …" : "";
    const named = keys
      .slice(0, mostKeys)
      .map((key, place) => flipName(key, rows[place]))
      .join(", ");
    const who = pairs.length > 1 ? `${markdownCode(candidate)}: ` : "";
    return `${who}**${number(cases)}** ${flipWords[kind]}: ${named}${more}`;
  });
  const [{ metric } = { metric: null }] = found;
  const on = onMetric(metric, summary.verdict.metric) === "" ? "" : ` on ${markdownCode(metric ?? "")}`;
  const head = [`### Newly failing and newly passing${on}`, ...uncountedLines(summary).map(markdownText)];
  const basis = flipBasis(summary);
  const why = basis === null ? [] : [markdownText(`Here ${basis}.`)];
  return [...head, listOf(lines), ...why].join("\n\n");
}

/** `row 4 (hours-en-3)`; the key alone where the case is of no file, the row alone where the key is one that we made. */
function flipName(key: string, row: ReportFlip["rows"][number] | undefined): string {
  const place = row === undefined ? "" : rowWords(row);
  if (place === "") return markdownCode(key, 60);
  return isMadeKey(key) ? markdownText(place) : `${markdownText(place)} (${markdownCode(key, 60)})`;
}

/** Values of tags, and pairs of them, in which a metric differs. */
export function sliceSection(summary: ReportSummary): string {
  const { slices, metrics, pairs } = summary;
  const told = slices.filter(({ p, difference: by }) => p !== null && p <= 0.05 && by !== null && by !== 0);
  if (told.length === 0) return "";
  const rows = told.slice(0, mostListed).map((slice) => {
    const metric = metrics.find(({ name }) => name === slice.metric);
    const by = metric === undefined ? "–" : difference(slice.difference, metric);
    return [
      ...(pairs.length > 1 ? [markdownCode(slice.candidate)] : []),
      `${markdownCode(sliceWords(slice), 80)}${slice.heldBy.length === 0 ? "" : ` (${markdownText(heldWords(slice.heldBy))})`}`,
      markdownCode(slice.metric),
      number(slice.cases),
      markdownText(by),
      markdownText(pValue(slice.p)),
    ];
  });
  const candidate = pairs.length > 1 ? ["candidate"] : [];
  const heads = markdownTable([...candidate, "cases with", "metric", "cases", "difference", "p (adjusted)"], rows);
  const title = ["### Where it differs", ...uncountedLines(summary).map(markdownText)];
  return [...title, heads, ...moreLine(told.length - mostListed, "slice")].join("\n\n");
}

/** Output fields that changed, folded. */
export function memberSection({ members, pairs }: ReportSummary): string {
  if (members.length === 0) return "";
  const rows = members
    .slice(0, mostListed)
    .map((member) => [
      ...(pairs.length > 1 ? [markdownCode(member.candidate)] : []),
      markdownCode(member.path),
      markdownText(member.about),
      `${number(member.cases)} of ${number(member.of)}`,
      member.noise === null ? "–" : number(member.noise),
      markdownText(pValue(member.p)),
    ]);
  const candidate = pairs.length > 1 ? ["candidate"] : [];
  const inside = [
    markdownTable([...candidate, "field", "change", "cases", "baseline by itself", "p (adjusted)"], rows),
    ...moreLine(members.length - mostListed, "field"),
  ];
  return markdownFold("Output fields that changed", inside.join("\n\n"));
}
