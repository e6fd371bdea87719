type Value = string | boolean;

/** What expressions of a workflow may name: `inputs.suite`, `steps.run.outputs.batch`, `github.event_name` and the like. */
export type Names = Readonly<Record<string, string>>;

/** A text in which every `${{ ... }}` is replaced by its value. */
export function filled(text: string, names: Names): string {
  return text.replaceAll(/\$\{\{(.+?)\}\}/gs, (_, inside: string) => String(valueOf(inside, names)));
}

/** True where a step with this condition runs. Without a function of status, it runs only after steps that went well. */
export function isRun(condition: string | undefined, names: Names, isFailed: boolean): boolean {
  if (condition === undefined) return !isFailed;
  const asksStatus = /\b(?:always|failure|success|cancelled)\(\)/.test(condition);
  return Boolean(valueOf(condition, names)) && (asksStatus || !isFailed);
}

/** The value of the part of GitHub's expressions that action.yml uses: names, texts, `always()`, `==`, `!=`, `&&`, `||`, brackets. */
function valueOf(text: string, names: Names): Value {
  const tokens = text.match(/'[^']*'|==|!=|&&|\|\||[()]|always\(\)|[\w.-]+|\S/g) ?? [];
  const next = (): string => tokens.shift() ?? "";
  const term = (): Value => {
    const token = next();
    if (token === "(") {
      const value = either();
      if (next() !== ")") throw new Error(`a bracket is open in: ${text}`);
      return value;
    }
    if (token === "always()") return true;
    if (token.startsWith("'")) return token.slice(1, -1);
    if (!/^[a-z][\w.-]*\.[\w.-]+$/.test(token)) throw new Error(`not understood: ${token} in ${text}`);
    return names[token] ?? "";
  };
  const equal = (): Value => {
    const left = term();
    if (tokens[0] !== "==" && tokens[0] !== "!=") return left;
    return (next() === "==") === (left === term());
  };
  const both = (): Value => {
    let value = equal();
    while (tokens[0] === "&&") {
      next();
      const right = equal();
      value = value === "" || value === false ? value : right;
    }
    return value;
  };
  const either = (): Value => {
    let value = both();
    while (tokens[0] === "||") {
      next();
      const right = both();
      value = value === "" || value === false ? right : value;
    }
    return value;
  };
  const value = either();
  if (tokens.length > 0) throw new Error(`not understood: ${tokens.join(" ")} in ${text}`);
  return value;
}
