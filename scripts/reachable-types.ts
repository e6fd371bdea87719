import ts from "typescript";
import { compilerHost } from "./compiler-host.ts";

/** What a file keeps: statements, the names that they use, and types that are written out. */
interface Kept {
  statements: Set<ts.Statement>;
  names: Set<string>;
  writtenOut: Map<ts.Statement, string>;
}

/** Types that are worked out from a schema of zod. */
const inferred = /\bz\.(?:infer|output|input)</;

/**
 * Declaration files without what the exports of `index.d.ts` do not lead to, and with types written out that would be
 * worked out from a schema: who uses the library needs no package for its types. By path from `root`, as they are given.
 */
export function reachableTypes(types: ReadonlyMap<string, string>, root: string): Map<string, string> {
  const { files, checker } = programOf(types, root);
  const kept = new Map<ts.SourceFile, Kept>();
  const waiting: ts.Symbol[] = [];
  const named = (file: ts.SourceFile, name: string, symbol: ts.Symbol | undefined): void => {
    if (symbol === undefined) return;
    keptIn(kept, file).names.add(name);
    waiting.push(symbol);
  };
  const keep = (statement: ts.Statement): void => {
    const file = statement.getSourceFile();
    const { statements, writtenOut } = keptIn(kept, file);
    if (statements.has(statement)) return;
    statements.add(statement);
    if (!isInferred(statement)) {
      for (const each of identifiers(statement)) named(file, each.text, checker.getSymbolAtLocation(each));
      return;
    }
    const text = writtenType(statement, checker);
    writtenOut.set(statement, text);
    for (const [name] of text.matchAll(/(?<![.\w"'])[A-Z]\w*/g)) {
      named(file, name, checker.resolveName(name, statement, ts.SymbolFlags.Type, false));
    }
  };

  for (const statement of files.get("index.d.ts")?.statements ?? []) keep(statement);
  for (let symbol = waiting.pop(); symbol !== undefined; symbol = waiting.pop()) {
    const through = symbol.flags & ts.SymbolFlags.Alias ? checker.getImmediateAliasedSymbol(symbol) : undefined;
    if (through !== undefined) waiting.push(through);
    for (const declaration of symbol.declarations ?? []) {
      const statement = statementAround(declaration);
      const isOwn = declaration.getSourceFile().fileName.startsWith(root);
      // An import goes on as far as its names are used.
      if (statement !== null && isOwn && !ts.isImportDeclaration(statement)) keep(statement);
    }
  }
  return new Map([...kept].map(([file, each]) => [file.fileName.slice(root.length), textOf(file, each)]));
}

function programOf(
  types: ReadonlyMap<string, string>,
  root: string,
): { files: Map<string, ts.SourceFile>; checker: ts.TypeChecker } {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ["node"],
  };
  const disk = compilerHost(options);
  const isOwn = (path: string): boolean => `${path}/`.startsWith(root);
  const own = (path: string): string | undefined => types.get(path.slice(root.length));
  const host: ts.CompilerHost = {
    ...disk,
    realpath: (path) => path,
    directoryExists: (path) => isOwn(path) || ts.sys.directoryExists(path),
    fileExists: (path) => (isOwn(path) ? own(path) !== undefined : disk.fileExists(path)),
    readFile: (path) => (isOwn(path) ? own(path) : disk.readFile(path)),
    getSourceFile: (path, language, ...others) =>
      isOwn(path)
        ? ts.createSourceFile(path, own(path) ?? "", language, true)
        : disk.getSourceFile(path, language, ...others),
  };
  const program = ts.createProgram([`${root}index.d.ts`], options, host);
  const ownFiles = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(root));
  const files = new Map(ownFiles.map((file) => [file.fileName.slice(root.length), file]));
  return { files, checker: program.getTypeChecker() };
}

function keptIn(kept: Map<ts.SourceFile, Kept>, file: ts.SourceFile): Kept {
  const known = kept.get(file) ?? { statements: new Set(), names: new Set(), writtenOut: new Map() };
  kept.set(file, known);
  return known;
}

type InferredType = ts.TypeAliasDeclaration | ts.InterfaceDeclaration;

function isInferred(statement: ts.Statement): statement is InferredType {
  if (!ts.isTypeAliasDeclaration(statement) && !ts.isInterfaceDeclaration(statement)) return false;
  return inferred.test(sourceOf(statement)?.getText() ?? "");
}

/** The type that a statement gives a name to; undefined for an interface that extends none. */
function sourceOf(statement: InferredType): ts.TypeNode | undefined {
  return ts.isTypeAliasDeclaration(statement) ? statement.type : statement.heritageClauses?.[0]?.types[0];
}

function writtenType(statement: InferredType, checker: ts.TypeChecker): string {
  const { InTypeAlias, NoTruncation } = ts.TypeFormatFlags;
  const type = checker.getTypeAtLocation(sourceOf(statement) ?? statement);
  const start = statement.getText().slice(0, (sourceOf(statement) ?? statement).getStart() - statement.getStart());
  const text = `${start.replace(/ extends $/, " ")}${checker.typeToString(type, statement, InTypeAlias | NoTruncation)}`;
  return ts.isTypeAliasDeclaration(statement) ? `${text};` : text;
}

function* identifiers(node: ts.Node): Iterable<ts.Identifier> {
  if (ts.isIdentifier(node)) yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* identifiers(child);
}

/** The statement of a file that a node is part of; null for a whole file. */
function statementAround(node: ts.Node): ts.Statement | null {
  for (let each = node; !ts.isSourceFile(each); each = each.parent) {
    if (ts.isSourceFile(each.parent)) return each.parent.statements.find((statement) => statement === each) ?? null;
  }
  return null;
}

/** The text of a file with the statements that it keeps, and of its imports the names that these use. */
function textOf(file: ts.SourceFile, { statements, names, writtenOut }: Kept): string {
  const texts = file.statements.map((statement) => {
    if (ts.isImportDeclaration(statement)) return importOf(statement, names);
    if (!statements.has(statement)) return "";
    const about = file.text.slice(statement.getFullStart(), statement.getStart());
    return `${about.trim()}\n${writtenOut.get(statement) ?? statement.getText()}`.trimStart();
  });
  return [...texts.filter((text) => text !== ""), "export {};", ""].join("\n");
}

function importOf(statement: ts.ImportDeclaration, names: ReadonlySet<string>): string {
  const from = statement.moduleSpecifier.getText();
  const bindings = statement.importClause?.namedBindings;
  if (bindings === undefined || !ts.isNamedImports(bindings)) return statement.getText();
  const used = bindings.elements.filter(({ name }) => names.has(name.text));
  if (used.length === 0) return "";
  return `import type { ${used.map((each) => each.getText().replace(/^type /, "")).join(", ")} } from ${from};`;
}
