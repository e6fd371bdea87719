import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead } from "hyparquet";
import { expect, test } from "vitest";
import { temporaryFolder } from "../store/batch.ts";

const writer = fileURLToPath(new URL("./million-rows.mjs", import.meta.url));

test("a million rows are written as Parquet with 80 MB of heap, and each is there", async () => {
  const path = join(temporaryFolder(), "runs.parquet");
  const node = ["--max-old-space-size=80", "--import", "tsx", writer, path];
  await promisify(execFile)(process.execPath, node);
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  expect([metadata.num_rows, metadata.row_groups.length]).toEqual([1_000_000n, 50]);
  const sums = { row: 0n, correct: 0, passed: 0, hindi: 0 };
  for (let rowStart = 0; rowStart < 1_000_000; rowStart += 20_000) {
    const columns = ["row", "correct", "correct.pass", "tags"];
    const onComplete = (rows: Record<string, unknown>[]): void => {
      for (const { row, correct, tags, ...others } of rows) {
        sums.row += typeof row === "bigint" ? row : 0n;
        sums.correct += typeof correct === "number" ? correct : 0;
        sums.passed += others["correct.pass"] === true ? 1 : 0;
        sums.hindi += JSON.stringify(tags) === '{"lang":"hi"}' ? 1 : 0;
      }
    };
    await parquetRead({
      file,
      metadata,
      columns,
      rowStart,
      rowEnd: rowStart + 20_000,
      rowFormat: "object",
      onComplete,
    });
  }
  const all = Array.from({ length: 1_000_000 }, (_, i) => i);
  expect(sums).toEqual({
    row: 499_999_500_000n,
    correct: all.reduce((sum, i) => sum + (i % 10 === 0 ? 0 : i % 3), 0),
    passed: all.filter((i) => i % 3 === 0).length,
    hindi: 500_000,
  });
});
