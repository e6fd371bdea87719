import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { idleHomes, kindLists, placesThatAsk } from "../scripts/kinds.ts";

const root = new URL("../src/", import.meta.url).pathname;

/**
 * The stages, or single files, that each stage may import, beside `lib`, `errors` and itself. A name with `type:` may be
 * imported as a type only. The data flows dataset -> plan -> runner -> client -> store -> compare -> report; nothing
 * imports against it.
 */
const allowed: Record<string, string[]> = {
  // An endpoint says when two of its answers are alike.
  api: ["text"],
  errors: [],
  lib: [],
  text: [],
  // Pure: numbers in, numbers out.
  stats: [],
  // The schema of the suite names the endpoints and the report formats, and holds the options of every scorer.
  suite: ["api", "score", "report/formats/formats.ts"],
  // It grades what others made, and knows of them only the shapes; a template is one in a scorer as in a mapping.
  // Parts bring scorers of theirs.
  score: ["api", "text", "dataset", "type:client", "parts"],
  // The keys of a mapping are defined in the folder that reads it.
  dataset: ["api", "text", "type:suite"],
  // It looks at a sheet as a run would, and writes a suite for it.
  init: ["api", "dataset", "suite", "score"],
  client: ["api"],
  plan: ["api", "dataset", "type:suite"],
  runner: ["api", "plan", "client", "type:suite"],
  // The store implements what the runner asks of it, and keeps what the other stages make.
  // An edited score changes those that are made of it: they are made again by their own rule.
  // A suite is stored in the form that the suite's own schema gives it.
  store: [
    "api",
    "type:dataset",
    "type:plan",
    "type:client",
    "type:runner",
    "score",
    "type:suite",
    "suite/suite.ts",
    "suite/prices.ts",
    "suite/sent-files.ts",
  ],
  compare: ["api", "stats", "text", "type:score", "type:dataset", "type:client", "type:store", "type:suite"],
  // A run is shown by the list of columns by which it is read.
  report: ["api", "compare", "text", "stats", "type:score", "type:store", "store/results/columns.ts", "type:suite"],
  // Its page (viewer/app) knows the model of a report, and when two words are the same; its server compares as the app does.
  viewer: ["api", "report", "compare", "store", "plan", "app", "text"],
  // Agents read what the viewer shows.
  mcp: ["app", "report", "store", "viewer"],
  // Its configurations are YAML files with the same messages as a suite's; its bots read texts as we do.
  deployment: ["api", "suite", "text"],
  // It drives the runner over PostgreSQL instead of SQLite.
  workers: ["api", "suite", "plan", "runner", "client", "store"],
  app: [
    "parts",
    "workers",
    "api",
    "suite",
    "dataset",
    "plan",
    "runner",
    "client",
    "store",
    "score",
    "text",
    "stats",
    "compare",
    "report",
  ],
  cli: ["*"],
  // What a part does is loaded when it is asked for; its object is data.
  parts: ["*"],
  main: ["cli"],
  // The library does what the command does, without a terminal.
  library: ["*"],
  index: ["*"],
};

/** The rooms of a folder in the order in which data or meaning passes: a room imports those before it. Files of the folder itself stand beside all. */
const rooms: Record<string, string[]> = {
  api: ["files", "chat", "http"],
  app: [
    "plan",
    "send",
    "spans",
    "scores",
    "doctor",
    "grade",
    "labels",
    "judge",
    "compare",
    "provider",
    "history",
    "report",
    "live",
    "batches",
    "night",
  ],
  cli: ["signals", "start", "flags", "progress", "commands", "help"],
  "cli/commands": [
    "batches",
    "check",
    "history",
    "init",
    "pin",
    "run",
    "resume",
    "night",
    "score",
    "send",
    "label",
    "judge",
    "workers",
  ],
  compare: ["cases", "tallies", "metrics", "verdict", "summary", "choice"],
  dataset: ["decode", "table", "import", "files", "cases", "lint"],
  deployment: ["bot", "sandbox", "endpoints", "record", "answers", "faults", "configuration", "access", "serving"],
  init: ["promptfoo"],
  lib: ["paths"],
  mcp: ["tools"],
  runner: ["submitted"],
  "report/formats": ["json", "markdown", "excel"],
  "report/tables": ["workbook"],
  report: ["shape", "text", "say", "model", "query", "row-index", "doc", "tables", "terminal", "formats", "write"],
  score: ["contract", "proposal", "json", "checks", "rubrics", "judge", "probes", "own", "promptfoo"],
  stats: ["distributions", "resampling", "paired", "agreement", "betting", "judged", "planning", "choice"],
  store: ["journal", "plan", "results", "scores", "compared", "nights", "pins", "merge"],
  suite: ["schema", "matrix", "prompts", "check", "flags"],
  text: ["chrf"],
  workers: ["postgres", "serve", "submit"],
  viewer: ["app", "server"],
  "viewer/server": ["home"],
  "viewer/app": ["data", "parts", "edit", "row", "rows", "gates", "charts", "result", "batches", "shell"],
};

