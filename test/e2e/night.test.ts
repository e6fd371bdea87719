import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { record, type Service, startService } from "./service.ts";
import { Tandem } from "./tandem.ts";

const cases = 40;
const sheet = `id,question,golden\n${Array.from({ length: cases }, (_, i) => `k${i},q ${i},right`).join("\n")}\n`;

const suite = (url: string, more = ""): string => `name: desk
dataset: sheet.csv
case: { key: id, input: { input_prompt: question }, expected: golden }
deployments: { here: { base_url: "${url}", api_key_env: TANDEM_API_KEY, retries: 0${more} } }
targets:
  prod: { deployment: here, endpoint: video-bots, example_id: prod }
  test: { deployment: here, endpoint: video-bots, example_id: test }
scorers: [{ name: correct, type: contains }]
gates: [{ metric: correct, margin: 0.1 }]
reports: [json]
`;

/** A bot that is right; `test` is wrong in the first so many cases. It answers from a moment on. */
const bot = (wrong = 0, delayMs = 0, when = Promise.resolve()): Promise<Service> =>
  startService(({ path, body, prompt }) => {
    const isWrong = `${path} ${body}`.includes("test") && Number(prompt.slice(2)) < wrong;
    return { ...record(isWrong ? "wrong" : "right"), delayMs, when };
  });

const tandemWith = (text: string): Tandem => new Tandem().file("sheet.csv", sheet).file("suite.yaml", text);

