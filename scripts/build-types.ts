import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { publicTypes } from "./public-types.ts";

/** Writes dist/types: what TypeScript reads of a linked checkout. */
const folder = new URL("../dist/types/", import.meta.url);

await rm(folder, { recursive: true, force: true });
for (const [name, text] of publicTypes()) {
  const path = fileURLToPath(new URL(name, folder));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
