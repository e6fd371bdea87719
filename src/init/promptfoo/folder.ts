import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { pathsLike, patternAdvice } from "./file-pattern.ts";

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
    if (!this.#isPattern(reference)) return [reference];
    return (this.#pathsOf(reference) ?? []).filter((path) => this.pathOf(path) !== null).slice(0, mostFiles);
  }

  /** The reason why a reference means no file of text. */
  whyNone(reference: string): string {
    if (this.#isPattern(reference) && this.#pathsOf(reference) === null) return patternAdvice;
    return "there is no such file of text in the folder of the configuration";
  }

  /** A file may have the signs of a pattern in its name. */
  #isPattern(reference: string): boolean {
    return /[*?{[]/.test(withoutScheme(reference)) && this.pathOf(reference) === null;
  }

  #pathsOf(reference: string): string[] | null {
    return pathsLike(withoutScheme(reference), this.root);
  }
}

const withoutScheme = (reference: string): string => reference.replace(/^file:\/\//, "");

const largest = 10_000_000;
/** Files that one pattern may mean. */
const mostFiles = 1_000;
