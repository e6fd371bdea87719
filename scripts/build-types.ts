import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { deploymentReference } from "./reference/deployment.ts";
import { publicTypes } from "./public-types.ts";
import { writeSchemas } from "./write-schemas.ts";

/** Writes what is made of types: dist/types, which TypeScript reads of a linked checkout, dist/schemas and dist/deployment.md. */
const folder = new URL("../dist/types/", import.meta.url);

await rm(folder, { recursive: true, force: true });
for (const [name, text] of publicTypes()) {
  const path = fileURLToPath(new URL(name, folder));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
await writeSchemas();
await writeFile(new URL("../dist/deployment.md", import.meta.url), deploymentReference());
