/** A sheet in which errors and percentages are texts, as a person reads them. */
export interface ShownCells {
  xml: string;
  /** Addresses of the cells that show an error. */
  errors: ReadonlySet<string>;
}

/**
 * Writes what cells show into the XML of a sheet, where its reader would drop it or say another thing: errors, which it takes for blank
 * cells, and percentages, of which it knows the number alone. Some programs write a prefix before the name of every element.
 */
export function shownCells(xml: string, styles: string): ShownCells {
  const percentages = percentStyles(styles);
  const errors = new Set<string>();
  if (percentages.size === 0 && !/\bt="e"/.test(xml)) return { xml, errors };
  // No part of it looks beyond the next tag, so that its time grows with the length of the sheet alone.
  const cells = /<((?:\w+:)?)c\b([^<>]*)>(?:\s*<\1f\b[^<>]*(?:\/>|>[^<]*<\/\1f>))?\s*<\1v>([^<]*)<\/\1v>\s*<\/\1c>/g;
  const shown = xml.replaceAll(cells, (whole: string, prefix: string, attributes: string, value: string) => {
    const withText = (rest: string, text: string): string =>
      `<${prefix}c${rest}><${prefix}v>${text}</${prefix}v></${prefix}c>`;
    const type = /\bt="([^"]*)"/.exec(attributes)?.[1] ?? "n";
    if (type === "e") {
      const address = /\br="([A-Z]{1,3}\d{1,7})"/.exec(attributes)?.[1];
      if (address !== undefined) errors.add(address);
      return withText(attributes.replace(/\bt="e"/, 't="str"'), value);
    }
    const style = /\bs="(\d+)"/.exec(attributes)?.[1];
    if (type !== "n" || style === undefined || !percentages.has(Number(style)) || !isNumber(value)) return whole;
    // 15 digits, as Excel keeps them: 0.07 * 100 is 7.
    const percent = Number((Number(value) * 100).toPrecision(15));
    return withText(`${attributes.replace(/\st="n"/, "")} t="str"`, `${percent}%`);
  });
  return { xml: shown, errors };
}

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));

/** The places of the formats of cells that show a percentage. */
function percentStyles(styles: string): Set<number> {
  // These two are known to every spreadsheet: 0% and 0.00%.
  const ids = new Set(["9", "10"]);
  for (const [, attributes = ""] of styles.matchAll(/<(?:\w+:)?numFmt\b([^<>]*)>/g)) {
    const id = /\bnumFmtId="(\d+)"/.exec(attributes)?.[1];
    const code = /\bformatCode="([^"]*)"/.exec(attributes)?.[1] ?? "";
    // Texts in quotes, and single characters behind a backslash, are no part of the number.
    if (id !== undefined && /%/.test(code.replaceAll(/&quot;.*?&quot;|\\./g, ""))) ids.add(id);
  }
  const found = new Set<number>();
  const [, all = ""] = /<(?:\w+:)?cellXfs\b[^<>]*>([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(styles) ?? [];
  let place = 0;
  for (const [, attributes = ""] of all.matchAll(/<(?:\w+:)?xf\b([^<>]*)>/g)) {
    if (ids.has(/\bnumFmtId="(\d+)"/.exec(attributes)?.[1] ?? "")) found.add(place);
    place += 1;
  }
  return found;
}
