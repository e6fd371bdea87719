import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { ColumnType } from "../../lib/column-type.ts";
import { version } from "../../lib/version.ts";
import type { Cell } from "./spreadsheet.ts";
import { microsecondsOf } from "./moment.ts";
import { distinctColumns, type TypedColumn, type TableEncoder } from "./table.ts";

type Schema = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number];
type Value = string | number | bigint | boolean | object | null;

/** Rows of a row group, and characters in it, at most: a reader wants many, and memory holds them all. */
const groupRows = 20_000;
const groupCharacters = 4 * 1024 * 1024;

/** A table as a Parquet file (Snappy): typed columns that may be null, a row group at a time. */
export function parquetEncoder(columns: readonly TypedColumn[]): TableEncoder {
  return new ParquetFile(distinctColumns(columns));
}

class ParquetFile implements TableEncoder {
  readonly #columns: { name: string; valueOf: (cell: Cell) => Value; values: Value[] }[];
  readonly #bytes = new ByteWriter();
  readonly #file: ParquetWriter;
  #rows = 0;
  #characters = 0;

  constructor(columns: readonly TypedColumn[]) {
    const fields = columns.map(({ name, type }): Schema => ({ name, repetition_type: "OPTIONAL", ...elements[type] }));
    this.#columns = columns.map(({ name, type }) => ({ name, valueOf: values[type], values: [] }));
    this.#file = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: "root", num_children: fields.length }, ...fields],
      createdBy: `tandem ${version}`,
    });
  }

  add(row: readonly Cell[]): void {
    this.#columns.forEach(({ valueOf, values: column }, place) => {
      const cell = row[place] ?? null;
      column.push(valueOf(cell));
      if (typeof cell === "string") this.#characters += cell.length;
    });
    this.#rows += 1;
  }

  get isFull(): boolean {
    return this.#rows >= groupRows || this.#characters >= groupCharacters;
  }

  take(): Uint8Array {
    if (this.isFull) this.#writeGroup();
    return this.#taken();
  }

  end(): Uint8Array {
    if (this.#rows > 0) this.#writeGroup();
    // All is in memory: nothing is waited for.
    void this.#file.finish();
    return this.#taken();
  }

  #writeGroup(): void {
    const columnData = this.#columns.map(({ name, values: data }) => ({ name, data, offsetIndex: false }));
    void this.#file.write({ columnData, rowGroupSize: this.#rows });
    for (const column of this.#columns) column.values = [];
    this.#rows = 0;
    this.#characters = 0;
  }

  #taken(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice();
    // Offsets go on counting from the start of the file.
    this.#bytes.index = 0;
    return bytes;
  }
}

const elements: Record<ColumnType, Omit<Schema, "name">> = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  integer: { type: "INT64" },
  number: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  time: { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" } },
  json: { type: "BYTE_ARRAY", converted_type: "JSON" },
  link: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

function textValue(cell: Cell): Value {
  return cell === null ? null : String(cell);
}

/** The value of a cell in a column; null where it is none of its kind. */
const values: Record<ColumnType, (cell: Cell) => Value> = {
  text: textValue,
  link: textValue,
  integer: (cell) => (Number.isSafeInteger(cell) && typeof cell === "number" ? BigInt(cell) : null),
  number: (cell) => (typeof cell === "number" ? cell : null),
  boolean: (cell) => (typeof cell === "boolean" ? cell : null),
  time: (cell) => (typeof cell === "string" ? microsecondsOf(cell) : null),
  json: (cell) => {
    if (typeof cell !== "string") return null;
    const parsed: Value = JSON.parse(cell);
    return parsed;
  },
};
