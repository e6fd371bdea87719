import { expect, test } from "vitest";
import { programEnvironment, keylessEnvironment } from "../../src/lib/keyless.ts";

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

test("a program of a suite sees what the system gives to all, and what it names; a key of a deployment never", () => {
  expect(programEnvironment(env, ["PROD_SECRET"], [])).toEqual({ PATH: "/bin" });
  const wanted = ["OPENAI_API_KEY", "PROD_SECRET", "TANDEM_API_KEY", "COPY", "TANDEM_VERDICT"];
  expect(Object.keys(programEnvironment(env, ["PROD_SECRET"], wanted))).toEqual([
    "PATH",
    "OPENAI_API_KEY",
    "TANDEM_VERDICT",
  ]);
});

test("a program of a suite sees none of twelve secrets that others need, whatever their variables are called", () => {
  const secrets = {
    TEAM_ROOM: "https://hooks.example.com/services/T0/B0/x",
    GITHUB_TOKEN: "ghs-1",
    AWS_SECRET_ACCESS_KEY: "aws",
    DATABASE_URL: "postgres://a:b@c/d",
    NPM_TOKEN: "npm",
    PGPASSWORD: "pg",
    SENTRY_DSN: "https://k@sentry.example/1",
    SSH_AUTH_SOCK: "/run/agent",
    HTTPS_PROXY: "http://me:word@proxy.example:3128",
    https_proxy: "http://word@proxy.example:3128",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=x",
    CUSTOM: "private",
  };
  const plain = {
    Path: "C:\\Windows",
    LC_ALL: "C.UTF-8",
    HTTP_PROXY: "http://proxy.example:3128",
    PYTHONPATH: "lib",
    "ProgramFiles(x86)": "C:\\x86",
  };
  expect(programEnvironment({ ...secrets, ...plain }, [], [])).toEqual(plain);
});
