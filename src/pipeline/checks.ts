import type { CheckReader } from "../dataset/checks.ts";
import { checkScorer } from "../score/row-checks.ts";

const textual = /^(equals|contains|icontains)\s*:([^]*)$/;

/** Reads the checks that rows bring along. */
export const checkReader: CheckReader = {
  promptfoo: (text) => {
    const [, type, value] = textual.exec(text) ?? [];
    if (type !== undefined && value !== undefined) return { scorer: { type, value: value.trim() } };
    const [, kind] = /^((?:not-)?[a-z]+(?:-[a-z]+)+|javascript|python|similar|cost|file:\/\/)/.exec(text) ?? [];
    return kind === undefined ? { scorer: { type: "equals", value: text } } : { without: kind };
  },
  scorer: checkScorer,
};
