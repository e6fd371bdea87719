import { expect, test } from "vitest";
import { surviveKills } from "./kills.ts";

// Many more, at places further on in a run, are in npm run test:slow.
test(
  "survives 4 random kill -9 with conversations, judges, repeats, faults and throttling: nothing lost, nothing finished sent again, and what may be paid twice is known",
  { timeout: 900_000 },
  async () => {
    expect(await surviveKills(4, 40)).toBeGreaterThan(2);
  },
);
