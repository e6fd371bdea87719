import { timingSafeEqual } from "node:crypto";
import { getCookie, setCookie } from "hono/cookie";
import type { MiddlewareHandler } from "hono";
import { isOwnHost } from "../../lib/own-host.ts";

/** What every answer of the viewer says to the browser. */
const headers = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

/**
 * Lets in who knows the token: once in the address, which is then exchanged for a cookie that no other site can send.
 * A Host that is not this machine's is refused (DNS rebinding), and so is a change that did not come from the page.
 */
export function guard(token: string, cookie: string): MiddlewareHandler {
  const isToken = (given: string | undefined): boolean => {
    const [left, right] = [Buffer.from(given ?? ""), Buffer.from(token)];
    return left.length === right.length && timingSafeEqual(left, right);
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
    if (context.req.method !== "GET" && context.req.header("x-tandem") !== "1") {
      return context.text("Changes are made by the page alone.", 403);
    }
    return next();
  };
}
