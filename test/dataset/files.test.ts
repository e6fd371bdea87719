import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import type { EndpointName } from "../../src/api/endpoint-name.ts";
import type { Case } from "../../src/dataset/case.ts";
import { mediaType } from "../../src/dataset/files/file-facts.ts";
import type { FieldSource, FileSettings } from "../../src/suite/suite.ts";
import { collect, inspectDataset, mapping } from "./reading.ts";

const media = fileURLToPath(new URL("../fixtures/media/", import.meta.url));
const bytesOf = (name: string): Buffer => readFileSync(join(media, name));
const shaOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

/** A folder with these files. */
function folderOf(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(tmpdir(), "tandem-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

interface Given {
  settings?: Partial<FileSettings>;
  endpoints?: EndpointName[];
  input?: Record<string, FieldSource>;
}

const file = (column: string): FieldSource => ({ column, type: "file" });
const photos = { input_prompt: "question", input_images: file("photo") };

function optionsFor(folder: string, { settings, endpoints = ["video-bots"], input = photos }: Given) {
  return {
    files: [join(folder, "data/p.csv")],
    mapping: mapping({ key: "id", input }),
    endpoints,
    folder,
    fileSettings: { roots: [join(folder, "data")], maxFile: 20_000_000, maxRequest: 50_000_000, ...settings },
  };
}

const casesOf = (folder: string, given: Given = {}): Promise<Case[]> => collect(optionsFor(folder, given));

/** The faults as a person reads them. */
async function faultsOf(folder: string, given: Given = {}): Promise<string[]> {
  const { faults } = await inspectDataset(optionsFor(folder, given));
  return faults.listed.map(({ file: path, line, character, message }) => `${path}:${line}:${character} ${message}`);
}

const rows = (...cells: string[]): string =>
  `id,question,photo\n${cells.map((cell, i) => `k${i},q,${cell}\n`).join("")}`;

describe("a cell of files", () => {
  test("holds an address, which stays, a path, or a JSON list of both", async () => {
    const folder = folderOf({
      "data/p.csv": rows(
        "https://example.com/a.png",
        "pics/blue.png",
        '"[""pics/blue.png"", ""https://x.example/""]"',
        "",
      ),
      "data/pics/blue.png": bytesOf("blue.png"),
    });
    const stored = { bytes: 72, file: "pics/blue.png", root: 0, sha256: shaOf(bytesOf("blue.png")), type: "image/png" };
    expect((await casesOf(folder)).map(({ input }) => input["input_images"])).toEqual([
      ["https://example.com/a.png"],
      [stored],
      [stored, "https://x.example/"],
      [],
    ]);
  });

  test("may be one of several of a list, may lie deeper in a field, and leaves an empty one out", async () => {
    const folder = folderOf({
      "data/p.csv": "id,question,photo,other\nk,q,,blue.png\n",
      "data/blue.png": bytesOf("blue.png"),
    });
    const input = {
      input_prompt: "question",
      input_images: [file("photo"), file("other")].flat(),
      "variables.logo": file("other"),
      "variables.none": file("photo"),
    };
    const [found] = await casesOf(folder, { input });
    expect(found?.input).toMatchObject({
      input_images: [{ file: "blue.png" }],
      variables: { logo: { file: "blue.png" } },
    });
    expect(Object.keys(found?.input["variables"] ?? {})).toEqual(["logo"]);
  });

  test("makes another input when the content changes, and the same under another name", async () => {
    const hashOf = async (name: string, content: Buffer): Promise<string | undefined> => {
      const folder = folderOf({ "data/p.csv": rows(name), [`data/${name}`]: content });
      return (await casesOf(folder))[0]?.inputHash;
    };
    const blue = await hashOf("blue.png", bytesOf("blue.png"));
    expect(await hashOf("pics/b.png", bytesOf("blue.png"))).toBe(blue);
    expect(await hashOf("blue.png", bytesOf("more/red.png"))).not.toBe(blue);
  });
});

describe("a file that cannot be sent is a fault of its cell", () => {
  test("where it is missing, a folder, empty, too large, of no known type, or not what its name says", async () => {
    const folder = folderOf({
      "data/p.csv": rows("no.png", "pics", "empty.png", "large.png", "odd.bin", "page.png"),
      "data/pics/a": "a",
      "data/empty.png": "",
      "data/large.png": Buffer.concat([bytesOf("blue.png"), Buffer.alloc(2_000)]),
      "data/odd.bin": Buffer.from([1, 0, 2, 0]),
      "data/page.png": "<html>Not found</html>",
    });
    expect(await faultsOf(folder, { settings: { maxFile: 2_000 } })).toEqual([
      'data/p.csv:2:6 column "photo" names the file "no.png", which is not there',
      'data/p.csv:3:6 column "photo" names the file "pics", which is a folder',
      'data/p.csv:4:6 column "photo" names the file "empty.png", which is empty',
      'data/p.csv:5:6 column "photo" names the file "large.png", which has 2.1 kB, and files.max_file is 2 kB',
      'data/p.csv:6:6 column "photo" names the file "odd.bin", which is of no known type, by its content and its name',
      'data/p.csv:7:6 column "photo" names the file "page.png", which is of no known type, by its content and its name',
    ]);
  });

  test("where it lies outside of the folder, by whatever way", async () => {
    const folder = folderOf({
      "data/p.csv": rows(
        "../secret.png",
        "pics/../../secret.png",
        "/etc/passwd",
        "C:\\secret.png",
        "\\\\host\\share\\a.png",
        "link.png",
        "linked/secret.png",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "pipe.png",
        "loop.png",
      ),
      "secret.png": bytesOf("blue.png"),
      "data/pics/a.png": bytesOf("blue.png"),
    });
    symlinkSync(join(folder, "secret.png"), join(folder, "data/link.png"));
    symlinkSync(folder, join(folder, "data/linked"));
    symlinkSync("loop.png", join(folder, "data/loop.png"));
    execFileSync("mkfifo", [join(folder, "data/pipe.png")]);
    const reported = (await faultsOf(folder)).map((text) => text.replace(/^.*?"photo" /, ""));
    expect(reported).toEqual([
      'names the file "../secret.png", which leads out of the folder',
      'names the file "pics/../../secret.png", which leads out of the folder',
      'names the file "/etc/passwd", which is an absolute path',
      'names the file "C:\\\\secret.png", which is an absolute path',
      'names the file "\\\\\\\\host\\\\share\\\\a.png", which is an absolute path',
      'names the file "link.png", which is a link that leads out of the folder',
      'names the file "linked/secret.png", which is a link that leads out of the folder',
      'holds "file:///etc/passwd", which is neither a path nor an address',
      'holds "javascript:alert(1)", which is neither a path nor an address',
      'names the file "pipe.png", which is neither a file nor a folder',
      'names the file "loop.png", which is a link that leads nowhere',
    ]);
  });

  test("where a link inside of the folder leads to a file inside of it, it is sent", async () => {
    const folder = folderOf({ "data/p.csv": rows("link.png"), "data/pics/a.png": bytesOf("blue.png") });
    symlinkSync("pics/a.png", join(folder, "data/link.png"));
    expect((await casesOf(folder))[0]?.input["input_images"]).toMatchObject([{ file: "link.png", bytes: 72 }]);
  });

  test("where all files of a case are too large together, and where standard input has no folder", async () => {
    const folder = folderOf({
      "data/p.csv": rows('"[""blue.png"", ""blue.png""]"'),
      "data/blue.png": bytesOf("blue.png"),
    });
    expect(await faultsOf(folder, { settings: { maxRequest: 100 } })).toEqual([
      "data/p.csv:2:null the files of the case have 144 bytes together, and files.max_request is 100 bytes",
    ]);
    expect(await faultsOf(folder, { settings: { roots: [""] } })).toEqual([
      'data/p.csv:2:6 column "photo" names the file "blue.png", and standard input has no folder',
    ]);
  });

  test("where an endpoint cannot take it in that field", async () => {
    const folder = folderOf({
      "data/p.csv":
        "id,question,photo,sound\nk0,q,notes.txt,blue.png\nk1,q,blue.png,https://x.example/a.wav\nk2,q,,song.ogg\n",
      "data/notes.txt": "ten to six",
      "data/blue.png": bytesOf("blue.png"),
      "data/song.ogg": "OggS.....",
    });
    const input = { ...photos, input_audio: file("sound") };
    const reported = (await faultsOf(folder, { input, endpoints: ["video-bots", "chat-completions"] })).map((text) =>
      text.replace(/^.*?(?=column)/, ""),
    );
    expect(reported).toEqual([
      'column "photo" names the file "notes.txt", which is text/plain, and input_images takes images',
      'column "sound" names the file "blue.png", which is image/png, and input_audio takes sound',
      'column "sound" holds "https://x.example/a.wav", which is an address, and a chat takes it as a file only',
      'column "sound" names the file "song.ogg", which is audio/ogg, and a chat takes sound as WAV or MP3',
    ]);
  });
});

test("a file beyond the limit is not read", async () => {
  const folder = folderOf({ "data/p.csv": rows("huge.png"), "data/huge.png": "x" });
  truncateSync(join(folder, "data/huge.png"), 200_000_000_000);
  expect(await faultsOf(folder)).toEqual([
    expect.stringContaining("which has 200,000 MB, and files.max_file is 20 MB"),
  ]);
});

test.each([
  ["blue.png", bytesOf("blue.png"), "image/png"],
  ["blue.jpg", bytesOf("blue.png"), "image/png"],
  ["tone.wav", bytesOf("tone.wav"), "audio/wav"],
  ["a.docx", Buffer.from("PK\x03\x04rest"), "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["a.m4a", Buffer.from("\0\0\0 ftypisom"), "audio/mp4"],
  ["a.mp3", Buffer.from([0xff, 0xfb, 0x90, 0]), "audio/mpeg"],
  ["notes.md", Buffer.from("# ü"), "text/markdown"],
  ["notes.txt", Buffer.from("à").subarray(0, 1), "text/plain"],
  ["notes.txt", Buffer.from([0xff, 0x41]), null],
  ["notes.unknown", Buffer.from("text"), null],
])("the type of %s is told by its content first", (name, head, type) => {
  expect(mediaType(head, name)).toBe(type);
});

/** The hints of the faults, with the last column of each row. */
async function hintsOf(folder: string, given: Given = {}): Promise<(string | null)[]> {
  const { faults } = await inspectDataset(optionsFor(folder, given));
  return faults.listed.map(({ hint }) => hint);
}

describe("a cell that holds a data URL", () => {
  const url = (type: string, bytes: number): string => `data:${type};base64,${Buffer.alloc(bytes).toString("base64")}`;

  test("has the limits of a file, of its content and of all files of its case", async () => {
    const folder = folderOf({
      "data/p.csv": rows(
        `"${url("image/png", 100)}"`,
        `"${url("image/png", 101)}"`,
        `"[""${url("image/png", 90)}"", ""${url("image/png", 90)}""]"`,
      ),
    });
    expect(await faultsOf(folder, { settings: { maxFile: 100, maxRequest: 150 } })).toEqual([
      'data/p.csv:3:6 column "photo" holds a data URL, which has 101 bytes, and files.max_file is 100 bytes',
      "data/p.csv:4:null the files of the case have 180 bytes together, and files.max_request is 150 bytes",
    ]);
  });

  test("is refused with its place where it is empty, cut off, of no type, or of one that does not fit its field", async () => {
    const folder = folderOf({
      "data/p.csv": rows(
        '"data:image/png;base64,"',
        '"data:image/png;base64,AAAAA"',
        '"data:image/png;base64,AA<A"',
        '"data:;base64,AAAA"',
        "data:image/png",
        '"data:text/plain,a%"',
        '"data:text/plain,a%20b"',
      ),
    });
    const reported = (await faultsOf(folder)).map((text) => text.replace(/^.*?which /, ""));
    const damaged = "is a data URL whose content cannot be decoded: it is cut off or damaged";
    const none = "is no data URL such as data:image/png;base64,iVBORw0...";
    expect(reported).toEqual([
      "is a data URL without content",
      damaged,
      damaged,
      none,
      none,
      damaged,
      "is text/plain, and input_images takes images",
    ]);
  });
});

test("hidden files, settings, results and the files of the suite are never sent, by whatever way a dataset names them", async () => {
  const folder = folderOf({
    "data/p.csv": rows(
      ".env.txt",
      "prod.env.txt",
      ".git/a.png",
      "x/../.ssh/a.png",
      "open.png",
      "p.csv",
      "s.yaml",
      "out/b/r.json",
      "./x/../ok.png",
    ),
    "data/.env.txt": "KEY=1",
    "data/prod.env.txt": "KEY=1",
    "data/.git/a.png": bytesOf("blue.png"),
    "data/.ssh/a.png": bytesOf("blue.png"),
    "data/x/a": "",
    "data/s.yaml": "a: 1",
    "data/ok.png": bytesOf("blue.png"),
    "data/out/tandem.db": "",
    "data/out/b/r.json": "{}",
  });
  symlinkSync(".git/a.png", join(folder, "data/open.png"));
  symlinkSync("s.yaml", join(folder, "data/suite.link"));
  const own = [join(folder, "data/p.csv"), join(folder, "data/suite.link")];
  const input = { input_prompt: "question", input_documents: file("photo") };
  const reported = (await faultsOf(folder, { settings: { own }, input })).map((text) =>
    text.replace(/^.*?"photo" /, ""),
  );
  const hidden = "is hidden: a part of its path begins with a dot";
  expect(reported).toEqual([
    `names the file ".env.txt", which ${hidden}`,
    'names the file "prod.env.txt", which holds settings of an environment, by its name',
    `names the file ".git/a.png", which ${hidden}`,
    `names the file "x/../.ssh/a.png", which ${hidden}`,
    `names the file "open.png", which ${hidden}`,
    'names the file "p.csv", which is the suite or a dataset of it',
    'names the file "s.yaml", which is the suite or a dataset of it',
    'names the file "out/b/r.json", which lies in a folder of results',
  ]);
});

test("a name with an accent is found in both of its spellings in Unicode", async () => {
  const [composed, apart] = ["caf\u00e9.png", "cafe\u0301.png"];
  for (const [written, there] of [
    [composed, apart],
    [apart, composed],
  ] as const) {
    const folder = folderOf({ "data/p.csv": rows(written), [`data/${there}`]: bytesOf("blue.png") });
    expect((await casesOf(folder))[0]?.input["input_images"]).toMatchObject([{ file: written, bytes: 72 }]);
  }
});

test("each fault says what to do about it", async () => {
  const folder = folderOf({
    "data/p.csv": rows(
      "large.png",
      "pics\\blue.png",
      '"a.png, b.png"',
      "a.png;b.png",
      '"a.png\nb.png"',
      '"[""large.png"", """"]"',
      "BLUE.png",
      "photo:1.png",
      "no.png",
    ),
    "data/large.png": Buffer.concat([bytesOf("blue.png"), Buffer.alloc(2_000)]),
    "data/blue.png": bytesOf("blue.png"),
    "data/pics/blue.png": bytesOf("blue.png"),
  });
  const list = 'Write several files as a JSON list: ["a.png","b.png"].';
  const larger = "Name a smaller file, or raise files.max_file in the suite.";
  expect(await hintsOf(folder, { settings: { maxFile: 2_000 } })).toEqual([
    larger,
    "Write / between folders: pics/blue.png.",
    list,
    list,
    list,
    larger,
    "There is blue.png: capital and small letters count.",
    "An address begins with https://. Write ./photo:1.png if it is a file.",
    expect.stringMatching(/Paths begin in the folder of the dataset.* It was looked for in .*data\.$/),
  ]);
  const single = folderOf({ "data/p.csv": rows('"["""", ""a.png""]"') });
  expect(await hintsOf(single)).toEqual(["Take it out of the list."]);
});
