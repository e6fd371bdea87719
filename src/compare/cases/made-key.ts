/** A key that was made of the input, because the sheet has none: it tells a reader nothing. */
export function isMadeKey(key: string): boolean {
  return /^[0-9a-f]{16}(#\d+)?$/.test(key);
}
