const comment = /(?:#|\/\/|--)(?= ).*/;
const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/;

/** Comments by language; what is not named here is the output of a terminal, and has no colours. */
const comments: Record<string, RegExp> = {
  yaml: /(?<=^|\s)#.*/,
  sh: /(?<=^|\s)#.*/,
  ini: /^#.*/m,
  python: /#.*/,
  ts: /\/\/.*/,
  js: /\/\/.*/,
  json: /$^/,
  sql: comment,
};

/** A piece of code as HTML, with comments, texts and the keys of YAML marked. */
export function coloured(code: string, language: string): string {
  const ofLanguage = comments[language];
  if (ofLanguage === undefined) return escaped(code);
  const key = language === "yaml" ? /(?<=^[ -]*|[{,] ?)[\w.-]+(?=:(?:\s|$))/ : /$^/;
  const parts = new RegExp(`(?<text>${string.source})|(?<comment>${ofLanguage.source})|(?<key>${key.source})`, "gm");
  let html = "";
  let end = 0;
  for (const match of code.matchAll(parts)) {
    if (match[0] === "") continue;
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0] ?? "";
    html += `${escaped(code.slice(end, match.index))}<span class="${kind}">${escaped(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escaped(code.slice(end));
}

const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? sign);
}
