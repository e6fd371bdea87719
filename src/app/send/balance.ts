import { z } from "zod";
import type { Access } from "./sender.ts";
import { getJson } from "./service-get.ts";

/** A service's reply about the credits of a key. */
export type Balance =
  | { state: "known"; credits: number }
  /** The service refuses the key. */
  | { state: "refused"; status: number }
  /** It has no such page, or could not be asked; `why` in words. */
  | { state: "unknown"; why: string };

const balanceBody = z.looseObject({ balance: z.number() });

/** Asks `GET /v1/balance/`, which makes no run and costs nothing. Never rejects. */
export async function askBalance(access: Access): Promise<Balance> {
  const answer = await getJson(access, "/v1/balance/");
  if (answer.status === null) return { state: "unknown", why: answer.error ?? "no answer came" };
  if (answer.status === 401 || answer.status === 403) return { state: "refused", status: answer.status };
  const body = balanceBody.safeParse(answer.json);
  if (answer.status === 200 && body.success) return { state: "known", credits: body.data.balance };
  const what = answer.status === 404 ? "the service has no /v1/balance/" : `/v1/balance/ answered ${answer.status}`;
  return { state: "unknown", why: what };
}
