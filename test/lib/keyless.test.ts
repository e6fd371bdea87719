import { expect, test } from "vitest";
import { keylessEnvironment } from "../../src/lib/keyless.ts";

const env = {
  PATH: "/bin",
  PROD_SECRET: " sk-prod-0123456789 ",
  COPY: "Bearer sk-prod-0123456789",
  TANDEM_API_KEY: "sk-tandem-0123456789",
  TANDEM_WORKERS: "postgres://ada:geheim@db.example/tandem",
  TANDEM_PROD_API_KEY: "sk-x",
  SAME_AGAIN: "sk-tandem-0123456789",
  OPENAI_API_KEY: "sk-openai-0123456789",
  OTHER_APIKEY: "sk-other-0123456789",
  TANDEM_VERDICT: "pass",
};

test("an environment without keys has none of a deployment, whatever its variable is called, nor a copy of one", () => {
  expect(keylessEnvironment(env, ["PROD_SECRET"])).toEqual({ PATH: "/bin", TANDEM_VERDICT: "pass" });
});

test("a key of another service is there where it is wanted, one of a deployment never", () => {
  const wanted = ["OPENAI_API_KEY", "PROD_SECRET", "TANDEM_API_KEY", "COPY"];
  expect(Object.keys(keylessEnvironment(env, ["PROD_SECRET"], wanted))).toEqual([
    "PATH",
    "OPENAI_API_KEY",
    "TANDEM_VERDICT",
  ]);
});
