import type { DecisionSettings } from "./suite.ts";

/** True where a run may end, or leave a target out, before all of its cases were sent: because of what it has seen. */
export const mayEndEarly = ({ stopWhen, race }: Pick<DecisionSettings, "stopWhen" | "race">): boolean =>
  stopWhen !== undefined || race !== undefined;

/** Settings of a decision that a race does not go together with. */
type RacedSettings = {
  [Key in "choose" | "stopWhen" | "looks" | "confirm" | "secondLook"]?: DecisionSettings[Key] | undefined;
};

/** Why there can be no race by these settings, as the end of a sentence about it, and what to do. */
export function raceRefusal(given: RacedSettings): { why: string; advice: string } | null {
  const { choose, stopWhen, looks, confirm, secondLook } = given;
  if (choose === "cheapest")
    return {
      why: "cannot be used together with choose: cheapest: a configuration that is not the best is asked no more, and may be the cheapest that is good enough",
      advice: "Race for the best with `choose: best`, or leave race out.",
    };
  if (choose === undefined)
    return {
      why: "is about choosing the best of several, and nothing is chosen",
      advice: "Write `compare: { choose: best }` in the suite.",
    };
  if (stopWhen !== undefined)
    return {
      why: "cannot be used together with stop_when: decided: a race ends by its own rule",
      advice: "Keep one of them.",
    };
  if (looks === 2 || secondLook === true)
    return {
      why: "cannot be used together with a second look: a race looks after every case",
      advice: "`tandem resume --rest` sends what a race left out.",
    };
  if (confirm === true)
    return {
      why: "cannot be used together with confirm: rerun: the cases of a race are not all asked of both sides",
      advice: "Leave confirm out.",
    };
  return null;
}
