/** One article of a knowledge base. */
export interface Article {
  id: string;
  title: string;
  url: string;
  /** A language code such as `hi`; null when neither the file nor the text tells. */
  language: string | null;
  tags: string[];
  paragraphs: Paragraph[];
}

/** A piece of an article's text without markup, with the heading above it ("" at the top). */
export interface Paragraph {
  heading: string;
  text: string;
}
