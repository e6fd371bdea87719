import { stringify } from "yaml";

/** A value as YAML writes it on one line, quoted where it must be. */
export function yamlValue(of: unknown): string {
  const json = JSON.stringify(of);
  // Lines within a text would be lines of the file; JSON is YAML too.
  if (json.includes("\\n")) return json;
  const text = stringify(of, {
    collectionStyle: "flow",
    lineWidth: 0,
    blockQuote: false,
    flowCollectionPadding: false,
  });
  return text.trimEnd();
}
