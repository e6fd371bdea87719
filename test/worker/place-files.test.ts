import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { collectFiles } from "../../src/worker/nights/collect-files.ts";
import { nightWords } from "../../src/worker/nights/night-words.ts";
import { environmentOfNight } from "../../src/worker/nights/night-process.ts";
import { variablesOfNight } from "../../src/lib/night-variables.ts";
import { placeFiles } from "../../src/worker/nights/open-keeper.ts";
import { scheduleFault } from "../../src/worker/nights/schedulable.ts";
import { readWrittenSuite } from "../../src/suite/load.ts";

const suite = `name: both
dataset: p.csv
case: { key: id }
deployments: { prod: { base_url: "https://bots.example" } }
targets: { prod: { deployment: prod, endpoint: video-bots, example_id: a } }
`;

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "tandem-place-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const file = (path: string, text = "id,input_prompt\na,hello\n") => ({
  path,
  sha256: createHash("sha256").update(text).digest("hex"),
  bytes: Buffer.from(text),
});

const files = [file("suite.yaml", suite), file("p.csv")];
const schedule = { namespace: "default", name: "nightly", suite: "suite.yaml", words: nightWords({ keep: 3 }) };

test("the files of a schedule are placed below its folder, in the place of those of the night before", async () => {
  const folder = temporary();
  await placeFiles(folder, schedule, { files: [...files, file("old/sheet.csv")], allowed: [], env: {} });
  expect((await placeFiles(folder, schedule, { files, allowed: [], env: {} })).file).toBe(
    join(folder, "schedules/default/nightly/suite.yaml"),
  );
  expect(readdirSync(join(folder, "schedules/default/nightly")).toSorted()).toEqual(["p.csv", "suite.yaml"]);
});

/** Rows that no command of ours would have stored. */
const hostile: [string, Partial<typeof schedule>, string[]][] = [
  ...["../up.csv", "a/../../up.csv", "/etc/passwd", "a//b", "", "a\\..\\up", "C:\\x", "a:b", "a\0b"].map(
    (path): [string, Partial<typeof schedule>, string[]] => ["is no path below its folder", {}, [path]],
  ),
  ["is hidden", {}, [".env"]],
  ["is hidden", {}, ["a/.git/config"]],
  ["holds settings of an environment", {}, ["prod.env"]],
  ...["con.csv", "a/AUX", "lpt1.txt", "nul", "x.", "y ", "what?.csv"].map(
    (path): [string, Partial<typeof schedule>, string[]] => ["cannot lie on every machine", {}, [path]],
  ),
  ...["..", ".", "", "../../x", "a/b", "nul", "a\0"].flatMap((name): [string, Partial<typeof schedule>, string[]][] => [
    ["is no name of a schedule", { name }, []],
    ["is no name of a schedule", { namespace: name }, []],
  ]),
  ["is not among its files", { suite: "../../other/suite.yaml" }, []],
  ...["--notify-command=touch x", "--code", "--code=true", "--results=/tmp", "other.yaml", "--", "--remark=a"].map(
    (word): [string, Partial<typeof schedule>, string[]] => ["is no flag", { words: [word] }, []],
  ),
  ["names no variable", { words: ["--notify=https://hooks.example/x"] }, []],
  ...["env:TANDEM_WORKERS", "env:HTTPS_PROXY", "env:PATH"].map(
    (notify): [string, Partial<typeof schedule>, string[]] => [
      "names a variable that this worker lets no schedule use",
      { words: [`--notify=${notify}`] },
      [],
    ],
  ),
  ["is none (.yaml)", { suite: "p.csv" }, []],
  ["names a hidden file", { words: ["--against=.env"] }, []],
  ...["/etc/passwd", "schedules/default/other/pin.jsonl", "schedules/default/nightly/../x"].map(
    (path): [string, Partial<typeof schedule>, string[]] => [
      "names a file that is not the schedule's",
      { words: [`--against=${path}`] },
      [],
    ],
  ),
];

test("rows that would write, remove, read or run anything else of a machine are refused, and nothing is touched", async () => {
  const outside = temporary();
  const folder = join(outside, "nights");
  writeFileSync(join(outside, "mine"), "mine");
  for (const [words, more, paths] of hostile) {
    const placed = placeFiles(
      folder,
      { ...schedule, ...more },
      { files: [...files, ...paths.map((path) => file(path))], allowed: [], env: {} },
    );
    await expect(placed, JSON.stringify([more, paths])).rejects.toMatchObject({
      code: "SUITE_INVALID",
      message: expect.stringContaining(words),
    });
  }
  expect(readdirSync(outside)).toEqual(["mine"]);
});

test("a file that is not what was added is refused, and a suite that reads another file", async () => {
  const folder = temporary();
  const placed = (given: typeof files) => placeFiles(folder, schedule, { files: given, allowed: [], env: {} });
  await expect(placed([file("suite.yaml", suite), { ...file("p.csv"), sha256: "0" }])).rejects.toThrow(
    "is not what was added",
  );
  await expect(
    placed([file("suite.yaml", suite.replace("p.csv", "../../../../etc/passwd")), file("p.csv")]),
  ).rejects.toThrow(/dataset .*passwd/);
});

