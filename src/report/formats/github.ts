import { gateWords } from "../words/gate-words.ts";
import type { ReportSummary, VerdictState } from "../shape/model.ts";
import { visible } from "../text/visible.ts";

const levels: Record<VerdictState, string> = {
  regression: "error",
  invalid: "error",
  inconclusive: "warning",
  pass: "notice",
  none: "notice",
};

/** GitHub shows no more of one kind for a step. */
const mostOfAKind = 10;

/** Lines that GitHub Actions shows as annotations of a run: the verdict, and every gate that did not pass. */
export function githubAnnotations({ suite, verdict, gates, metrics }: ReportSummary): `::${string}`[] {
  const deciding = gates.filter(({ state }) => state !== null && state !== "pass");
  const reported = [verdict.sentence, ...verdict.details].join("\n");
  const lines = deciding.slice(0, mostOfAKind - 1).map((gate) => {
    const { state, metric, candidate } = gate;
    return command(
      levels[state ?? "none"],
      `${suite}: ${metric} of ${candidate}`,
      `${state}: ${gateWords(gate, metrics)}`,
    );
  });
  return [
    command(levels[verdict.state], `${suite}: ${verdict.state === "none" ? "no verdict" : verdict.state}`, reported),
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
