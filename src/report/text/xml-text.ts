import { visibleControls } from "./visible.ts";

/** A text between the tags of XML 1.0: what XML cannot hold is replaced by what can be seen. */
export function xmlText(text: string): string {
  return valid(text).replaceAll(/[&<>]/g, entity);
}

/** A text in an attribute, in double quotes; line breaks stay line breaks. */
export function xmlAttribute(text: string): string {
  return valid(text).replaceAll(/[&<>"'\t\n\r]/g, entity);
}

/** Control characters as their pictures; halves of pairs and what is no character as U+FFFD. */
function valid(text: string): string {
  return visibleControls(text).replaceAll(/[\ud800-\udfff\ufffe\uffff]/gu, "\ufffd");
}

function entity(character: string): string {
  return { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[character] ?? `&#${character.codePointAt(0)};`;
}
