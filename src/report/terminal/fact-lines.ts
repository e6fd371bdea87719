import { worsePlacesOf } from "../model/segment-decision.ts";
import { difference, pValue } from "../say/figures.ts";
import { flipBasis, flipWords } from "../say/changes.ts";
import { onMetric, segmentWords } from "../say/names.ts";
import type { ReportSummary } from "../shape/model.ts";
import type { Paint } from "./paint.ts";
import { number } from "../say/quantity.ts";
import { visible } from "../text/visible.ts";
import { wrapped } from "../text/wrap.ts";

/**
 * Other facts, one line each: newly failing and newly passing cases, segments that got worse, output fields that changed,
 * notes.
 */
export function factLines(
  summary: ReportSummary,
  { width, most, color }: { width: number; most: number; color: Paint },
): string[] {
  const { candidates, cautions, notes } = summary;
  const facts = [
    ...candidates.flatMap((candidate) => {
      const who = candidates.length > 1 ? `${candidate}: ` : "";
      const all = [flipped(summary, candidate), worseIn(summary, candidate), members(summary, candidate)];
      return all.flatMap((fact) => (fact === null ? [] : [`${who}${fact}`]));
    }),
    // Cautions are told beside the verdict.
    ...notes.filter((note) => !cautions.includes(note)),
  ];
  const shown = facts.slice(0, facts.length > most ? most - 1 : most);
  const lines = shown.flatMap((fact) =>
    wrapped(visible(fact), width - 2).map((line, place) => `${place === 0 ? "-" : " "} ${line}`),
  );
  const more = facts.length - shown.length;
  return more > 0 ? [...lines, color("dim", `- and ${number(more)} more: see the report`)] : lines;
}

function flipped(summary: ReportSummary, candidate: string): string | null {
  const flips = summary.flips.filter((flip) => flip.candidate === candidate && flip.cases > 0);
  if (flips.length === 0) return null;
  const basis = flipBasis({ ...summary, flips });
  const found = flips.map(({ kind, cases }) => `${number(cases)} ${flipWords[kind]}`).join("; ");
  const on = onMetric(flips[0]?.metric, summary.verdict.metric);
  return `${found}${on}${basis === null ? "" : ` (${basis})`}`;
}

const mostNamed = 4;

/** Where it got worse for sure. */
function worseIn(summary: ReportSummary, candidate: string): string | null {
  const places = worsePlacesOf(summary, candidate);
  if (places.length === 0) return null;
  const named = places.map((place) => {
    const metric = summary.metrics.find(({ name }) => name === place.metric);
    const by = metric === undefined ? "" : ` ${difference(place.difference, metric)}`;
    return `${segmentWords(place)} (${place.metric}${by}, p ${pValue(place.p)})`;
  });
  return `worse in ${named.join(", ")}`;
}

function members({ members: all }: ReportSummary, candidate: string): string | null {
  const found = all.filter((member) => member.candidate === candidate);
  if (found.length === 0) return null;
  const named = found.slice(0, mostNamed).map(({ path, about, cases }) => `${path} ${about} in ${number(cases)}`);
  return `output fields that changed: ${named.join(", ")}${found.length > mostNamed ? ", …" : ""}`;
}
