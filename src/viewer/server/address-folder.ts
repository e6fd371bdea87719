import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../app/report/index-folder.ts";
import { hashText } from "../../lib/hash.ts";
import { knownPath } from "../../store/read-only-folder.ts";

/**
 * The folder in the address of the page over this database, `/.../`: the same at each start, so that links and bookmarks stay. It
 * is kept in the user's own cache, never beside the database, which may come from others: who knows it can be sent the cookie
 * of the viewer on another port. It lets nobody in by itself.
 */
export function addressFolder(database: string): string {
  const fresh = randomBytes(24).toString("base64url");
  const parent = join(cacheFolder(), "tandem");
  const path = join(parent, `address-${hashText(knownPath(database), 24)}`);
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined)
      writeFileSync(path, fresh, { mode: 0o600, flag: "wx" });
    const kept = readFileSync(path, "utf8");
    return `/${lstatSync(path).isFile() && /^[\w-]{32}$/.test(kept) ? kept : fresh}/`;
  } catch {
    // Nothing can be kept: links end with this start.
    return `/${fresh}/`;
  }
}
