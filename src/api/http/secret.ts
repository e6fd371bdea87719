/** Words of which one alone says that a member or a header is a secret. */
const secretWords = new Set(
  (
    "secret secrets token password passwd passphrase passcode pwd pass auth oauth authorization authentication " +
    "credential credentials cookie cookies session jwt bearer apikey"
  ).split(" "),
);
const secretKeys =
  /^(?:api|access|secret|private|auth|subscription|license|account|functions|encryption|signing|master)$/;
/** Secret words that stand together without a mark between them. */
const joined =
  /(?:api|access|secret|private|auth|subscription)key|(?:auth|access|refresh|bearer|session|csrf|xsrf)token(?!s|iz)|session(?:id|key)|password|passwd|clientsecret|credential/;
/** The end of a word that is written as one, with or without a number: `apitoken`, `token2`; no `tokens`, which are counted. */
const secretEnd = /(?:token|secret)\d*$/;
/** A last word after which a name tells of a secret what is none. */
const harmlessEnd = /^(?:type|kind|mode|method|count|limit|budget|usage|length|size|ttl|url|uri|endpoint|enabled)$/;

/** The words of a name, in any spelling. */
export function wordsOfName(name: string): string[] {
  return name
    .normalize("NFKC")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** True for a member or a header that is called like a secret, in any spelling. */
export function isSecretName(name: string): boolean {
  const words = wordsOfName(name);
  if (harmlessEnd.test(words.at(-1) ?? "")) return false;
  const isKey = words.some((word, i) => word === "key" && secretKeys.test(words[i - 1] ?? ""));
  return isKey || words.some((word) => secretWords.has(word) || secretEnd.test(word)) || joined.test(words.join(""));
}

/** Keys as services write them, what goes into a header for a login, and a login in an address or among other text. */
const secretText = [
  /\bsk[-_][\w-]{8,}/,
  /\b(?:gsk_|ghp_|gho_|github_pat_|glpat-|xox[abp]-|xai-|hf_|lsv2_|pk-lf-|AIza|AKIA)[\w-]{8,}/,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\./,
  /^\s*(?:Bearer|Basic)\s+[^\s{$]+\s*$/i,
  /:\/\/[^\s/?#@{}$]*:[^\s/?#@{}$]+@/,
  /(?:api[-_]?key|password|secret|token)\\?(?:"\s*:\s*\\?"|=)[^\s"\\{&$]{4,}/i,
];

/** True for a text that is a secret, or has one in it. */
export const isSecretText = (text: string): boolean => secretText.some((pattern) => pattern.test(text));

const place = /\{\{[^}]*\}\}|\{%[^%]*%\}/g;

/** A text of nothing but places for columns holds none; `{{ env.X }}` is no column. */
function isFixed(name: string, text: string): boolean {
  if (text.trim() === "" || /^\s*\$?\w*\{\{\s*\w+\s*\}\}\s*$/.test(text)) return false;
  if (/\{\{\s*env\.\w+/.test(text)) return true;
  const rest = text.replaceAll(place, "");
  // An id of a session that is made of a column is a name.
  return rest === text || (!wordsOfName(name).includes("session") && /\w{6}/.test(rest));
}

/** True for a text that is a secret by its name, or as it stands. */
export const isSecretValue = (name: string, text: string): boolean =>
  isSecretText(text) || (isSecretName(name) && isFixed(name, text));

/** The same for what follows the ? of an address, where a signature is a key as well, and a long `code` that of a function. */
export function isSecretQuery(name: string, value: string): boolean {
  const isKey = /(?:^|[-_])(?:key|sig|signature)$/i.test(name) || (/^code$/i.test(name) && value.length >= 20);
  return isSecretValue(name, value) || (isKey && isFixed(name, value));
}
