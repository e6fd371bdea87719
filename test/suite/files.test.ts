import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type LoadedSuite, loadSuite } from "../../src/suite/load.ts";

/** Loads a suite whose photos are files, with these further lines. */
async function load(
  more: string,
  photo = "{ column: photo, type: file }",
  endpoint = "endpoint: video-bots, example_id: a",
): Promise<LoadedSuite & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-suite-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "s.yaml");
  await writeFile(
    path,
    `dataset: [a/p.csv, b/p.csv, "-"]
case: { input: { input_prompt: question, input_images: ${photo} } }
deployments: { local: { base_url: "local:." } }
targets: { bot: { deployment: local, ${endpoint} } }
${more}
`,
  );
  return { ...(await loadSuite(path, {})), folder };
}

test("paths of files begin in the folder of each dataset, and have limits", async () => {
  const { suite, folder } = await load("");
  expect(suite.files).toEqual({
    roots: [join(folder, "a"), join(folder, "b"), ""],
    own: [join(folder, "a/p.csv"), join(folder, "b/p.csv"), join(folder, "s.yaml")],
    maxFile: 20_000_000,
    maxRequest: 50_000_000,
  });
});

test("a suite may name one folder for all, and other limits", async () => {
  const { suite, folder } = await load("files: { root: ., max_file: 500kB, max_request: 1.5 GB }");
  expect(suite.files).toMatchObject({ roots: [folder], maxFile: 500_000, maxRequest: 1_500_000_000 });
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

const photo = "{ column: photo, type: file }";

test.each([
  "{{ input_images | base64_encode }}",
  "{{ input_images[0] | split: 'a' | first }}",
  "{{ input_images[0] | truncate: 20 }}",
  "{{ input_images | size }}",
  "{{ input_images.size }}",
  "{% if input_images[0] %}yes{% endif %}",
  "{% if input_prompt %}{{ input_images[0] }}{% endif %}",
  "{% assign first = input_images | first %}{{ first }}",
  "{% for each in input_images %}{{ each }}{% endfor %}",
  "{{ input_images == '' }}",
])("a template that does anything with a file but to put it in is refused with its place: %s", async (template) => {
  const endpoint = `endpoint: { body: { q: "{{ input_prompt | upcase }}", x: "${template}" } }`;
  await expect(load("", photo, endpoint)).rejects.toThrow(
    /s\.yaml:4:\d+: targets\.bot\.endpoint\.body\.x uses the field "input_images", which holds files, with a filter or in a tag.*Write \{\{ input_images \}\}, or \$input_images alone/s,
  );
});

test("a template that puts files in as they are is sound, and what it does with other fields is its own affair", async () => {
  const body = `{ a: "{{ input_images[0] }}", b: "$input_images.base64", c: "{{ input_prompt | size }}" }`;
  const { warnings } = await load("", photo, `endpoint: { body: ${body} }`);
  expect(warnings).toEqual([]);
});

test("files of which an endpoint of one's own uses none are remarked on", async () => {
  const { warnings } = await load("", photo, `endpoint: { body: { q: "{{ input_prompt }}" } }`);
  expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining("input_images is not sent to bot")]);
});
