// Fills in a sheet of `tandem label draw` as people who know the articles: an answer is good when it has the golden answer in it.
// node people.mjs labels.csv
import { readFileSync, writeFileSync } from "node:fs";

const [file = "labels.csv"] = process.argv.slice(2);
const [header = [], ...rows] = cells(readFileSync(file, "utf8"));
const [answer, expected, label] = ["answer", "expected", "label"].map((name) => header.indexOf(name));

for (const row of rows) row[label] = plain(row[answer]).includes(plain(row[expected])) ? "good" : "bad";
writeFileSync(file, [header, ...rows].map((row) => `${row.map(quoted).join(",")}\n`).join(""));

/** Rows of cells of a CSV file. */
function cells(text) {
  const found = [[]];
  for (const [, quotedCell, plainCell, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    found.at(-1).push(quotedCell?.replaceAll('""', '"') ?? plainCell);
    if (end !== ",") found.push([]);
  }
  return found.filter((row) => row.length > 1);
}

function quoted(cell) {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function plain(text) {
  return text.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}
