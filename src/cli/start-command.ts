/** The name of tandem's own package, in whose folder npm runs the scripts of a checkout. */
const ownPackage = "@tandem-eval/tandem";
/** The scripts of a checkout that run the command. */
const scripts = new Set(["demo", "tandem"]);

/** A command as it can be typed: by the script of the checkout where that ran this one, as `tandem` is no command there. */
export function commandHere(command: string, env: NodeJS.ProcessEnv): string {
  const isByScript = env["npm_package_name"] === ownPackage && scripts.has(env["npm_lifecycle_event"] ?? "");
  return isByScript ? command.replace(/^tandem (?=.)/, "npm run tandem -- ") : command;
}