describe("tandem night", () => {
  test("runs the suite, and a second start meanwhile leaves with a line and exit code 0", async () => {
    const secondLeft = Promise.withResolvers<void>();
    const service = await bot(0, 0, secondLeft.promise);
    const tandem = tandemWith(suite(service.url));
    const { ended } = tandem.begin("night", "suite.yaml");
    while (service.received.length < 1) await sleep(20);
    const second = await tandem.run("night", "suite.yaml");
    secondLeft.resolve();
    expect(second.code).toBe(0);
    expect(second.err).toMatch(/desk is already running since \S+ \S+ \(process \d+ on \S+\): nothing to do\./);
    expect((await ended).code).toBe(0);
    expect(service.received).toHaveLength(2 * cases);
    expect(tandem.query("SELECT state FROM batch")).toEqual([{ state: "finished" }]);
    expect(tandem.query("SELECT * FROM night_lock")).toEqual([]);
    // Nobody is there to try again when a service is back: a run waits for its own time, a night for half an hour.
    expect(tandem.query("SELECT suite ->> '$.deployments[0].waitForServiceMs' AS ms FROM batch")).toEqual([
      { ms: 1_800_000 },
    ]);
  });

  test("waits for a run of the same suite with --if-running wait, also for one that was started by hand", async () => {
    const service = await bot(0, 60);
    const tandem = tandemWith(suite(service.url));
    const { ended } = tandem.begin("run", "suite.yaml");
    while (service.received.length < 5) await sleep(20);
    const second = await tandem.run("night", "suite.yaml", "--if-running", "wait");
    expect(second.err).toContain("it is waited for, then this one runs too");
    expect([(await ended).code, second.code]).toEqual([0, 0]);
    expect(tandem.query("SELECT state FROM batch")).toEqual([{ state: "finished" }, { state: "finished" }]);
  });

  test("leaves a night that began too long ago, or asks something else now, and says so", async () => {
    const service = await bot();
    const tandem = tandemWith(suite(service.url));
    await tandem.run("night", "suite.yaml", "--budget", "30");
    expect(tandem.query("SELECT state FROM batch")).toEqual([{ state: "stopped" }]);
    const late = await tandem.run("night", "suite.yaml", "--resume-within", "0", "--budget", "30");
    expect(late.err).toContain("and is older than 0: it is left, and a new one begins. `tandem resume desk-");
    tandem.file("sheet.csv", sheet.replace("q 3,", "q three,"));
    const { code, err } = await tandem.run("night", "suite.yaml");
    expect(err).toMatch(
      /desk-\S+ cannot be resumed: This is not what desk-\S+ was made of: 1 row changed: "k3"\. A new one begins; `tandem resume --suite suite\.yaml --accept-changes` resumes what is still the same\./,
    );
    expect(code).toBe(0);
    expect(tandem.query("SELECT state FROM batch")).toEqual([
      { state: "stopped" },
      { state: "stopped" },
      { state: "finished" },
    ]);
  });

  test("is over, with its own exit code, also where nobody reads its output to the end: the next start is another night", async () => {
    const service = await bot(cases);
    const tandem = tandemWith(suite(service.url));
    const reported = ["--notify-command", "echo >> told"];
    tandem.under("exec > >(:) 2>&1; wait $!");
    expect((await tandem.run("night", "suite.yaml", ...reported)).code).toBe(1);
    expect(tandem.query("SELECT night, notice_at FROM batch")).toEqual([{ night: null, notice_at: null }]);
    expect((await tandem.under(null).run("night", "suite.yaml", ...reported)).code).toBe(1);
    expect([tandem.text("told"), service.received.length]).toEqual(["\n\n", 4 * cases]);
  });

  test("knows a night whose process was killed while people were told, also after a night of other cases", async () => {
    const service = await bot();
    const tandem = tandemWith(suite(service.url));
    const stuck = ["--notify-command", "cat > told.json; sleep 4"];
    await tandem.killWhen(
      () => tandem.has("told.json") && tandem.text("told.json") !== "",
      "night",
      "suite.yaml",
      ...stuck,
    );
    tandem.remove("told.json");
    expect((await tandem.run("night", "suite.yaml", "--limit", "10")).code).toBe(0);
    const { code, err } = await tandem.run("night", "suite.yaml", "--notify-command", "cat > told.json");
    expect(err).toContain("its process ended while people were told");
    expect(code).toBe(0);
    expect(tandem.has("told.json")).toBe(false);
    expect(service.received).toHaveLength(2 * cases + 20);
  });

  test("compares with a pin, and removes what is old of its own suite, but what the pin holds", async () => {
    const service = await bot();
    const tandem = tandemWith(suite(service.url)).file("other.yaml", suite(service.url).replace("desk", "other"));
    await tandem.run("run", "suite.yaml");
    await tandem.run("pin", "latest", "--as", "base");
    await tandem.run("run", "other.yaml");
    await tandem.run("run", "other.yaml");
    const worse = await bot(30);
    tandem.file("suite.yaml", suite(worse.url));
    const night = ["night", "suite.yaml", "--against", "base", "--keep", "1"];
    expect((await tandem.run(...night)).code).toBe(1);
    const { code, err } = await tandem.run(...night);
    expect(code).toBe(1);
    expect(err).toMatch(/Removed 1 old batch: desk-\d\S+\./);
    expect(err).toMatch(/Stays: desk-\S+ \(the pin base holds it\)/);
    const left = "SELECT suite_name AS suite, count(*) AS n FROM batch GROUP BY 1 ORDER BY 1";
    expect(tandem.query(left)).toEqual([
      { suite: "desk", n: 2 },
      { suite: "other", n: 2 },
    ]);
  });

  test("never removes its own batch, nor one that was cut off and can still go on", async () => {
    const service = await bot();
    const tandem = tandemWith(suite(service.url));
    const none = await tandem.run("night", "suite.yaml", "--keep", "0");
    expect(none.code).toBe(2);
    expect(none.err).toContain("--keep takes a whole number of 1 or more; got 0.");
    await tandem.run("night", "suite.yaml");
    await tandem.run("pin", "latest", "--as", "base");
    await tandem.run("night", "suite.yaml", "--against", "base", "--budget", "14");
    const night = (...flags: string[]): ReturnType<Tandem["run"]> => tandem.run("night", "suite.yaml", ...flags);
    const { err } = await night("--keep", "1");
    expect(err).toMatch(/Stays: desk-\S+ \(it was cut off, and can still go on\)/);
    expect(tandem.query("SELECT state FROM batch")).toEqual([
      { state: "finished" },
      { state: "stopped" },
      { state: "finished" },
    ]);
    // Of its age all would go.
    expect((await night("--older-than", "0", "--resume-within", "0")).err).toMatch(
      /Removed 2 old batches: desk-\S+, desk-\S+\./,
    );
    expect(tandem.query("SELECT count(*) AS n FROM batch WHERE state = 'finished'")).toEqual([{ n: 2 }]);
  });

  test("keeps its exit code where old batches cannot be removed, and says why", async () => {
    const service = await bot();
    const tandem = tandemWith(suite(service.url)).under("trap '' XFSZ");
    expect((await tandem.run("night", "suite.yaml")).code).toBe(0);
    // From the notice on, no file of the night may grow.
    const full = ["--notify-command", "prlimit --pid $PPID --fsize=0"];
    const { code, err } = await tandem.run("night", "suite.yaml", "--keep", "1", ...full);
    expect(err).toMatch(/warning: old batches were not removed: Could not write to \S+tandem\.db: /);
    expect(code).toBe(0);
    expect(err).not.toMatch(/\n\s+at /);
    const again = await tandem.run("night", "suite.yaml", "--keep", "1", "--resume-within", "0");
    expect(again.err).toMatch(/Removed 2 old batches: desk-/);
  });

  test("tells of a job that was started in the wrong folder, or with a flag that cannot be", async () => {
    const tandem = new Tandem();
    const reported = ["--notify-on", "problem", "--notify-command", "cat > told.json"];
    expect((await tandem.run("night", ...reported)).code).toBe(2);
    expect(JSON.parse(tandem.text("told.json"))).toMatchObject({ state: "failed", exitCode: 2 });
    tandem.remove("told.json").file("sheet.csv", sheet).file("suite.yaml", suite("http://127.0.0.1:9"));
    expect((await tandem.run("night", "suite.yaml", "--resume-within", "soon", ...reported)).code).toBe(2);
    const early = await tandem.run("night", "suite.yaml", "--against", "release-12");
    expect(early.err).toContain("start one with `tandem run`; `tandem pin latest --as release-12` gives it that name.");
    expect(JSON.parse(tandem.text("told.json"))).toMatchObject({
      sentence: expect.stringContaining(
        '--resume-within takes a number of days or hours such as 90d or 12h; got "soon"',
      ),
    });
  });

  test("finishes what is in flight at SIGTERM, ends with 143, and removes nothing", async () => {
    const service = await bot(0, 60);
    const tandem = tandemWith(suite(service.url));
    expect((await tandem.run("run", "suite.yaml")).code).toBe(0);
    const before = service.received.length;
    const { child, ended } = tandem.start("night", "suite.yaml", "--older-than", "0");
    while (service.received.length < before + 10) await sleep(20);
    child.kill("SIGTERM");
    expect((await ended).code).toBe(143);
    expect(tandem.query("SELECT state, reason FROM batch")).toEqual([
      { state: "finished", reason: null },
      { state: "stopped", reason: "interrupted" },
    ]);
    expect(tandem.query("SELECT * FROM night_lock")).toEqual([]);
  });
});

