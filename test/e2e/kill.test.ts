import { expect, test } from "vitest";
import { surviveKills } from "./kills.ts";

// Many more, at places further on in a run, are in npm run test:slow.
test(
  "survives 50 random kill -9 with two deployments, faults and throttling: nothing lost, nothing finished sent again",
  { timeout: 900_000 },
  async () => {
    expect(await surviveKills(50, 24)).toBeGreaterThan(25);
  },
);
