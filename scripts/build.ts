import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, cp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin, transform } from "esbuild";
import manifest from "../package.json" with { type: "json" };
import { buildApp } from "./build-app.ts";
import { billOf, binariesIn } from "./bill.ts";
import { noticesOf } from "./notices.ts";

/**
 * Builds dist/: the command, the library, the threads of the function sandbox, of the viewer and of comparisons, and beside them the schemas of the databases, the page
 * of reports and viewer.
 * Our own code and the small libraries are bundled and split by command, because loading a few large files is what makes
 * the command start fast; what is native, loads files of its own, or is large and not needed for help stays in node_modules.
 */
const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** The messages of zod in fifty languages, of which we use English: half of the code that every command would load. */
const withoutLocales: Plugin = {
  name: "without-locales",
  setup: (building) => {
    const contents = 'export { default as en } from "./en.js";';
    building.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents }));
  },
};

/** Objects of zod checked without code that is made for each schema: a short run checks few of them, and pays for the making. */
const withoutMadeCode: Plugin = {
  name: "without-made-code",
  setup: (building) => {
    building.onLoad({ filter: /zod\/v4\/core\/schemas\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      const contents = text.replace("const jit = !core.globalConfig.jitless;", "const jit = false;");
      if (contents === text) throw new Error("zod decides in another way whether it makes code");
      return { contents };
    });
  },
};

/** The parts of undici that send: all of it is a hundred files, a tenth of the work of a short run. */
const partsOfUndici: Plugin = {
  name: "parts-of-undici",
  setup: (building) => {
    // No service is asked by HTTP/2 (`allowH2: false`), and Node's own part for it takes as long as to start Node.
    building.onLoad({ filter: /undici\/lib\/dispatcher\/client\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      const part = "require('./client-h2.js')";
      const contents = text.replace(`const connectH2 = ${part}`, `const connectH2 = (...given) => ${part}(...given)`);
      if (contents === text) throw new Error("undici loads its part for HTTP/2 in another way");
      return { contents };
    });
    // Whoever goes through a proxy loads what it takes, and nobody else.
    building.onResolve({ filter: /^undici$/ }, ({ importer }) =>
      importer.endsWith("/client/proxy.ts") ? { path: "undici/proxies", namespace: "proxies" } : undefined,
    );
    building.onResolve({ filter: /^undici$/ }, ({ path: wanted }) => ({ path: wanted, namespace: "parts" }));
    building.onLoad({ filter: /.*/, namespace: "proxies" }, () => ({
      contents: `
        import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
        import connect from "undici/lib/api/api-connect.js";
        export { default as Pool } from "undici/lib/dispatcher/pool.js";
        export { default as ProxyAgent } from "undici/lib/dispatcher/proxy-agent.js";
        export { default as EnvHttpProxyAgent } from "undici/lib/dispatcher/env-http-proxy-agent.js";
        Object.assign(Dispatcher.prototype, { connect });`,
      resolveDir: path("."),
    }));
    building.onLoad({ filter: /.*/, namespace: "parts" }, () => ({
      contents: `
        import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
        import request from "undici/lib/api/api-request.js";
        export { default as Pool } from "undici/lib/dispatcher/pool.js";
        export { default as Client } from "undici/lib/dispatcher/client.js";
        export { default as buildConnector } from "undici/lib/core/connect.js";
        Object.assign(Dispatcher.prototype, { request });`,
      resolveDir: path("."),
    }));
  },
};

/** Commands of parts with the list of commands: they are data, which every start loads, and a file for each would take longer. */
const commandsOfParts: Plugin = {
  name: "commands-of-parts",
  setup: (building) => {
    building.onLoad({ filter: /\/src\/parts\/\w+\.ts$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      const paths: string[] = [];
      const joined = text.replaceAll(
        /await import\(("\.\.\/cli\/commands\/[^"]+")\)/g,
        (_, command: string) => `command${paths.push(command)}`,
      );
      const imports = paths.map((command, place) => `import * as command${place + 1} from ${command};\n`);
      return { contents: `${imports.join("")}${joined}`, loader: "ts" };
    });
  },
};

/**
 * The code that each command begins with, in few files: whatever the command line loads later is told that it needs the command line, which
 * is there by then. Else it would be split by the commands that need the same, into 35 files that each start would look for. What the library
 * needs is left as it is: it has no command line, and `require` takes no module that waits for something, as the list of commands does.
 */
const commandLineFirst: Plugin = {
  name: "command-line-first",
  setup: (building) => {
    const sources = readdirSync(path("src/cli"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts"),
    );
    const cli = path("src/cli/cli.ts");
    const loaded = new Set(
      sources.flatMap((name) => {
        const file = path(`src/cli/${name}`);
        const imports = readFileSync(file, "utf8").matchAll(/\bimport\("(\.[^"]+)"\)/g);
        return Array.from(imports, ([, to = ""]) => resolve(dirname(file), to));
      }),
    );
    // These come before it.
    for (const name of ["cli", "start/hand-over"]) loaded.delete(path(`src/cli/${name}.ts`));
    for (const file of neededBy(path("src/index.ts"))) loaded.delete(file);
    // What the command line imports itself is run before it.
    for (const file of neededBy(cli)) loaded.delete(file);
    building.onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path: file }) => {
      if (!loaded.has(file)) return undefined;
      return { contents: `${await readFile(file, "utf8")}\nimport ${JSON.stringify(cli)};\n`, loader: "ts" };
    });
  },
};

