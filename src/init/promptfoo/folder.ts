import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";

/** Files that a configuration may name: those in its own folder. */
export class ConfigFolder {
  readonly #root: string;

  constructor(config: string) {
    this.#root = realpathSync(dirname(resolve(config)));
  }

  /** The path of a `file://` of the configuration; null when it is not there, or lies elsewhere, by a link too. */
  pathOf(reference: string): string | null {
    const named = resolve(this.#root, reference.replace(/^file:\/\//, ""));
    try {
      const path = realpathSync(named);
      const inside = relative(this.#root, path);
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
}

const largest = 10_000_000;
