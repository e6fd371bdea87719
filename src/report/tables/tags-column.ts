import { jsonText } from "../../lib/json.ts";
import type { TypedColumn } from "./table.ts";

/** The tags of a case as one value, which a table of plain texts has no place for. */
export const tagsColumn: TypedColumn = { name: "tags", type: "json" };

export function tagsCell({ tags }: { tags: Record<string, string> }): string {
  return jsonText(tags);
}
