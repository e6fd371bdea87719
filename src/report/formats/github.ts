import { factTexts, gateLine } from "../say/findings.ts";
import { type VerdictWord, wordFacts, wordInText } from "../../compare/verdict-word.ts";
import { excerpt, questionOfRow } from "../model/row-figures.ts";
import { shownRuns } from "../model/shown-runs.ts";
import type { WorstRow } from "../model/worst-rows.ts";
import { changeWords } from "../say/changes.ts";
import { rowWords } from "../say/names.ts";
import type { ReportSummary } from "../shape/model.ts";
import { frameOf } from "../shape/reporter.ts";
import { visible } from "../text/visible.ts";

/** A loss that is sure is a problem, and fails no step by itself. */
function levelOf(word: VerdictWord | null): string {
  const state = word === null ? "pass" : wordFacts(word).state;
  if (state === "pass") return "notice";
  return state === "inconclusive" ? "warning" : "error";
}

/** GitHub shows no more of one kind for a step. */
const mostOfAKind = 10;

/** A row to look at. */
export interface PlacedRow extends WorstRow {
  /** Its file in the repository, and the line on which it begins; null: it is of none. */
  at: { file: string; line: number } | null;
}

/**
 * Lines that GitHub Actions shows as annotations of a run: the verdict, every gate that did not pass, and rows that got worse, beside
 * their line in the dataset.
 */
export function githubAnnotations(summary: ReportSummary, worst: readonly PlacedRow[] = []): `::${string}`[] {
  const { suite, verdict, gates, metrics } = summary;
  // That the rest has no answer is no fault of a service.
  if (summary.findings.headline.kind === "interrupted")
    return [command("warning", `${suite}: interrupted`, verdict.sentence)];
  const deciding = gates.filter(({ state }) => state !== null && state !== "pass");
  const reported = [verdict.sentence, ...factTexts(summary)].join("\n");
  const lines = deciding.slice(0, mostOfAKind - 1).map((gate) => {
    const { word, metric, candidate } = gate;
    const said = word === null ? "" : `${wordInText(word)}: `;
    return command(levelOf(word), `${suite}: ${metric} of ${candidate}`, `${said}${gateLine(gate, metrics)}`);
  });
  return [
    command(
      levelOf(verdict.word),
      `${suite}: ${verdict.word === null ? "no verdict" : wordInText(verdict.word)}`,
      reported,
    ),
    ...lines,
    ...rowAnnotations(summary, worst).slice(0, mostOfAKind - 1 - lines.length),
  ];
}

/** Nothing is worse where the data are not complete. */
function rowAnnotations(summary: ReportSummary, worst: readonly PlacedRow[]): `::${string}`[] {
  const { suite, verdict } = summary;
  if (verdict.state === "invalid") return [];
  const frame = frameOf(summary);
  return worst.flatMap((each) => {
    const { row, change, at } = each;
    if (change.trend !== "worse" && change.kind !== "error-appeared") return [];
    const { baseline, candidate } = shownRuns(each, frame);
    const said = [baseline, candidate].map(
      ({ name, run }) => `${name}: ${excerpt(run?.answer ?? run?.error ?? "not run")}`,
    );
    const expected = row.expected === null || row.expected === "" ? [] : [`expected: ${excerpt(row.expected)}`];
    const text = [excerpt(questionOfRow(row)), ...expected, ...said].join("\n");
    const place = rowWords(row);
    const who = frame.pairs.length > 1 ? ` with ${candidate.name}` : "";
    const title = `${suite}: ${place === "" ? row.key : place} ${changeWords(each, frame)}${who}`;
    return [command("warning", title, text, at)];
  });
}

/** A workflow command, with what would end it or begin another encoded as GitHub has it. */
function command(level: string, title: string, message: string, at: PlacedRow["at"] = null): `::${string}` {
  const shown = message.split("\n").map(visible).join("\n");
  const place = at === null ? "" : `file=${property(at.file)},line=${at.line},`;
  return `::${level} ${place}title=${property(title)}::${encoded(shown)}`;
}

const property = (text: string): string => encoded(visible(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");

function encoded(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
