import { z } from "zod";

/** The body of a request for embeddings, as far as it is read here. */
export const embeddingsRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2048)]),
  dimensions: z.int().min(1).max(4096).nullish(),
  encoding_format: z.enum(["float", "base64"]).nullish(),
});
export type EmbeddingsRequest = z.infer<typeof embeddingsRequest>;
