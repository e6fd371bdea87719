import { globSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";

/** Files that a configuration may name: those in its own folder. */
export class ConfigFolder {
  readonly root: string;

  constructor(config: string) {
    this.root = realpathSync(dirname(resolve(config)));
  }

  /** The path of a `file://` of the configuration; null when it is not there, or lies elsewhere, by a link too. */
  pathOf(reference: string): string | null {
    const named = resolve(this.root, withoutScheme(reference));
    try {
      const path = realpathSync(named);
      const inside = relative(this.root, path);
      const isInside = inside !== "" && !isAbsolute(inside) && inside.split(sep)[0] !== "..";
      return isInside && statSync(path).isFile() ? path : null;
    } catch {
      return null;
    }
  }

  /** The text of such a file; null when there is none, or it is too large to be part of a configuration. */
  textOf(reference: string): string | null {
    const path = this.pathOf(reference);
    if (path === null || statSync(path).size > largest) return null;
    return readFileSync(path, "utf8").replace(/^\ufeff/, "");
  }

  /** The files that a pattern such as `cases/*.yaml` means, in order; a plain name is itself. */
  filesOf(reference: string): string[] {
    const pattern = withoutScheme(reference);
    if (!this.#isPattern(reference)) return [reference];
    if (!isSmallPattern(pattern)) return [];
    const found = globSync(pattern, { cwd: this.root, exclude: (path) => /(?:^|[/\\])node_modules$/.test(path) });
    const paths = found.map((path) => path.split(sep).join("/")).filter((path) => this.pathOf(path) !== null);
    return paths.toSorted().slice(0, mostFiles);
  }

  /** The reason why a reference means no file of text. */
  whyNone(reference: string): string {
    if (this.#isPattern(reference) && !isSmallPattern(withoutScheme(reference))) return patternAdvice;
    return "there is no such file of text in the folder of the configuration";
  }

  /** A file may have the signs of a pattern in its name. */
  #isPattern(reference: string): boolean {
    return /[*?{[]/.test(withoutScheme(reference)) && this.pathOf(reference) === null;
  }
}

const withoutScheme = (reference: string): string => reference.replace(/^file:\/\//, "");

const patternAdvice =
  "a pattern may have **, *, ? and braces of a few values, such as {a,b} or {1..9}, below the folder of the configuration; name the files one by one";

/** True for a pattern that stays in its folder, and whose braces and stars cannot take for ever. */
function isSmallPattern(pattern: string): boolean {
  const segments = pattern.split(/[/\\]/);
  const [, braces = ""] = /^[^{}]*(?:\{([^{}]*)\}[^{}]*)?$/.exec(pattern) ?? [null, ".."];
  return (
    pattern.length <= 1_000 &&
    !/[[\]]|^(?:[/\\]|[A-Za-z]:)/.test(pattern) &&
    !segments.some((segment) => segment === ".." || segment.split("*").length > 4) &&
    (!braces.includes("..") || /^-?\d{1,3}\.\.-?\d{1,3}$/.test(braces))
  );
}

const largest = 10_000_000;
/** Files that one pattern may mean. */
const mostFiles = 1_000;
