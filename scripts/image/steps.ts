import type { Stage } from "./dockerfile.ts";

/** Folders of one try: where stages are kept, the context that COPY reads, and the Node that the base would bring. */
export interface Places {
  folder: string;
  context: string;
  node: string;
}

/**
 * The lines of a shell that do what a builder would do with the stages: each in a root of its own, laid over the system of
 * this machine, which takes the place of the base. They are for a mount name space of their own, and root.
 */
export function buildLines(stages: readonly Stage[], places: Places): string[] {
  return stages.flatMap((stage, place) => {
    const root = rootOf(place, places);
    const [upper, work] = [`${root}.upper`, `${root}.work`];
    let folder = "/";
    const steps = stage.instructions.flatMap(({ name, text }) => {
      if (name === "WORKDIR") {
        folder = text;
        return [`mkdir -p ${root}${folder}`];
      }
      if (name === "RUN") return [chroot(root, folder, text)];
      if (name === "COPY")
        return [copy(text, { stages, places, target: `${root}${folder === "/" ? "" : folder}`, root })];
      return [];
    });
    return [
      `mkdir -p ${root} ${upper} ${work}`,
      `mount -t overlay overlay -o lowerdir=/,upperdir=${upper},workdir=${work} ${root}`,
      `mount -t proc proc ${root}/proc`,
      `mount --bind /dev ${root}/dev`,
      `rm -rf ${root}/project ${root}/src`,
      `install -D ${places.node} ${root}/usr/local/bin/node`,
      ...steps,
    ];
  });
}

/** The root of a stage that was built. */
function rootOf(place: number, { folder }: Places): string {
  return `${folder}/stage-${place}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const path = "PATH=/usr/local/bin:/usr/bin:/bin";

function chroot(root: string, folder: string, command: string): string {
  return `chroot ${root} /usr/bin/env ${path} HOME=/root /bin/sh -ec ${quoted(`cd ${folder}; ${command}`)}`;
}

function copy(
  text: string,
  { stages, places, target, root }: { stages: readonly Stage[]; places: Places; target: string; root: string },
): string {
  const words = text.split(/\s+/);
  const from = words[0]?.startsWith("--from=") === true ? (words.shift()?.slice("--from=".length) ?? "") : null;
  const to = words.pop() ?? "";
  const place = stages.findIndex(({ name }) => name === from);
  if (from !== null && place === -1) throw new Error(`no stage is called ${from}`);
  const source = from === null ? `${places.context}/` : rootOf(place, places);
  const into = to.startsWith("/") ? `${root}${to}` : `${target}/${to}`;
  // A folder is copied by what is in it; several files, or a name that ends in a slash, go into a folder.
  const isInto = to.endsWith("/") || words.length > 1;
  return words
    .map((word) =>
      isInto
        ? `mkdir -p ${into} && cp -a ${source}${word} ${into}`
        : `if [ -d ${source}${word} ]; then mkdir -p ${into} && cp -a ${source}${word}/. ${into}/; else cp -a ${source}${word} ${into}; fi`,
    )
    .join(" && ");
}

/** Folders of the machine that are given to a container. */
export interface Mounts {
  /** What it works on; read only. */
  project: string;
  /** Where results are kept: all that it may write to, beside /tmp. */
  results: string;
}

/** The lines that give folders to the last stage, and let nothing else of it be changed. */
export function mountLines(stages: readonly Stage[], places: Places, { project, results }: Mounts): string[] {
  const root = rootOf(stages.length - 1, places);
  return [
    `mount --bind ${project} ${root}${lastOf(stages, "WORKDIR")}`,
    `mount -o remount,ro,bind ${root}${lastOf(stages, "WORKDIR")}`,
    `mount --bind ${results} ${root}/results`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
    `mount -o remount,ro ${root}`,
  ];
}

/** The line that runs a command in the last stage as its user, who can become nobody else. */
export function runLine(stages: readonly Stage[], places: Places, command: string): string {
  const [user, group] = lastOf(stages, "USER").split(":");
  const leaves = `setpriv --reuid ${user} --regid ${group} --clear-groups --no-new-privs --bounding-set=-all`;
  const script = quoted(`cd ${lastOf(stages, "WORKDIR")}; ${command}`);
  return `chroot ${rootOf(stages.length - 1, places)} ${leaves} /usr/bin/env -i ${path} /bin/sh -ec ${script}`;
}

function lastOf(stages: readonly Stage[], name: string): string {
  return stages.at(-1)?.instructions.findLast((each) => each.name === name)?.text ?? "";
}
