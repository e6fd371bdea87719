import { visibleControls } from "./visible.ts";

/** Text as XML 1.0 can hold it: control characters as their pictures; halves of pairs and what is no character as U+FFFD. */
function xmlCharacters(text: string): string {
  return visibleControls(text).replaceAll(/[\ud800-\udfff\ufffe\uffff]/gu, "\ufffd");
}

/** A text between tags. */
export function xmlText(text: string): string {
  return xmlCharacters(text).replaceAll(/[&<>]/g, entity);
}

/** A text in an attribute, in double quotes; line breaks stay line breaks. */
export function xmlAttribute(text: string): string {
  return xmlCharacters(text).replaceAll(/[&<>"'\t\n\r]/g, entity);
}

function entity(character: string): string {
  return { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }[character] ?? `&#${character.codePointAt(0)};`;
}
