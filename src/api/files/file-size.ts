const unitBytes = { b: 1, kb: 1_000, mb: 1_000_000, gb: 1_000_000_000 } as const;

/** Form of a size in a file: `500kB`, `20MB`, `1.5GB`. */
export const sizePattern = /^(?=.*[1-9])(\d{1,9}(?:\.\d{1,3})?) ?(b|kb|mb|gb)$/i;

/** Bytes of a size that matches `sizePattern`; null when it does not match. */
export function sizeBytes(text: string): number | null {
  const [, amount, unit = ""] = sizePattern.exec(text) ?? [];
  const bytes = Object.entries(unitBytes).find(([name]) => name === unit.toLowerCase())?.[1];
  return amount === undefined || bytes === undefined ? null : Math.ceil(Number(amount) * bytes);
}

/** `68 bytes`, `12.3 kB`, `20 MB` */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const [unit, size] = bytes < 1_000_000 ? ["kB", bytes / 1_000] : ["MB", bytes / 1_000_000];
  return `${size.toLocaleString("en-US", { maximumFractionDigits: 1 })} ${unit}`;
}
