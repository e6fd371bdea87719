import type { Behaviour } from "../../compare/summary/behaviour.ts";
import type { StructureChange } from "../../compare/cases/structure.ts";
import { unitNoun, unitWords } from "./causes.ts";

/** Why a candidate is said to behave differently or not, or why that is not known. */
export function behaviourReason(behaviour: Behaviour): string {
  switch (behaviour.state) {
    case "changed": {
      const [first, ...others] = behaviour.by;
      const differ = others.length === 0 && first === "structure" ? "differs" : "differ";
      return `${behaviour.by.map((part) => `its ${part}`).join(" and ")} ${differ} from the baseline more than the baseline from itself`;
    }
    case "unchanged":
      return "its texts and its structure differ no more from the baseline than the baseline from itself";
    case "too-few": {
      const { few } = behaviour;
      if (few === null) return "too few rows to know: none has an answer of every run";
      return `too few ${unitNoun(few.size.of)} to know: ${few.size.count}, and it takes ${few.needed} or more`;
    }
    case "no-noise-floor": {
      const why = behaviour.isRepeated ? "no row has two answers of the baseline" : "the baseline ran once";
      return `how much the baseline varies by itself is not known, because ${why}`;
    }
    case "not-compared":
      return "there is no row that is finished on both sides";
  }
}

/** Changes that so few rows could not have shown. */
export const unseenWords = ({ part, size }: NonNullable<Behaviour["unseen"]>): string =>
  `${part} alone would have to differ in more than ${unitWords(size)} to be more than chance`;

/** The change of a member of the output, behind its name. */
export const structureWords: Record<StructureChange, string> = {
  vanished: "vanished",
  appeared: "appeared",
  "became-null": "became null",
  "no-longer-null": "is no longer null",
  "became-empty": "became empty",
  "no-longer-empty": "is no longer empty",
  "other-type": "changed its type",
  "more-entries": "has more entries",
  "fewer-entries": "has fewer entries",
  "other-value": "has another value",
};
