import { expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { record, startService } from "../e2e/service.ts";

const request = { endpoint: "video-bots", method: "POST", path: "", body: "{}", timeoutMs: 5_000 } as const;

test("a request whose leave has run out when its connection is ready puts no byte on it", async () => {
  const service = await startService(({ prompt }) => record(prompt));
  const client = createClient({ baseUrl: service.url, key: "sk-test-0123456789", connections: 1 });
  let isHeld = true;
  let looks = 0;
  const mayLeave = (): boolean => {
    looks += 1;
    return isHeld;
  };
  const under = client.attempt({ ...request, mayLeave });
  // The process stands still while the connection is made.
  isHeld = false;
  expect(looks).toBe(0);
  expect(await under).toMatchObject({ kind: "not-sent", heldBack: true, timing: { sentAt: null } });
  expect(await client.attempt({ ...request, mayLeave })).toMatchObject({ kind: "not-sent", heldBack: true });
  expect(service.received).toEqual([]);
  isHeld = true;
  const answered = await client.attempt({ ...request, mayLeave });
  expect(answered.kind).toBe("ok");
  expect(answered.heldBack).toBeUndefined();
  expect(service.received.length).toBe(1);
  expect(looks).toBe(3);
  await client.close();
});
