import { Marked, type Tokens } from "marked";
import { coloured, escaped } from "./code.ts";
import { isElsewhere, target } from "./links.ts";
import { headingsIn } from "./markdown.ts";
import { addressFrom, placeOf } from "./places.ts";

interface Picture {
  width: number;
  height: number;
}

/** Pictures by their path from the root. */
export type Pictures = ReadonlyMap<string, Picture>;

/** The Markdown of a page as HTML: headings with GitHub's anchors, links and pictures as they stand in the site. */
export function rendered(path: string, text: string, pictures: Pictures): string {
  const marked = new Marked();
  const tokens = marked.lexer(text);
  const headings = headingsIn(tokens);
  marked.use({
    renderer: {
      heading(token) {
        const id = escaped(headings.get(token)?.id ?? "");
        const words = this.parser.parseInline(token.tokens);
        const tag = `h${token.depth}`;
        const link = token.depth === 1 ? "" : ` <a class="anchor" href="#${id}" aria-label="Link to this part">#</a>`;
        return `<${tag} id="${id}">${words}${link}</${tag}>\n`;
      },
      link({ href, tokens: words }) {
        return `<a href="${escaped(addressIn(path, href))}">${this.parser.parseInline(words)}</a>`;
      },
      image: ({ href, text: alt }) => images({ page: path, href, alt, pictures }),
      codespan: ({ text: code }) => `<code${code.length < 24 ? ' class="short"' : ""}>${escaped(code)}</code>`,
      table(token) {
        return tableOf(token, (cell) => this.parser.parseInline(cell.tokens));
      },
      code: ({ text: code, lang = "" }) => `<div class="code"><pre><code>${coloured(code, lang)}</code></pre></div>\n`,
      // Comments for tools; pages have no other HTML.
      html: () => "",
    },
  });
  return marked.parser(tokens);
}

const row = (cells: string[]): string => `<tr>${cells.join("")}</tr>`;

/** A table that can be wider than the page; a header without words is left out. */
function tableOf({ header, rows }: Tokens.Table, inline: (cell: Tokens.TableCell) => string): string {
  const isProse = header.length > 2 && endsInProse(rows);
  // On a telephone the cells of such a table stand one below the other, each with its header.
  const head = (at: number): string => (isProse ? ` data-head="${escaped(header[at]?.text ?? "")}"` : "");
  const names = header.map((cell) => `<th>${inline(cell)}</th>`);
  const body = rows.map((cells) => row(cells.map((cell, at) => `<td${head(at)}>${inline(cell)}</td>`)));
  return [
    `<div class="wide"><table${isProse ? ' class="prose"' : ""}>`,
    header.every(({ text }) => text === "") ? "" : `<thead>${row(names)}</thead>`,
    `<tbody>${body.join("\n")}</tbody></table></div>\n`,
  ].join("");
}

/** Says whether the last column holds sentences. */
function endsInProse(rows: readonly Tokens.TableCell[][]): boolean {
  const letters = rows.reduce((sum, cells) => sum + (cells.at(-1)?.text.length ?? 0), 0);
  return letters > 40 * rows.length;
}

function addressIn(page: string, to: string): string {
  if (isElsewhere(to)) return to;
  const { path, anchor } = target(page, to);
  const hash = anchor === "" ? "" : `#${anchor}`;
  return path === page && hash !== "" ? hash : `${addressFrom(placeOf(page), placeOf(path))}${hash}`;
}

interface ImageOfPage {
  page: string;
  href: string;
  alt: string;
  pictures: Pictures;
}

/** The twins of a picture: for the dark, for narrow screens, and for both. */
const twins = [
  { ending: "", shown: "in-light at-wide" },
  { ending: "-dark", shown: "in-dark at-wide" },
  { ending: "-narrow", shown: "in-light at-narrow" },
  { ending: "-narrow-dark", shown: "in-dark at-narrow" },
];

/** The twins of a picture by their paths; without all of them it is alone, and shown to everybody. */
export function twinsOf(path: string, pictures: Pictures): { path: string; shown: string }[] {
  const named = twins.map(({ ending, shown }) => ({ path: path.replace(/(?=\.png$)/, ending), shown }));
  return named.every((twin) => pictures.has(twin.path)) ? named : [{ path, shown: "" }];
}

/** A picture with its size, so that nothing moves when it comes, and its twins. */
function images({ page, href, alt, pictures }: ImageOfPage): string {
  return twinsOf(target(page, href).path, pictures)
    .map(({ path, shown }) => {
      const { width = 0, height = 0 } = pictures.get(path) ?? {};
      const src = escaped(addressFrom(placeOf(page), placeOf(path)));
      const image = `<img src="${src}" alt="${escaped(alt)}" width="${width}" height="${height}" loading="lazy">`;
      return `<a class="picture ${shown}" href="${src}">${image}</a>`;
    })
    .join("");
}
