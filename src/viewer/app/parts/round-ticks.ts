/** Round numbers from the least to the most, about so many. */
export function roundTicks(least: number, most: number, wanted: number): number[] {
  if (!(most > least)) return [least];
  const rough = (most - least) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (rough / power >= 5 ? 10 : rough / power >= 2 ? 5 : rough / power >= 1 ? 2 : 1);
  const first = Math.ceil(least / step - 1e-9);
  const last = Math.floor(most / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) =>
    Number(((first + at) * step).toPrecision(12)),
  );
}
