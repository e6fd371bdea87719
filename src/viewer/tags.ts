/** A tag and the value that rows have of it. */
export interface TagValue {
  name: string;
  value: string;
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
