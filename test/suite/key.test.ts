import { describe, expect, test } from "vitest";
import { AppError } from "../../src/errors.ts";
import { isLoopbackAddress, resolveKey } from "../../src/suite/key.ts";

const prod = { name: "prod", baseUrl: "https://api.example.org", keyNames: ["TANDEM_PROD_API_KEY", "TANDEM_API_KEY"] };

function failure(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error("no AppError was raised");
}

describe("the key of a deployment", () => {
  test("is that of the first variable that is set", () => {
    expect(resolveKey(prod, { TANDEM_API_KEY: "sk-b" })).toBe("sk-b");
    expect(resolveKey(prod, { TANDEM_PROD_API_KEY: "sk-a\n", TANDEM_API_KEY: "sk-b" })).toBe("sk-a");
    expect(resolveKey(prod, { TANDEM_PROD_API_KEY: " ", TANDEM_API_KEY: "sk-b" })).toBe("sk-b");
  });

  test("is not needed by an embedded deployment", () => {
    expect(resolveKey({ name: "p", baseUrl: "local:/bots/prod", keyNames: [] }, {})).toBeNull();
  });

  test("that is missing is asked for by the names of its variables", () => {
    const error = failure(() => resolveKey(prod, {}));
    expect(error.code).toBe("KEY_MISSING");
    expect(error.hint).toBe("Set TANDEM_PROD_API_KEY or TANDEM_API_KEY in the environment or in .env.");
  });

  test("that cannot be a header, or would go in clear to another machine, is refused and not shown", () => {
    const broken = failure(() => resolveKey(prod, { TANDEM_API_KEY: "sk-secret\r\nX: 1" }));
    const insecure = failure(() =>
      resolveKey({ ...prod, baseUrl: "http://api.example.org" }, { TANDEM_API_KEY: "sk-secret" }),
    );
    expect([broken.code, insecure.code]).toEqual(["KEY_MISSING", "KEY_INSECURE"]);
    expect(broken.message + insecure.message).not.toContain("secret");
  });

  test("goes over plain http to this machine only", () => {
    expect(resolveKey({ ...prod, baseUrl: "http://127.0.0.1:8080" }, { TANDEM_API_KEY: "sk-a" })).toBe("sk-a");
    expect(["localhost", "127.0.0.1", "127.9.9.9", "[::1]"].every(isLoopbackAddress)).toBe(true);
    expect(
      ["127.0.0.1.evil.org", "localhost.evil.org", "evil.localhost", "localhost.", "10.0.0.1", "[::2]"].some(
        isLoopbackAddress,
      ),
    ).toBe(false);
  });
});