/** Suites that would send something of the machine that runs them, or ask what only it reaches. */
const greedy: [string, string][] = [
  ["takes the base_url of prod from the variable HTTPS_PROXY", suite.replace("https://bots.example", "${HTTPS_PROXY}")],
  [
    "takes the base_url of prod from the variable TANDEM_WORKERS",
    suite.replace("https://bots.example", "${TANDEM\\x5fWORKERS}"),
  ],
  [
    "takes the base_url of prod from the variable PATH",
    suite.replace("https://bots.example", "https://x.example/${PATH:-none}"),
  ],
  // Also one that its operator lets schedules use: an address is stored, and whoever submits reads it.
  [
    "takes the base_url of prod from the variable SLACK_WEBHOOK",
    suite.replace("https://bots.example", "${SLACK_WEBHOOK}"),
  ],
  [
    "takes the base_url of prod from the variable SLACK_WEBHOOK",
    suite.replace('"https://bots.example"', "*there").replace("name: both", "name: &there ${SLACK_WEBHOOK}"),
  ],
  ["runs prod from a folder", suite.replace("https://bots.example", "local:/srv/bots")],
  ["runs prod from a folder", suite.replace("https://bots.example", " local:.")],
  ["names a proxy", suite.replace('bots.example"', 'bots.example", proxy: "http://${HTTPS_PROXY}"')],
  ["names a file with authorities", suite.replace('bots.example"', 'bots.example", ca: /etc/shadow')],
  ["names a certificate", suite.replace('bots.example"', 'bots.example", cert: /etc/shadow, cert_key: /etc/shadow')],
  ["names a folder for files", `${suite}files: { root: / }\n`],
  ["asks private addresses", `${suite}scorers: [{ type: audio-reachable, allow_private: true }]\n`],
];

test.each(greedy)("a schedule whose suite %s is refused, whoever has written its rows", async (words, text) => {
  const folder = temporary();
  const secrets = {
    HTTPS_PROXY: "http://me:secret@proxy",
    TANDEM_WORKERS: "postgres://me:secret@db/x",
    SLACK_WEBHOOK: "https://hooks.example/secret",
    PATH: "/secret",
  };
  const given = { files: [file("suite.yaml", text), file("p.csv")], allowed: ["SLACK_WEBHOOK"], env: secrets };
  const error: unknown = await placeFiles(folder, schedule, given).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "SUITE_INVALID", message: expect.stringContaining(words) });
  expect(JSON.stringify(error) + String(error)).not.toContain("secret");
  // By whoever adds it, the same words.
  writeFileSync(join(folder, "suite.yaml"), text);
  expect(scheduleFault(await readWrittenSuite(join(folder, "suite.yaml")))).toContain(words);
});

test("a night sees the variables that its operator has listed, and no other", async () => {
  const env = { PATH: "/bin", HTTPS_PROXY: "http://proxy", PROD_KEY: "sk", SLACK_WEBHOOK: "https://hooks.example" };
  const night = environmentOfNight(env, { url: "postgres://db/x", allowed: ["SLACK_WEBHOOK", "CRM_HOOK"] });
  expect(Object.keys(night).toSorted()).toEqual([
    "HTTPS_PROXY",
    "PATH",
    "SLACK_WEBHOOK",
    "TANDEM_NIGHT_VARIABLES",
    "TANDEM_WORKERS",
  ]);
  expect(variablesOfNight(night)).toEqual(["SLACK_WEBHOOK", "CRM_HOOK"]);
  expect(variablesOfNight(environmentOfNight(env, { url: "", allowed: [] }))).toEqual([]);
  expect(variablesOfNight(env)).toBeNull();
  const asked = { ...schedule, words: ["--notify=env:SLACK_WEBHOOK"] };
  const given = { files, allowed: ["SLACK_WEBHOOK"], env: night };
  await expect(placeFiles(temporary(), asked, given)).resolves.toMatchObject({
    file: expect.stringContaining("suite.yaml"),
  });
});

test("a file that could not be placed everywhere is refused when it is added", () => {
  const [folder, outside] = [temporary(), temporary()];
  writeFileSync(join(folder, "suite.yaml"), suite);
  writeFileSync(join(outside, "secret.csv"), "secret");
  symlinkSync(join(outside, "secret.csv"), join(folder, "link.csv"));
  const collect = (name: string) => () => collectFiles(join(folder, "suite.yaml"), [join(folder, name)]);
  expect(collect("link.csv")).toThrow("is a link that leads out of the folder");
  writeFileSync(join(folder, "con.csv"), "");
  expect(collect("con.csv")).toThrow("con.csv is the name of a device on Windows");
  writeFileSync(join(folder, "p.csv"), "id\n");
  expect(collect("p.csv")().files.map(({ path, bytes }) => [path, bytes.toString()])).toEqual([
    ["suite.yaml", readFileSync(join(folder, "suite.yaml"), "utf8")],
    ["p.csv", "id\n"],
  ]);
});
