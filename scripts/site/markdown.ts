import { lexer, type Token, type Tokens } from "marked";

interface Heading {
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
const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";
const isList = (token: Token): token is Tokens.List => token.type === "list";
const isAddressed = (token: Token): token is Tokens.Link | Tokens.Image =>
  token.type === "link" || token.type === "image";

/** The headings of a page with their anchors: the second of two alike ends with `-1`. */
export function headingsOf(text: string): Heading[] {
  const seen = new Map<string, number>();
  return everyToken(text)
    .filter(isHeading)
    .map((token) => {
      const words = plainText(token);
      const slug = slugOf(words);
      const before = seen.get(slug) ?? 0;
      seen.set(slug, before + 1);
      return { depth: token.depth, text: words, id: before === 0 ? slug : `${slug}-${before}` };
    });
}

/** Where the links and pictures of a page lead, as written. */
export function addressesIn(text: string): string[] {
  return everyToken(text).flatMap((token) => {
    if (isAddressed(token)) return [token.href];
    if (token.type !== "html") return [];
    return Array.from(token.raw.matchAll(/\b(?:href|src)=["']([^"']*)/g), ([, to = ""]) => to);
  });
}

/** The words of a token without marks. */
function plainText(token: Token): string {
  const inner = innerTokens(token);
  if (inner.length > 0) return inner.map(plainText).join("");
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
