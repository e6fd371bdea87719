/** A seeded generator: each call gives the next number in [0, 1). */
export type Random = () => number;

/** 32-bit FNV-1a hash of a text's UTF-16 code units: fast, stable, not for security. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

/**
 * sfc32 (Doty-Humphrey, PractRand): 128 bits of state, seeded by a text or a number through FNV-1a.
 * The same seed gives the same sequence on every machine.
 */
export function seededRandom(seed: string | number): Random {
  const text = String(seed);
  let a = hash32(text);
  let b = hash32(`b${text}`);
  let c = hash32(`c${text}`);
  let counter = 1;
  const next = (): number => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    c |= 0;
    return (t >>> 0) / 4294967296;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}
