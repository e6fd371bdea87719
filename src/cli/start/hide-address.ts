/** The variable that holds the address of the workers' PostgreSQL, which is a secret. */
const variable = "TANDEM_WORKERS";

const isAddress = (word: string): boolean => /^postgres(?:ql)?:\/\//i.test(word);

/**
 * Moves the address of the workers' PostgreSQL from the command line into `TANDEM_WORKERS`: it holds a password, and
 * words of a command line are shown by `ps`, kept in reports ("the same once more") and handed to other programs.
 * `--workers` stays as it is, without its value. Returns what is left, and whether something was hidden.
 */
export function hideAddress(
  words: readonly string[],
  env: Record<string, string | undefined>,
): { words: string[]; hidden: boolean } {
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  let hidden = false;
  const left = words.flatMap((word, place) => {
    const [, flag = "", value = word] = /^(--workers)=(.*)$/su.exec(word) ?? [];
    // Whatever stands there: a mistyped one holds a password as well.
    const isValue = flag !== "" || (words[place - 1] === "--workers" && word.includes("://"));
    if (place >= end || !(isValue || isAddress(value))) return [word];
    env[variable] = value;
    hidden = true;
    return flag === "" ? [] : [flag];
  });
  return { words: left, hidden };
}
