import { z } from "zod";

/** The ends of an interval. */
export const intervalSchema = z
  .strictObject({ lower: z.number().describe("Its lower end."), upper: z.number().describe("Its upper end.") })
  .nullable()
  .describe("Null where none can be told.");

/** A figure that may not be known: a share, a p. */
export const figureSchema = z.number().nullable();
