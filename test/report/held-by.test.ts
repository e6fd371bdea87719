import { describe, expect, test } from "vitest";
import { reportSections } from "../../src/report/doc/sections.ts";
import { sectionText } from "../../src/report/formats/markdown/markdown.ts";
import { segmentDecision, worstSegments } from "../../src/report/model/segment-decision.ts";
import type { ReportSummary } from "../../src/report/shape/model.ts";
import { factLines } from "../../src/report/terminal/fact-lines.ts";
import { syntheticSummary } from "./synthetic.ts";

const typo = { tag: "kind", value: "typo", and: null };
const english = { tag: "language", value: "en", and: null };

/** Typos are worse, and English only because of them. */
function summaryWithHeld(): ReportSummary {
  const summary = syntheticSummary(60);
  const [segment] = summary.slices;
  if (segment === undefined) throw new Error("no slice");
  const worse = { ...segment, difference: -0.5, p: 0.001 };
  return {
    ...summary,
    slices: [
      { ...worse, ...typo, heldBy: [] },
      { ...worse, ...english, difference: -0.2, heldBy: [typo] },
    ],
  };
}

describe("a slice that is worse only because of another", () => {
  const summary = summaryWithHeld();

  test("is not one of the worst, nor of the facts in a terminal", () => {
    expect(worstSegments(summary, "test")).toMatchObject([typo]);
    const lines = factLines(summary, { width: 200, most: 20, color: (_, text) => text }).join("\n");
    expect(lines).toContain("worse in kind = typo (");
    expect(lines).not.toContain("language = en");
  });

  test("is nothing worse where the data decide nothing, whatever its p is", () => {
    const invalid = { ...summary, verdict: { ...summary.verdict, state: "invalid" as const } };
    const [segment] = summary.slices;
    expect(segment && [segmentDecision(segment, summary), segmentDecision(segment, invalid)]).toEqual(["worse", null]);
    expect(worstSegments(invalid, "test")).toEqual([]);
    expect(factLines(invalid, { width: 200, most: 20, color: (_, text) => text }).join("\n")).not.toContain("worse in");
  });

  test("stands in the table of slices, with what it is not worse without", () => {
    const section = reportSections(summary).map(sectionText).join("\n\n");
    expect(section).toContain("<code>language = en</code> (not surely worse without kind = typo)");
    expect(section).toContain("| <code>kind = typo</code> |");
  });
});
