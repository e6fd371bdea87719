import { strToU8, zipSync } from "fflate";
import { letteredColumn } from "../../src/dataset/table/lettered-column.ts";

/** A cell as Excel stores it: texts, numbers and truth values by themselves, else with a formula, an error or a format of numbers. */
type RawCell =
  | string
  | number
  | boolean
  | null
  | { error: string }
  | { formula: string; result: string | number }
  | { number: number; format: string };

export interface RawSheet {
  name: string;
  rows: readonly (readonly RawCell[])[];
  isHidden?: boolean;
  /** Such as `A1:C1`. */
  merged?: readonly string[];
  /** Place to address. */
  links?: Readonly<Record<string, string>>;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const parcel = "http://schemas.openxmlformats.org/package/2006";

/** A workbook, cell by cell as it is given: what a program for writing them would refuse or change is in it, too. */
export function rawWorkbook(sheets: readonly RawSheet[], more: Readonly<Record<string, string>> = {}): Buffer {
  const formats: string[] = [];
  const styleOf = (format: string): number => {
    if (!formats.includes(format)) formats.push(format);
    return formats.indexOf(format) + 1;
  };
  const bodies = sheets.map((sheet) => sheetXml(sheet, styleOf));
  const parts = Object.fromEntries(bodies.map((body, at) => [`xl/worksheets/sheet${at + 1}.xml`, body]));
  const linked = sheets.flatMap(({ links = {} }, at): [string, string][] => {
    const list = Object.values(links).map(
      (address, place) =>
        `<Relationship Id="rId${place + 1}" Type="${relation}/hyperlink" Target="${escaped(address)}" TargetMode="External"/>`,
    );
    const path = `xl/worksheets/_rels/sheet${at + 1}.xml.rels`;
    return list.length === 0
      ? []
      : [[path, `${head}<Relationships xmlns="${parcel}/relationships">${list.join("")}</Relationships>`]];
  });
  const listed = sheets.map(
    ({ name, isHidden = false }, at) =>
      `<sheet name="${escaped(name)}" sheetId="${at + 1}"${isHidden ? ' state="hidden"' : ""} r:id="rId${at + 1}"/>`,
  );
  const targets = sheets.map(
    (_, at) => `<Relationship Id="rId${at + 1}" Type="${relation}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const texts: Record<string, string> = {
    "[Content_Types].xml": `${head}<Types xmlns="${parcel}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    "_rels/.rels": `${head}<Relationships xmlns="${parcel}/relationships"><Relationship Id="rId1" Type="${relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `${head}<workbook ${space} xmlns:r="${relation}"><sheets>${listed.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${head}<Relationships xmlns="${parcel}/relationships">${targets.join("")}<Relationship Id="rId${sheets.length + 1}" Type="${relation}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": stylesXml(formats),
    ...parts,
    ...Object.fromEntries(linked),
    ...more,
  };
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, strToU8(text)]))));
}

const stylesXml = (formats: readonly string[]): string =>
  `${head}<styleSheet ${space}><numFmts count="${formats.length}">${formats
    .map((format, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(format)}"/>`)
    .join("")}</numFmts><cellXfs count="${formats.length + 1}"><xf numFmtId="0"/>${formats
    .map((_, at) => `<xf numFmtId="${164 + at}" applyNumberFormat="1"/>`)
    .join("")}</cellXfs></styleSheet>`;

function sheetXml({ rows, merged = [], links = {} }: RawSheet, styleOf: (format: string) => number): string {
  const body = rows.map((cells, at) => {
    const inside = cells.map((cell, place) => cellXml(cell, `${letters(place)}${at + 1}`, styleOf)).join("");
    return `<row r="${at + 1}">${inside}</row>`;
  });
  const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join("");
  const linked = Object.keys(links).map((ref, at) => `<hyperlink ref="${ref}" r:id="rId${at + 1}"/>`);
  return [
    `${head}<worksheet ${space} xmlns:r="${relation}"><sheetData>${body.join("")}</sheetData>`,
    merges === "" ? "" : `<mergeCells>${merges}</mergeCells>`,
    linked.length === 0 ? "" : `<hyperlinks>${linked.join("")}</hyperlinks>`,
    "</worksheet>",
  ].join("");
}

const letters = (place: number): string => letteredColumn(place).replace("column ", "");

function cellXml(cell: RawCell, ref: string, styleOf: (format: string) => number): string {
  if (cell === null) return "";
  if (typeof cell === "string")
    return `<c r="${ref}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
  if (typeof cell === "number") return `<c r="${ref}"><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${ref}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if ("error" in cell) return `<c r="${ref}" t="e"><f>NA()</f><v>${cell.error}</v></c>`;
  if ("number" in cell) return `<c r="${ref}" s="${styleOf(cell.format)}"><v>${cell.number}</v></c>`;
  const type = typeof cell.result === "string" ? ' t="str"' : "";
  return `<c r="${ref}"${type}><f>${escaped(cell.formula)}</f><v>${escaped(String(cell.result))}</v></c>`;
}
