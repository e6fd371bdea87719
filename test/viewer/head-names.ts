import type { Page } from "playwright-core";

/** The heads of the columns of rows, without the menus that narrow the rows down. */
export const headNames = (page: Page): Promise<string[]> =>
  page.locator(".table-head [role=columnheader]").evaluateAll((heads) =>
    heads.map((head) => {
      const name = head.cloneNode(true) as Element;
      for (const menu of name.querySelectorAll(".score-head")) menu.remove();
      return name.textContent.trim();
    }),
  );
