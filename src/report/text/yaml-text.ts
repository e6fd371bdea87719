/** A name as a list or a value of YAML takes it. */
export function yamlText(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_. -]*$/u.test(name) ? name : `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
