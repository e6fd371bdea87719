import { randomBytes, timingSafeEqual } from "node:crypto";
import { getCookie, setCookie } from "hono/cookie";
import type { Context, MiddlewareHandler } from "hono";
import { hashText } from "../../lib/hash.ts";
import { isOwnHost } from "../../lib/own-host.ts";

/** Headers that every answer of the viewer sends to the browser. */
const headers = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

/** The secrets of one start of the viewer. */
export interface Entry {
  /** Stands in the address that is printed, and nowhere else. */
  token: string;
  /** Value of the cookie that the token is exchanged for. */
  session: string;
  /** Folder of the page, `/.../`: browsers send cookies to every port of a machine, but only below their path. */
  folder: string;
  port: number;
}

/** Makes new secrets for one start of a page in this folder. */
export function newEntry(folder: string, port: number): Entry {
  return { token: secret(), session: secret(), folder, port };
}

const secret = (): string => randomBytes(24).toString("base64url");

/**
 * Lets in who knows the token: once in the address, which is then exchanged for a cookie that no other site can send,
 * and that no other port of this machine is sent. A Host that is not this viewer's is refused (DNS rebinding), and so is
 * whatever another page asks for; a change needs a header that only the page itself can set.
 */
export function guard({ token, session, folder, port }: Entry): MiddlewareHandler {
  const cookie = `tandem_${port}`;
  return async (context, next) => {
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    const host = context.req.header("host") ?? "";
    if (!isOwnHost(host, "127.0.0.1", []) || !host.endsWith(`:${port}`)) {
      return context.text("This name is not mine.", 421);
    }
    const { pathname, searchParams, hostname } = new URL(context.req.url);
    // A proxy is asked by a whole address, which may name another host than Host does.
    if (hostname !== host.slice(0, host.lastIndexOf(":")).toLowerCase()) return context.text("I am no proxy.", 421);
    if (pathname === "/" && isSame(searchParams.get("token") ?? "", token)) {
      setCookie(context, cookie, session, { httpOnly: true, sameSite: "Strict", path: folder });
      return context.redirect(folder);
    }
    if (!isSame(getCookie(context, cookie) ?? "", session)) {
      return context.text(
        "Open the whole address that `tandem view` printed: it holds the token that lets you in.",
        401,
      );
    }
    if (pathname !== "/" && isForeign(context)) return context.text("Another page asked for this.", 403);
    const { method } = context.req;
    if (method !== "GET" && method !== "HEAD" && !isFromPage(context)) {
      return context.text("Changes are made by the page alone.", 403);
    }
    return next();
  };
}

function isSame(given: string, wanted: string): boolean {
  // Hashes have the same length for any texts, which the comparison in constant time needs.
  const [left, right] = [Buffer.from(hashText(given, 64)), Buffer.from(hashText(wanted, 64))];
  return timingSafeEqual(left, right);
}

/** True for requests by a page of another origin: browsers say so. */
function isForeign({ req }: Context): boolean {
  const site = req.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const origin = req.header("origin");
  return origin !== undefined && origin !== `http://${req.header("host") ?? ""}`;
}

function isFromPage({ req }: Context): boolean {
  const type = req.header("content-type") ?? "";
  return req.header("x-tandem") === "1" && /^application\/json\s*(;|$)/i.test(type);
}
