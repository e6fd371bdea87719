import { z } from "zod";
import { AppError } from "../../errors.ts";
import type { Article } from "./article.ts";

const line = z.looseObject({
  id: z.union([z.string(), z.number()]),
  text: z.string(),
  title: z.string().optional(),
  topic: z.string().optional(),
  language: z.string().optional(),
  url: z.string().optional(),
  tags: z.array(z.string()).optional(),
});

/** The articles in a JSONL file, one object with at least `id` and `text` per line; blank lines are skipped. */
export function parseJsonl(text: string, file: string, url: string): Article[] {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .flatMap((row, index) => (row.trim() === "" ? [] : [parseLine(row, `${file}:${index + 1}`, url)]));
}

function parseLine(row: string, place: string, url: string): Article {
  const parsed = line.safeParse(jsonOf(row, place));
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
