import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { kindLists, placesThatAsk } from "./kinds.ts";

/** Prints how many places a change has to touch, and where a noun is declared twice. */
const root = new URL("../src/", import.meta.url).pathname;
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

interface Counts {
  anys: number;
  casts: number;
  bangs: number;
}

/** What of a file leaves the type system, and the members of the interfaces that it declares. */
function countsOf(file: string, text: string): Counts & { shapes: Set<string>[] } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const counts = { anys: 0, casts: 0, bangs: 0, shapes: [] as Set<string>[] };
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) counts.anys += 1;
    if (ts.isAsExpression(node) && node.type.getText() !== "const") counts.casts += 1;
    if (ts.isNonNullExpression(node)) counts.bangs += 1;
    if (ts.isInterfaceDeclaration(node))
      counts.shapes.push(new Set(node.members.flatMap(({ name }) => (name === undefined ? [] : [name.getText()]))));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return counts;
}

/** Pairs of interfaces that share at least 60 % of the members of the larger one: one noun, declared twice. */
function alike(shapes: readonly Set<string>[]): number {
  const sized = shapes.filter(({ size }) => size >= 3);
  let pairs = 0;
  for (const [place, one] of sized.entries()) {
    for (const other of sized.slice(place + 1)) {
      const shared = [...one].filter((name) => other.has(name)).length;
      if (shared >= 0.6 * Math.max(one.size, other.size)) pairs += 1;
    }
  }
  return pairs;
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

const lines = [...texts.values()].reduce((sum, text) => sum + text.split("\n").length - 1, 0);
const counts = [...texts].map(([file, text]) => countsOf(file, text));
const total = (key: keyof Counts): number => counts.reduce((sum, each) => sum + each[key], 0);
const shapes = counts.flatMap((each) => each.shapes);
const importers = new Map<string, Set<string>>();
for (const [file, targets] of importsOf(true))
  for (const target of targets) importers.set(target, (importers.get(target) ?? new Set()).add(file));
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
  ...Object.fromEntries(
    kindLists.map((list) => [`places that ask for ${list.of} by name`, placesThatAsk(list, texts).length]),
  ),
  "interfaces, pairs that are alike": `${shapes.length}, ${alike(shapes)}`,
  "files that one file alone imports": [...importers.values()].filter(({ size }) => size === 1).length,
  "any / casts / !": `${total("anys")} / ${total("casts")} / ${total("bangs")}`,
  "files in import cycles, values / types too": `${filesInCycles(importsOf(false))} / ${filesInCycles(importsOf(true))}`,
  "exported names in several files": several(names),
  "SQL outside store and worker/postgres": statements,
};
for (const [name, value] of Object.entries(rows)) console.log(`${name.padEnd(44)} ${value}`);
