import { isJsonObject, type JsonObject } from "./json.ts";

/**
 * Name under which the columns of a row travel with the input of its case to where a target's templates are filled. No field
 * of a request is called so, and nothing of it is sent.
 */
export const rowColumns = "{{row}}";

/** An input and the columns of its row, which it has only where a target has templates. */
export function withoutColumns(input: JsonObject): { fields: JsonObject; columns: JsonObject } {
  const { [rowColumns]: columns, ...fields } = input;
  return columns === undefined
    ? { fields: input, columns: {} }
    : { fields, columns: isJsonObject(columns) ? columns : {} };
}
