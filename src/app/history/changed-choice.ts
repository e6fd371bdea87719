import { z } from "zod";
import { chosenOf, choiceWord } from "../../compare/choice/choice.ts";
import { choiceOpens } from "../../compare/verdict-word.ts";

/** The parts of a kept choice that say whether it is a change. */
export const keptChoice = z.object({
  expected: z.string().nullable(),
  named: z.string().nullable(),
  ahead: z.string().nullable(),
  set: z.array(z.string()),
  configurations: z.array(z.object({ target: z.string() })),
  alike: z.array(z.array(z.string())),
  open: z.enum(choiceOpens).nullable(),
  cheapest: z.object({ named: z.string().nullable(), unpriced: z.array(z.string()) }).optional(),
  race: z
    .object({
      isThrough: z.boolean(),
      end: z.object({ kind: z.enum(["one left", "close enough"]), target: z.string() }).nullable(),
      configurations: z.array(z.object({ target: z.string(), droppedAfter: z.number().nullable() })),
    })
    .optional(),
});

export type ChoiceFacts = z.output<typeof keptChoice>;

/** Another one is chosen than was expected, by what is the same in every night. */
interface ChangedChoice {
  name: string;
  baseline: string;
  targets: readonly string[];
}

/**
 * The change that a night finds, of the one that is chosen. Where it cannot tell, every change is open: one of the night before goes
 * on. Without an expected choice nothing changes.
 */
export function changedChoices(
  choice: ChoiceFacts | undefined,
  targets: ReadonlySet<string>,
): { found: ChangedChoice[]; open: ChangedChoice[] } {
  if (choice === undefined || choice.expected === null) return { found: [], open: [] };
  const { expected, cheapest } = choice;
  const changeTo = (target: string): ChangedChoice => ({
    name: `change of the ${cheapest === undefined ? "best" : "cheapest"} from ${expected} to ${target}`,
    baseline: expected,
    targets: [target, expected],
  });
  const word = choiceWord(choice);
  // A race may end with several that are left, of which one is close enough to the best.
  const chosen = chosenOf(choice) ?? choice.race?.end?.target ?? null;
  if (word === "changed" && chosen !== null) return { found: [changeTo(chosen)], open: [] };
  const isKept = word === "best" || (word === "close-enough" && chosen === expected);
  const others = [...targets].filter((target) => target !== expected);
  return { found: [], open: isKept ? [] : others.map(changeTo) };
}
