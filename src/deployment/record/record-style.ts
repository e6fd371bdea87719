import { z } from "zod";

/** The form of records; deployments of different ages differ in this. */
export const recordStyle = z.strictObject({
  members: z
    .union([z.literal(14), z.literal(13)])
    .default(14)
    .describe("Members of a bot's output; 13 leaves out `metrics`, as an older deployment does."),
  id: z.boolean().default(true).describe("Whether a record carries its `id`; without it only `url` names the run."),
  wide: z
    .boolean()
    .default(false)
    .describe("Echo the request's fields in the output; reply members without a value are then absent, not null."),
});
export type RecordStyle = z.infer<typeof recordStyle>;

/** The same options where only what differs is given. */
export const recordStyleChange = z
  .strictObject({
    members: recordStyle.shape.members.unwrap().describe(recordStyle.shape.members.description ?? ""),
    id: recordStyle.shape.id.unwrap().describe(recordStyle.shape.id.description ?? ""),
    wide: recordStyle.shape.wide.unwrap().describe(recordStyle.shape.wide.description ?? ""),
  })
  .partial();
export type RecordStyleChange = z.infer<typeof recordStyleChange>;

/** A style with changes, of which the last wins. */
export function changedStyle(style: RecordStyle, ...changes: RecordStyleChange[]): RecordStyle {
  return changes.reduce<RecordStyle>(
    (before, { members = before.members, id = before.id, wide = before.wide }) => ({ members, id, wide }),
    style,
  );
}
