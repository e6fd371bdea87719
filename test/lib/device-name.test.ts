import { expect, test } from "vitest";
import { windowsFault } from "../../src/lib/paths/device-name.ts";

test.each(["con", "NUL.md", "aux.csv", "com1", "LPT9.tar.gz", "con.v2-20261120-193012", "COM¹"])(
  "%s is a device on Windows",
  (name) => expect(windowsFault(`C:\\x\\${name}`, "win32")).toContain("is the name of a device"),
);

test.each(["con-20261120-193012", "console.csv", "com10", "null", "report.con", ".nul"])("%s is none", (name) =>
  expect(windowsFault(`C:\\x\\${name}`, "win32")).toBe(null),
);

test("a path that Windows would not take as it stands is told there, and nowhere else", () => {
  const onWindows = (path: string): string | null => windowsFault(path, "win32");
  expect(onWindows("C:\\results\\aux.csv")).toBe("aux.csv is the name of a device on Windows");
  expect(onWindows("C:\\con\\report.md")).toBe("con is the name of a device on Windows");
  expect(onWindows("report.md:hidden")).toBe("report.md:hidden is no name of a file on Windows");
  expect(onWindows("C:\\a\\what?.csv")).toBe("what?.csv is no name of a file on Windows");
  expect(onWindows("C:\\a.\\x.csv")).toBe("a. is no name of a file on Windows");
  for (const fine of ["C:\\a b\\रात.csv", "..\\x.csv", "./x.csv", "\\\\server\\share\\x.csv", "nul", "C:\\x\\NUL"]) {
    expect(onWindows(fine)).toBe(null);
  }
  expect(windowsFault("/tmp/aux.csv", "linux")).toBe(null);
});
