import { messageShape } from "../../text/message-shape.ts";
import type { ShownOutcome } from "../../api/outcomes.ts";

/** Messages of one kind that differ only in numbers and ids. */
interface MessageGroup<Kind> {
  kind: Kind;
  /** The message of the first of them, cut after 300 characters. */
  message: string;
  jobs: number;
  /** Key of the first case with it. */
  example: string;
}

/** Errors of one outcome whose messages differ only in numbers and ids. */
export interface ErrorGroup extends Omit<MessageGroup<never>, "kind"> {
  outcome: ShownOutcome;
}

/** Runs that a metric has no grade of, for one reason. */
export interface UngradedGroup extends Omit<MessageGroup<never>, "kind"> {
  metric: string;
  /** False: the case lacks what the scorer compares with. True: it could not be graded. */
  applies: boolean;
}

/** Counts messages by kind and shape; memory does not grow with them. */
export interface MessageTally<Kind> {
  add: (kind: Kind, message: string, example: string) => void;
  /** The largest groups first, those that only follow from others last; at most 20. */
  groups: () => MessageGroup<Kind>[];
}

const mostGroups = 500;
const mostShown = 20;
const longestMessage = 300;

/** `nameOf`: different kinds have different names. `follows`: such a kind only follows from another one, however often. */
export function messageTally<Kind>(
  nameOf: (kind: Kind) => string,
  follows: (kind: Kind) => boolean = () => false,
): MessageTally<Kind> {
  const groups = new Map<string, MessageGroup<Kind>>();
  return {
    add(kind, message, example) {
      // A copy through bytes: a slice would keep the whole message alive, which may be a page.
      const text = Buffer.from(message.slice(0, longestMessage)).toString();
      const shape = `${nameOf(kind)} ${messageShape(text)}`;
      const known = groups.get(shape);
      if (known !== undefined) known.jobs += 1;
      else if (groups.size < mostGroups) groups.set(shape, { kind, message: text, jobs: 1, example });
    },
    groups: () =>
      Array.from(groups.values(), (group) => ({ ...group }))
        .toSorted((a, b) => Number(follows(a.kind)) - Number(follows(b.kind)) || b.jobs - a.jobs)
        .slice(0, mostShown),
  };
}
