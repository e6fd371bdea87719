/** Packages that bring their binaries, and the sources that npm would compile them from. */
const withBinaries = ["better-sqlite3"];

/**
 * The lock file with a word for npm that these packages need no compiler. They say so in their package.json, but npm,
 * where it installs from a lock file, looks for it there alone, and leaves it out of what it writes.
 */
export function lockFile(text: string): string {
  return withBinaries.reduce((lock, name) => {
    const entry = new RegExp(`("node_modules/${name}": \\{\\n)(?: *"gypfile": .*\\n)?`);
    return lock.replace(entry, `$1      "gypfile": false,\n`);
  }, text);
}
