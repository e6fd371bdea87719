// oxlint-disable-next-line no-control-regex
const styles = /\u001B\[[0-9;]*m/g;

/**
 * The width of a plain Latin text, which is all that our help is: stands in for `string-width` under yargs when the command is
 * bundled. Three copies of that package, each with its tables and a segmenter, were a third of the time of `--help`.
 */
export default function plainWidth(text: string): number {
  return text.replace(styles, "").length;
}
