import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pictures } from "./render.ts";

const folder = "docs/pictures";

/** The pictures of the pages with their sizes, which stand in the first bytes of a PNG. */
export function picturesOf(root: string): Pictures {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".png"));
  return new Map(
    names.map((name) => {
      const bytes = readFileSync(join(root, folder, name));
      return [`${folder}/${name}`, { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }];
    }),
  );
}
