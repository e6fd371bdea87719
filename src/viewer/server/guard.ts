import { timingSafeEqual } from "node:crypto";
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

/**
 * Lets in who knows the token: once in the address, which is then exchanged for a cookie that no other site can send.
 * A Host that is not this machine's is refused (DNS rebinding), and so is whatever another page asks for, be it one of
 * another port of this machine; a change needs a header that only the page itself can set.
 */
export function guard(token: string, cookie: string): MiddlewareHandler {
  const isToken = (given: string | undefined): boolean => {
    // Hashes have the same length for any texts, which the comparison in constant time needs.
    const [left, right] = [Buffer.from(hashText(given ?? "", 64)), Buffer.from(hashText(token, 64))];
    return timingSafeEqual(left, right);
  };
  return async (context, next) => {
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    if (!isOwnHost(context.req.header("host"), "127.0.0.1", [])) return context.text("This name is not mine.", 421);
    const { pathname, searchParams } = new URL(context.req.url);
    if (pathname === "/" && isToken(searchParams.get("token") ?? undefined)) {
      setCookie(context, cookie, token, { httpOnly: true, sameSite: "Strict", path: "/" });
      return context.redirect("/");
    }
    if (!isToken(getCookie(context, cookie))) {
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
