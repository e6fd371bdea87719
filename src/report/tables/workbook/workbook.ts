import { xmlAttribute, xmlText } from "../../text/xml-text.ts";
import { stylesXml } from "./cell-styles.ts";
import { officeRelations, packageRelations, TableSheet, type WrittenSheet, xmlStart } from "./sheet.ts";
import type { SpreadsheetOptions } from "../spreadsheet.ts";
import { distinctColumns, type TableEncoder, type TypedColumn } from "../table.ts";
import { zipDirectory, ZipParts } from "./zip-parts.ts";

/** A table as a workbook of one sheet; of more where the rows are too many for one. */
export function xlsxEncoder(columns: readonly TypedColumn[], { name = "Table" }: SpreadsheetOptions): TableEncoder {
  const parts = new ZipParts();
  const sheet = new TableSheet(parts, distinctColumns(columns), { name, frozen: 0 });
  return {
    add: (row) => sheet.add(row),
    get isFull() {
      return parts.isFull;
    },
    take: () => parts.take(),
    end() {
      sheet.end();
      writeWorkbook(parts, sheet.sheets);
      return Buffer.concat([parts.take(), zipDirectory([parts])]);
    },
  };
}

const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Writes the parts of a workbook that tell of its sheets, in their order: they are the last. */
export function writeWorkbook(parts: ZipParts, sheets: readonly WrittenSheet[]): void {
  const put = (path: string, text: string): void => {
    parts.begin(path);
    parts.write(`${xmlStart}${text}`);
    parts.end();
  };
  const overrides = sheets.map(({ path }) => override(path, "worksheet"));
  put(
    "[Content_Types].xml",
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      `${override("xl/workbook.xml", "sheet.main")}${override("xl/styles.xml", "styles")}${overrides.join("")}</Types>`,
  );
  put("_rels/.rels", relations([{ type: "officeDocument", target: "xl/workbook.xml" }]));
  parts.begin("xl/styles.xml");
  parts.write(stylesXml());
  parts.end();
  put(
    "xl/_rels/workbook.xml.rels",
    relations([
      ...sheets.map(({ path }) => ({ type: "worksheet", target: path.replace(/^xl\//, "") })),
      { type: "styles", target: "styles.xml" },
    ]),
  );
  put("xl/workbook.xml", workbookXml(sheets));
}

function workbookXml(sheets: readonly WrittenSheet[]): string {
  const list = sheets.map(
    ({ name }, place) => `<sheet name="${xmlAttribute(name)}" sheetId="${place + 1}" r:id="rId${place + 1}"/>`,
  );
  const names = sheets.flatMap(({ name, filter }, place) => {
    if (filter === null) return [];
    const quoted = xmlText(`'${name.replaceAll("'", "''")}'`);
    return [
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${place}" hidden="1">${quoted}!${filter}</definedName>`,
      `<definedName name="_xlnm.Print_Titles" localSheetId="${place}">${quoted}!$1:$1</definedName>`,
    ];
  });
  return (
    `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${officeRelations}">` +
    `<bookViews><workbookView activeTab="0"/></bookViews><sheets>${list.join("")}</sheets>` +
    `${names.length === 0 ? "" : `<definedNames>${names.join("")}</definedNames>`}</workbook>`
  );
}

const override = (path: string, kind: string): string =>
  `<Override PartName="/${path}" ContentType="${spreadsheet}.${kind}+xml"/>`;

function relations(all: readonly { type: string; target: string }[]): string {
  const list = all.map(
    ({ type, target }, place) =>
      `<Relationship Id="rId${place + 1}" Type="${officeRelations}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${packageRelations}">${list.join("")}</Relationships>`;
}
