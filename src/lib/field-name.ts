import { showText } from "./show.ts";

/** Names that would reach an object's prototype instead of a member. */
const unsafe = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Finds the fault in the name of a request field, or null. Dots nest; no other field may lie inside of it, except
 * inside `variables`, which merge.
 */
export function fieldNameFault(field: string, fields: readonly string[]): string | null {
  const parts = field.split(".");
  if (parts.some((part) => part.trim() === "")) return `field ${showText(field)} has an empty part`;
  const found = parts.find((part) => unsafe.has(part));
  if (found !== undefined) return `field ${showText(field)} must not have a part named ${found}`;
  const inside = fields.find((other) => other.startsWith(`${field}.`));
  if (inside === undefined || field === "variables") return null;
  return `field ${showText(field)} and ${showText(inside)} exclude each other`;
}
