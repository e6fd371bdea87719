/** Saved bot of an embedded deployment that `tandem init` makes of the sheet, until somebody writes the address of their own. */
export const standInBot = "assistant";

/** True for a target that is answered by that bot, and not by a service. */
export function isStandIn({ baseUrl, exampleId }: { baseUrl: string; exampleId: string }): boolean {
  return baseUrl.startsWith("local:") && exampleId === standInBot;
}
