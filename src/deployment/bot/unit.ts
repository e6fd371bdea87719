import type { Article } from "./article.ts";
import { sentencesOf } from "./sentences.ts";
import type { RetrievalSettings } from "./bot-settings.ts";
import { wordsOf } from "./words.ts";

/** A piece of text that is searched and referred to as one: an article, a paragraph or a sentence. */
export interface SearchUnit {
  article: IndexedArticle;
  /** Heading and text, as it is indexed. */
  text: string;
  /** The first and the one after the last of the article's sentences that are in this unit. */
  from: number;
  to: number;
}

/** An article with its sentences cut and their words folded, once, when the bot is loaded. */
export interface IndexedArticle {
  article: Article;
  sentences: { text: string; words: ReadonlySet<string>; digits: boolean }[];
}

/** The searchable units of an article. */
export function searchUnitsOf(article: Article, chunk: RetrievalSettings["chunk"]): SearchUnit[] {
  const indexed: IndexedArticle = { article, sentences: [] };
  const units: SearchUnit[] = [];
  for (const paragraph of article.paragraphs) {
    const texts = sentencesOf(paragraph.text);
    const from = indexed.sentences.length;
    indexed.sentences.push(...texts.map(readSentence));
    const pieces = chunk === "sentence" ? texts : [paragraph.text];
    pieces.forEach((text, index) => {
      const place =
        chunk === "sentence" ? { from: from + index, to: from + index + 1 } : { from, to: from + texts.length };
      units.push({ article: indexed, text: `${paragraph.heading}\n${text}`.trim(), ...place });
    });
  }
  return chunk === "article" ? [whole(indexed, units)] : units;
}

function readSentence(text: string): IndexedArticle["sentences"][number] {
  return { text, words: new Set(wordsOf(text)), digits: /\p{Nd}/u.test(text) };
}

function whole(article: IndexedArticle, units: SearchUnit[]): SearchUnit {
  return { article, text: units.map((unit) => unit.text).join("\n"), from: 0, to: article.sentences.length };
}