interface Import {
  file: string;
  /** The file that is imported. */
  target: string;
  from: string;
  to: string;
  typeOnly: boolean;
  dynamic: boolean;
}

function stageOf(path: string): string {
  return (path.split("/")[0] ?? "").replace(/\.ts$/, "");
}

function imports(): Import[] {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const pattern =
      /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:([^;'"]*?)\s+from\s+)?["'](\.[^"']+)["']|import\(["'](\.[^"']+)["']\)/g;
    return [...text.matchAll(pattern)].flatMap(([, type, names = "", plain, dynamic]) => {
      const target = relative(root, join(root, file, "..", plain ?? dynamic ?? ""));
      if (target.startsWith("..")) return [];
      const inline =
        /^\{[\s\S]*\}$/.test(names.trim()) &&
        names
          .replace(/[{}]/g, "")
          .split(",")
          .every((name) => name.trim() === "" || name.trim().startsWith("type "));
      return [
        {
          file,
          target,
          from: stageOf(file),
          to: stageOf(target),
          typeOnly: type !== undefined || inline,
          dynamic: dynamic !== undefined,
        },
      ];
    });
  });
}

describe("the direction of imports", () => {
  const found = imports();

  test("only the loading of a suite file gives leave to run its code", () => {
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
    const making = files.filter((file) => /\btrustCode\b/.test(readFileSync(join(root, file), "utf8")));
    expect(making.toSorted()).toEqual(["score/contract/code-trust.ts", "suite/load.ts"]);
  });

  test("every stage is in the table, so that a new one is thought about", () => {
    const stages = new Set(readdirSync(root).map(stageOf));
    expect([...stages].filter((stage) => allowed[stage] === undefined)).toEqual([]);
  });

  test("the scan sees imports of several kinds", () => {
    expect(found.filter(({ typeOnly }) => typeOnly).length).toBeGreaterThan(20);
    expect(found.filter(({ typeOnly }) => !typeOnly).length).toBeGreaterThan(50);
  });

  test("no stage imports one that it may not know", () => {
    const wrong = found.filter(({ target, from, to, typeOnly }) => {
      if (from === to || to === "lib" || to === "errors") return false;
      const may = allowed[from] ?? [];
      return !(
        may.includes("*") ||
        may.includes(to) ||
        may.includes(target) ||
        (typeOnly && may.includes(`type:${to}`))
      );
    });
    expect(wrong.map(({ file, to, typeOnly }) => `${file} imports ${typeOnly ? "types of " : ""}${to}`)).toEqual([]);
  });

  test("every room of a folder has its place in the order", () => {
    const folders = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
    const unknown = folders
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((path) => path.includes("/") && rooms[dirname(path)]?.includes(basename(path)) !== true);
    expect(unknown).toEqual([]);
  });

  test("CONTRIBUTING lists every folder with its rooms in this order", () => {
    const table = readFileSync(join(root, "../CONTRIBUTING.md"), "utf8").split("\n## ")[1] ?? "";
    const rows = Array.from(table.matchAll(/^\| `(\w+)` \| .* \| (.*?) ?\|$/gm), ([, folder = "", cell = ""]) => [
      folder,
      Array.from(cell.matchAll(/`([^`]+)`/g), ([, room = ""]) => room),
    ]);
    const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const held = folders.map(({ name }) => [name, rooms[name === "viewer" ? "viewer/app" : name] ?? []]);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(held));
  });

  test("a room of a folder imports only those before it", () => {
    const wrong = Object.entries(rooms).flatMap(([folder, order]) => {
      const placeOf = (path: string): number =>
        path.startsWith(`${folder}/`) ? order.indexOf(path.slice(folder.length + 1).split("/")[0] ?? "") : -1;
      return found.filter(({ file, target }) => placeOf(file) >= 0 && placeOf(target) > placeOf(file));
    });
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  test("no file needs itself through others, not even for a type", () => {
    const needed = new Map<string, string[]>();
    // A part and a command are there before what they bring, which is loaded when it is asked for.
    const isAskedFor = ({ file, from, dynamic }: Import): boolean =>
      dynamic && (from === "parts" || /^cli\/commands\/(?:\w+\/)?\w+\.ts$/.test(file));
    const edges = found.filter((each) => !isAskedFor(each));
    for (const { file, target } of edges) needed.set(file, [...(needed.get(file) ?? []), target]);
    const reached = (file: string): Set<string> => {
      const seen = new Set<string>();
      const waiting = [...(needed.get(file) ?? [])];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (seen.has(next)) continue;
        seen.add(next);
        waiting.push(...(needed.get(next) ?? []));
      }
      return seen;
    };
    expect([...needed.keys()].filter((file) => reached(file).has(file))).toEqual([]);
  });

  test("what --help loads stays light: the entry and the files of commands import no stage", () => {
    const isEntry = ({ file }: Import): boolean =>
      /^(main\.ts|parts\/\w+\.ts|cli\/(cli|command|commands|named-command|terminal)\.ts|cli\/help\/[^.]+\.ts|cli\/flags\/(run|output|notify|selection)-flags\.ts|cli\/commands\/[^.]+\.ts)$/.test(
        file,
      );
    // A dynamic import is what we want; a static one of a stage is not, also through other files of the command line.
    const loading = found.filter(({ typeOnly, dynamic }) => !typeOnly && !dynamic);
    const light = new Set(loading.filter(isEntry));
    for (const { target, to } of light) {
      if (to === "cli" || to === "parts") for (const next of loading) if (next.file === target) light.add(next);
    }
    const heavy = [...light].filter(
      ({ target, to }) =>
        !["cli", "parts", "lib", "errors"].includes(to) &&
        ![
          "report/text/wrap.ts",
          "report/text/visible.ts",
          "report/formats/formats.ts",
          "report/formats/table-formats.ts",
          "api/endpoint-name.ts",
          "suite/file-name.ts",
          "dataset/cases/template.ts",
        ].includes(target),
    );
    expect(heavy.map(({ file, to }) => `${file} imports ${to}`)).toEqual([]);
  });

  test("the tables of report formats load no writer before a report is made", () => {
    const loaded = found.filter(
      ({ file, typeOnly, dynamic }) => /^report\/formats\/(table-)?formats\.ts$/.test(file) && !typeOnly && !dynamic,
    );
    expect(loaded.map(({ target }) => target).toSorted()).toEqual([
      "errors.ts",
      "lib/show.ts",
      "report/formats/table-formats.ts",
    ]);
  });

  test("no exported name stands for two things", () => {
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
    const places = new Map<string, string[]>();
    for (const file of files) {
      const text = readFileSync(join(root, file), "utf8");
      const exported = /^export (?:async )?(?:function\*?|const|interface|type|class) (\w+)/gm;
      // A function that is overloaded is exported several times.
      for (const name of new Set([...text.matchAll(exported)].map(([, each = ""]) => each)))
        places.set(name, [...(places.get(name) ?? []), file]);
    }
    expect([...places].filter(([, where]) => where.length > 1)).toEqual([]);
  });

  // The index of rows is no journal but a cache, in files of its own, of what it is asked in SQL: nothing else reads them.
  test("SQLite and SQL stand in the store, PostgreSQL's in its room of the workers, and that of the index of rows in its own; others hand a connection on", () => {
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
    const foreign =
      /["']better-sqlite3["']|\.(?:pragma|prepare(?:<[^>]*>)?)\(\s*["'`]|["'`]\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|PRAGMA)\s/;
    const using = files.filter((file) => foreign.test(readFileSync(join(root, file), "utf8")));
    expect(using.length).toBeGreaterThan(20);
    expect(using.filter((file) => !/^(?:store|workers|report\/row-index)\//.test(file))).toEqual([]);
    const reached = found.filter(({ file, target }) => target === "store/sqlite.ts" && !file.startsWith("store/"));
    expect(reached.map(({ file }) => file)).toEqual([]);
    // By its type a connection can be named and closed outside, and nothing else.
    expect(readFileSync(join(root, "store/connection.ts"), "utf8")).not.toMatch(/import |prepare/);
  });

  describe.each(kindLists)("the list of $of", (list) => {
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
    const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

    test("nothing asks for one of them by name, or writes some out again: what differs is a fact of the list", () => {
      expect(placesThatAsk(list, texts)).toEqual([]);
      for (const text of list.examples) expect(text).toMatch(list.asks);
    });

    test("whoever may name them does", () => {
      expect(idleHomes(list, texts)).toEqual([]);
    });
  });

  test("a *.text.ts holds words only: it is given data, and neither works nor prints", () => {
    const texts = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".text.ts"));
    expect(texts.length).toBeGreaterThan(8);
    const working = texts.filter((file) =>
      /\b(?:async|await|process\.|fetch\(|Terminal\b|Connection\b)|["']node:/.test(
        readFileSync(join(root, file), "utf8"),
      ),
    );
    expect(working).toEqual([]);
    const work = new Set(["app", "client", "runner", "store", "deployment", "viewer"]);
    const reached = found.filter(({ file, to, typeOnly }) => file.endsWith(".text.ts") && work.has(to) && !typeOnly);
    expect(reached.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
    // Their counterparts leave the layout of what is shown to them.
    const layout = found.filter(
      ({ file, target }) => file.endsWith(".run.ts") && target.startsWith("report/terminal/"),
    );
    expect(layout.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });

  test("process.exit is called by the command line only", () => {
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const calls = files.filter(
      (file) => !/^(cli\/|main\.ts)/.test(file) && /process\.exit\(/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(calls).toEqual([]);
  });
});
