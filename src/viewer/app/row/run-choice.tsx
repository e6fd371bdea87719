import type { ReportRow, ReportRun, ReportSummary } from "../../../report/shape/model.ts";
import type { AnswerSide } from "./shown-answers.ts";
import { TargetName } from "../parts/target-name.tsx";

/** Which of several runs is shown, each with what became of it on every side. */
export function RunChoice(given: {
  row: ReportRow;
  sides: readonly AnswerSide[];
  repeat: number;
  choose: (repeat: number) => void;
}) {
  const { row, sides, repeat, choose } = given;
  const most = Math.max(...row.sides.map((side) => side.runs.length), 1);
  if (most === 1) return null;
  return (
    <div class="filters" role="group" aria-label="Which run">
      {Array.from({ length: most }, (_, index) => (
        <button key={index} type="button" aria-pressed={index === repeat} onClick={() => choose(index)}>
          Run {index + 1}{" "}
          <span class="count">{sides.map(({ place }) => cameOut(row.sides[place]?.runs[index])).join(" · ")}</span>
        </button>
      ))}
    </div>
  );
}

function cameOut(run: ReportRun | undefined): string {
  if (run === undefined) return "–";
  if (run.failed) return "error";
  const pass = run.scores[0]?.pass ?? null;
  return pass === null ? "answered" : pass ? "✓ pass" : "✗ fail";
}

/** Two targets, or all of them beside each other. */
export function SideChoice(given: {
  summary: ReportSummary;
  candidate: number;
  isAll: boolean;
  choose: (isAll: boolean) => void;
}) {
  const { summary, candidate, isAll, choose } = given;
  const { length } = summary.targets;
  const name = summary.candidates[candidate];
  if (length < 3) return null;
  return (
    <div class="filters" role="group" aria-label="Which targets">
      <button type="button" aria-pressed={!isAll} onClick={() => choose(false)}>
        {name === undefined ? "Two of them" : <TargetName name={name} />}
      </button>
      <button type="button" aria-pressed={isAll} onClick={() => choose(true)}>
        All {length} targets
      </button>
    </div>
  );
}