/** The files of ours that a file imports, also through others, before it runs; of parts the commands too, which are joined to them. */
function neededBy(file: string, found = new Set<string>()): Set<string> {
  const imports = /^(?:import(?! type)|export|\}) .*?"(\.[^"]+\.ts)";$|\bimport\("(\.\.\/cli\/commands\/[^"]+)"\)/gm;
  for (const [, to, command = ""] of readFileSync(file, "utf8").matchAll(imports)) {
    const needed = resolve(dirname(file), to ?? command);
    if (!found.has(needed)) neededBy(needed, found.add(needed));
  }
  return found;
}

/** SQLite with its binaries beside the code: as a package, some installers would compile it in spite of them. */
const sqlite: Plugin = {
  name: "sqlite",
  setup: (building) => {
    building.onLoad({ filter: /better-sqlite3\/lib\/binding\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      const contents = text.replaceAll("path.join(__dirname, '..',", "path.join(__folder,");
      if (contents === text) throw new Error("better-sqlite3 looks for its binaries in another way");
      return { contents };
    });
  },
};

/** The code of packages with short names inside of each file. Ours keeps its names, by which the stack of an error can be read. */
const shortNames: Plugin = {
  name: "short-names",
  setup: (building) => {
    building.onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, async ({ path: file }) => {
      const { code } = await transform(await readFile(file, "utf8"), {
        loader: "js",
        minifyIdentifiers: true,
        legalComments: "none",
      });
      return { contents: code, loader: "js" };
    });
  },
};

/** Large parsers, of which a run needs one or none: the file, and the part of a package that it holds. */
const parsers: Record<string, string> = {
  liquid: 'export { Context, Liquid, Output, toValueSync } from "liquidjs"',
};

// A checkout that is linked into another project goes on to have its types: `npm run build:types` writes those.
const madeOfTypes = new Set(["types", "schemas"]);
const old = existsSync(path("dist")) ? readdirSync(path("dist")).filter((name) => !madeOfTypes.has(name)) : [];
for (const name of old) await rm(path(`dist/${name}`), { recursive: true, force: true });
const building = build({
  absWorkingDir: path("."),
  metafile: true,
  entryPoints: {
    main: "src/main.ts",
    index: "src/index.ts",
    "sandbox-worker": "src/deployment/sandbox/worker.ts",
    "viewer-index": "src/viewer/server/index-thread.ts",
    "excel-process": "src/dataset/table/excel-process.ts",
    "viewer-nights": "src/viewer/server/home/nights-thread.ts",
  },
  outdir: "dist",
  bundle: true,
  splitting: true,
  alias: { "string-width": path("scripts/plain-width.ts") },
  plugins: [withoutLocales, withoutMadeCode, partsOfUndici, commandsOfParts, commandLineFirst, sqlite, shortNames],
  format: "esm",
  platform: "node",
  target: "node22.19",
  external: Object.keys(manifest.peerDependencies),
  // By this name undici leaves its second parser of HTTP out, which is an experiment of a sixth of a megabyte.
  define: { esbuildDetection: "true" },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url); const __folder = import.meta.dirname;",
  },
  legalComments: "none",
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: "linked",
  logLevel: "warning",
});

/** Bundles one parser. Nobody looks into these: they are small, and have no maps. */
const buildParser = ([name, contents]: [string, string]) =>
  build({
    absWorkingDir: path("."),
    metafile: true,
    stdin: { contents, resolveDir: path(".") },
    outfile: path(`dist/parsers/${name}.cjs`),
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: "node22.19",
    legalComments: "none",
    logLevel: "warning",
  });

// The page is built by another program, which would wait for one core while the other rests.
const [inputsOfApp, ...bundles] = await Promise.all([
  buildApp(),
  building,
  ...Object.entries(parsers).map((parser) => buildParser(parser)),
]);
const builtIn = [...bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs)), ...inputsOfApp];
// The engine of the function sandbox looks for its WebAssembly beside its code.
const wasm = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
await cp(wasm, path("dist/emscripten-module.wasm"));
await cp(path("node_modules/better-sqlite3/prebuilds"), path("dist/prebuilds"), { recursive: true });
await cp(path("src/store/schema.sql"), path("dist/schema.sql"));
await cp(path("src/workers/postgres/workers.sql"), path("dist/workers.sql"));
await writeFile(path("dist/NOTICES.txt"), noticesOf(path("."), builtIn));
await writeFile(path("dist/bom.cdx.json"), billOf(path("."), builtIn, binariesIn(path("."))));
await chmod(path("dist/main.js"), 0o755);
