/** A text that PostgreSQL takes: it knows neither the character zero nor halves of a pair. */
export const storable = (text: string): string => text.replaceAll("\0", "\u{FFFD}").toWellFormed();
