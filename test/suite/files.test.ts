import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type LoadedSuite, loadSuite } from "../../src/suite/load.ts";

/** Loads a suite whose photos are files, with these further lines. */
async function load(more: string, photo = "{ column: photo, type: file }"): Promise<LoadedSuite & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-suite-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "s.yaml");
  await writeFile(
    path,
    `dataset: [a/p.csv, b/p.csv, "-"]
case: { input: { input_prompt: question, input_images: ${photo} } }
deployments: { local: { base_url: "local:." } }
targets: { bot: { deployment: local, endpoint: video-bots, example_id: a } }
${more}
`,
  );
  return { ...(await loadSuite(path, {})), folder };
}

test("paths of files begin in the folder of each dataset, and have limits", async () => {
  const { suite, folder } = await load("");
  expect(suite.files).toEqual({
    roots: [join(folder, "a"), join(folder, "b"), ""],
    maxFile: 20_000_000,
    maxRequest: 50_000_000,
  });
});

test("a suite may name one folder for all, and other limits", async () => {
  const { suite, folder } = await load("files: { root: ., max_file: 500kB, max_request: 1.5 GB }");
  expect(suite.files).toEqual({ roots: [folder], maxFile: 500_000, maxRequest: 1_500_000_000 });
});

test("a folder that is none, and a size that is none, are refused with their places", async () => {
  await expect(load("files: { root: ./media }")).rejects.toThrow(
    /s\.yaml:5:16: files\.root must be a folder, got "\.\/media"/,
  );
  await expect(load("files: { max_file: large }")).rejects.toThrow(/s\.yaml:5:20: .*must be a size such as 20MB/);
  await expect(load("files: { max_file: 0MB }")).rejects.toThrow(/must be a size such as 20MB/);
});

test("files where no field holds any are remarked on, and a suite without any has no such settings", async () => {
  const { suite, warnings } = await load("files: { max_file: 1MB }", "photo");
  expect(suite.files).toBeUndefined();
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining("no field of case.input has type: file"),
  ]);
});
