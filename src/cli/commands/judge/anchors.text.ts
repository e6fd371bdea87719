import type { FrozenAnchors } from "../../../app/anchors/freeze.ts";
import type { RemovedAnchors } from "../../../app/anchors/remove-anchors.ts";
import type { JudgeWatch } from "../../../report/shape/judge-watch.ts";
import { watchedJudgeLines } from "../../../report/terminal/watched-judge.ts";
import { tableLines } from "../../../report/terminal/table.ts";
import { shellWord } from "../../../lib/shell-word.ts";
import { shareFigure } from "../../../report/say/figures.ts";
import { mostNoise, noiseLimit } from "../../../stats/judged/anchor-charts.ts";
import { visible } from "../../../report/text/visible.ts";
import { counted, number } from "../../../report/say/quantity.ts";

/** The answers that are frozen now, and what follows. */
export function frozenText(frozen: FrozenAnchors): string {
  const { suite, batch, scorer, anchors, pass, fail, nearBorder, labelled, strata } = frozen;
  return [
    `${visible(suite)}: ${counted(anchors, "answer")} of ${visible(batch)} frozen as anchors of the judge \`${visible(scorer)}\`: it passes ${number(pass)} and fails ${number(fail)}; ${number(nearBorder)} are near the border, ${number(labelled)} labelled`,
    ...tableLines(
      [
        { title: "answers of", align: "left", most: 60 },
        { title: "frozen", align: "right", most: 10 },
      ],
      strata.map((each) => [visible(each.name), number(each.answers)]),
    ),
    `tandem night asks the judge about all of them each night: ${counted(anchors, "question")} more. Its first 10 nights are the reference.`,
    noiseText(frozen),
  ].join("\n");
}

/** Flips tell of a change where the judge seldom flips by itself. */
function noiseText({ scorer, noise }: FrozenAnchors): string {
  const name = `\`${visible(scorer)}\``;
  const check = `tandem judge check ${shellWord(scorer)} --probes consistency`;
  if (noise === null)
    return `Whether ${name} says the same when it is asked again is not known: ${check}. Above ${shareFigure(noiseLimit)} of contradictions flips are no alarm.`;
  if (noise <= mostNoise)
    return `By its check ${name} contradicts itself in about ${shareFigure(noise)} of its verdicts.`;
  return `warning: by its check ${name} contradicts itself in about ${shareFigure(noise)} of its verdicts. Above ${shareFigure(mostNoise)} a small change is found late, above ${shareFigure(noiseLimit)} flips are no alarm: ask it with temperature 0, or for a verdict of a closed set, before nights are spent on it.`;
}

/** The judges that are watched, each with how it stands. */
export function watchedText(judges: readonly JudgeWatch[], width: number): string {
  if (judges.length === 0)
    return "No judge is watched. `tandem judge anchors` freezes answers of the latest batch for that.";
  return judges
    .map((judge) =>
      [visible(judge.suite), ...watchedJudgeLines(judge, width - 2).map((line) => `  ${line}`)].join("\n"),
    )
    .join("\n\n");
}

export function anchorsRemovedText({ suite, scorer, takenFrom }: RemovedAnchors): string {
  return `${visible(suite)}: the judge \`${visible(scorer)}\` is not watched any more; its anchors of ${visible(takenFrom)} are removed.`;
}
