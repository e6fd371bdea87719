import { unzipSync } from "fflate";
import { SaxesParser } from "saxes";
import type { Cell } from "../../src/report/tables/spreadsheet.ts";

/** A sheet as a reader of the format finds it. */
export interface ReadSheet {
  /** Place, such as `B2`, to value; a text as Excel shows it. */
  cells: Record<string, Cell>;
  /** Values row by row, null where there is nothing. */
  rows: Cell[][];
  /** Place to address. */
  links: Record<string, string>;
  /** Names of all elements. */
  elements: Set<string>;
  filter: string | null;
}

/** The sheets of a workbook by their names; every part has to be sound XML. */
export function readWorkbook(file: Uint8Array): Record<string, ReadSheet> {
  const parts = new Map(
    Object.entries(unzipSync(file)).map(([path, bytes]) => [path, elementsOf(new TextDecoder().decode(bytes))]),
  );
  const targets = targetsOf(parts.get("xl/_rels/workbook.xml.rels"));
  const named = (parts.get("xl/workbook.xml") ?? []).filter(({ name }) => name === "sheet");
  return Object.fromEntries(
    named.map(({ about }) => {
      const path = `xl/${targets[about["r:id"] ?? ""] ?? ""}`;
      const links = targetsOf(parts.get(path.replace(/([^/]+)$/, "_rels/$1.rels")));
      return [about["name"] ?? "", sheetOf(parts.get(path) ?? [], links)];
    }),
  );
}

interface Element {
  name: string;
  about: Record<string, string>;
  text: string;
}

function elementsOf(xml: string): Element[] {
  const found: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, about: { ...attributes }, text: "" };
    found.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    // A text lies in `t`, that in `is`, and that in a cell.
    for (const element of open.slice(-3)) element.text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  return found;
}

const targetsOf = (relations: readonly Element[] = []): Record<string, string> =>
  Object.fromEntries(
    relations.flatMap(({ name, about }) => (name === "Relationship" ? [[about["Id"], about["Target"]]] : [])),
  );

function sheetOf(elements: readonly Element[], targets: Record<string, string>): ReadSheet {
  const cells: ReadSheet["cells"] = {};
  const rows: Cell[][] = [];
  const links: ReadSheet["links"] = {};
  for (const { name, about, text } of elements) {
    if (name === "hyperlink")
      links[about["ref"] ?? ""] =
        `${targets[about["r:id"] ?? ""]}${about["location"] === undefined ? "" : `#${about["location"]}`}`;
    if (name !== "c") continue;
    const place = about["r"] ?? "";
    const value = valueOf(about["t"], text);
    cells[place] = value;
    const [, letters = "", digits = ""] = /^([A-Z]+)(\d+)$/.exec(place) ?? [];
    const column = Array.from(letters).reduce((sum, letter) => sum * 26 + (letter.codePointAt(0) ?? 0) - 64, 0) - 1;
    const row = (rows[Number(digits) - 1] ??= []);
    while (row.length < column) row.push(null);
    row.push(value);
  }
  const filter = elements.find(({ name }) => name === "autoFilter")?.about["ref"] ?? null;
  return { cells, rows, links, elements: new Set(elements.map(({ name }) => name)), filter };
}

function valueOf(type: string | undefined, text: string): Cell {
  if (type === "b") return text === "1";
  if (type === undefined) return Number(text);
  return text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}
