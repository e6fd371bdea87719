/** A place behind the line on which a row begins; characters count from 1. */
export interface RelativePlace {
  lines: number;
  character: number;
}

/** One row of a table as it was read. */
export interface Row {
  /** As many cells as the header has, exactly as written. */
  cells: string[];
  /**
   * As a spreadsheet shows it: the header is row 1, empty rows count, and a cell of several lines counts once. In JSON
   * Lines, which have no header, the line.
   */
  row: number;
  /** The line on which the row begins, from 1. */
  line: number;
  /** Number of turns of the script that the row is one of. */
  turns?: number;
  /** The columns of a workbook in which the row shows an error of a formula, with the addresses of these cells. */
  failed?: ReadonlyMap<number, string>;
  /** The place of a cell behind the start of the row, or of a character in it. A workbook has no lines. */
  placeOf?: (cell: number, offset: number) => RelativePlace;
}

/** Rows with the header they are under. The header is the same array as long as its columns are the same. */
export interface RowBatch {
  header: readonly string[];
  rows: Row[];
}
