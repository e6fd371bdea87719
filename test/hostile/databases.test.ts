import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../store/batch.ts";
import { damageTable } from "../store/damage.ts";
import { since } from "../cpu-time.ts";
import { often } from "../often.ts";
import { csvHarm, type Harm, markdownHarm, terminalHarm } from "./harm.ts";
import { inside } from "./inside.ts";
import { type Column, columnsOf, honestDatabase, plantDatabase } from "./strangers-database.ts";
import { openTally } from "./tally.ts";
import { hostile } from "./texts.ts";

const tally = openTally("databases and results folders of strangers", 120);

let made: Buffer | null = null;
const honestOne = async (): Promise<Buffer> => (made ??= await honestDatabase());

const ways: readonly [harm: Harm, ...words: string[]][] = [
  [markdownHarm, "report", "--format", "markdown", "-o", "-"],
  [terminalHarm, "batches"],
  [csvHarm, "export", "-o", "-"],
  [terminalHarm, "batches", "show"],
  [terminalHarm, "score", "--list"],
  [terminalHarm, "compare"],
];

/** More CPU than this for one command is a hang: most take some milliseconds. */
const longestMs = 5_000;

/** The harm that a command does with what it is given, of which a stranger wrote every part. */
async function harmOf(results: string, [harm, ...words]: (typeof ways)[number]): Promise<string[]> {
  const start = process.cpuUsage();
  const { code, out, err } = await inside(...words, "--results", results);
  const beside = readdirSync(dirname(results)).filter((name) => name !== "results");
  return [
    ...(out === "" ? [] : harm(out)),
    ...terminalHarm(err),
    ...(code === 70 || code === 1 ? [`it ends with ${code}: ${err.slice(0, 300)}`] : []),
    ...(out === "" && err === "" ? ["it says nothing"] : []),
    ...(since(start) > longestMs ? ["a hang"] : []),
    ...(beside.length > 0 ? [`it wrote beside the folder: ${beside.join()}`] : []),
  ];
}

/** Every fifth text at each change, all of them in `npm run test:slow`. */
const some = hostile.filter((_, place) => often(place % 5 === 0, true));

/** Tries values in every column of some types; each value in one way of reading, by turns. */
async function tryColumns(
  { parity, isMeant }: { parity: 0 | 1; isMeant: (column: Column) => boolean },
  values: readonly (readonly [string, unknown])[],
) {
  const honest = await honestOne();
  const results = join(temporaryFolder(), "results");
  let turn = 0;
  // At each change every fourth column, and another value in each; everything in `npm run test:slow`.
  const columns = columnsOf(honest).filter((column, place) => isMeant(column) && often(place % 4 === parity, true));
  for (const { table, column } of columns) {
    const few = [values[turn % values.length] ?? ["", ""]];
    for (const [what, value] of often(few, [...values])) {
      const way = ways[turn++ % ways.length];
      if (way === undefined) continue;
      const isPlanted = plantDatabase(results, honest, (db) =>
        db.prepare(`UPDATE OR IGNORE "${table}" SET "${column}" = ?`).run(value),
      );
      if (isPlanted) tally.tried(what, `${table}.${column} (${way.slice(1).join(" ")})`, await harmOf(results, way));
    }
  }
}

/** Many texts in one: what one of them does at the begin of a line, it does here. */
const together = (from: number, to: number): string =>
  hostile
    .slice(from, to)
    .map(([, text]) => (text.length > 500 ? text.slice(0, 500) : text))
    .join("\n");

test("texts in every column show as text, or are refused with a reason", async () => {
  const half = Math.ceil(hostile.length / 2);
  await tryColumns({ parity: 0, isMeant: ({ type }) => type === "TEXT" }, [
    ["the first half of all texts", together(0, half)],
    ["the other half", together(half, hostile.length)],
    ...hostile,
  ]);
  expect(tally.through()).toEqual([]);
});

