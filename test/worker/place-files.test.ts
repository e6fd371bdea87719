import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { collectFiles } from "../../src/worker/nights/collect-files.ts";
import { nightWords } from "../../src/worker/nights/night-words.ts";
import { placeFiles } from "../../src/worker/nights/place-files.ts";

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
  await placeFiles(folder, schedule, { files: [...files, file("old/sheet.csv")], env: {} });
  expect(await placeFiles(folder, schedule, { files, env: {} })).toBe(
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
      { files: [...files, ...paths.map((path) => file(path))], env: {} },
    );
    await expect(placed, JSON.stringify([more, paths])).rejects.toMatchObject({
      code: "SUITE_INVALID",
      message: expect.stringContaining(words),
    });
  }
  expect(readdirSync(outside)).toEqual(["mine"]);
});

test("a file that is not what was added is refused, and a suite that reads another file or the database's address", async () => {
  const folder = temporary();
  const placed = (given: typeof files) => placeFiles(folder, schedule, { files: given, env: {} });
  await expect(placed([file("suite.yaml", suite), { ...file("p.csv"), sha256: "0" }])).rejects.toThrow(
    "is not what was added",
  );
  await expect(
    placed([file("suite.yaml", suite.replace("p.csv", "../../../../etc/passwd")), file("p.csv")]),
  ).rejects.toThrow(/dataset .*passwd/);
  await expect(placed([file("suite.yaml", `${suite}# \${TANDEM_WORKERS}\n`), file("p.csv")])).rejects.toThrow(
    /TANDEM_WORKERS/,
  );
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
