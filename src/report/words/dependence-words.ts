import type { GateDependence, OpenGain, UnnamedColumn } from "../../compare/summary/gate-shapes.ts";
import { wordInText } from "../../compare/verdict-word.ts";
import { number } from "./quantity.ts";

/**
 * `Rows of the same \`article\` go wrong together (art-7: 5 of 5 got worse, art-9: 4 of 4). By rows alone it is a regression; counted
 * by \`article\`, which has 20 values, that is not known. If these are a sample: \`cluster: article\`. If they are all there are: \`tags: [article]\``
 */
export function dependenceWords({ column, cluster, asTag, groups, byRows, worst }: GateDependence): string {
  const named = worst.map(
    ({ value, worse, rows }, place) =>
      `${value}: ${number(worse)} of ${number(rows)}${place === 0 ? " got worse" : ""}`,
  );
  const such = named.length === 0 ? "" : ` (${named.join(", ")})`;
  const together = named.length === 0 ? "come out alike" : "go wrong together";
  const alone = byRows === "pass" ? "By rows alone it passes" : `By rows alone it is ${wordForRows(byRows)}`;
  const counted = `counted by \`${column}\`, which has ${number(groups)} values, that is not known`;
  return `Rows of the same \`${column}\` ${together}${such}. ${alone}; ${counted}. ${wayOut({ cluster, asTag })}.`;
}

/** A gain that is sure by rows alone, in the words of the above. */
export function openGainWords(candidate: string, { column, groups, ...named }: OpenGain): string {
  const counted = `counted by \`${column}\`, which has ${number(groups)} values, that is not sure`;
  return `Rows of the same \`${column}\` go right together. By rows alone ${candidate} is better; ${counted}. ${wayOut(named)}.`;
}

/** Both lines of a suite that say what such a column is. */
function wayOut({ cluster, asTag }: Pick<UnnamedColumn, "cluster" | "asTag">): string {
  const sample = `If these are a sample: \`cluster: ${yamlText(cluster)}\``;
  return asTag === null ? sample : `${sample}. If they are all there are: \`tags: [${yamlText(asTag)}]\``;
}

const wordForRows = (word: GateDependence["byRows"]): string =>
  word === "regression" ? "a regression" : wordInText(word);

/** A name as a list or a value of YAML takes it. */
function yamlText(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_. -]*$/u.test(name) ? name : `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
