/** The name of a column of a sheet without a header, as spreadsheets call it: `column A`, and `column AA` after `column Z`. */
export function letteredColumn(at: number): string {
  let letters = "";
  for (let left = at + 1; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  return `column ${letters}`;
}

/** True for the name of a column in a sheet without a header. */
export const isLettered = (name: string): boolean => /^column [A-Z]{1,3}$/.test(name);
