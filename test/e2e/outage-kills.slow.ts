import { expect, test } from "vitest";
import { surviveOutageKills } from "./outage-kills.ts";

test("survives 100 random kill -9 in 20 chains while its service goes away, limits and refuses rows: nothing is lost, nothing answered is sent again, and what may be paid twice is known", async () => {
  expect(await surviveOutageKills(100, 20)).toMatchObject({ lost: 0 });
});
