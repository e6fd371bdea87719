/** Counts the rows of several files as one, so that each has a number that fits in 32 bits. */
export class RowNumbers {
  /** Files so far, with the number of rows before each. */
  readonly #files: { file: string; rowsBefore: number }[] = [];
  #file = "";
  #rowsBefore = 0;
  #lastRow = 0;

  /** `file` is shown to people. */
  startFile(file: string): void {
    this.#rowsBefore += this.#lastRow;
    this.#lastRow = 0;
    this.#file = file;
    this.#files.push({ file, rowsBefore: this.#rowsBefore });
  }

  /** The number over all files of a row of this one. */
  note(row: number): number {
    this.#lastRow = Math.max(this.#lastRow, row);
    return this.numberOf(row);
  }

  /** A row's number over all files. */
  numberOf(row: number): number {
    return this.#rowsBefore + row;
  }

  /** The name of a row for people, from its number over all files. */
  nameOf(number: number): string {
    const found = this.#files.findLast(({ rowsBefore }) => rowsBefore < number);
    const row = `row ${number - (found?.rowsBefore ?? 0)}`;
    return found === undefined || found.file === this.#file ? row : `${row} of ${found.file}`;
  }
}
