/**
 * The reason why a file of this type cannot stand in a field, after the column's name; null: it can. It is the same at all
 * endpoints: a field that is named for images takes no sound. A null type stands for an address, which is not looked at.
 */
export function defaultFileFault(field: string, type: string | null): string | null {
  if (type === null) return null;
  if (field === "input_images" && !type.startsWith("image/")) return `is ${type}, and input_images takes images`;
  if (field === "input_audio" && !/^(?:audio|video)\//.test(type)) return `is ${type}, and input_audio takes sound`;
  return null;
}
