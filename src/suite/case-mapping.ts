import { dirname, resolve } from "node:path";
import { scriptColumns } from "../lib/script-columns.ts";
import type { SuiteFile } from "./schema/schema.ts";
import { toStoredKeys } from "./schema/kept.ts";
import type { CaseMapping, FileSettings } from "./suite.ts";

/** The bounds of the files that cases send; paths are relative to `base`, datasets absolute. */
export function filesOf(
  { root, ...bounds }: NonNullable<SuiteFile["files"]>,
  { base, datasets, suite }: { base: string; datasets: readonly string[]; suite: string | null },
): FileSettings {
  return {
    roots: root === undefined ? datasets.map((path) => (path === "-" ? "" : dirname(path))) : [resolve(base, root)],
    own: [...datasets.filter((path) => path !== "-"), ...(suite === null ? [] : [suite])],
    ...toStoredKeys(bounds),
  };
}

/** The mapping of a case as it is written, with what whole conversations and messages stand for. */
export function mappingOf(section: NonNullable<SuiteFile["case"]>): CaseMapping {
  const { key, input, expected, cluster, turn, turns, messages, opening, tags, ...more } = toStoredKeys(section);
  const mapping = {
    key,
    input,
    expected,
    cluster: cluster === false ? null : (cluster ?? null),
    ...(cluster === false && { independent: true as const }),
    turn,
    opening,
    tags,
    ...more,
  };
  const { turn: number, prompt, conversation, opening: before } = scriptColumns;
  const sent = { ...input, input_prompt: prompt };
  if (turns !== undefined) return { ...mapping, turns, input: sent, cluster: key ?? conversation, turn: number };
  if (messages === undefined) return mapping;
  const from = { opening: opening ?? before, cluster: mapping.cluster ?? conversation };
  return { ...mapping, messages, input: sent, turn: number, ...from };
}
