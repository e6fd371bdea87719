import { receivers } from "../../app/scores/receivers.ts";
import type { ScoresSent } from "../../app/scores/send-scores.ts";
import { counted, number } from "../../report/words/quantity.ts";
import type { Terminal } from "../terminal.ts";

/** Says how many scores another program took, or would get, and what is not among them. */
export function tellScores(
  { batch, to, scores, alreadyThere, unscored, unplaced, refused, reason }: ScoresSent,
  isSent: boolean,
  terminal: Terminal,
): void {
  const { title, needs } = receivers[to];
  const warning = terminal.style("yellow", "warning");
  if (isSent) terminal.note(`${counted(scores, "score")} of ${batch} sent to ${title}.`);
  else terminal.note(`${counted(scores, "score")} of ${batch} for ${title}. Nothing was sent: --send sends them.`);
  if (alreadyThere > 0)
    terminal.note(
      `${counted(alreadyThere, "score")} already there: ${title} keeps the first, so that one that has changed since was not replaced.`,
    );
  if (unscored > 0) terminal.note(`${counted(unscored, "grade")} without a value: no score.`);
  if (unplaced > 0) terminal.note(`${warning} ${counted(unplaced, "score")} left out: each needs ${needs}.`);
  if (refused === 0) return;
  terminal.note(
    `${warning} ${number(refused)} of ${counted(scores + alreadyThere + refused, "score")} were not taken (${reason}). The same command sends them again; those that are there stay as they are.`,
  );
}
