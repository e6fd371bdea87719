import { basename } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import type { Article, Paragraph } from "./article.ts";

const frontMatter = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  title: z.string().optional(),
  url: z.string().optional(),
  language: z.string().optional(),
  tags: z.union([z.string(), z.array(z.string())]).optional(),
});

/** The article in a Markdown file: YAML front matter, else `# title`, else the file's name gives id and title. */
export function parseMarkdown(text: string, file: string, url: string): Article {
  const clean = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const block = /^---[ \t]*\n([\s\S]*?\n)?---[ \t]*(?:\n|$)/.exec(clean);
  const front = readFrontMatter(block?.[1] ?? "", file);
  const body = clean.slice(block?.[0].length ?? 0);
  const name = basename(file).replace(/\.md$/i, "");
  const topTitle = /^#[ \t]+(.+?)[ \t#]*$/m.exec(body)?.[1];
  return {
    id: String(front.id ?? name),
    title: front.title ?? plainText(topTitle ?? name),
    url: front.url ?? url,
    language: front.language ?? null,
    tags: typeof front.tags === "string" ? [front.tags] : (front.tags ?? []),
    paragraphs: paragraphsOf(body),
  };
}

function readFrontMatter(yaml: string, file: string): z.infer<typeof frontMatter> {
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw frontMatterError(`${file}:${line + 1}:${col}`, fault.message.split("\n")[0] ?? "not valid YAML");
  }
  const parsed = frontMatter.safeParse(document.toJS() ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw frontMatterError(`${file}:1:1`, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not valid"}`);
}

function frontMatterError(place: string, problem: string): AppError {
  return new AppError("DEPLOYMENT_INVALID", `${place}: the front matter of this article is not valid: ${problem}`, {
    hint: "Front matter is YAML between two --- lines with id, title, url, language and tags, all optional.",
  });
}

/** Paragraphs are parted by blank lines; list items and table rows are lines of their own within one. */
function paragraphsOf(body: string): Paragraph[] {
  let heading = "";
  const paragraphs: Paragraph[] = [];
  for (const block of body.split(/\n[ \t]*\n/)) {
    const lines: string[] = [];
    for (const line of block.split("\n")) {
      const title = /^(#{1,6})[ \t]+(.+?)[ \t#]*$/.exec(line);
      if (title === null) lines.push(line);
      else heading = title[1] === "#" ? "" : plainText(title[2] ?? "");
    }
    const text = plainText(joinLines(lines));
    if (text !== "") paragraphs.push({ heading, text });
  }
  return paragraphs;
}

/** Lines that only wrap become one; a line that begins a list item or a table row stays a line. */
function joinLines(lines: string[]): string {
  return lines.reduce((text, line) => {
    const item = /^[ \t]*(?:[-*+]|\d+[.)]|>|\|)[ \t]*/.exec(line);
    if (item === null) return text === "" ? line.trim() : `${text} ${line.trim()}`;
    const rest = line.slice(item[0].length).trim();
    return text === "" ? rest : `${text}\n${rest}`;
  }, "");
}

function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|__)(.+?)\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}])[*_](\S(?:.*?\S)?)[*_](?![\p{L}\p{N}])/gu, "$1")
    .replace(/`([^`]*)`/g, "$1")
    .trim();
}
