import { lexer } from "marked";
import type { Section } from "./browser/section.ts";
import { headingsIn, plainText } from "./markdown.ts";
import { placeOf } from "./places.ts";

/** The parts of a page, each from its heading to the next. */
export function sectionsOf(path: string, text: string): Section[] {
  const place = placeOf(path);
  const tokens = lexer(text);
  const headings = headingsIn(tokens);
  const sections: Section[] = [];
  for (const token of tokens) {
    const heading = headings.get(token);
    const section = sections.at(-1);
    if (heading?.depth === 1) sections.push({ id: place, page: heading.text, heading: "", text: "" });
    else if (heading !== undefined) {
      const page = section?.page ?? heading.text;
      sections.push({ id: `${place}#${heading.id}`, page, heading: heading.text, text: "" });
    } else if (section !== undefined)
      section.text = `${section.text} ${plainText(token)}`.replaceAll(/\s+/g, " ").trim();
  }
  return sections;
}
