import type { JudgeWatch } from "../shape/judge-watch.ts";
import { visible } from "../text/visible.ts";
import { wrapped } from "../text/wrap.ts";
import { shareFigure } from "../say/figures.ts";
import { counted, number } from "../say/quantity.ts";

/** A judge that is watched, wrapped: what it is watched by, how it stands, and what to know beside that. */
export function watchedJudgeLines(judge: JudgeWatch, width: number): string[] {
  const { scorer, anchors, takenFrom, sentence, notes, charts = [], byPeople, alarm, state } = judge;
  const figures = charts.map(({ direction, nights }) => {
    const at = nights.at(-1)?.statistic ?? 0;
    return `${direction === "up" ? "higher" : "lower"} grades ${evidence(at)}`;
  });
  const lines = [
    `Judge ${scorer}: ${counted(anchors, "anchor")} of ${takenFrom}`,
    sentence,
    ...notes,
    ...(figures.length === 0
      ? []
      : [
          `Evidence of a change after ${counted(charts[0]?.nights.length ?? 0, "night")}: ${figures.join(", ")}; from ${number(charts[0]?.threshold ?? 0)} on it is an alarm.`,
        ]),
    ...(byPeople === null
      ? []
      : [
          `By the labels of the anchors it passes ${shareFigure(byPeople.sensitivity)} of the good answers and fails ${shareFigure(byPeople.specificity)} of the bad ones.`,
        ]),
    ...(alarm === undefined || state === "changed"
      ? []
      : [`It was found to have changed on ${alarm.label}: ${alarm.signs.join("; ")}.`]),
  ];
  return lines.flatMap((line, place) =>
    wrapped(visible(line), width - 2).map((part) => (place === 0 ? part : `  ${part}`)),
  );
}

const evidence = (statistic: number): string =>
  statistic >= 1e6 ? "over 1,000,000" : number(Math.round(statistic * 10) / 10);
