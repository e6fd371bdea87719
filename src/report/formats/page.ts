import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

/** Stands in the Content-Security-Policy of the built page where that of a report and that of the viewer differ. */
export const policyPlace = "tandem-page";

const policies = {
  // A report talks to nobody.
  report: "img-src data:",
  // The viewer asks its own server, and plays audio when a person clicks on it.
  viewer: "img-src data:; connect-src 'self'; media-src https: http:",
};

/** The built page, `report` for a file and `viewer` for the server: beside the built command, or in dist beside the sources. */
export function readPage(name: keyof typeof policies): string {
  for (const place of ["./app/page.html.br", "../../../dist/app/page.html.br"]) {
    const path = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(path))
      return brotliDecompressSync(readFileSync(path)).toString().replace(policyPlace, policies[name]);
  }
  throw new Error("the page of reports was not built: run `npm run build`, or install tandem again");
}
