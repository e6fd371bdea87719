import { Fragment, options, type VNode } from "preact";
import { fewMarks, visibleControls } from "../../../report/text/visible.ts";

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
    if (name === "children" || spoken.has(name)) Object.assign(props, { [name]: shown(value) });
  }
}

function shown(part: unknown): unknown {
  if (typeof part === "string") return shownText(part);
  return Array.isArray(part) ? part.map(shown) : part;
}

/** A text of the page as it is drawn. */
export function shownText(text: string): string {
  return visibleControls(fewMarks(text));
}
