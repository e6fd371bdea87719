/** A seeded generator: each call gives the next number in [0, 1). */
export type Random = () => number;

/** A seeded generator that also fills arrays, for the loops in which a call per number would be most of the time. */
export interface RandomStream {
  next: Random;
  /** The next 32 bits, as a whole number from 0. */
  bits: () => number;
  /**
   * Fills an array with whole numbers from 0 to `below` - 1, at most 65,536: two from each step of the generator, the
   * second from what the first leaves of its 32 bits.
   */
  fillBelow: (into: Uint32Array, below: number) => void;
  /** Fills an array with the numbers that as many calls of `next` would give. */
  fillNext: (into: Float64Array) => void;
}

/** 32-bit FNV-1a hash of a text's UTF-16 code units: fast, stable, not for security. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}

/** A hash of a text's UTF-16 code units in 53 bits (Bryc's cyrb53), a whole number: so wide that no two of a million texts share one. Not for security. */
export function hash53(text: string): number {
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x9e3779b1);
    high = Math.imul(high ^ unit, 0x5f356495);
  }
  const mixedLow = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  const mixedHigh = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(mixedLow ^ (mixedLow >>> 13), 0xc2b2ae35);
  return (mixedHigh & 0x1fffff) * 2 ** 32 + (mixedLow >>> 0);
}

/** murmur3's finaliser: numbers, or hashes of texts, that differ in one bit end far apart. */
export function mix32(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * sfc32 (Doty-Humphrey, PractRand): 128 bits of state, seeded by a text or a number through FNV-1a.
 * The same seed gives the same sequence on every machine.
 */
export function seededRandom(seed: string | number): Random {
  return randomStream(seed).next;
}

/** The same generator with its bulk methods. */
export function randomStream(seed: string | number): RandomStream {
  const text = String(seed);
  let a = hash32(text) | 0;
  let b = hash32(`b${text}`) | 0;
  let c = hash32(`c${text}`) | 0;
  let counter = 1;
  const step = (): number => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return t;
  };
  // The state in local variables for the length of the array: several times faster than a call per number.
  const fillBelow = (into: Uint32Array, below: number): void => {
    let la = a;
    let lb = b;
    let lc = c;
    let lcounter = counter;
    const unit = below / 4294967296;
    for (let index = 0; index < into.length; index += 2) {
      const t = (((la + lb) | 0) + lcounter) | 0;
      lcounter = (lcounter + 1) | 0;
      la = lb ^ (lb >>> 9);
      lb = (lc + (lc << 3)) | 0;
      lc = (((lc << 21) | (lc >>> 11)) + t) | 0;
      const place = (t >>> 0) * unit;
      const first = place | 0;
      into[index] = first;
      into[index + 1] = ((place - first) * below) | 0;
    }
    a = la;
    b = lb;
    c = lc;
    counter = lcounter;
  };
  const fillNext = (into: Float64Array): void => {
    let la = a;
    let lb = b;
    let lc = c;
    let lcounter = counter;
    for (let index = 0; index < into.length; index++) {
      const t = (((la + lb) | 0) + lcounter) | 0;
      lcounter = (lcounter + 1) | 0;
      la = lb ^ (lb >>> 9);
      lb = (lc + (lc << 3)) | 0;
      lc = (((lc << 21) | (lc >>> 11)) + t) | 0;
      into[index] = (t >>> 0) / 4294967296;
    }
    a = la;
    b = lb;
    c = lc;
    counter = lcounter;
  };
  for (let i = 0; i < 12; i++) step();
  return { next: () => (step() >>> 0) / 4294967296, bits: () => step() >>> 0, fillBelow, fillNext };
}
