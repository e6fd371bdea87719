import { type AppError, exitCodes } from "../errors.ts";
import { machineLimit } from "./start/machine-limit.ts";
import { styleText } from "node:util";
import { withoutCommands } from "../lib/ci-commands.ts";
import { shownIn } from "../lib/hidden-characters.ts";
import { brief } from "../lib/show.ts";
import { hanging } from "../report/text/wrap.ts";
import { type ColorMode, isColored } from "./color.ts";

/** The streams that a command writes to: the asked result to standard output, everything else to standard error. */
export interface Terminal {
  /** One line or more of the result. */
  print(text: string): void;
  /** One line or more for the person who watches; above the live block, where there is one. */
  note: (text: string) => void;
  /** The same as a warning. */
  warn: (text: string) => void;
  /** The same as an error, with what to do about it. */
  fail: (error: Pick<AppError, "message" | "hint">) => void;
  /** A line that the CI is to obey; what it tells holds no further command. */
  annotate(line: `::${string}`): void;
  /** Puts these lines in the place of the live block: the last lines of the screen, each shorter than it is wide. */
  show(lines: string[]): void;
  /** The person watches a live screen: standard error is a terminal and this is not CI. */
  readonly live: boolean;
  /** Colours on standard output, on standard error. */
  readonly color: { out: boolean; err: boolean };
  /** Columns of standard output, if it is a terminal. */
  readonly columns: number;
  /** Lines of standard output where it is a terminal; null elsewhere. */
  readonly rows: number | null;
  /** Columns of the live block, now. */
  readonly liveColumns: number;
  /** A styled text for standard error. */
  style(format: Parameters<typeof styleText>[0], text: string): string;
}

/** The terminal of this process, with the wish for colours and CI respected. A closed pipe ends output quietly. */
export function processTerminal(mode: ColorMode): Terminal {
  const { stdout, stderr, env } = process;
  endQuietly(stdout, stderr);
  const color = { out: isColored(mode, stdout.isTTY, env), err: isColored(mode, stderr.isTTY, env) };
  let block: string[] = [];
  // One write for each change, so that nothing flickers.
  const draw = (above: string, lines: string[]): void => {
    const erase = block.length > 0 ? `\r\u001B[${block.length}A\u001B[J` : "";
    block = lines;
    stderr.write(`${erase}${above}${lines.map((line) => `${line}\n`).join("")}`);
  };
  const laid = (text: string): string =>
    stderr.isTTY
      ? text
          .split("\n")
          // A mark under a line stays under its place.
          .flatMap((line, i, all) =>
            [line, all[i + 1]].some((each) => each?.trim() === "^") ? [line] : hanging(line, stderr.columns || 80),
          )
          .join("\n")
      : text;
  const note = (text: string): void => draw(`${laid(harmless(brief(text), color.err))}\n`, block);
  const style: Terminal["style"] = (format, text) =>
    color.err ? styleText(format, text, { validateStream: false }) : text;
  return {
    print: (text) => void stdout.write(`${harmless(text, color.out)}\n`),
    note,
    warn: (text) => note(`${style("yellow", "warning")} ${text}`),
    fail({ message, hint }) {
      note(`${style("red", "error")} ${message}`);
      if (hint !== null) note(hint);
    },
    annotate: (line) => draw(`::${withoutCommands(line.slice(2))}\n`, block),
    show: (lines) => draw("", lines.map(withoutCommands)),
    live: stderr.isTTY && (env["CI"] ?? "") === "" && env["TERM"] !== "dumb",
    color,
    columns: stdout.columns || stderr.columns || 100,
    rows: stdout.rows || null,
    get liveColumns() {
      return stderr.columns || 80;
    },
    style,
  };
}

/**
 * A text that neither a terminal nor a CI obeys, whoever wrote the names in it: of what a terminal obeys, only colours are
 * left. JSON escapes controls, and keeps its texts.
 */
function harmless(text: string, colored: boolean): string {
  if (/^\s*[{[]/.test(text) && !/[^\t\n\r\u007F-\u009F\P{Cc}]/u.test(text)) return withoutCommands(text);
  const parts = colored ? text.split(/(\p{Cc}\[[\d;]*m)/u) : [text];
  // Every second part is a colour, if an escape begins it and no other control.
  const shown = parts.map((part, place) =>
    place % 2 === 1 && part.startsWith("\u001B") ? part : shownIn("terminal", part),
  );
  return withoutCommands(shown.join(""));
}

/**
 * A reader that has seen enough (EPIPE), and a terminal that was closed (EIO), are no faults. The work goes on whichever
 * stream is closed: a run is told of, and entered as told, also where nobody reads its summary.
 */
function endQuietly(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): void {
  let hasFailed = false;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (isGone(error) || hasFailed) return;
    const limit = machineLimit(error);
    if (limit === null) throw error;
    hasFailed = true;
    stderr.write(`error Standard output cannot be written. ${limit}\n`);
    process.once("exit", () => (process.exitCode = exitCodes.couldNotRun.code));
  });
  stderr.on("error", (error: NodeJS.ErrnoException) => {
    if (!isGone(error) && machineLimit(error) === null) throw error;
  });
}

const isGone = ({ code }: NodeJS.ErrnoException): boolean => code === "EPIPE" || code === "EIO";
