import { Fragment, options, type VNode } from "preact";
import { shownIn } from "../../../lib/hidden-characters.ts";

/**
 * Makes every text of the page show what hides in it, wherever it stands: controls, characters that turn the direction
 * of writing, tags, and marks upon marks. Nothing that a bot said is drawn as something else.
 */
export function showHidden(): void {
  options.vnode = (vnode) => {
    if (typeof vnode.type === "string" || vnode.type === Fragment) showIn(vnode);
  };
}

/** Attributes that are read by people. */
const spoken = new Set(["title", "aria-label", "placeholder"]);

function showIn({ props }: VNode): void {
  for (const [name, value] of Object.entries(props)) {
    if (name === "children") Object.assign(props, { children: shown(value) });
    else if (spoken.has(name) && typeof value === "string")
      Object.assign(props, { [name]: shownText(brief(value, mostSpoken)) });
  }
}

/** Nobody reads more in what stays for a moment. */
const mostSpoken = 1_000;

/** Texts that may be longer are shown in parts (LongText): this is for all others, such as addresses and names. */
const mostDrawn = 30_000;

function brief(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

function shown(part: unknown): unknown {
  if (typeof part === "string") return shownText(brief(part, mostDrawn));
  return Array.isArray(part) ? part.map(shown) : part;
}

/** A text of the page as it is drawn. */
export function shownText(text: string): string {
  return shownIn("page", text);
}
