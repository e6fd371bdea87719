import { existsSync, realpathSync } from "node:fs";
import type { EndpointName } from "../../api/endpoint-name.ts";
import { endpointOf } from "../../api/endpoints.ts";
import type { CaseFile } from "../../api/files/case-file.ts";
import { placeInside } from "../../lib/paths/inside-folder.ts";
import { showText } from "../../lib/show.ts";
import { sizeText } from "../../api/files/file-size.ts";
import type { FileSettings } from "../../suite/suite.ts";
import { dataFacts } from "./data-cell.ts";
import { type FoundFile, readFacts, type ReadFacts, tooLarge } from "./file-facts.ts";

/** The meaning of a text in a field of files: an address as it is, or a file; or why it can be neither, and what to do. */
export type FileCell = { ok: true; value: string | CaseFile } | { ok: false; message: string; hint: string };

/** Files of which the facts are kept, because other rows name them as well. */
const mostKept = 10_000;

/** The path without links, also of what is not there. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Reads the files that the cells of a dataset name. */
export class CaseFiles {
  readonly #settings: FileSettings;
  readonly #endpoints: readonly EndpointName[];
  readonly #facts = new Map<string, ReadFacts>();
  readonly #own: ReadonlySet<string>;
  #root = -1;

  constructor(settings: FileSettings, endpoints: readonly EndpointName[]) {
    this.#settings = settings;
    this.#endpoints = endpoints;
    this.#own = new Set((settings.own ?? []).map(realPath));
  }

  /** The rows that follow are of the next dataset. */
  nextDataset(): void {
    this.#root += 1;
  }

  /** Reads a text of a cell for a field. */
  read(field: string, text: string): FileCell {
    const name = text.trim();
    if (name === "") return { ok: false, message: "holds an empty entry", hint: "Take it out of the list." };
    const scheme = /^[A-Za-z][A-Za-z0-9+.-]+:/.exec(name)?.[0].toLowerCase();
    if (scheme !== undefined) return this.#address(field, name, scheme);
    const root = this.#settings.roots.length === 1 ? 0 : this.#root;
    const folder = this.#settings.roots[root] ?? "";
    if (folder === "") {
      const message = `names the file ${showText(name)}, and standard input has no folder`;
      return { ok: false, message, hint: "Name the folder of the files in the suite: files: { root: ./media }." };
    }
    const place = placeInside(folder, name);
    const facts = place.ok ? { ...this.#factsOf({ ...place, name }), path: place.path } : place;
    if (!facts.ok) {
      const message = `names the file ${showText(name)}, which ${facts.fault}`;
      return { ok: false, message, hint: listHint(name) ?? facts.hint ?? `${hint} It was looked for in ${folder}.` };
    }
    if (this.#own.has(facts.path)) {
      const message = `names the file ${showText(name)}, which is the suite or a dataset of it`;
      return { ok: false, message, hint: another };
    }
    const fault = this.#faultIn(field, facts.type);
    if (fault !== null)
      return { ok: false, message: `names the file ${showText(name)}, which ${fault}`, hint: another };
    const { bytes, sha256, type } = facts;
    return { ok: true, value: { bytes, file: name, root, sha256, type } };
  }

  /** The reason why the files of a case are too large together. */
  tooLarge(bytes: number): string | null {
    const { maxRequest } = this.#settings;
    if (bytes <= maxRequest) return null;
    return `the files of the case have ${sizeText(bytes)} together, and files.max_request is ${sizeText(maxRequest)}`;
  }

  #address(field: string, text: string, scheme: string): FileCell {
    if (!["http:", "https:", "data:"].includes(scheme) || (scheme !== "data:" && !URL.canParse(text))) {
      const message = `holds ${showText(text)}, which is neither a path nor an address`;
      return { ok: false, message, hint: `An address begins with https://. Write ./${text} if it is a file.` };
    }
    const data = scheme === "data:" ? dataFacts(text) : null;
    if (data !== null && !data.ok)
      return { ok: false, message: `holds ${showText(text)}, which ${data.fault}`, hint: "Name a file in its place." };
    if (data !== null && data.bytes > this.#settings.maxFile) {
      const { fault, hint: advice } = tooLarge(data.bytes, this.#settings.maxFile);
      return { ok: false, message: `holds a data URL, which ${fault}`, hint: advice ?? another };
    }
    const fault = this.#faultIn(field, null) ?? (data === null ? null : this.#faultIn(field, data.type));
    return fault === null
      ? { ok: true, value: text }
      : { ok: false, message: `holds ${showText(text)}, which ${fault}`, hint: another };
  }

  #faultIn(field: string, type: string | null): string | null {
    const faults = this.#endpoints.map((endpoint) => endpointOf(endpoint).fileFault(field, type));
    return faults.find((fault) => fault !== null) ?? null;
  }

  #factsOf(file: FoundFile): ReadFacts {
    const known = this.#facts.get(file.path);
    if (known !== undefined) return known;
    if (this.#facts.size >= mostKept) this.#facts.clear();
    const facts = readFacts(file, this.#settings.maxFile);
    this.#facts.set(file.path, facts);
    return facts;
  }
}

/** The way to write several files in one cell. */
function listHint(text: string): string | null {
  const names = text.split(/[,;\n]/).map((name) => name.trim());
  if (names.length === 1 || names.some((name) => !/\.\w{1,5}$/.test(name))) return null;
  return `Write several files as a JSON list: ${JSON.stringify(names)}.`;
}

const hint =
  "Paths begin in the folder of the dataset, or in files.root of the suite; files outside of it are never sent.";
const another = "Name another file, or map the column to another field.";
