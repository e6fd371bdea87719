import { closeSync, openSync, writeSync } from "node:fs";
import { encodedTable } from "../../src/report/tables/encoded-table.ts";
import { parquetEncoder } from "../../src/report/tables/parquet.ts";

// Writes a table of a million runs to the file that is named.
const [, , path] = process.argv;
const columns = [
  { name: "case_key", type: "text" },
  { name: "row", type: "integer" },
  { name: "correct", type: "number" },
  { name: "correct.pass", type: "boolean" },
  { name: "created_at", type: "time" },
  { name: "tags", type: "json" },
  { name: "output_text", type: "text" },
];

function* rows() {
  for (let i = 0; i < 1_000_000; i++) {
    const at = new Date(1_795_000_000_000 + i * 1000).toISOString();
    yield [
      `k${i}`,
      i,
      i % 10 === 0 ? null : i % 3,
      i % 3 === 0,
      at,
      `{"lang":"${i % 2 === 0 ? "hi" : "am"}"}`,
      `answer ${i}`,
    ];
  }
}

const file = openSync(path, "w");
for (const piece of encodedTable({ columns, rows: rows() }, { encoderOf: parquetEncoder })) writeSync(file, piece);
closeSync(file);
