import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Pacer } from "../../src/runner/pacer.ts";

const none = (): number[] => [];

describe("the pacer", () => {
  test("lets everything through when no rate is known", () => {
    const pacer = new Pacer(null, none);
    for (let i = 0; i < 1_000; i++) pacer.take(5);
    expect(pacer.waitMs(5)).toBe(0);
    expect(pacer.rate).toBeNull();
  });

  test("never lets more than the rate through in any window, whatever the arrivals", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 100, max: 60_000 }),
        fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 200 }),
        (count, windowMs, gaps) => {
          const pacer = new Pacer({ count, windowMs }, none);
          const sent: number[] = [];
          let now = 1_000_000;
          for (const gap of gaps) {
            now += gap;
            now += pacer.waitMs(now);
            expect(pacer.waitMs(now)).toBe(0);
            pacer.take(now);
            sent.push(now);
          }
          for (const [index, time] of sent.entries()) {
            const within = sent.slice(index).filter((other) => other - time < windowMs).length;
            expect(within).toBeLessThanOrEqual(count);
          }
        },
      ),
    );
  });

  test("counts what was sent before a restart", () => {
    const now = Date.now();
    const pacer = new Pacer({ count: 2, windowMs: 60_000 }, () => [now - 30_000, now - 10_000]);
    expect(pacer.waitMs(now)).toBeGreaterThan(29_000);
    expect(pacer.waitMs(now)).toBeLessThan(31_000);
  });

  test("a stated limit may lower the rate, never raise it", () => {
    const pacer = new Pacer({ count: 10, windowMs: 60_000 }, none);
    expect(pacer.lower({ count: 20, windowMs: 60_000 })).toBe(false);
    expect(pacer.rate).toEqual({ count: 10, windowMs: 60_000 });
    expect(pacer.lower({ count: 4, windowMs: 60_000 })).toBe(true);
    expect(pacer.rate).toEqual({ count: 4, windowMs: 60_000 });
  });

  test("spreads a short window, so that two bursts cannot meet on their way", () => {
    const pacer = new Pacer({ count: 20, windowMs: 1_000 }, none);
    const sent: number[] = [];
    for (let now = 1_000_000; sent.length < 200; now += pacer.waitMs(now)) {
      pacer.take(now);
      sent.push(now);
      expect(sent.filter((time) => time > now - 200).length).toBeLessThanOrEqual(6);
    }
    const seconds = ((sent.at(-1) ?? 0) - (sent[0] ?? 0)) / 1_000;
    expect(199 / seconds).toBeGreaterThan(19);
    expect(199 / seconds).toBeLessThanOrEqual(20.3);
  });

  test("a restart in the middle of a window of ten in two seconds goes on where it was", () => {
    const now = Date.now();
    const earlier = Array.from({ length: 10 }, (_, i) => now - 1_000 + i * 50);
    const pacer = new Pacer({ count: 10, windowMs: 2_000 }, () => earlier);
    const sent = [...earlier];
    for (let at = now; sent.length < 60;) {
      at += pacer.waitMs(at);
      pacer.take(at);
      sent.push(at);
    }
    for (const [index, time] of sent.entries()) {
      expect(sent.slice(index).filter((other) => other - time < 2_000).length).toBeLessThanOrEqual(10);
    }
  });

  test("takes a stated limit of any size in its stride", () => {
    const pacer = new Pacer(null, none);
    expect(pacer.lower({ count: 999_999_999, windowMs: 86_400_000 })).toBe(true);
    expect(pacer.lower({ count: 1, windowMs: 1e15 })).toBe(true);
    pacer.take(Date.now());
    expect(pacer.waitMs(Date.now())).toBeLessThanOrEqual(86_400_000 + 250);
  });

  test("a pause holds everything back, and a shorter one does not shorten it", () => {
    const pacer = new Pacer(null, none);
    pacer.pauseUntil(5_000);
    pacer.pauseUntil(3_000);
    expect(pacer.waitMs(1_000)).toBe(4_000);
    expect(pacer.waitMs(5_000)).toBe(0);
  });
});
