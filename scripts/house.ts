import { readdirSync, readFileSync } from "node:fs";
import { dirname, basename, join, relative } from "node:path";
import ts from "typescript";

/** Prints the measures of the tree that say whether a stranger finds a room by its door. */
const root = new URL("../src/", import.meta.url).pathname;
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

interface Counts {
  functions: number;
  long: number;
  ternaries: number;
  anys: number;
  casts: number;
  bangs: number;
}

function countsOf(file: string, text: string): Counts {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const counts: Counts = { functions: 0, long: 0, ternaries: 0, anys: 0, casts: 0, bangs: 0 };
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      counts.functions += 1;
      const line = (place: number): number => source.getLineAndCharacterOfPosition(place).line;
      if (line(node.end) - line(node.getStart()) >= 60) counts.long += 1;
    }
    if (ts.isConditionalExpression(node)) counts.ternaries += 1;
    if (node.kind === ts.SyntaxKind.AnyKeyword) counts.anys += 1;
    if (ts.isAsExpression(node) && node.type.getText() !== "const") counts.casts += 1;
    if (ts.isNonNullExpression(node)) counts.bangs += 1;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return counts;
}

/** The files that each file imports; types too where they are asked for. */
function importsOf(withTypes: boolean): Map<string, string[]> {
  const pattern = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^;'"]*?\s+from\s+)?["'](\.[^"']+)["']/g;
  return new Map(
    [...texts].map(([file, text]) => [
      file,
      [...text.matchAll(pattern)]
        .filter(([, type]) => withTypes || type === undefined)
        .map(([, , path = ""]) => relative(root, join(root, dirname(file), path))),
    ]),
  );
}

function filesInCycles(imports: ReadonlyMap<string, string[]>): number {
  const reaches = (file: string): boolean => {
    const seen = new Set<string>();
    const waiting = [...(imports.get(file) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(...(imports.get(next) ?? []));
    }
    return seen.has(file);
  };
  return files.filter(reaches).length;
}

function several(groups: Iterable<readonly [string, string]>): number {
  const places = new Map<string, Set<string>>();
  for (const [name, file] of groups) places.set(name, (places.get(name) ?? new Set()).add(file));
  return [...places.values()].filter(({ size }) => size > 1).length;
}

const lengths = [...texts.values()].map((text) => text.split("\n").length - 1).toSorted((a, b) => a - b);
const lines = lengths.reduce((sum, each) => sum + each, 0);
const at = (share: number): number => lengths[Math.floor(share * (lengths.length - 1))] ?? 0;
const counts = [...texts].map(([file, text]) => countsOf(file, text));
const total = (key: keyof Counts): number => counts.reduce((sum, each) => sum + each[key], 0);
const folders = new Map<string, number>();
for (const file of files) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
const flat = [...folders].toSorted(([, a], [, b]) => b - a);
const exported = /^export (?:async )?(?:function\*?|const|interface|type|class) (\w+)/gm;
const names = [...texts].flatMap(([file, text]) =>
  [...text.matchAll(exported)].map(([, n = ""]) => [n, file] as const),
);
const roomsOfSql = ["store/", "worker/postgres/"];
const outside = [...texts].filter(([file]) => !roomsOfSql.some((room) => file.startsWith(room)));
// A statement is prepared from a text, or stands in one; other things have a method named prepare as well.
const sql = /\.prepare(?:<[^>]*>)?\(\s*["'`]|["'`]\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|PRAGMA)\s/g;
const statements = outside.reduce((sum, [, text]) => sum + (text.match(sql)?.length ?? 0), 0);

const rows: Record<string, string | number> = {
  "files, lines": `${files.length}, ${lines}`,
  "file lines median / p90 / max": `${at(0.5)} / ${at(0.9)} / ${at(1)}`,
  "functions over 60 lines": `${total("long")} of ${total("functions")}`,
  "any / casts / !": `${total("anys")} / ${total("casts")} / ${total("bangs")}`,
  "files in import cycles, values / types too": `${filesInCycles(importsOf(false))} / ${filesInCycles(importsOf(true))}`,
  "folders over 25 files": flat
    .filter(([, count]) => count > 25)
    .map(([name, count]) => `${name} ${count}`)
    .join(", "),
  "largest folder": flat[0]?.join(" ") ?? "",
  "ternaries per 1,000 lines": Math.round((1000 * total("ternaries")) / lines),
  "base names in several folders": several(files.map((file) => [basename(file), file])),
  "exported names in several files": several(names),
  "SQL outside store and worker/postgres": statements,
};
for (const [name, value] of Object.entries(rows)) console.log(`${name.padEnd(44)} ${value}`);
