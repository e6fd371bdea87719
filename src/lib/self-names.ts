/** Words by which a service names what answers: its model, its version, whoever runs it. */
const what = new Set([
  "model",
  "engine",
  "fingerprint",
  "version",
  "revision",
  "release",
  "build",
  "commit",
  "provider",
  "deployment",
]);
/** Words that may stand behind one of these: `model_name`, `commit_sha`. */
const behind = new Set(["name", "id", "number", "sha", "hash", "tag"]);

/** Most names have none of these words, and are not taken apart. */
const mayNameItself = new RegExp(Array.from(what).join("|"), "i");

/** True for the name of a member or of a header that ends in such a word: `selected_model`, `systemFingerprint`, `x-build-id`. */
export function namesItself(name: string): boolean {
  if (!mayNameItself.test(name)) return false;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  const last = words.at(-1) ?? "";
  return what.has(last) || (behind.has(last) && what.has(words.at(-2) ?? ""));
}
