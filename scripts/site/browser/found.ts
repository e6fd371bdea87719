import type { Section } from "./section.ts";

/** The parts that were found, as options of the list: their names, and the text around the first of the words. */
export function options(found: readonly Section[], words: string, root: string): HTMLElement[] {
  if (found.length === 0) return [nothing(words)];
  return found.map((section, at) => option(section, { at, words, root }));
}

function option(section: Section, { at, words, root }: { at: number; words: string; root: string }): HTMLElement {
  const item = document.createElement("div");
  item.id = `found-${at}`;
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", "false");
  const link = document.createElement("a");
  link.href = `${root}${section.id}`;
  link.tabIndex = -1;
  const title = document.createElement("strong");
  title.textContent = section.heading === "" ? section.page : `${section.page} › ${section.heading}`;
  const excerpt = document.createElement("span");
  excerpt.append(...marked(around(section.text, words), words));
  link.append(title, excerpt);
  item.append(link);
  return item;
}

function nothing(words: string): HTMLElement {
  const item = document.createElement("p");
  item.textContent = `Nothing has all of “${words}”.`;
  return item;
}

/** The text from a little before the first of the words. */
function around(text: string, words: string): string {
  const places = patternOf(words).exec(text);
  const start = Math.max(0, (places?.index ?? 0) - 50);
  const from = start === 0 ? 0 : text.indexOf(" ", start) + 1;
  return `${from === 0 ? "" : "… "}${text.slice(from, from + 240)}`;
}

function marked(text: string, words: string): (string | HTMLElement)[] {
  return text.split(patternOf(words)).map((part, at) => {
    if (at % 2 === 0) return part;
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  });
}

function patternOf(words: string): RegExp {
  const escaped = words.split(/\s+/).map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  return new RegExp(`(${escaped.join("|")})`, "i");
}
