/** A text of somebody else where a sentence goes on behind it: without its full stop. */
export const withoutEnd = (text: string): string => text.replace(/\.$/, "");
