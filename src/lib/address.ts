/** An address, or the reason why a text is none. The reason never shows the text, which may hold a secret. */
type ParsedAddress = { url: URL; fault: null } | { url: null; fault: string };

export const encodingFault = "holds a % that encodes nothing: write it as %25";

/** Reads an address of one of these schemes, with a login that can be decoded. */
export function parseAddress(text: string, schemes: readonly string[] = ["http", "https"]): ParsedAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !schemes.includes(url.protocol.slice(0, -1)) || url.host === "") {
    return {
      url: null,
      fault: `is not an address that begins with ${schemes.map((each) => `${each}://`).join(" or ")}`,
    };
  }
  if (!isEncoded(url.username + url.password)) return { url: null, fault: encodingFault };
  return { url, fault: null };
}

/** True where every % of a text begins the code of a character. */
export function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** The login of an address as `Basic` of HTTP writes it; null: it has none. */
export function basicLogin({ username, password }: URL): string | null {
  if (username === "" && password === "") return null;
  return Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64");
}

/** A text without the logins of the addresses in it. */
export const withoutLogins = (text: string): string =>
  text.replaceAll(/(:\/\/)[^\s/?#@"'<>()[\]{}]*(?:@[^\s/?#@"'<>()[\]{}]*)*(?=@)/g, "$1[redacted]");

/** The same address without its login: `fetch` refuses one that has a login, and its error would show it. */
export function hostAddress(url: URL): URL {
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  return plain;
}

/** The text of a part of an address; a `%` that encodes nothing is itself. */
const decoded = (part: string): string =>
  part.replaceAll(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString());
