import { gateWords } from "../words/gate-words.ts";
import { type VerdictWord, wordFacts, wordInText } from "../../compare/verdict-word.ts";
import type { ReportSummary } from "../shape/model.ts";
import { visible } from "../text/visible.ts";

/** A loss that is sure is a problem, and fails no step by itself. */
function levelOf(word: VerdictWord | null): string {
  const state = word === null ? "pass" : wordFacts(word).state;
  if (state === "pass") return "notice";
  return state === "inconclusive" ? "warning" : "error";
}

/** GitHub shows no more of one kind for a step. */
const mostOfAKind = 10;

/** Lines that GitHub Actions shows as annotations of a run: the verdict, and every gate that did not pass. */
export function githubAnnotations({ suite, verdict, gates, metrics }: ReportSummary): `::${string}`[] {
  const deciding = gates.filter(({ state }) => state !== null && state !== "pass");
  const reported = [verdict.sentence, ...verdict.details].join("\n");
  const lines = deciding.slice(0, mostOfAKind - 1).map((gate) => {
    const { word, metric, candidate } = gate;
    const said = word === null ? "" : `${wordInText(word)}: `;
    return command(levelOf(word), `${suite}: ${metric} of ${candidate}`, `${said}${gateWords(gate, metrics)}`);
  });
  return [
    command(
      levelOf(verdict.word),
      `${suite}: ${verdict.word === null ? "no verdict" : wordInText(verdict.word)}`,
      reported,
    ),
    ...lines,
  ];
}

/** A workflow command, with what would end it or begin another encoded as GitHub has it. */
function command(level: string, title: string, message: string): `::${string}` {
  const shown = message.split("\n").map(visible).join("\n");
  return `::${level} title=${encoded(visible(title)).replaceAll(":", "%3A").replaceAll(",", "%2C")}::${encoded(shown)}`;
}

function encoded(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
