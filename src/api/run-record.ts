import { z } from "zod";

/** The record that every successful run answers. `id` may be absent; it is then the `run_id` of `url`. */
export const runRecord = z.looseObject({
  id: z.string().nullish(),
  url: z.string().nullish(),
  created_at: z.string().nullish(),
  output: z.looseObject({}),
});

/** The run id in the query of a run's page (`.../?run_id=ID&uid=UID`), or null. */
export function runIdOfUrl(url: string): string | null {
  return /[?&]run_id=([^&#\s"]+)/.exec(url)?.[1] ?? null;
}
