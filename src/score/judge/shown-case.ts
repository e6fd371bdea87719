import type { JsonObject } from "../../lib/json.ts";
import type { Answer } from "../contract/scorer.ts";
import { questionOf } from "./judge-prompt.ts";

/** A case as functions, modules and commands that grade are shown it. Judges are not asked twice the same: the order of its fields stays. */
export function shownCase(answer: Answer) {
  const { key, input, expected, tags, columns, cluster, turn } = answer.case;
  return { key, question: questionOf(answer.case), expected, input, tags, columns, cluster, turn } satisfies JsonObject;
}