test("values of other types, out of range, and JSON of another form are refused with a reason", async () => {
  await tryColumns({ parity: 1, isMeant: () => true }, [
    ["bytes", Buffer.from([0xff, 0, 0x1b])],
    ["no value", null],
    ["JSON of another form", '{"a":[1]}'],
    ["a number that no date is", 9_223_372_036_854_775_807n],
    ["lists without end", "[".repeat(100_000)],
    ["a negative number", -1],
    ["an empty text", ""],
    ["half a number", 0.5],
    ["a huge text", "x".repeat(3_000_000)],
  ]);
  expect(tally.through()).toEqual([]);
});

test("names in a stored suite and in its scorers show as text", async () => {
  const honest = await honestOne();
  const results = join(temporaryFolder(), "results");
  for (const [what, text] of some) {
    plantDatabase(results, honest, (db) => {
      const name = JSON.stringify(text);
      for (const [column, was] of [
        ["suite", '"prod"'],
        ["suite", '"https://prod.example.test"'],
        ["suite", '"/data/prompts.csv"'],
        ["suite", '"help desk/नमस्ते"'],
      ])
        db.prepare(`UPDATE batch SET ${column} = replace(${column}, ?, ?)`).run(was, name);
      db.prepare("UPDATE scoring SET scorers = replace(scorers, '\"correct\"', ?)").run(name);
      db.prepare("UPDATE target SET name = ? WHERE name = 'prod'").run(text);
    });
    for (const way of ways.slice(0, often(2, ways.length)))
      tally.tried(what, `names of a suite (${way.slice(1).join(" ")})`, await harmOf(results, way));
  }
  expect(tally.through()).toEqual([]);
});

test("a batch whose name is a path makes no folder and writes no file", async () => {
  const honest = await honestOne();
  const results = join(temporaryFolder(), "results");
  for (const name of ["../owned", "/tmp/owned-by-tandem", "..", "a/../../owned", "a\0b", "a\nb"]) {
    for (const command of ["report", "compare"]) {
      plantDatabase(results, honest, (db) => db.prepare("UPDATE batch SET name = ?").run(name));
      const harm = await harmOf(results, [terminalHarm, command]);
      if (existsSync("/tmp/owned-by-tandem")) harm.push("it wrote outside");
      tally.tried(name, command, harm);
    }
  }
  expect(tally.through()).toEqual([]);
});

test("links in a results folder let no report be written elsewhere", async () => {
  const honest = await honestOne();
  for (const planted of ["a file", "a folder"]) {
    const folder = temporaryFolder();
    const results = join(folder, "results");
    const target = join(results, "..", "target");
    plantDatabase(results, honest, () => {});
    const [batch = ""] = /^help-desk\S+/m.exec((await inside("batches", "--results", results)).out) ?? [];
    expect(batch).not.toBe("");
    if (planted === "a file") {
      writeFileSync(target, "mine");
      mkdirSync(join(results, batch));
      for (const file of ["runs.csv", "comparison.csv"]) symlinkSync(target, join(results, batch, file));
    } else {
      mkdirSync(target);
      symlinkSync(target, join(results, batch));
    }
    const { code, err } = await inside("report", "--results", results);
    expect(err).toContain("is a link");
    const isKept = planted === "a file" ? readFileSync(target, "utf8") === "mine" : readdirSync(target).length === 0;
    tally.tried(planted, "a link in a results folder", [
      ...(isKept ? [] : ["it wrote through the link"]),
      ...(code === 0 ? ["it says that all is well"] : []),
      ...terminalHarm(err),
    ]);
  }
  expect(tally.through()).toEqual([]);
});

