import type { Section } from "./browser/section.ts";
import { brokenLinks, isElsewhere, target } from "./links.ts";
import { addressesIn, headingsOf } from "./markdown.ts";
import { framed, type Page } from "./frame.ts";
import { navigation } from "./navigation.ts";
import { placeOf } from "./places.ts";
import { type Pictures, rendered, twinsOf } from "./render.ts";
import { sectionsOf } from "./sections.ts";

export interface Source {
  /** Pages as Markdown, by their path from the root of the checkout. */
  documents: ReadonlyMap<string, string>;
  pictures: Pictures;
  exists: (path: string) => boolean;
  /** The address at which the site will stand; only the page for what is not there needs it. */
  base: string;
}

export interface Site {
  /** HTML by its place. */
  pages: Map<string, string>;
  /** Other files that pages name, from the root of the checkout. */
  files: string[];
  /** The parts of all pages for the search. */
  sections: Section[];
}

/** The site of the pages of a checkout; a link that leads nowhere is an error. */
export function siteOf({ documents, pictures, exists, base }: Source): Site {
  const broken = brokenLinks(documents, exists);
  if (broken.length > 0) {
    const lines = broken.map(({ page, to, why }) => `  ${page}: ${to} (${why})`);
    throw new Error(`${broken.length} broken links\n${lines.join("\n")}`);
  }
  const groups = navigation(documents);
  const about = new Map(groups.flatMap(({ pages }) => pages.map((entry) => [entry.path, entry.about] as const)));
  const pages = [...documents].map(([path, text]): Page => {
    const headings = headingsOf(text);
    const title = headings[0]?.text ?? path;
    const content = rendered(path, text, pictures);
    return { place: placeOf(path), title, about: about.get(path) ?? tagline, content, headings };
  });
  return {
    pages: new Map([...pages, missing(base)].map((page) => [page.place, framed(page, groups)])),
    files: filesOf(documents, pictures),
    sections: [...documents].flatMap(([path, text]) => sectionsOf(path, text)),
  };
}

const tagline = "Run the same prompts against two bots, and know which one is better";

function filesOf(documents: ReadonlyMap<string, string>, pictures: Pictures): string[] {
  const named = [...documents].flatMap(([page, text]) =>
    addressesIn(text)
      .filter((to) => !isElsewhere(to))
      .map((to) => target(page, to).path),
  );
  const files = named.filter((path) => !documents.has(path));
  const twins = files.flatMap((file) => twinsOf(file, pictures).map(({ path }) => path));
  return [...new Set(twins)].toSorted();
}

/** The page that a server shows for an address that is not there. */
function missing(base: string): Page {
  const content = `<h1>No such page</h1>
<p>It may have moved: the search knows all parts of all pages. Or begin at <a href="${base}index.html">the first page</a>, or at <a href="${base}all.html">the list of all pages</a>.</p>
`;
  return { place: "404.html", title: "No such page", about: tagline, content, headings: [], base };
}
