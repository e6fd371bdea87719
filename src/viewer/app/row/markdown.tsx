import type { ComponentChild } from "preact";
import { lexer, type Token, type Tokens } from "marked";
import { isWebAddress, Link } from "../parts/link.tsx";

/** Longer answers, and deeper ones, stay as they were written. */
const longest = 100_000;
const deepest = 20;

/** An answer as its Markdown means it: elements made of what was read, never of HTML, and nothing that loads by itself. */
export function Markdown({ text }: { text: string }) {
  const tokens = tokensOf(text);
  if (tokens === null)
    return (
      <div class="said text" dir="auto">
        {text}
      </div>
    );
  return (
    <div class="said rendered" dir="auto">
      {drawn(tokens, 0)}
    </div>
  );
}

function tokensOf(text: string): Token[] | null {
  if (text.length > longest) return null;
  try {
    return lexer(text);
  } catch {
    // Thousands of quotes within each other are more than it can read.
    return null;
  }
}

function drawn(tokens: readonly Token[] | undefined, depth: number): ComponentChild[] {
  return (tokens ?? []).map((token) => (depth > deepest ? token.raw : oneDrawn(token, depth + 1)));
}

const isToken = {
  heading: (token: Token): token is Tokens.Heading => token.type === "heading",
  list: (token: Token): token is Tokens.List => token.type === "list",
  table: (token: Token): token is Tokens.Table => token.type === "table",
  link: (token: Token): token is Tokens.Link => token.type === "link",
  image: (token: Token): token is Tokens.Image => token.type === "image",
};

function oneDrawn(token: Token, depth: number): ComponentChild {
  if (isToken.heading(token)) return <p class={`heading level-${token.depth}`}>{drawn(token.tokens, depth)}</p>;
  if (isToken.list(token)) return <MarkdownList list={token} depth={depth} />;
  if (isToken.table(token)) return <MarkdownTable table={token} depth={depth} />;
  if (isToken.link(token)) return <MarkdownLink link={token} depth={depth} />;
  if (isToken.image(token)) return <Picture image={token} />;
  const inner = "tokens" in token ? drawn(token.tokens, depth) : null;
  switch (token.type) {
    case "paragraph":
      return <p>{inner}</p>;
    case "blockquote":
      return <blockquote>{inner}</blockquote>;
    case "code":
      return (
        <pre>
          <code>{textOf(token)}</code>
        </pre>
      );
    case "codespan":
      return <code>{textOf(token)}</code>;
    case "strong":
      return <strong>{inner}</strong>;
    case "em":
      return <em>{inner}</em>;
    case "del":
      return <s>{inner}</s>;
    case "br":
      return <br />;
    case "hr":
      return <hr />;
    case "space":
    case "def":
      return null;
    case "text":
    case "escape":
      return inner !== null && inner.length > 0 ? inner : textOf(token);
    default:
      // HTML among them: it stays the text that it is.
      return token.raw;
  }
}

const textOf = (token: Token): string => ("text" in token && typeof token.text === "string" ? token.text : token.raw);

function MarkdownList({ list, depth }: { list: Tokens.List; depth: number }) {
  const items = list.items.map((item, index) => (
    <li key={index}>
      {item.task && (item.checked === true ? "☑ " : "☐ ")}
      {drawn(item.tokens, depth)}
    </li>
  ));
  return list.ordered ? <ol start={list.start === "" ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function MarkdownTable({ table, depth }: { table: Tokens.Table; depth: number }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="A table of the answer">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th scope="col" key={index}>
                {drawn(cell.tokens, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at}>{drawn(cell.tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** An address that is none of the web is shown as it was written. */
function MarkdownLink({ link, depth }: { link: Tokens.Link; depth: number }) {
  if (!isWebAddress(link.href)) return <>{link.raw}</>;
  return (
    <a href={link.href} target="_blank" rel="noopener noreferrer nofollow" title={link.href} dir="auto">
      {drawn(link.tokens, depth)}
    </a>
  );
}

/** A picture tells its host that somebody looks at it: it is opened by a click, in a tab of its own. */
function Picture({ image }: { image: Tokens.Image }) {
  return (
    <span class="picture">
      <span aria-hidden="true">▦</span> Picture:{" "}
      <Link url={image.href} text={image.text === "" ? image.href : image.text} />
    </span>
  );
}
