import { tagName } from "./tag-words.ts";

/** The cases of a segment: `language = hi`, or `language = hi and category = fees`. */
export function segmentWords({ tag, value, and }: SegmentName): string {
  const first = `${tagName(tag)} = ${value}`;
  return and === null ? first : `${first} and ${tagName(and.tag)} = ${and.value}`;
}

/** The value of a tag that all cases of a segment have, and that of a second one; null: there is none. */
export interface SegmentName {
  tag: string;
  value: string;
  and: { tag: string; value: string } | null;
}
