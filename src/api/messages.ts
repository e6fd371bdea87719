import { z } from "zod";

/** One part of a message's content. */
const messagePart = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }) }),
  z.looseObject({ type: z.literal("input_audio") }),
]);

/** One entry of a conversation's history. */
export const messageEntry = z.looseObject({
  role: z.enum(["user", "assistant", "system", "tool"]),
  content: z.union([z.string(), z.array(messagePart)]),
});
export type MessageEntry = z.infer<typeof messageEntry>;
