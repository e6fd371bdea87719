import manifest from "../../package.json" with { type: "json" };

/** Packages that a part of tandem needs, and nobody else has to install: the optional peer dependencies of package.json. */
export type PeerPackage = keyof typeof manifest.peerDependencies;

/** Advice to install packages, in the versions that this tandem asks for. */
export function installAdvice(...names: readonly PeerPackage[]): string {
  const versions = names.map((name) => `${name}@${manifest.peerDependencies[name]}`);
  return `Install ${names.length === 1 ? "it" : "them"} beside tandem: npm install ${versions.join(" ")}`;
}