describe("a night that asks the cases of an earlier batch, and is cut off", () => {
  test.each([[["--failed"]], [["--failed", "latest"]], [["--failed", "desk~0"]], [["--changed"]]])(
    "goes on with what it began, and is over then: %s",
    async (selects) => {
      let isDown = true;
      const service = await startService(({ prompt }) =>
        isDown && Number(prompt.slice(2)) >= 10 ? { status: 400, body: "{}" } : { ...record("right"), delayMs: 30 },
      );
      const tandem = tandemWith(suite(service.url));
      // Thirty cases without an answer; or, for --changed, thirty that are others since.
      await tandem.run("run", "suite.yaml", "--no-preflight");
      const [first] = tandem.query<{ name: string }>("SELECT name FROM batch");
      if (selects[0] === "--changed") tandem.file("sheet.csv", sheet.replaceAll(/q (\d\d)/g, "q $1 again"));
      isDown = false;
      const before = service.received.length;
      await tandem.killWhen(
        () => service.received.length >= before + 20,
        "night",
        "suite.yaml",
        "--no-preflight",
        ...selects,
      );
      const { code, err } = await tandem.run("night", "suite.yaml", "--no-preflight", ...selects);
      expect([code, err]).toEqual([0, expect.stringMatching(/desk-\S+ of \S+ \S+ was cut off: it is resumed\./)]);
      const batches = tandem.query<{ state: string; of: string }>(
        "SELECT state, selection ->> ? AS 'of' FROM batch ORDER BY id",
        `$.${selects[0]?.slice(2)}`,
      );
      expect(batches).toEqual([
        { state: "finished", of: null },
        { state: "finished", of: first?.name },
      ]);
      expect(service.received.length - before).toBeLessThanOrEqual(2 * 30 + 8);
    },
  );
});
