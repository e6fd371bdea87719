import { lexer, type Token, type Tokens } from "marked";
import { target } from "./links.ts";
import { isHeading, isList, plainText } from "./markdown.ts";

/** A group of pages in the navigation. */
export interface Group {
  title: string;
  pages: Entry[];
}

interface Entry {
  /** The page, by its path from the root. */
  path: string;
  title: string;
  /** The words behind the link. */
  about: string;
}

const mapPath = "docs/README.md";

/** The navigation is the map of the pages that people see on GitHub: its headings and their lists of links. */
export function navigation(pages: ReadonlyMap<string, string>): Group[] {
  const groups: Group[] = [];
  for (const token of lexer(pages.get(mapPath) ?? "")) {
    if (isHeading(token) && token.depth === 2) groups.push({ title: plainText(token), pages: [] });
    if (isList(token)) groups.at(-1)?.pages.push(...token.items.flatMap(entriesOf));
  }
  return groups;
}

/** The pages of an item; links to sections are words about them. */
function entriesOf(item: Tokens.ListItem): Entry[] {
  const links = item.tokens
    .flatMap((token) => ("tokens" in token ? (token.tokens ?? []) : []))
    .filter(isLink)
    .filter(({ href }) => !href.includes("#"));
  const [, about = ""] = links.length === 1 ? plainText(item).split(/: (.*)/) : [];
  return links.map((link) => ({ path: target(mapPath, link.href).path, title: plainText(link), about }));
}

const isLink = (token: Token): token is Tokens.Link => token.type === "link";
