import { describe, expect, test } from "vitest";
import { hideAddress } from "../../../src/cli/start/begin.ts";
import { workersAddress } from "../../../src/cli/workers-address.ts";

const address = "postgres://ada:geheim@db.example/tandem";

function hidden(...words: string[]): { words: string[]; address: string | undefined } {
  const env: Record<string, string | undefined> = {};
  const { words: left } = hideAddress(words, env);
  return { words: left, address: env["TANDEM_WORKERS"] };
}

describe("the address of the workers", () => {
  test("leaves the command line, and the flag stays", () => {
    const expected = { words: ["run", "a.yaml", "--workers", "--json"], address };
    expect(hidden("run", "a.yaml", "--workers", address, "--json")).toEqual(expected);
    expect(hidden("run", "a.yaml", `--workers=${address}`, "--json")).toEqual(expected);
  });

  test("leaves it where a command takes it as its word", () => {
    expect(hidden("workers", "serve", address, "--deployment", "prod")).toEqual({
      words: ["workers", "serve", "--deployment", "prod"],
      address,
    });
    expect(hidden("workers", address.replace("postgres:", "postgresql:")).words).toEqual(["workers"]);
  });

  test("leaves it also when it is mistyped", () => {
    expect(hidden("run", "--workers", "mysql://ada:geheim@db")).toEqual({
      words: ["run", "--workers"],
      address: "mysql://ada:geheim@db",
    });
  });

  test("takes no word that is something else", () => {
    expect(hidden("run", "--workers", "suite.yaml", "--", address)).toEqual({
      words: ["run", "--workers", "suite.yaml", "--", address],
      address: undefined,
    });
  });

  test("is refused without being shown when it is not PostgreSQL's", () => {
    expect(workersAddress({ TANDEM_WORKERS: address })).toBe(address);
    expect(() => workersAddress({ TANDEM_WORKERS: "mysql://ada:geheim@db" })).toThrow(
      /must begin with postgres:\/\/\.$/,
    );
    expect(() => workersAddress({})).toThrow(/is missing/);
  });
});
