import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { collect, mapping } from "./reading.ts";

const folder = fileURLToPath(new URL("../fixtures/datasets/", import.meta.url));
const names = readdirSync(folder).filter((name) => /\.(?:csv|txt|gz)$/.test(name));

/** UTF-16 without a mark, with the encoding that has to be named. */
const unmarked: Partial<Record<string, string>> = {
  "iconv-utf16be-no-mark.csv": "utf-16be",
  "iconv-utf16le-no-mark.csv": "utf-16le",
};

const rows = [
  ["007", "क्या यह निःशुल्क है?", "हाँ, है"],
  ["008", 'Er sagte "nein",\r\nzweimal', "5 €"],
  ["009", "هل هذا مجاني؟", 'نعم; "بالتأكيد"'],
  ["010", "👩‍👩‍👧 ይህ ነፃ ነው?", ""],
];
const western = [
  ["007", "Ça coûte combien ?", "5 € – “net”"],
  ["008", "Straße; Nr. 3", "ÿ½"],
];

describe("a sheet that another program made is read cell by cell:", () => {
  test("there are some of UTF-16 and of Windows-1252", () => {
    expect(names.filter((name) => name.includes("utf16")).length).toBeGreaterThanOrEqual(5);
    expect(names.filter((name) => name.includes("cp1252")).length).toBeGreaterThanOrEqual(2);
  });

  test.each(names)("%s", async (name) => {
    const reported: string[] = [];
    const encoding = unmarked[name] ?? null;
    const options = { files: [`${folder}${name}`], mapping: mapping(), endpoints: ["video-bots"] as const };
    if (encoding !== null) await expect(collect(options)).rejects.toThrow(`--encoding utf-16le or utf-16be`);
    const cases = await collect({
      ...options,
      format: { delimiter: null, encoding, lenient: false },
      onNotice: (notice) => reported.push(notice),
    });
    const isWestern = /cp1252|western/.test(name);
    expect(cases.map(({ columns }) => Object.values(columns))).toEqual(isWestern ? western : rows);
    // Only Windows-1252 is a guess that a person should know of.
    expect(reported.map((notice) => notice.includes("read as Windows-1252"))).toEqual(
      name.includes("cp1252") ? [true] : [],
    );
  });
});
