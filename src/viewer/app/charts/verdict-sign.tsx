import { Fragment } from "preact";
import { wordNamed } from "../../../compare/verdict-word.ts";
import { isCutOff, nightVerdict } from "../../../report/say/nights.ts";
import { TargetName } from "../parts/target-name.tsx";
import { wordClass, wordSign } from "../parts/state-mark.tsx";

/** The verdict of a night. */
interface Judged {
  verdict: string | null;
  word: string | null;
}

/** The sign of a verdict; of one that is not known a dot. */
export const verdictSign = (night: Judged): string => wordSign(wordNamed(night.word));

/** The classes by which it is coloured. */
export const verdictClass = (night: Judged): string => wordClass(wordNamed(night.word));

/**
 * The verdict of a night as its sign and word, with the configurations that may be taken; `spared`: jobs that were not sent, as it was
 * decided without them, `beside`: candidates of which more is known.
 */
export function NightVerdict(props: {
  night: Judged & { state: string; spared: number; beside: readonly string[]; chosen: readonly string[] };
}) {
  const { night } = props;
  const isUnfinished = isCutOff(night);
  const isJudged = night.verdict !== null || night.state !== "finished";
  return (
    <>
      <span class={`state ${isUnfinished ? "invalid" : verdictClass(night)}`}>
        {isJudged && <span aria-hidden="true">{isUnfinished ? "■" : verdictSign(night)} </span>}
        {nightVerdict(night)}
      </span>
      {night.chosen.map((name, place) => (
        <Fragment key={name}>
          {place === 0 ? " " : " or "}
          <TargetName name={name} />
        </Fragment>
      ))}
      {night.beside.map((candidate) => (
        <span key={candidate} class="beside-verdict">
          {" "}
          <bdi>{candidate}</bdi>
        </span>
      ))}
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
