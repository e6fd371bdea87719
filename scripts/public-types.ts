import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { compilerHost } from "./compiler-host.ts";
import { reachableTypes } from "./reachable-types.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The declarations of the library and of all that they refer to, by path from `src`; not those of the rest of the program. */
export function publicTypes(): Map<string, string> {
  return reachableTypes(declarationsOfFiles(), join(root, "dist/types/"));
}

/** The declarations of the library's files and of those that they import. */
function declarationsOfFiles(): Map<string, string> {
  const options: ts.CompilerOptions = {
    ...compilerOptions(),
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    // Types are checked by `npm run lint`: to write them takes half the time without.
    noCheck: true,
  };
  const program = ts.createProgram([join(root, "src/index.ts")], options, compilerHost(options));
  const types = new Map<string, string>();
  const waiting = ["index.ts"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const name = path.replace(/\.ts$/, ".d.ts");
    if (types.has(name)) continue;
    const text = declarations(program, join(root, "src", path));
    types.set(name, text);
    waiting.push(...imported(text).map((target) => join(dirname(path), target)));
  }
  return types;
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path));
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}

function declarations(program: ts.Program, path: string): string {
  const source = program.getSourceFile(path);
  if (source === undefined) throw new Error(`${path} is not part of the library`);
  let text = "";
  const { diagnostics } = program.emit(source, (_, emitted) => (text = emitted), undefined, true);
  const [fault] = diagnostics;
  if (fault !== undefined) {
    throw new Error(`${relative(root, path)}: ${ts.flattenDiagnosticMessageText(fault.messageText, "\n")}`);
  }
  return text;
}

/** The files that a declaration refers to, as TypeScript sources. */
function imported(text: string): string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith("."))
    .map(({ fileName }) => fileName.replace(/\.js$/, ".ts"));
}
