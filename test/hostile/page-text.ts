import type { Page } from "playwright-core";

/** Everything that people read of a page: its text, its title, and the attributes that are spoken or shown. */
export const readOf = (page: Page): Promise<string> =>
  page.evaluate<string>(`[
    document.title,
    document.body.innerText,
    ...Array.from(document.querySelectorAll("[title], [aria-label], [placeholder]"), (element) =>
      ["title", "aria-label", "placeholder"].map((name) => element.getAttribute(name) ?? "").join("\\n")),
  ].join("\\n")`);

/** Opens a row as a link to it does. */
export const openRow = (page: Page, key: string): Promise<unknown> =>
  page.evaluate(`location.hash = ${JSON.stringify(rowAddress(key))}`);

/** The part of an address behind its # that leads to a row. */
export const rowAddress = (key: string): string => new URLSearchParams({ row: key }).toString();
