import { z } from "zod";

const part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  image_url: z.looseObject({ url: z.string() }).optional(),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }).optional(),
  file: z.looseObject({ file_data: z.string().optional() }).optional(),
});

/** One message of a chat. */
const chatMessage = z.looseObject({
  role: z.enum(["developer", "system", "user", "assistant", "tool", "function"]),
  content: z.union([z.string(), z.array(part)]).nullish(),
});
export type ChatMessage = z.infer<typeof chatMessage>;

/** The body of a request for a chat completion, as far as it is read here. */
export const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(chatMessage).min(1),
  temperature: z.number().min(0).max(2).nullish(),
  n: z.int().min(1).max(16).nullish(),
  max_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
});
export type ChatRequest = z.infer<typeof chatRequest>;
