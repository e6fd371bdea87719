import { readFile, readdir, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { AppError } from "../../errors.ts";
import type { Article } from "./article.ts";
import { parseJsonl } from "./jsonl-articles.ts";
import { guessLanguage } from "./guessed-language.ts";
import { parseMarkdown } from "./markdown-article.ts";
import { wordsOf } from "./words.ts";

/** The articles of a bot, and the absolute paths of the files they came from. */
export interface Knowledge {
  articles: Article[];
  files: string[];
}

/** Reads the files and folders of `paths` (relative to `folder`), without the articles whose ids are excluded. */
export async function loadKnowledge(paths: string[], exclude: string[], folder: string): Promise<Knowledge> {
  const files = (await Promise.all(paths.map((path) => filesAt(resolve(folder, path))))).flat();
  const articles = (await Promise.all(files.map((file) => articlesIn(file, folder)))).flat();
  refuseDoubles(articles);
  return { articles: articles.filter((article) => !exclude.includes(article.id)), files };
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
    .filter((name) => /\.(md|jsonl)$/i.test(name) && !/(^|[/\\])readme\.md$/i.test(name))
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
