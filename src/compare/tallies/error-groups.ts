import { messageShape } from "../../text/message-shape.ts";
import type { SideOutcome } from "../cases/side-outcome.ts";

/** Errors of one outcome whose messages differ only in numbers and ids. */
export interface ErrorGroup {
  outcome: SideOutcome;
  /** The message of the first of them, cut after 300 characters. */
  message: string;
  jobs: number;
}

/** Counts errors by their message; memory does not grow with them. */
export interface ErrorGroupTally {
  add: (outcome: SideOutcome, message: string) => void;
  /** The largest groups first, at most 20. */
  groups: () => ErrorGroup[];
}

const mostGroups = 500;
const mostShown = 20;
const longestMessage = 300;

export function errorGroupTally(): ErrorGroupTally {
  const groups = new Map<string, ErrorGroup>();
  return {
    add(outcome, message) {
      // A copy through bytes: a slice would keep the whole message alive, which may be a page.
      const text = Buffer.from(message.slice(0, longestMessage)).toString();
      const shape = `${outcome} ${messageShape(text)}`;
      const known = groups.get(shape);
      if (known !== undefined) known.jobs += 1;
      else if (groups.size < mostGroups) groups.set(shape, { outcome, message: text, jobs: 1 });
    },
    groups: () =>
      Array.from(groups.values(), (group) => ({ ...group }))
        .toSorted((a, b) => b.jobs - a.jobs)
        .slice(0, mostShown),
  };
}
