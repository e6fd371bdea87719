import { wrapped } from "../../report/text/wrap.ts";

/** A title with its text beside it, or below it where the title is too long. */
export function helpRow(title: string, text: string, { columns, left }: { columns: number; left: number }): string[] {
  const indent = " ".repeat(left + 2);
  const [first = "", ...rest] = wrapped(text, Math.max(20, columns - left - 2)).map((line) => indent + line);
  const isShort = title.length + 2 <= left;
  const begun = isShort ? [`  ${title.padEnd(left)}${first.slice(indent.length)}`] : [`  ${title}`, first];
  return [...begun, ...rest].map((line) => line.trimEnd());
}
