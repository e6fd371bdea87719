import ts from "typescript";

/** Declarations of packages, by path and kind of module: whatever else a program asks for, they are parsed alike. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Makes the files of this machine, for one program of several: what packages declare is parsed and bound once for all of
 * them. Comments are no documentation to it, of which the types of Node have more than of types.
 */
export function compilerHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const parse: ts.CompilerHost["getSourceFile"] = (path, given, onError) => {
    const kind = typeof given === "object" ? given.impliedNodeFormat : undefined;
    const key = `${kind} ${path}`;
    if (parsed.has(key)) return parsed.get(key);
    const file = host.getSourceFile(path, given, onError);
    if (path.includes("/node_modules/") && path.endsWith(".d.ts")) parsed.set(key, file);
    return file;
  };
  return { ...host, jsDocParsingMode: ts.JSDocParsingMode.ParseNone, getSourceFile: parse };
}
