import { describe, expect, test } from "vitest";
import { startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const sheet = ["id,input_prompt,expected", ...Array.from({ length: 12 }, (_, i) => `k${i},q${i},yes ${i}`)].join("\n");

/** Two bots whose services tell a model, a version in a header, and what they are configured with. */
async function startNights() {
  const now = { model: ["X"], version: "1", script: "Be kind.", fails: false };
  const answer = (isNew: boolean) => {
    let asked = 0;
    return ({ body, prompt }: { body: string; prompt: string }) => {
      const model = now.model[asked++ % now.model.length];
      const text = isNew && now.fails ? "no" : `yes ${prompt.slice(1)}`;
      const config = isNew ? {} : { bot_script: now.script, selected_model: model };
      const output = { output_text: [text], finish_reason: ["stop"], ...config, input_prompt: prompt };
      const id = String(asked).padStart(12, "0");
      const reply = { id, url: `https://b.example.test/?run_id=${id}`, created_at: "2026-11-20T19:30:12Z", output };
      expect(body).not.toBe("");
      return { body: JSON.stringify(reply), headers: { "x-bot-version": isNew ? now.version : "7", date: "x" } };
    };
  };
  const [prod, next] = await Promise.all([startService(answer(false)), startService(answer(true))]);
  const tandem = new Tandem().file("a.csv", sheet).file(
    "suite.yaml",
    `name: desk
dataset: a.csv
deployments: { prod: { base_url: "${prod.url}" }, test: { base_url: "${next.url}" } }
targets:
  prod: { deployment: prod, endpoint: video-bots, example_id: a }
  test: { deployment: test, endpoint: video-bots, example_id: a }
scorers: [{ name: correct, type: icontains }]
gates: [{ metric: correct, losses: 0 }]
`,
  );
  const run = async (...flags: string[]) => {
    const { out, err, code } = await tandem.run("night", "suite.yaml", ...flags);
    return { code, err, text: out.replaceAll(/\s+/g, " ") };
  };
  return { tandem, now, run };
}

describe("what services tell of themselves", () => {
  test("is told once where it is another, with a regression and without, in every form", async () => {
    const { tandem, now, run } = await startNights();
    const notify = ["--notify-command", "cat >> notices.jsonl", "--notify-on", "change"];
    expect((await run(...notify)).text).not.toContain("provider");
    Object.assign(now, { model: ["Y"], script: "Be short." });
    const changed = await run(...notify);
    expect(changed.text).toMatch(
      /provider suite, rows and body are the same since \d+ \w+; prod's `bot_script` changed from Be kind\. to Be short\. and prod's `selected_model` changed from X to Y/,
    );
    expect((await run(...notify)).text).not.toContain("provider");
    Object.assign(now, { version: "2", fails: true });
    const failed = await run(...notify);
    expect(failed.code).toBe(1);
    expect(failed.text).toMatch(
      /provider suite, rows and body are the same since .*; test's header `x-bot-version` changed from 1 to 2/,
    );
    expect((await run(...notify)).text).not.toContain("provider");
    // The change without a loss was news, and the regression was.
    const notices = tandem.text("notices.jsonl").trim().split("\n");
    expect(notices).toHaveLength(2);
    expect(notices[0]).toContain("`selected_model` changed from X to Y");
    const history = await tandem.run("history", "desk");
    expect(history.out.replaceAll(/\s+/g, " ").match(/prod's `selected_model` changed from X to Y/g)).toHaveLength(1);
    const { marks } = JSON.parse((await tandem.run("history", "desk", "--json")).out) as { marks: { kind: string }[] };
    expect(marks.filter(({ kind }) => kind === "provider")).toHaveLength(2);
    const report = JSON.parse((await tandem.run("report", "desk~1", "-o", "-", "--format", "json")).out) as {
      findings: { facts: { kind: string; changes?: unknown }[] };
    };
    expect(report.findings.facts.find(({ kind }) => kind === "provider")).toMatchObject({
      isAsked: true,
      telling: ["prod", "test"],
      changes: [{ target: "test", member: "header x-bot-version", before: "1", now: ["2"] }],
    });
  });

  test("is told of a night that was merged from parts, whose own is unchanged", async () => {
    const { tandem, now, run } = await startNights();
    await run();
    now.model = ["Y"];
    for (const shard of ["1/2", "2/2"])
      await tandem.run("run", "suite.yaml", "--shard", shard, "--results", `part-${shard[0]}`);
    const { out, err } = await tandem.run("merge", "part-1", "part-2");
    expect(out.replaceAll(/\s+/g, " "), err).toMatch(
      /provider suite, rows and body are the same since \d+ \w+; prod's `selected_model` changed from X to Y/,
    );
    expect((await run()).text).not.toContain("provider");
  });

  test("a regression says that nothing of it changed, or that two values were told", async () => {
    const { now, run } = await startNights();
    await run();
    now.model = ["X", "Z"];
    expect((await run()).text).toContain("prod answered with 2 values of `selected_model`");
    expect((await run()).text).not.toContain("provider");
    now.fails = true;
    expect((await run()).text).toContain("nothing that the services of prod and test tell of themselves changed");
  });
});
