import { readFile, readdir, stat } from "node:fs/promises";
import { join, relative, resolve, sep, basename } from "node:path";
import { AppError } from "../../errors.ts";
import { isArticle } from "../../lib/paths/served-folder.ts";
import type { Article, Paragraph } from "./article.ts";
import { guessLanguage } from "./guessed-language.ts";
import { wordsOf } from "./words.ts";
import { z } from "zod";
import { LineCounter, parseDocument } from "yaml";

/** Reads the articles in the files and folders of `paths` (relative to `folder`), without those whose ids are excluded. */
export async function loadKnowledge(paths: string[], exclude: string[], folder: string): Promise<Article[]> {
  const files = (await Promise.all(paths.map((path) => filesAt(resolve(folder, path))))).flat();
  const articles = (await Promise.all(files.map((file) => articlesIn(file, folder)))).flat();
  refuseDoubles(articles);
  return articles.filter((article) => !exclude.includes(article.id));
}

async function filesAt(path: string): Promise<string[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new AppError("DEPLOYMENT_INVALID", `The knowledge at ${path} cannot be read.`, {
      hint: "Paths of knowledge are relative to the served directory and name a .md or .jsonl file, or a folder of them.",
      cause,
    });
  });
  if (found.isFile()) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => isArticle(name) && !/(^|[/\\])readme\.md$/i.test(name))
    .toSorted()
    .map((name) => join(path, name));
}

async function articlesIn(file: string, folder: string): Promise<Article[]> {
  const text = await readFile(file, "utf8");
  const url = relative(folder, file).split(sep).join("/");
  const articles = /\.jsonl$/i.test(file) ? parseJsonl(text, file, url) : [parseMarkdown(text, file, url)];
  // `hours.hi.md` and `knowledge.hi.jsonl` say their language in their name.
  const [, named = null] = /\.([a-z]{2,3}(?:-[A-Z]{2})?)\.(?:md|jsonl)$/.exec(file) ?? [];
  return articles.map((article) => withLanguage(article, named));
}

function withLanguage(article: Article, named: string | null): Article {
  if (article.language !== null) return article;
  if (named !== null) return { ...article, language: named };
  const text = article.paragraphs.map((paragraph) => paragraph.text).join("\n");
  return { ...article, language: guessLanguage(text, wordsOf(text)) };
}

/** The same id twice in one language would make `exclude` and references ambiguous. */
function refuseDoubles(articles: Article[]): void {
  const seen = new Map<string, string>();
  for (const { id, language, url } of articles) {
    const key = JSON.stringify([id, language]);
    const other = seen.get(key);
    if (other !== undefined) {
      const name = JSON.stringify(id);
      throw new AppError("DEPLOYMENT_INVALID", `Two articles have the id ${name}: ${other} and ${url}.`, {
        hint: "Give every article an id of its own, at least within its language.",
      });
    }
    seen.set(key, url);
  }
}

const articleLine = z.looseObject({
  id: z.union([z.string(), z.number()]),
  text: z.string(),
  title: z.string().optional(),
  topic: z.string().optional(),
  language: z.string().optional(),
  url: z.string().optional(),
  tags: z.array(z.string()).optional(),
});

/** The articles in a JSONL file, one object with at least `id` and `text` per line; blank lines are skipped. */
function parseJsonl(text: string, file: string, url: string): Article[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((row, index) => (row.trim() === "" ? [] : [parseLine(row, `${file}:${index + 1}`, url)]));
}

function parseLine(row: string, place: string, url: string): Article {
  const parsed = articleLine.safeParse(jsonOf(row, place));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw lineError(`${place}:1`, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not valid"}`);
  }
  const { data } = parsed;
  const id = String(data.id);
  return {
    id,
    title: data.title ?? data.topic?.replaceAll("_", " ") ?? id,
    url: data.url ?? `${url}#${encodeURIComponent(id)}`,
    language: data.language ?? null,
    tags: data.tags ?? [],
    paragraphs: data.text
      .split(/\n\s*\n/)
      .map((paragraph) => ({ heading: "", text: paragraph.trim() }))
      .filter((paragraph) => paragraph.text !== ""),
  };
}

function jsonOf(row: string, place: string): unknown {
  try {
    return JSON.parse(row);
  } catch (cause) {
    throw lineError(`${place}:1`, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function lineError(place: string, problem: string, cause?: unknown): AppError {
  return new AppError("DEPLOYMENT_INVALID", `${place}: this line is not an article: ${problem}`, {
    hint: 'Each line is a JSON object such as {"id": "opening-hours", "title": "...", "text": "...", "language": "en"}.',
    ...(cause === undefined ? {} : { cause }),
  });
}

const frontMatter = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  title: z.string().optional(),
  url: z.string().optional(),
  language: z.string().optional(),
  tags: z.union([z.string(), z.array(z.string())]).optional(),
});

/** The article in a Markdown file: YAML front matter, else `# title`, else the file's name gives id and title. */
function parseMarkdown(text: string, file: string, url: string): Article {
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
