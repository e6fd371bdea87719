import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The built page, `report` for a file and `viewer` for the server: beside the built command, or in dist beside the sources. */
export function readPage(name: "report" | "viewer"): string {
  for (const place of [`./app/${name}.html`, `../../../dist/app/${name}.html`]) {
    const path = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(path)) return readFileSync(path, "utf8");
  }
  throw new Error("the page of reports was not built: run `npm run build`, or install tandem again");
}
