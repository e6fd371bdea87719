import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import lock from "../package-lock.json" with { type: "json" };
import manifest from "../package.json" with { type: "json" };
import { builtInFolders, within } from "./notices.ts";

/** A binary that is shipped as somebody else has built it, and what it is of. */
export interface ShippedBinary {
  /** Its path in the package. */
  path: string;
  /** Name of the package that it comes from. */
  from: string;
}

/** What the lock file says of a package. */
interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
}

/**
 * The bill of materials in the form of CycloneDX 1.6: every package of which something is built in, with the hash by which npm
 * takes it, and every binary with its SHA-256. It holds no time and no number of its own, so that the same build gives the same file.
 */
export function billOf(root: string, inputs: Iterable<string>, binaries: readonly ShippedBinary[]): string {
  const packages = new Map(
    builtInFolders(root, inputs).map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      return [`${name}@${version}`, { folder, name: String(name), version: String(version), license: String(license) }];
    }),
  );
  const locked: Record<string, Locked> = lock.packages;
  const own = purlOf(manifest);
  const libraries = [...packages.values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ folder, name, version, license }) => {
      const { integrity } = locked[relative(root, folder).split(sep).join("/")] ?? {};
      const purl = purlOf({ name, version });
      return {
        type: "library",
        "bom-ref": purl,
        name,
        version,
        purl,
        licenses: [{ license: { id: license } }],
        ...(integrity !== undefined && { hashes: [hashOf(integrity)] }),
        ...(within[name] !== undefined && {
          components: within[name].map((part) => ({
            type: "library",
            name: part.name,
            licenses: [{ license: { id: "MIT" } }],
          })),
        }),
      };
    });
  const files = binaries.map(({ path, from }) => ({
    type: "file",
    "bom-ref": `file:${path}`,
    name: path,
    description: `Built by the authors of ${from}, and shipped as it is in their package`,
    hashes: [
      {
        alg: "SHA-256",
        content: createHash("sha256")
          .update(readFileSync(join(root, path)))
          .digest("hex"),
      },
    ],
  }));
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": own,
        name: manifest.name,
        version: manifest.version,
        purl: own,
        licenses: [{ license: { id: manifest.license } }],
      },
    },
    components: [...libraries, ...files],
    dependencies: [{ ref: own, dependsOn: [...libraries, ...files].map((each) => each["bom-ref"]) }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

const purlOf = ({ name, version }: { name: string; version: string }): string =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** A hash as npm writes it (`sha512-` and base64), in the words of CycloneDX. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [algorithm = "", digest = ""] = integrity.split("-");
  return { alg: algorithm.replace("sha", "SHA-"), content: Buffer.from(digest, "base64").toString("hex") };
}

/** The binaries below a folder of the package, by the package that they come from. */
export function binariesIn(root: string): ShippedBinary[] {
  const prebuilt = readdirSync(join(root, "dist/prebuilds")).toSorted();
  return [
    ...prebuilt.map((name) => ({ path: `dist/prebuilds/${name}`, from: "better-sqlite3" })),
    { path: "dist/emscripten-module.wasm", from: "@jitl/quickjs-wasmfile-release-sync" },
  ];
}
