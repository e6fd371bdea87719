import { xmlAttribute } from "../../text/xml-text.ts";

/** A look of cells, by names that say what is shown. */
interface Style {
  font?: keyof typeof fonts;
  fill?: keyof typeof fills;
  /** Format of numbers. */
  format?: string;
  wrap?: true;
  /** Remains a text when a person edits the cell, as after an apostrophe. */
  quoted?: true;
  /** A line below. */
  line?: true;
  align?: "top" | "center";
  side?: "left" | "right";
}

const fonts = {
  plain: "",
  bold: "<b/>",
  section: '<b/><sz val="13"/>',
  quiet: '<color rgb="FF666666"/>',
  link: '<u/><color rgb="FF0563C1"/>',
  good: '<b/><color rgb="FF1E7B34"/>',
  bad: '<b/><color rgb="FFB3261E"/>',
  goodTitle: '<b/><sz val="16"/><color rgb="FF1E7B34"/>',
  badTitle: '<b/><sz val="16"/><color rgb="FFB3261E"/>',
} as const;

const fills = { none: "", head: "FFEDEFF2" } as const;

const styleList = {
  text: { wrap: true },
  quoted: { wrap: true, quoted: true },
  head: { font: "bold", fill: "head", wrap: true, line: true, align: "center" },
  integer: { format: "0" },
  count: { format: "#,##0" },
  number: { format: "General" },
  boolean: {},
  time: { format: "yyyy-mm-dd hh:mm:ss" },
  link: { font: "link" },
  good: { font: "good" },
  bad: { font: "bad" },
  title: { font: "section", wrap: true, align: "center" },
  goodTitle: { font: "goodTitle", wrap: true, align: "center" },
  badTitle: { font: "badTitle", wrap: true, align: "center" },
  section: { font: "section" },
  label: { font: "bold" },
  name: { font: "quiet", wrap: true },
  quiet: { font: "quiet", wrap: true },
  share: { format: "0.0%" },
  points: { format: '+0.0" points";-0.0" points";0.0" points"' },
  chance: { format: '[<0.0001]"< 0.0001";0.0000' },
  figure: { format: "#,##0.0##" },
  figureText: { wrap: true, side: "right" },
  figureHead: { font: "bold", fill: "head", wrap: true, line: true, align: "center", side: "right" },
  factCount: { format: "#,##0", side: "left" },
  factTime: { format: "yyyy-mm-dd hh:mm:ss", side: "left" },
} as const satisfies Record<string, Style>;

export type StyleName = keyof typeof styleList;

const styles: [string, Style][] = Object.entries(styleList);
const places = new Map(styles.map(([name], place) => [name, place + 1]));

/** The number by which cells name a style; 0 is that of cells that say nothing. */
export const styleNumber = (name: StyleName): number => places.get(name) ?? 0;

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

const fontXml = (marks: string): string =>
  `<font>${marks}${marks.includes("<sz") ? "" : '<sz val="11"/>'}<name val="Calibri"/><family val="2"/></font>`;
const fillXml = (color: string): string =>
  `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/></patternFill></fill>`;

/** The part of a workbook with all looks of its cells. */
export function stylesXml(): string {
  const formats = [...new Set(styles.flatMap(([, { format }]) => format ?? []))];
  const fontNames = Object.keys(fonts);
  const fillNames = Object.keys(fills);
  // The second fill of every workbook is a pattern of dots, whatever is said of it.
  const fillPlace = (name: string): number => (name === "none" ? 0 : fillNames.indexOf(name) + 1);
  const look = ({ font = "plain", fill = "none", format, wrap, quoted, line, align = "top", side }: Style): string =>
    `<xf numFmtId="${format === undefined ? 0 : firstFormat + formats.indexOf(format)}" fontId="${fontNames.indexOf(font)}"` +
    ` fillId="${fillPlace(fill)}" borderId="${line === true ? 1 : 0}" xfId="0" applyNumberFormat="1" applyFont="1"` +
    ` applyFill="1" applyBorder="1" applyAlignment="1"${quoted === true ? ' quotePrefix="1"' : ""}>` +
    `<alignment vertical="${align}"${side === undefined ? "" : ` horizontal="${side}"`}${wrap === true ? ' wrapText="1"' : ""}/></xf>`;
  return [
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<styleSheet xmlns="${main}">`,
    `<numFmts count="${formats.length}">`,
    ...formats.map((code, place) => `<numFmt numFmtId="${firstFormat + place}" formatCode="${xmlAttribute(code)}"/>`),
    `</numFmts><fonts count="${fontNames.length}">`,
    ...Object.values(fonts).map(fontXml),
    `</fonts><fills count="${fillNames.length + 1}"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>`,
    ...Object.values(fills).flatMap((color) => (color === "" ? [] : [fillXml(color)])),
    '</fills><borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>',
    '<border><left/><right/><top/><bottom style="thin"><color rgb="FF9AA0A6"/></bottom><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${styles.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>`,
    ...styles.map(([, style]) => look(style)),
    '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join("");
}

/** Numbers below are those of formats that every workbook has. */
const firstFormat = 164;
