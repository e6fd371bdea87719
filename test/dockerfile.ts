/** One instruction of a Dockerfile. */
interface Instruction {
  name: string;
  /** What stands behind its name, on one line. */
  text: string;
}

/** One stage: the image that it begins with, its name if it has one, and its instructions in order. */
export interface Stage {
  base: string;
  name: string | null;
  instructions: Instruction[];
}

/** The stages of a Dockerfile. Raises an Error for an instruction before the first FROM. */
export function stagesOf(text: string): Stage[] {
  const stages: Stage[] = [];
  const lines = text.split("\n").filter((line) => !/^\s*(?:#|$)/.test(line));
  for (const line of lines.join("\n").replaceAll(/\\\n/g, " ").split("\n")) {
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*?)\s*$/.exec(line) ?? [];
    const [, base, as = null] = name === "FROM" ? (/^(\S+)(?:\s+AS\s+(\S+))?$/.exec(rest) ?? []) : [];
    if (base !== undefined) stages.push({ base, name: as, instructions: [] });
    else {
      const stage = stages.at(-1);
      if (name === "" || stage === undefined) throw new Error(`not understood: ${line}`);
      stage.instructions.push({ name, text: rest });
    }
  }
  return stages;
}

/** The paths that an ignore file with a list of what is allowed (`*`, then `!PATH`) leaves in the context. */
export function allowedPaths(text: string): string[] {
  const rules = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  if (rules.shift() !== "*") throw new Error("the first rule is not *");
  return rules.map((rule) => {
    if (!rule.startsWith("!")) throw new Error(`not understood: ${rule}`);
    return rule.slice(1);
  });
}
