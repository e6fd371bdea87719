import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commandFilter, withoutCommands } from "../../src/lib/ci-commands.ts";
import { often } from "../often.ts";

/** A line that GitHub Actions, Azure Pipelines or TeamCity would obey. */
const isObeyed = (text: string): boolean =>
  text.split(/\r\n|\r|\n/).some((line) => /##[a-z-]{0,40}\[/i.test(line) || /^::[a-z]/i.test(line.trim()));

const colour = "\u001b[31m";

const hostile = [
  "::error::x",
  "  ::add-mask::x",
  "\t::set-output name=a::b",
  "\u2003\u00a0::stop-commands::x",
  "a\r::error::x",
  "a\n \n::debug::x",
  "##[error]x",
  "said: ##[command]x",
  "##vso[task.setvariable variable=PATH]x",
  "x ##VSO[task.complete result=Succeeded]",
  "##teamcity[buildStop]",
  "\u001b[31m::error::x",
  "###[group]x",
];

describe("a printed text", () => {
  test.each(hostile)("holds no command of a CI after %j", (text) => {
    expect(isObeyed(text.replaceAll(colour, ""))).toBe(true);
    const safe = withoutCommands(text);
    expect(isObeyed(safe.replaceAll(colour, ""))).toBe(false);
    expect(safe.replaceAll("# #", "##").replaceAll(": :", "::")).toBe(text);
  });

  test("stays as it is when it holds none, and JSON keeps its meaning", () => {
    for (const text of ["a :: b", "std::vector", "## Heading", "a # [b]", "::", ":: x"]) {
      expect(withoutCommands(text)).toBe(text);
    }
    const value = { answer: "##[error]x ##vso[a]b", other: ["\n::error::x"] };
    const safe = withoutCommands(JSON.stringify(value, null, 2));
    expect(safe).not.toContain("##");
    expect(JSON.parse(safe)).toEqual(value);
  });

  test("in pieces that end anywhere holds none either", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.constantFrom(...hostile, "\n", "नमस्ते ", "x".repeat(70_000), " ".repeat(70_000)), fc.string()),
          { maxLength: 8 },
        ),
        fc.integer({ min: 1, max: 40 }),
        (parts, size) => {
          const bytes = Buffer.from(parts.join(""));
          const filter = commandFilter();
          const out: Buffer[] = [];
          const step = Math.max(size, Math.ceil(bytes.length / 500));
          for (let at = 0; at < bytes.length; at += step) out.push(filter.push(bytes.subarray(at, at + step)));
          out.push(filter.end());
          const text = Buffer.concat(out).toString();
          const obeyed = text
            .split("\n")
            .filter((line) => /##(?:vso|teamcity)?\[/i.test(line) || /^\s*::[a-z]/i.test(line));
          expect(obeyed).toEqual([]);
        },
      ),
      { numRuns: often(80, 300) },
    );
  });
});
