import { expect, test } from "vitest";
import { type FileSystem, replaceFile } from "../../src/report/write/replace-file.ts";

/** A system that refuses to replace a file so many times. */
function refusing(
  times: number,
  code: string,
  platform: NodeJS.Platform,
): FileSystem & { tries: number; waited: number } {
  const system = {
    platform,
    tries: 0,
    waited: 0,
    async rename() {
      if (++system.tries <= times) throw Object.assign(new Error(code), { code });
    },
    async wait(ms: number) {
      system.waited += ms;
    },
  };
  return system;
}

test.each(["EPERM", "EACCES", "EBUSY"])(
  "a file that a program has open for a moment on Windows is replaced then: %s",
  async (code) => {
    const system = refusing(3, code, "win32");
    await replaceFile("a", "b", system);
    expect(system).toMatchObject({ tries: 4, waited: 70 });
  },
);

test("a file that stays open is told after a second or so", async () => {
  const system = refusing(Infinity, "EBUSY", "win32");
  await expect(replaceFile("a", "b", system)).rejects.toThrow("EBUSY");
  expect(system).toMatchObject({ tries: 8, waited: 1270 });
});

test("other errors, and those of other systems, are told at once", async () => {
  const full = refusing(Infinity, "ENOSPC", "win32");
  await expect(replaceFile("a", "b", full)).rejects.toThrow("ENOSPC");
  const elsewhere = refusing(Infinity, "EPERM", "linux");
  await expect(replaceFile("a", "b", elsewhere)).rejects.toThrow("EPERM");
  expect([full.tries, elsewhere.tries, full.waited + elsewhere.waited]).toEqual([1, 1, 0]);
});
