import MiniSearch from "minisearch";
import type { Section } from "./section.ts";

/** Gives the parts with all of the words, or what resembles them, the best first. */
export type Search = (words: string) => Section[];

/** The index over the parts, which a script brings: a page that is opened from the disk may load nothing else. */
export function loadedSearch(script: string): Promise<Search> {
  return new Promise((resolve, reject) => {
    const receive = (sections: Section[]): void => resolve(searchIn(sections));
    Object.assign(globalThis, { tandemSections: receive });
    const element = document.createElement("script");
    element.src = script;
    element.addEventListener("error", () => reject(new Error(`${script} cannot be loaded`)));
    document.head.append(element);
  });
}

function searchIn(sections: Section[]): Search {
  const byId = new Map(sections.map((section) => [section.id, section]));
  const index = new MiniSearch<Section>({
    fields: ["title", "page", "text"],
    // The words of a page's title tell of the page more than of each of its parts.
    extractField: ({ id, page, heading, text }, field) => {
      const fields: Record<string, string> = { id, title: heading === "" ? page : heading, page, text };
      return fields[field] ?? "";
    },
    searchOptions: {
      boost: { title: 4, page: 0.5 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: "AND",
      boostDocument: (id) => weight(String(id)),
    },
  });
  index.addAll(sections);
  return (words) => index.search(words).flatMap(({ id }) => byId.get(String(id)) ?? []);
}

/** Puts what people read before what they look up, and both before what was. */
function weight(id: string): number {
  const isWhole = id.endsWith(".html") ? 1.4 : 1;
  if (id.startsWith("guides/") || id.startsWith("index.html")) return 1.5 * isWhole;
  return (id.startsWith("project/") || id.startsWith("all.html") ? 0.5 : 1) * isWhole;
}
