import { basename } from "node:path";
import { boundedJson, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json.ts";
import type { FaultPath } from "../../lib/fault.ts";
import { parseYaml, positionOf, type YamlDocument } from "../../suite/yaml.ts";

/** A value of promptfoo's files with the place where it is written. */
export class Placed {
  readonly value: JsonValue;
  readonly #document: YamlDocument | null;
  readonly #path: FaultPath;
  readonly #place: string;

  /** Without a document, `place` is where it stands, with all that is in it. */
  constructor(value: JsonValue, place: string, document: YamlDocument | null = null, path: FaultPath = []) {
    this.value = value;
    this.#place = place;
    this.#document = document;
    this.#path = path;
  }

  /** File and line. */
  get place(): string {
    if (this.#document === null) return this.#place;
    return `${this.#place}:${positionOf(this.#document, this.#path, true).line}`;
  }

  /** The members of an object; none of anything else. */
  get members(): JsonObject {
    return isJsonObject(this.value) ? this.value : {};
  }

  /** A member of an object; an absent one is null, and has the place of the object. */
  member(name: string): Placed {
    const found = Object.hasOwn(this.members, name) ? (this.members[name] ?? null) : null;
    return new Placed(found, this.#place, this.#document, [...this.#path, name]);
  }

  /** The entries of a list; of anything else but null, that itself. */
  get entries(): Placed[] {
    const { value } = this;
    if (value === null) return [];
    if (!Array.isArray(value)) return [this];
    return value.map((each, i) => new Placed(each, this.#place, this.#document, [...this.#path, i]));
  }

  /** Another value at the same place. */
  as(value: JsonValue): Placed {
    return new Placed(value, this.#place, this.#document, this.#path);
  }
}

/** The content of a file of YAML or JSON. Raises SUITE_SYNTAX. */
export function placedIn(text: string, path: string): Placed {
  const document = parseYaml(text, path);
  return new Placed(jsonOf(document.value), basename(path), document);
}

/** Dates and the like as their texts. */
const jsonOf = (value: unknown): JsonValue => boundedJson(JSON.stringify(value ?? null));
