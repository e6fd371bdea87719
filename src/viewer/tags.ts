/** A tag and a value that rows may have of it. */
export interface TagValue {
  name: string;
  value: string;
}

/** Tag to the values that will do: rows have one of them, of every tag that is named. As `tandem run --tag` has it. */
export function valuesByTag(tags: readonly TagValue[]): Map<string, string[]> {
  const wanted = new Map<string, string[]>();
  for (const { name, value } of tags) wanted.set(name, [...(wanted.get(name) ?? []), value]);
  return wanted;
}

/** Name, value, name, value ... as they stand in an address. */
export function readTags(given: readonly string[]): TagValue[] {
  return given.flatMap((name, index) => {
    const value = given[index + 1];
    return index % 2 === 1 || value === undefined ? [] : [{ name, value }];
  });
}

export function writeTags(address: URLSearchParams, tags: readonly TagValue[]): void {
  for (const { name, value } of tags) {
    address.append("tag", name);
    address.append("tag", value);
  }
}
