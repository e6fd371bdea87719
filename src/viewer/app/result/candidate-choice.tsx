import type { ReportSummary } from "../../../report/shape/model.ts";
import type { SetAddress } from "../data/address.ts";
import { standingOf } from "../parts/standing.ts";
import { stateSigns } from "../parts/state-mark.tsx";
import { reportLooks } from "../parts/target-colour.ts";
import { TargetMark } from "../parts/target-mark.tsx";
import { TargetName } from "../parts/target-name.tsx";

/** Chooses the candidate that the rest of the page is about. */
export function CandidateChoice(given: { summary: ReportSummary; candidate: number; setAddress: SetAddress }) {
  const { summary, candidate, setAddress } = given;
  const { candidates, pairs } = summary;
  if (candidates.length < 2) return null;
  const lookOf = reportLooks(summary);
  const isOneBaseline = new Set(pairs.map(({ baseline }) => baseline)).size === 1;
  return (
    <div class="candidates" role="group" aria-label="Candidate that is shown">
      <span class="quiet">Shown below:</span>
      {candidates.map((name, index) => {
        const standing = standingOf(summary, name) ?? "none";
        return (
          <button
            key={name}
            type="button"
            aria-pressed={index === candidate}
            onClick={() => setAddress({ target: name })}
          >
            <span class={`sign ${standing}`} aria-hidden="true">
              {stateSigns[standing]}
            </span>{" "}
            <TargetMark look={lookOf(name)} />
            <TargetName name={name} />
            {!isOneBaseline && (
              <>
                {" "}
                against <TargetName name={pairs[index]?.baseline ?? ""} />
              </>
            )}
            <span class="unseen">{standing === "none" ? "" : `, ${standing}`}</span>
          </button>
        );
      })}
    </div>
  );
}
