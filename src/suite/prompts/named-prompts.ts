import { isJsonObject } from "../../lib/json.ts";
import { gridOf } from "../matrix/grid.ts";
import type { NamedPrompt } from "./prompt-file.ts";

/** The prompt files that a suite names, each with its place. It takes the raw suite. */
export function namedPrompts(suite: unknown): NamedPrompt[] {
  if (!isJsonObject(suite)) return [];
  const { targets, matrix } = suite;
  const sections = [
    ...Object.entries(isJsonObject(targets) ? targets : {}).map(([name, written]) => ({
      written,
      path: ["targets", name],
    })),
    { written: matrix, path: ["matrix"] },
  ];
  const own = sections.flatMap(({ written, path }): NamedPrompt[] => {
    const file = isJsonObject(written) ? written["prompt"] : undefined;
    return typeof file === "string" ? [{ file, path: [...path, "prompt"] }] : [];
  });
  const varied = gridOf(matrix).targets.flatMap(({ values }) => {
    const prompt = values.get("prompt");
    return prompt !== undefined && typeof prompt.value === "string" ? [{ file: prompt.value, path: prompt.path }] : [];
  });
  const all = [...own, ...varied];
  return [...new Map(all.map((prompt) => [JSON.stringify(prompt.path), prompt])).values()];
}
