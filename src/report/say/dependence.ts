import type { GateDependence, UnnamedColumn } from "../../compare/verdict/facts.ts";
import { wordInText } from "../../compare/verdict-word.ts";
import { number } from "./quantity.ts";
import { yamlText } from "../text/yaml-text.ts";

/**
 * `Rows of the same \`article\` go wrong together (art-7: 5 of 5 got worse, art-9: 4 of 4). By rows alone it is a regression; by the 20
 * values of \`article\` that is not certain. If these are a sample: \`cluster: article\`. If they are all there are: \`tags: [article]\``
 */
export function dependenceWords({ column, cluster, asTag, groups, byRows, worst }: GateDependence): string {
  const named = worst.map(
    ({ value, worse, rows }, place) =>
      `${value}: ${number(worse)} of ${number(rows)}${place === 0 ? " got worse" : ""}`,
  );
  const such = named.length === 0 ? "" : ` (${named.join(", ")})`;
  const together = named.length === 0 ? "come out alike" : "go wrong together";
  const alone = byRows === "pass" ? "By rows alone it passes" : `By rows alone it is ${wordForRows(byRows)}`;
  const counted = `by the ${number(groups)} values of \`${column}\` that is not certain`;
  return `Rows of the same \`${column}\` ${together}${such}. ${alone}; ${counted}. ${bothWays({ cluster, asTag })}`;
}

/** Both ways to say what the values of a column are, to be pasted into `case`. */
function bothWays({ cluster, asTag }: Pick<UnnamedColumn, "cluster" | "asTag">): string {
  const sample = `If these are a sample: \`cluster: ${yamlText(cluster)}\``;
  const all = asTag === null ? "" : `. If they are all there are: \`tags: [${yamlText(asTag)}]\``;
  return `${sample}${all}`;
}

/** `Rows of the same \`article\` (20 values) may go wrong together. If these are a sample: \`cluster: article\`. ...`, before anything is known of them. */
export function groupNote({
  tag,
  groups,
  cluster,
  asTag,
}: Pick<UnnamedColumn, "cluster" | "asTag" | "groups"> & { tag: string }): string {
  const rows = `Rows of the same \`${tag}\` (${number(groups)} values) may go wrong together`;
  return `${rows}. ${bothWays({ cluster, asTag })}. If rows do not depend on each other: \`cluster: false\`.`;
}

/** Says of a cluster column with as many values as rows that it puts no rows together. */
export function lonelyNote(column: string, rows: number): string {
  return `\`cluster: ${yamlText(column)}\` puts no rows together: each of the ${number(rows)} rows has a value of its own. Leave it out, or name a column whose values rows share.`;
}

/** Says of a cluster column with one value that nothing can be decided. */
export function wholeNote(column: string, { rows, fewest }: { rows: number; fewest: number }): string {
  return `\`cluster: ${yamlText(column)}\` puts all ${number(rows)} rows into one group, so that nothing can be decided: ${fewest} groups are the fewest. Name another column, or leave it out.`;
}

const wordForRows = (word: GateDependence["byRows"]): string =>
  word === "regression" ? "a regression" : wordInText(word);
