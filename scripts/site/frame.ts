import { escaped } from "./code.ts";
import type { Heading } from "./markdown.ts";
import type { Group } from "./navigation.ts";
import { addressFrom, placeOf } from "./places.ts";

/** A page with what stands around it. */
export interface Page {
  /** Its place in the site. */
  place: string;
  title: string;
  about: string;
  /** Its text as HTML. */
  content: string;
  headings: Heading[];
  /** The address of the site, for the page that is shown at other addresses than its own. */
  base?: string;
}

/** The report of the demo, which every page leads to. */
export const examplePlace = "example/report.html";

/** The address of a place of the site, as a page names it in HTML. */
function addressOn(page: Page, place: string): string {
  return escaped(page.base === undefined ? addressFrom(page.place, place) : `${page.base}${place}`);
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='5' cy='8' r='4' fill='%2314589c'/%3E%3Ccircle cx='11' cy='8' r='4' fill='%23c2560f' fill-opacity='.85'/%3E%3C/svg%3E";

/** Runs before anything is painted, so that nobody sees the other colours first. */
const early =
  'document.documentElement.classList.add("js");try{const t=localStorage.getItem("tandem-theme");if(t)document.documentElement.dataset.theme=t}catch{}';

/** A whole HTML page. */
export function framed(page: Page, groups: readonly Group[]): string {
  return `<!doctype html>
<html lang="en">
${head(page)}
<body class="${kindOf(page)}">
<a class="skip" href="#content">Skip to the text</a>
${top(page)}
<div class="columns">
<nav id="pages" popover aria-label="Pages">
${groups.map((group) => navigationGroup(group, page)).join("\n")}
</nav>
<main id="content" tabindex="-1">
<article>
${page.content}</article>
${neighbours(page.place, groups)}
</main>
${contents(page)}
</div>
</body>
</html>
`;
}

function kindOf(page: Page): string {
  if (isHome(page)) return "home";
  return contents(page) === "" ? "without-contents" : "";
}

const isHome = ({ place }: Page): boolean => place === "index.html";

function head(page: Page): string {
  const title = isHome(page) ? "tandem: which of two bots is better" : `${page.title} - tandem`;
  return `<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<meta name="description" content="${escaped(page.about)}">
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${addressOn(page, "site/site.css")}">
<script>${early}</script>
<script defer src="${addressOn(page, "site/site.js")}"></script>
</head>`;
}

/** The bar above every page: the list of pages where it has no place beside the text, the search, the colours. */
function top(page: Page): string {
  const home = addressOn(page, "index.html");
  const root = home.replace(/index\.html$/, "");
  return `<header class="top">
<button class="pages-button" type="button" popovertarget="pages">Pages</button>
<a class="name" href="${home}">tandem</a>
<div class="search" role="search" data-root="${root}" data-script="${addressOn(page, "site/search-data.js")}"></div>
<a class="example" href="${addressOn(page, examplePlace)}">Example report</a>
<label class="colours"><span>Colours</span> <select id="colours"><option value="">system</option><option value="light">light</option><option value="dark">dark</option></select></label>
</header>`;
}

function navigationGroup({ title, pages }: Group, page: Page): string {
  const items = pages.map(({ path, title: name }) => {
    const there = placeOf(path);
    const current = there === page.place ? ' aria-current="page"' : "";
    return `<li><a href="${addressOn(page, there)}"${current}>${escaped(name)}</a></li>`;
  });
  return `<h2>${escaped(title)}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
}

/** The headings of a page that has several. */
function contents({ headings }: Page): string {
  const parts = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (parts.length < 3) return "";
  const items = parts.map(
    ({ id, text, depth }) => `<li class="depth-${depth}"><a href="#${escaped(id)}">${escaped(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page">\n<h2>On this page</h2>\n<ul>\n${items.join("\n")}\n</ul>\n</nav>`;
}

/** The pages before and after this one in the navigation. */
function neighbours(place: string, groups: readonly Group[]): string {
  const all = groups.flatMap(({ pages }) => pages);
  const here = all.findIndex(({ path }) => placeOf(path) === place);
  if (here === -1) return "";
  const link = (at: number, rel: string): string => {
    const entry = at < 0 ? undefined : all[at];
    if (entry === undefined) return "";
    return `<a rel="${rel}" href="${addressFrom(place, placeOf(entry.path))}">${escaped(entry.title)}</a>`;
  };
  return `<nav class="neighbours" aria-label="Before and after">${link(here - 1, "prev")}${link(here + 1, "next")}</nav>`;
}
