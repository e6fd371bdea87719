import type { Article } from "./article.ts";
import type { BotQuestion } from "./question.ts";
import { type Hit, buildIndex } from "./search.ts";
import type { RetrievalSettings } from "./bot-settings.ts";

/** All articles of a bot, searchable, with an index for each language. */
export interface Library {
  /**
   * The articles that fit a question, best first; empty when none covers `min_score` of it. Articles in the preferred
   * language come first; those in other languages only when there are none.
   */
  find(question: BotQuestion, preferred: string | null): Hit[];
}

/** Indexes the articles by language. */
export function openLibrary(articles: Article[], settings: RetrievalSettings): Library {
  const languages = [...new Set(articles.map((article) => article.language))];
  const indexes = languages
    .map((language) => {
      const own = articles.filter((article) => article.language === language);
      return buildIndex(own, language, settings);
    })
    .toSorted((a, b) => b.size - a.size);
  return {
    find({ query }, preferred) {
      if (query.size === 0) return [];
      const own = indexes.find((index) => index.language === preferred);
      const hits = own === undefined ? [] : fitting(own.search(query), settings.min_score);
      if (hits.length > 0) return hits;
      const others = indexes.filter((index) => index !== own).map((index) => index.search(query));
      return fitting(best(others), settings.min_score);
    },
  };
}

function best(searches: Hit[][]): Hit[] {
  return searches.reduce<Hit[]>((top, hits) => ((hits[0]?.score ?? 0) > (top[0]?.score ?? 0) ? hits : top), []);
}

function fitting(hits: Hit[], minScore: number): Hit[] {
  return (hits[0]?.score ?? 0) >= minScore ? hits : [];
}
