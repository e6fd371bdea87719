import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { slowTest } from "../often.ts";
import { Tandem } from "./tandem.ts";

const suite = fileURLToPath(new URL("../../datasets/help-desk/choose.yaml", import.meta.url));

interface Choice {
  set: string[];
  named: string | null;
  alike: string[][];
  cheapest: { named: string | null; goodEnough: string[]; ratio: { value: number } };
  intervals: { target: string; mean: number; upper: number; time: number }[];
  fronts: { by: string; targets: { target: string; state: string; beatenBy: string | null }[] }[];
}

slowTest(
  "of eight variants of the help desk's bot the cheapest that is as good as the best is chosen, and what is planted in the others is found",
  async () => {
    const tandem = new Tandem();
    const { code, out, err } = await tandem.run(
      "run",
      suite,
      "--quiet",
      "-o",
      "all.json",
      "-o",
      "runs.csv",
      "--format",
      "runs",
    );
    expect(code, err).toBe(0);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "BEST take lean: the cheapest of those that are surely less than 5 points worse than the best on `correct`",
    );
    const { choice }: { choice: Choice } = JSON.parse(tandem.text("all.json"));
    // The best one, the same at ten times its time, and the equal one at less than half its price.
    expect(choice.cheapest).toMatchObject({
      named: "lean",
      goodEnough: ["careful", "lean", "slow"],
      ratio: { value: 0.4 },
    });
    expect(choice.alike).toEqual([["careful", "slow"]]);
    expect(choice.named).toBeNull();
    for (const worse of ["strict", "brief", "no-spanish", "random"]) {
      expect(choice.set).not.toContain(worse);
      expect(choice.intervals.find(({ target }) => target === worse)?.upper).toBe(0);
    }
    const meanOf = (name: string): number => choice.intervals.find(({ target }) => target === name)?.mean ?? 0;
    expect(meanOf("guessing")).toBeLessThan(meanOf("careful") - 0.03);
    const [byCost, byTime] = choice.fronts;
    const beaten = (front: Choice["fronts"][number] | undefined) =>
      front?.targets.flatMap(({ target, state, beatenBy }) => (state === "no" ? [`${target} by ${beatenBy}`] : []));
    expect(beaten(byCost)).toEqual(["strict by lean", "no-spanish by lean", "random by lean"]);
    expect(beaten(byTime)).toContain("slow by careful");
    // A line for each case and configuration.
    expect(tandem.text("runs.csv").match(/,"?careful"?,/g)).toHaveLength(165);
  },
  120_000,
);
