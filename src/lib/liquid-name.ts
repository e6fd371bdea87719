/** True for a text that is a Liquid template. */
export function isTemplate(text: string): boolean {
  return text.includes("{{") || text.includes("{%");
}

/** A column as a Liquid template names it: `{{ row["Column name"] }}` where its name is no plain word. */
export function placeholder(column: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(column) ? `{{${column}}}` : `{{ row[${JSON.stringify(column)}] }}`;
}
