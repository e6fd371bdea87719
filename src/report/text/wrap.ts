import { displayWidth } from "./width.ts";

/** A text in lines of at most this width, broken at spaces, but not before a percent sign; a word that is wider stays whole. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/ (?!%)/)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && displayWidth(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** A line as `wrapped` breaks it, with the rest two columns further in; what stands between backticks stays whole. */
export function hanging(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line];
  const indent = /^ */.exec(line)?.[0] ?? "";
  const joined = line.slice(indent.length).replaceAll(/`[^`]*`/g, (code) => code.replaceAll(" ", inCode));
  return wrapped(joined, width - indent.length - 2).map(
    (part, place) => indent + (place === 0 ? "" : "  ") + part.replaceAll(inCode, " "),
  );
}

/** Stands for a space where a line is not broken. */
const inCode = "\uE000";
