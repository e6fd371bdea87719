import { z } from "zod";

/** `{detail:{id?,url?,created_at?,error}}`: an error that may belong to a run. */
export const errorWithRun = z.looseObject({
  detail: z.looseObject({
    id: z.string().nullish(),
    url: z.string().nullish(),
    created_at: z.string().nullish(),
    error: z.json().optional(),
  }),
});

/** `{detail:[{type,loc,msg,input}]}`: a body that does not fit the schema. */
export const validationError = z.looseObject({
  detail: z.array(
    z.looseObject({
      type: z.string(),
      loc: z.array(z.union([z.string(), z.number()])),
      msg: z.string(),
      input: z.json().optional(),
    }),
  ),
});

/** `{detail: "..."}`: an error that is only text (404, 405, an unhandled 500). */
export const errorText = z.looseObject({ detail: z.string() });
