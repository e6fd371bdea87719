import { createHash } from "node:crypto";
import { mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { CaseFile } from "../../src/api/files/case-file.ts";
import { openBody } from "../../src/client/sent-body.ts";

/** A file of so many bytes, each of which tells its place. */
function fileOf(bytes: number): { folder: string; path: string; file: CaseFile; content: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "tandem-body-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const content = Buffer.from(Uint8Array.from({ length: bytes }, (_, place) => (place * 31 + (place >> 8)) % 256));
  const path = join(folder, "a.png");
  writeFileSync(path, content);
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { folder, path, content, file: { bytes, file: "a.png", root: 0, sha256, type: "image/png" } };
}

const chunk = 3 * 64 * 1024;

test.each([1, 2, 3, chunk - 1, chunk, chunk + 1, 2 * chunk, 3 * chunk + 2])(
  "a file of %i bytes arrives whole, as bytes and as base64, with the length that was told",
  async (bytes) => {
    const { folder, file, content } = fileOf(bytes);
    const pieces = ["ü<", { file, as: "base64" as const }, ">", { file, as: "bytes" as const }, ""];
    const body = await openBody({ pieces, roots: [folder] });
    const sent = await buffer(body.stream());
    await body.close();
    expect(sent.equals(Buffer.concat([Buffer.from(`ü<${content.toString("base64")}>`), content]))).toBe(true);
    expect(body.length).toBe(sent.length);
  },
);

test("a file with other content than was planned is not opened for sending", async () => {
  const { folder, path, file } = fileOf(10);
  const open = () => openBody({ pieces: [{ file, as: "bytes" }], roots: [folder] });
  writeFileSync(path, "0123456789");
  await expect(open()).rejects.toThrow("the file a.png holds other bytes than when the run was planned");
  writeFileSync(path, "01234567890123456789");
  await expect(open()).rejects.toThrow("holds other bytes");
  rmSync(path);
  await expect(open()).rejects.toThrow("the file a.png is not there");
  const { path: outside } = fileOf(10);
  symlinkSync(outside, path);
  await expect(open()).rejects.toThrow("is a link that leads out of the folder");
});

test("a file that changes while it is sent ends the body before its last piece", async () => {
  const { folder, path, file } = fileOf(6 * chunk);
  const body = await openBody({ pieces: [{ file, as: "bytes" }, "the end"], roots: [folder] });
  truncateSync(path, chunk + 5);
  const sent: Buffer[] = [];
  const reading = (async () => {
    for await (const piece of body.stream()) sent.push(piece as Buffer);
  })();
  await expect(reading).rejects.toThrow("holds other bytes");
  expect(Buffer.concat(sent).length).toBeLessThan(chunk + 5);
  await body.close();
});

test("another file that is put in its place while it is sent is not read", async () => {
  const { folder, path, file, content } = fileOf(6 * chunk);
  const body = await openBody({ pieces: [{ file, as: "bytes" }], roots: [folder] });
  writeFileSync(`${path}.new`, Buffer.alloc(6 * chunk));
  renameSync(`${path}.new`, path);
  expect((await buffer(body.stream())).equals(content)).toBe(true);
  await body.close();
});
