import { z } from "zod";
import { videoBotsBody } from "./video-bots-schema.ts";

/** Kind of value in a request field: a cell's text as it is, or a value that is made from it. */
export type FieldKind = "text" | "number" | "boolean" | "json" | "list" | "messages" | "object";

/** The fields of the service's requests. They are the same at all of its endpoints, so that one sheet serves them all. */
export const requestFields: ReadonlyMap<string, FieldKind> = new Map(
  Object.entries(videoBotsBody.shape).map(([name, schema]) => [name, name === "messages" ? name : kindOf(schema)]),
);

function kindOf(schema: unknown): FieldKind {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return kindOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return "list";
  if (schema instanceof z.ZodRecord) return "object";
  return schema instanceof z.ZodNumber ? "number" : "text";
}
