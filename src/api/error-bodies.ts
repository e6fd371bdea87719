import { z } from "zod";

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
