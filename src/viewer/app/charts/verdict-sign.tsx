import { isCutOff, nightVerdict } from "../../../report/words/night-words.ts";
import { stateSigns } from "../parts/state-mark.tsx";

const verdicts = ["regression", "pass", "inconclusive", "invalid"] as const;

const known = (verdict: string | null) => verdicts.find((each) => each === verdict) ?? "none";

/** The sign of a verdict; of one that is not known a dot. */
export function verdictSign(verdict: string | null): string {
  return stateSigns[known(verdict)];
}

/** The verdict of a night as its sign and word; `spared`: jobs that were not sent, as it was decided without them. */
export function NightVerdict(props: { night: { state: string; verdict: string | null; spared: number } }) {
  const { night } = props;
  const isUnfinished = isCutOff(night);
  const isJudged = night.verdict !== null || night.state !== "finished";
  return (
    <>
      <span class={`state ${isUnfinished ? "invalid" : known(night.verdict)}`}>
        {isJudged && <span aria-hidden="true">{isUnfinished ? "■" : verdictSign(night.verdict)} </span>}
        {nightVerdict(night)}
      </span>
      {night.spared > 0 && (
        <>
          {" "}
          <span class="tag" title={`${night.spared} jobs were not sent: it was decided without them`}>
            stopped when decided
          </span>
        </>
      )}
    </>
  );
}
