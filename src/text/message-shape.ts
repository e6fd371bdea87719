const uuid = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/giu;
/** A word of eight characters or more with letters and digits among each other, such as the id of a run. */
const id = /(?<![\p{L}\p{N}])(?=[\p{L}_]*\p{Nd})(?=\p{Nd}*[\p{L}_])[\p{L}\p{N}_]{8,}(?![\p{L}\p{N}])/gu;
const numeral = /\p{Nd}+(?:[.,:]\p{Nd}+)*/gu;

/** The part of a message that stays when its numbers and ids are others: the same for messages of the same cause. */
export function messageShape(message: string): string {
  return message.replaceAll(uuid, "#").replaceAll(id, "#").replaceAll(numeral, "#").replaceAll(/\s+/gu, " ").trim();
}
