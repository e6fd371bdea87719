import type { StatedLimit } from "./outcome.ts";

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

const sentence =
  /Limit:\s*(\d{1,9})\s+(concurrent\s+)?(?:requests?|runs?)\s+in\s+(\d{1,9}(?:\.\d{1,9})?)\s*([smhd])\b/i;

/**
 * The limit that the text of a 429 states: `Limit: 10 requests in 1m.` or `Limit: 4 concurrent runs in 30m.`;
 * null when there is none to be read, or it is zero.
 */
export function statedLimit(text: string): StatedLimit | null {
  const match = sentence.exec(text.slice(0, 4096));
  if (match === null) return null;
  const count = Number(match[1]);
  if (count === 0) return null;
  if (match[2] !== undefined) return { kind: "concurrency", count };
  const windowMs = Math.round(Number(match[3]) * (unitMs[(match[4] ?? "").toLowerCase()] ?? 0));
  return windowMs > 0 ? { kind: "requests", count, windowMs } : null;
}
