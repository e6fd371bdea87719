import type { ReportSummary } from "../../../report/shape/model.ts";
import { uncountedLines } from "../../../report/say/validity.ts";

/** The word beside figures that decide nothing, because the data are not complete; nothing where they count. */
export function Uncounted({ summary }: { summary: ReportSummary }) {
  return (
    <>
      {uncountedLines(summary).map((line) => (
        <p key={line} class="uncounted">
          <span aria-hidden="true">! </span>
          {line}
        </p>
      ))}
    </>
  );
}
