import { gridOf } from "../matrix/grid.ts";
import type { Sections } from "../schema/sections.ts";
import type { NamedPrompt } from "./prompt-file.ts";

/** The prompt files that a suite names, each with its place. */
export function namedPrompts({ targets = {}, matrix }: Pick<Sections, "targets" | "matrix">): NamedPrompt[] {
  const own = Object.entries(targets).flatMap(([name, { prompt: file }]) =>
    file === undefined ? [] : [{ file, path: ["targets", name, "prompt"] }],
  );
  const shared = matrix?.prompt === undefined ? [] : [{ file: matrix.prompt, path: ["matrix", "prompt"] }];
  const varied = gridOf(matrix).targets.flatMap(({ values }) => {
    const { value, path } = values.get("prompt") ?? {};
    return typeof value === "string" && path !== undefined ? [{ file: value, path }] : [];
  });
  const all: NamedPrompt[] = [...own, ...shared, ...varied];
  return [...new Map(all.map((prompt) => [JSON.stringify(prompt.path), prompt])).values()];
}