test.skipIf(process.platform === "win32")(
  "a pipe or a link in the place of a database, of a file beside it or of a report is refused, not waited for",
  async () => {
    const honest = await honestOne();
    const results = join(temporaryFolder(), "results");
    plantDatabase(results, honest, () => {});
    const [batch = ""] = /^help-desk\S+/m.exec((await inside("batches", "--results", results)).out) ?? [];
    expect(batch).not.toBe("");
    for (const end of ["", "-wal", "-shm", "-journal"]) {
      for (const plant of [plantPipe, plantLink]) {
        // The database itself may be a link: it is named by its owner.
        if (end === "" && plant === plantLink) continue;
        plantDatabase(results, honest, () => {});
        plant(join(results, `tandem.db${end}`));
        for (const [, ...words] of ways) {
          const { code, err } = await inside(...words, "--results", results);
          const harm =
            code === 2 && err.includes("no regular file") ? [] : [`it ends with ${code}: ${err.slice(0, 200)}`];
          tally.tried(`tandem.db${end}`, `${plant.name} (${words.join(" ")})`, harm);
        }
        rmSync(join(results, `tandem.db${end}`));
      }
    }
    plantDatabase(results, honest, () => {});
    mkdirSync(join(results, batch));
    plantPipe(join(results, batch, "runs.csv"));
    const { code, err } = await inside("report", "--results", results);
    expect(err).toContain("is a pipe, a device or a socket");
    expect(code).toBe(2);
    expect(tally.through()).toEqual([]);
  },
);

function plantPipe(path: string): void {
  rmSync(path, { force: true });
  execFileSync("mkfifo", [path]);
}

function plantLink(path: string): void {
  rmSync(path, { force: true });
  writeFileSync(`${path}.target`, "");
  symlinkSync(`${path}.target`, path);
}

test("what has another structure than the database of tandem is refused with a reason", async () => {
  const honest = await honestOne();
  const results = join(temporaryFolder(), "results");
  const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
  const structures = {
    "a view without end": `DROP TABLE change; CREATE VIEW change AS ${endless}`,
    "a trigger": "CREATE TRIGGER t BEFORE UPDATE ON batch BEGIN DELETE FROM job; END",
    "a table without types": "DROP TABLE label; CREATE TABLE label (a)",
    "no tables": "DROP TABLE batch",
    "a later version": "PRAGMA user_version = 900",
    "a negative version": "PRAGMA user_version = -5",
  };
  for (const [what, sql] of Object.entries(structures)) {
    for (const way of often(ways.slice(0, 2), [...ways])) {
      plantDatabase(results, honest, (db) => db.exec(sql));
      tally.tried(what, way.slice(1).join(" "), await harmOf(results, way));
      if (way[1] === "batches") {
        const { code, err } = await inside("batches", "--results", results);
        expect([code, err.startsWith("error")], `${what}: ${err}`).toEqual([2, true]);
      }
    }
  }
  expect(tally.through()).toEqual([]);
});

test("a damaged page is told as such, with how to save the rest, by every command that meets it", async () => {
  const honest = await honestOne();
  const results = join(temporaryFolder(), "results");
  const readers = [
    ...ways.map(([, ...words]) => words),
    ["label", "agreement"],
    ["label", "export"],
    ["score", "--again"],
    ["pin"],
    ["resume"],
    ["batches", "prune", "--keep", "1"],
  ];
  const met = new Set<string>();
  const tables = ["case", "job", "attempt", "run_record", "score", "scoring", "target", "batch"];
  for (const table of often(["job", "batch"], tables)) {
    for (const words of readers) {
      plantDatabase(results, honest, () => {});
      damageTable(join(results, "tandem.db"), table);
      const { code, err } = await inside(...words, "--results", results);
      const isTold = code === 3 && /which is damaged|\.recover/.test(err);
      if (isTold) met.add(words[0] ?? "");
      // A command that does not read the table does its work; there is nothing to resume.
      const isDone = code === 0 || code === 4 || (words[0] === "resume" && code === 2);
      const harm = isTold || isDone ? [] : [`${code}: ${err.slice(0, 200)}`];
      tally.tried(`a damaged table ${table}`, words.join(" "), harm);
    }
  }
  expect(tally.through()).toEqual([]);
  expect([...met].toSorted()).toEqual(["batches", "compare", "export", "label", "pin", "report", "resume", "score"]);
});
