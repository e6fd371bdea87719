import { shownIn } from "../../lib/hidden-characters.ts";

/** A text between tags. */
export function xmlText(text: string): string {
  return shownIn("xml", text).replaceAll(/[&<>]/g, entity);
}

/** A text in an attribute, in double quotes; line breaks stay line breaks. */
export function xmlAttribute(text: string): string {
  return shownIn("xml", text).replaceAll(/[&<>"'\t\n\r]/g, entity);
}

function entity(character: string): string {
  return { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[character] ?? `&#${character.codePointAt(0)};`;
}
