import { describe, expect, test } from "vitest";
import { describedEndpoint } from "../../src/api/http/described.ts";
import { httpDescription } from "../../src/api/http/description.ts";

const faultsOf = (name: string): string[] => {
  const read = httpDescription.safeParse({ answer: "$.a", headers: { [name]: "a1b2c3d4" } });
  return read.success ? [] : read.error.issues.map(({ message }) => message);
};

describe("a header of a suite", () => {
  test.each([
    "Authorization",
    "X-Api-Key",
    "apikey",
    "X-AuthToken",
    "Ocp-Apim-Subscription-Key",
    "X-Session",
    "Cookie",
    "x-client-secret",
    "x-apitoken",
    "appsecret",
    "token2",
  ])("that is called like a secret has its value from the environment: %s", (name) =>
    expect(faultsOf(name)).toEqual([expect.stringContaining("is a secret as it stands")]),
  );

  test.each(["X-Tenant", "Accept", "X-Token-Count", "Idempotency-Key", "X-Author"])(
    "with another name may stand: %s",
    (name) => expect(faultsOf(name)).toEqual([]),
  );

  test("may stand in a database whatever it is called: a batch of an older version stays readable", () => {
    const stored = JSON.stringify({ answer: "$.a", headers: { "X-Session-Id": "abc" }, method: "POST", path: "/x" });
    expect(describedEndpoint(stored).call.path).toBe("/x");
  });
});
