/** The letters of a column of a spreadsheet, by its place from 0: `A`, and `AA` after `Z`. */
export function columnLetters(at: number): string {
  let letters = "";
  for (let left = at + 1; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCodePoint(65 + ((left - 1) % 26)) + letters;
  return letters;
}
