import MiniSearch, { type SearchResult } from "minisearch";
import type { Article } from "./article.ts";
import type { RetrievalSettings } from "./bot-settings.ts";
import { stopWords } from "./stop-words.ts";
import { wordsOf } from "./words.ts";

/** One article that was found. */
export interface Hit {
  article: IndexedArticle;
  /** The best piece of the article. */
  unit: SearchUnit;
  /** 0 to 1: the share of the query that the best article covers, less for those found after it. */
  score: number;
  /** Words of the article that match the query, with what each says (rare words say more). */
  matched: ReadonlyMap<string, number>;
}

/** The words to look for, each with its weight (1, or less for words of earlier turns). */
export type SearchQuery = ReadonlyMap<string, number>;

/** A searchable set of articles in one language. */
export interface Index {
  language: string | null;
  size: number;
  /** The hits, best first, one per article. */
  search(query: SearchQuery): Hit[];
}

/** Builds an index over articles by BM25+; title and text are two fields. */
export function buildIndex(articles: Article[], language: string | null, settings: RetrievalSettings): Index {
  const units = articles.flatMap((article) => searchUnitsOf(article, settings.chunk));
  const common = stopWords(language);
  const mini = new MiniSearch<IndexedUnit>({
    fields: ["title", "text"],
    tokenize: wordsOf,
    processTerm: (word) => (common.has(word) ? null : word),
  });
  mini.addAll(units.map((unit, id) => ({ id, title: titleOf(unit), text: unit.text })));
  const weights = wordWeights(units, common);
  const unknownWeight = Math.log(1 + 2 * sizeOf(units));
  return {
    language,
    size: units.length,
    search(query) {
      const results = mini.search([...query.keys()].join(" "), {
        boost: { title: 2 },
        boostTerm: (word) => query.get(word) ?? 1,
        prefix: (word) => word.length > 3,
        fuzzy: (word) => (weights.has(word) || !canBeTypo(word) ? false : settings.fuzzy),
        maxFuzzy: 2,
      });
      const found = byArticle(byWeight(results, query).slice(0, 40), units);
      return rank(found, query, (word) => weights.get(word) ?? unknownWeight);
    },
  };
}

/** A very short word is near too many others; the distance to a very long one, which is hardly a word, costs seconds. */
const canBeTypo = (word: string): boolean => word.length >= 4 && word.length <= 40;

interface IndexedUnit {
  id: number;
  title: string;
  text: string;
}

function titleOf({ article: { article } }: SearchUnit): string {
  return [article.title, ...article.tags].join(" ");
}

/** MiniSearch multiplies a score by how many words were found; here a word counts as much as it is asked for. */
function byWeight(results: SearchResult[], query: SearchQuery): SearchResult[] {
  const weighed = results.map((result) => {
    const asked = result.queryTerms.reduce((sum, word) => sum + (query.get(word) ?? 1), 0);
    return { ...result, score: (result.score * asked) / result.queryTerms.length };
  });
  return weighed.toSorted((a, b) => b.score - a.score);
}

/** One per article, best first: its best unit, and all that any of its units matched. */
function byArticle(results: SearchResult[], units: SearchUnit[]): FoundUnit[] {
  const found = new Map<IndexedArticle, FoundUnit>();
  for (const { id, score, terms, queryTerms } of results) {
    const unit = units[Number(id)];
    if (unit === undefined) continue;
    const before = found.get(unit.article);
    if (before === undefined) {
      found.set(unit.article, { unit, score, terms: new Set(terms), queryTerms: new Set(queryTerms) });
    } else {
      for (const term of terms) before.terms.add(term);
      for (const term of queryTerms) before.queryTerms.add(term);
    }
  }
  return [...found.values()];
}

interface FoundUnit {
  unit: SearchUnit;
  score: number;
  terms: Set<string>;
  queryTerms: Set<string>;
}

/** BM25 scores have no upper end; a share of the query that is covered can be compared with a threshold. */
function rank(found: FoundUnit[], query: SearchQuery, weightOf: (word: string) => number): Hit[] {
  const [best] = found;
  if (best === undefined) return [];
  const covered = coverage(best.queryTerms, query, weightOf);
  return found.map(({ unit, score, terms }) => ({
    article: unit.article,
    unit,
    score: Math.round(covered * (score / best.score) * 10_000) / 10_000,
    matched: new Map([...terms].map((term) => [term, weightOf(term) * askedFor(term, query)])),
  }));
}

/** Weight of a word that was found: as much as the word of the query it begins with; half for a misspelt one. */
function askedFor(term: string, query: SearchQuery): number {
  const begun = [...query].find(([word]) => term.startsWith(word))?.[1];
  return query.get(term) ?? begun ?? 0.5;
}

function coverage(queryTerms: ReadonlySet<string>, query: SearchQuery, weightOf: (word: string) => number): number {
  let all = 0;
  let covered = 0;
  for (const [word, weight] of query) {
    const says = weight * weightOf(word);
    all += says;
    if (queryTerms.has(word)) covered += says;
  }
  return all === 0 ? 0 : covered / all;
}

/**
 * Smallest number of units that words are weighed with: in a base of a few articles every word is in a large share of
 * them, which says little about how rare it is.
 */
const fewestUnits = 40;

function sizeOf(units: SearchUnit[]): number {
  return Math.max(units.length, fewestUnits);
}

/** Weight of each word: the logarithm of how rare it is among the units, its titles included. */
function wordWeights(units: SearchUnit[], common: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const unit of units) {
    for (const word of new Set(wordsOf(`${titleOf(unit)} ${unit.text}`))) {
      if (!common.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return new Map(
    [...counts].map(([word, count]) => [word, Math.log(1 + (sizeOf(units) - count + 0.5) / (count + 0.5))]),
  );
}

/** A piece of text that is searched and referred to as one: an article, a paragraph or a sentence. */
interface SearchUnit {
  article: IndexedArticle;
  /** Heading and text, as it is indexed. */
  text: string;
  /** The first and the one after the last of the article's sentences that are in this unit. */
  from: number;
  to: number;
}

/** An article with its sentences cut and their words folded, once, when the bot is loaded. */
interface IndexedArticle {
  article: Article;
  sentences: { text: string; words: ReadonlySet<string>; digits: boolean }[];
}

/** The searchable units of an article. */
function searchUnitsOf(article: Article, chunk: RetrievalSettings["chunk"]): SearchUnit[] {
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

/** An end of a sentence: marks of many scripts with closing quotes, then space or the end; CJK marks need no space. */
const end = /[.?!।॥؟۔።፧…]+["'”’»)\]]*(?=\s|$)|[。！？]+["'”’」』）]*|\n+/gu;
const abbreviation =
  /(?:^|[\s(])(?:\p{Lu}|(?:\p{L}\.)+\p{L}|mr|mrs|ms|dr|st|sr|sra|no|vs|etc|approx|e\.g|i\.e|prof|jr)$/iu;

/** The sentences of a text, trimmed, in order; a full stop after an initial or a common abbreviation does not end one. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const match of text.matchAll(end)) {
    if (!endsSentence(text, start, match)) continue;
    const stop = match.index + match[0].length;
    sentences.push(text.slice(start, stop));
    start = stop;
  }
  sentences.push(text.slice(start));
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== "");
}

function endsSentence(text: string, start: number, match: RegExpExecArray): boolean {
  if (match[0] !== ".") return true;
  if (/^\s+\p{Ll}/u.test(text.slice(match.index + 1, match.index + 8))) return false;
  return !abbreviation.test(text.slice(Math.max(start, match.index - 12), match.index));
}
