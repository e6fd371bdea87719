import { lexer, type Token, type Tokens } from "marked";

export interface Heading {
  depth: number;
  /** Its words without marks. */
  text: string;
  /** The anchor that GitHub gives it. */
  id: string;
}

/** The tokens of a Markdown text, those inside of others too, in the order of reading. */
function everyToken(text: string): Token[] {
  return lexer(text).flatMap(withInner);
}

function withInner(token: Token): Token[] {
  return [token, ...innerTokens(token).flatMap(withInner)];
}

function innerTokens(token: Token): Token[] {
  if (isTable(token)) return [...token.header, ...token.rows.flat()].flatMap((cell) => cell.tokens);
  if (isList(token)) return token.items;
  return "tokens" in token ? (token.tokens ?? []) : [];
}

const isTable = (token: Token): token is Tokens.Table => token.type === "table";
export const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";
export const isList = (token: Token): token is Tokens.List => token.type === "list";
const isAddressed = (token: Token): token is Tokens.Link | Tokens.Image =>
  token.type === "link" || token.type === "image";

/** The headings among tokens, with their anchors: the second of two alike ends with `-1`. */
export function headingsIn(tokens: readonly Token[]): Map<Token, Heading> {
  const seen = new Map<string, number>();
  const headings = tokens.flatMap(withInner).filter(isHeading);
  return new Map(
    headings.map((token) => {
      const text = plainText(token);
      const slug = slugOf(text);
      const before = seen.get(slug) ?? 0;
      seen.set(slug, before + 1);
      return [token, { depth: token.depth, text, id: before === 0 ? slug : `${slug}-${before}` }];
    }),
  );
}

export function headingsOf(text: string): Heading[] {
  return [...headingsIn(lexer(text)).values()];
}

/** Where the links and pictures of a page lead, as written. */
export function addressesIn(text: string): string[] {
  return everyToken(text).flatMap((token) => {
    if (isAddressed(token)) return [token.href];
    if (token.type !== "html") return [];
    return Array.from(token.raw.matchAll(/\b(?:href|src)=["']([^"']*)/g), ([, to = ""]) => to);
  });
}

/** The words of a token without marks; those of cells and items have a space between them. */
export function plainText(token: Token): string {
  if (isTable(token)) {
    const cells = [...token.header, ...token.rows.flat()];
    return cells.map((cell) => cell.tokens.map(plainText).join("")).join(" ");
  }
  const inner = innerTokens(token);
  if (inner.length > 0) return inner.map(plainText).join(isList(token) || token.type === "list_item" ? " " : "");
  return "text" in token && token.type !== "html" ? String(token.text) : "";
}

/** The anchor of a heading as GitHub makes it. */
function slugOf(words: string): string {
  return words
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}
