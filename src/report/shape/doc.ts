import type { TagValue } from "../../compare/slice-name.ts";
import type { VerdictWord } from "../../compare/verdict-word.ts";
import type { ReportGate, ReportMetric } from "./model.ts";
import type { RowGroup } from "./row-group.ts";

/** The media that draw a document for people, each by one renderer; plain text, such as that of JUnit, has no tables. */
export type Medium = "terminal" | "markdown" | "page";

/** Rows that a number or a name is about: in the page a way to them. */
export interface DocRows {
  target?: string;
  tags?: readonly TagValue[];
  /** Rows that have all values of one of these are left out. */
  without?: readonly (readonly TagValue[])[];
  group?: RowGroup;
  /** A query that they meet beside. */
  text?: string;
  /** Key of a row, which is opened. */
  row?: string;
  sort?: "rank";
}

/**
 * A text for people as data. Nothing in it is escaped: its renderer knows what its medium would take for markup, how a name
 * looks there, and that it draws no picture.
 */
export type Phrase =
  | string
  | readonly Phrase[]
  /** Somebody's text, of which at most so many characters are shown. */
  | { name: string; most?: number }
  /** The name of a target, and the mark by which pictures tell it apart. */
  | { target: string }
  | { mark: string }
  /** The word for a gate, with its sign. */
  | { word: VerdictWord }
  /** The sign that something holds, or does not. */
  | { holds: boolean }
  | { strong: Phrase }
  | { quiet: Phrase }
  /** A sentence below the rest of its cell. */
  | { remark: string }
  /** A remark beside a name. */
  | { note: string }
  | { link: Phrase; to: DocRows }
  /** A difference with its range and its limit as a picture, on one scale with those of the same metric. */
  | { drawn: ReportGate; metric: ReportMetric; among: readonly ReportGate[] }
  /** Lines of their own, of which the first `most` are shown. */
  | { list: readonly Phrase[]; most: number; noun: string };

/** The content of a cell: `short` where lines are narrow (the terminal), `long` where there is room for more (the page). */
export interface DocCell {
  text: Phrase;
  short?: Phrase;
  long?: Phrase;
  /** The number that the text shows, where a spreadsheet can calculate with it. */
  figure?: DocFigure;
}

/** A number and what it is: a share is shown in percent, and a difference of shares in points. */
interface DocFigure {
  value: number | null;
  as: "share" | "points" | "figure" | "count" | "chance";
}

/** The title of a column, which may be somebody's text. */
type Title = string | { name: string };

/** A column of a table, declared once for all media. */
export interface DocColumn {
  title: Title;
  /** The title where lines are narrow; left out: the same. */
  short?: Title;
  /** Words that explain the title, where they can be asked for. */
  about?: string;
  /** Names give way to figures where a line is narrow; numbers and ranges of them stand on the right there. Left out: words. */
  kind?: "name" | "number" | "range" | "chart";
  /** If a line is too narrow, the columns with the highest number go first; left out: it stays. */
  drop?: number;
  /** Media that leave it out. */
  not?: readonly Medium[];
  /** Where a row is drawn as several lines its title stands beside it. */
  isTold?: boolean;
}

/** A table: its name, the noun of its lines, and in each of them a cell for every column. */
export interface DocTable {
  name: string;
  noun: string;
  columns: readonly DocColumn[];
  rows: readonly DocRow[];
}

export interface DocRow {
  key: string;
  cells: readonly DocCell[];
  /** Colours the line. */
  state?: ReportGate["state"];
}
