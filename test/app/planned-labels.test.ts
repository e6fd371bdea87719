import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planPower } from "../../src/app/plan/power.ts";
import { powerLines } from "../../src/cli/commands/check/plan.power.text.ts";
import type { GateSettings } from "../../src/suite/gate-settings.ts";
import { keepComparison } from "../../src/store/compared/comparisons.ts";
import { oneCase, plannedBatch, suite, temporaryDatabase, temporaryFolder } from "../store/batch.ts";
import { spec } from "./scored.ts";

const gate = (margin: number): GateSettings => ({ metric: "helpful", margin, of: null });

const planned = ({
  cases,
  margin,
  clusters = cases,
  drop = null,
  database = "nowhere.db",
  type = "judge",
}: {
  cases: number;
  margin: number;
  clusters?: number;
  drop?: number | null;
  database?: string;
  type?: string;
}) => {
  const decision = { ...suite.decision, gates: [gate(margin)] };
  const given = { ...suite, scorers: [spec("helpful", type)], compare: null, decision };
  const power = planPower({ suite: given, database, cases, clusters, drop, discordant: null, judgeCost: null });
  return { labels: power.labels?.[0], said: powerLines(power, false).join(" ") };
};

/** A database in which people labelled a draw of an earlier batch, and their differences varied so much. */
async function labelledBefore(sd: number, correlation: number): Promise<string> {
  const database = join(temporaryFolder(), "tandem.db");
  const db = temporaryDatabase(database);
  const { id } = await plannedBatch(db, [oneCase("k")]);
  const people = { refused: null, corrected: { sd, correlation } };
  const metric = { metric: "helpful", of: "pass", primary: true, better: 1, worse: 1, comparison: null, noise: null };
  const candidates = [{ candidate: "test", baseline: "prod", metrics: [{ ...metric, people }] }];
  const kept = { batchId: id, against: "", seed: "1", word: null, verdict: null };
  keepComparison(db, { ...kept, summary: JSON.stringify({ targets: [], candidates }), version: "0", createdAt: 1 });
  return database;
}

describe("labels of people, planned", () => {
  test("are those of the reference, by what people's labels varied before", async () => {
    const database = await labelledBefore(0.42, 0.5);
    const { labels, said } = planned({ cases: 400, margin: 0.1, database });
    expect(labels).toMatchObject({ labels: 88, sd: 0.42, correlation: 0.5, casesFirst: null, designEffect: 1 });
    expect(labels?.from).toContain("(test against prod)");
    expect(said).toContain("Labels: 88 labelled rows of 400 decide `helpful` with a limit of 10 points");
    expect(said).toContain("by the labels of");
    // Half the distance takes more cases than there are.
    const half = planned({ cases: 400, margin: 0.05, database });
    expect(half.labels).toMatchObject({ labels: null, allLabelled: true });
    expect(half.labels?.casesFirst).toBeGreaterThan(400);
    expect(half.said).toContain("all of them labelled");
  });

  test("are none where the chance in the judge alone is too large, and that is said", () => {
    const { labels, said } = planned({ cases: 100, margin: 0.02 });
    expect(labels).toMatchObject({ labels: null, allLabelled: false, from: null });
    expect(said).toContain("no number of them decides `helpful` with a limit of 2 points");
    expect(said).toContain("that the judge grades, and labels of some (assumed:");
  });

  test("are more where cases are of clusters, or where a loss is nearer to the limit; and none are at the limit itself", () => {
    const alone = planned({ cases: 400, margin: 0.1 }).labels?.labels ?? 0;
    expect(planned({ cases: 400, margin: 0.1, clusters: 200 }).labels?.labels).toBeGreaterThan(alone * 1.2);
    expect(planned({ cases: 400, margin: 0.1, drop: 0.02 }).labels?.labels).toBeGreaterThan(alone * 1.3);
    expect(planned({ cases: 400, margin: 0.1, drop: 0.2 }).labels?.labels).toBe(alone);
    expect(planned({ cases: 400, margin: 0.1, drop: 0.1 }).said).toContain("that is the limit itself");
  });

  test("are not spoken of where no judge grades", () => {
    expect(planned({ cases: 400, margin: 0.1, type: "contains" }).labels).toBeUndefined();
    expect(planned({ cases: 400, margin: 0.1, type: "pairwise" }).labels).toBeUndefined();
  });
});
