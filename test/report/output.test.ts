import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keepText } from "../../src/report/write/open-output.ts";
import { checkOutput, openReport, writeReport } from "../../src/report/write/output.ts";
import { readText } from "./read-stream.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tandem-output-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const nowhere = new PassThrough();

async function* breaks() {
  yield "half";
  throw new Error("the database is gone");
}

describe("a report", () => {
  test("is written into a folder that is made for it, and replaces an older one", async () => {
    const path = join(folder, "new", "runs.csv");
    await writeReport(path, "old", nowhere);
    await writeReport(path, ["a,", "é\n"], nowhere);
    expect(await readFile(path, "utf8")).toBe("a,é\n");
    expect(await readdir(join(folder, "new"))).toEqual(["runs.csv"]);
  });

  test("that breaks off leaves the older one as it was and nothing else", async () => {
    const path = join(folder, "runs.csv");
    await writeFile(path, "old");
    await expect(writeReport(path, breaks(), nowhere)).rejects.toThrow("the database is gone");
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await readdir(folder)).toEqual(["runs.csv"]);
  });

  test("whose head is known last takes what was kept for it whole, with two buffers for a text of any length", async () => {
    const path = join(folder, "junit.xml");
    const text = Array.from({ length: 60_000 }, (_, at) => `case ${at}\n`).join("");
    const kept = await keepText(path);
    await kept.write(text);
    const report = await openReport(path);
    const buffers = new Set<ArrayBufferLike>();
    for await (const piece of kept.read()) {
      buffers.add(piece.buffer);
      await report.write(piece);
    }
    await report.close();
    expect(await readFile(path, "utf8")).toBe(text);
    expect(buffers.size).toBe(2);
    expect(await readdir(folder)).toEqual(["junit.xml"]);
  });

  test("follows a link and keeps it", async () => {
    await writeFile(join(folder, "real.csv"), "old");
    await symlink(join(folder, "real.csv"), join(folder, "link.csv"));
    await writeReport(join(folder, "link.csv"), ["new"], nowhere);
    expect(await readFile(join(folder, "real.csv"), "utf8")).toBe("new");
  });

  test("that is made piece by piece appears whole when it is closed, and not at all when it is discarded", async () => {
    const path = join(folder, "new", "runs.csv");
    const report = await openReport(path);
    for (const piece of ["a,", "नमस्ते", "\n"]) await report.write(piece);
    expect(await readdir(join(folder, "new"))).not.toContain("runs.csv");
    await report.close();
    expect(await readFile(path, "utf8")).toBe("a,नमस्ते\n");

    const other = await openReport(path);
    await other.write("half");
    await other.discard();
    expect(await readFile(path, "utf8")).toBe("a,नमस्ते\n");
    expect(await readdir(join(folder, "new"))).toEqual(["runs.csv"]);
  });

  test("goes into a device directly", async () => {
    await writeReport("/dev/null", ["x"], nowhere);
    expect(await readdir(folder)).toEqual([]);
  });

  test("at - goes to standard output, which stays open", async () => {
    const stdout = new PassThrough();
    await writeReport("-", ["a", "b"], stdout);
    stdout.end("c");
    expect(await readText(stdout)).toBe("abc");
  });

  test("ends quietly when the reader of standard output has gone", async () => {
    const closed = new Writable({
      write: (_chunk, _encoding, done) =>
        done(Object.assign(new Error("write EPIPE"), { code: "EPIPE", syscall: "write" })),
    });
    await writeReport("-", ["a", "b"], closed);
    await expect(writeReport("-", breaks(), new PassThrough())).rejects.toThrow("the database is gone");
  });
});

describe("a place that cannot be written to", () => {
  test("is refused before anything is made, with the path and the reason", async () => {
    await writeFile(join(folder, "file"), "");
    for (const path of [join(folder, "file", "runs.csv"), folder, join(folder, `${"x".repeat(300)}.csv`)]) {
      await expect(checkOutput(path)).rejects.toMatchObject({
        code: "OUTPUT_UNWRITABLE",
        message: expect.stringContaining(path),
      });
      await expect(writeReport(path, ["a"], nowhere)).rejects.toMatchObject({ code: "OUTPUT_UNWRITABLE" });
    }
  });

  test("is told from a good one, in which nothing stays behind", async () => {
    await checkOutput(join(folder, "runs.csv"));
    await checkOutput("-");
    expect(await readdir(folder)).toEqual([]);
  });
});
