import { brief } from "../../lib/show.ts";
import { whyLeftOut } from "./keys.ts";
import type { Placed } from "./place.ts";
import { withoutSecretText } from "./secret.ts";

/** Parts of promptfoo's files that a suite cannot have: each kind once, with its places and the way out. */
export class LeftOut {
  readonly #kinds = new Map<string, { kind: string; advice: string; places: string[] }>();

  /** `place`: file and line, such as `promptfooconfig.yaml:12`. The login and the query of an address are not shown. */
  note(written: string, advice: string, place: string | null = null): void {
    const kind = brief(withoutSecretText(written));
    const key = JSON.stringify([kind, advice]);
    const known = this.#kinds.get(key) ?? { kind, advice, places: [] };
    this.#kinds.set(key, known);
    if (place !== null && !known.places.includes(place)) known.places.push(place);
  }

  /** Notes the keys of an object that are not read; `about` says whose they are. */
  keys(section: Parameters<typeof whyLeftOut>[0], written: Placed, about: (key: string) => string): void {
    for (const [key, value] of Object.entries(written.members)) {
      const why = value === null ? null : whyLeftOut(section, key);
      if (why !== null) this.note(about(key), why, written.member(key).place);
    }
  }

  /** A sentence for each kind. */
  get lines(): string[] {
    return Array.from(this.#kinds.values(), ({ kind, advice, places: [first, ...others] }) => {
      const more = others.length === 0 ? "" : ` and ${others.length} more place${others.length === 1 ? "" : "s"}`;
      return `${first === undefined ? "" : `${first}${more}: `}${kind}: ${advice}`;
    });
  }
}
