import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { datasets } from "../datasets/sheet.ts";
import { compareShipped } from "./shipped-workbook.ts";
import { endOfFile, Tandem } from "./tandem.ts";
import { hasOffice } from "./workbook-cells.ts";

// A run of eight bots takes half a minute where others run too.
vi.setConfig({ testTimeout: 180_000 });

const suites = ["functions", "help-desk"].flatMap((folder) =>
  readdirSync(join(datasets, folder)).flatMap((name) => (name.endsWith(".yaml") ? [`${folder}/${name}`] : [])),
);
const home = new Tandem(endOfFile());

test.each(suites)("the workbook of %s has every cell of its CSVs, also as LibreOffice shows it", async (suite) => {
  expect(suites).toHaveLength(8);
  await compareShipped(suite, hasOffice ? home.folder : null);
});
