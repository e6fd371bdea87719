import type { ScoresSent } from "../../app/scores/send-scores.ts";
import { counted, number } from "../../report/words/quantity.ts";
import type { Terminal } from "../terminal.ts";

/** Says how many scores Langfuse took, or would get, and what is not among them. */
export function tellScores(
  { batch, scores, unscored, unplaced, refused, reason }: ScoresSent,
  isSent: boolean,
  terminal: Terminal,
): void {
  const warning = terminal.style("yellow", "warning");
  if (isSent) terminal.note(`${counted(scores, "score")} of ${batch} sent to Langfuse.`);
  else terminal.note(`${counted(scores, "score")} of ${batch} for Langfuse. Nothing was sent.`);
  if (unscored > 0) terminal.note(`${counted(unscored, "grade")} without a value: no score.`);
  if (unplaced > 0)
    terminal.note(
      `${warning} ${counted(unplaced, "score")} left out: each needs an id of its run, which is that of a trace in Langfuse.`,
    );
  if (refused === 0) return;
  terminal.note(
    `${warning} ${number(refused)} of ${counted(scores + refused, "score")} were not taken (${reason}). The same command sends them again; those that are there stay as they are.`,
  );
}
