import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Fault, type FaultPath, fault } from "../lib/fault.ts";
import type { Deployment, DeploymentConnection } from "./suite.ts";

/** PEM texts of a deployment. */
interface Certificates {
  ca?: string;
  cert?: string;
  key?: string;
}

/** Reads the files that a connection names; what cannot be used is a fault, with its place in the suite. */
export async function readCertificates(
  { ca, cert, certKey }: DeploymentConnection,
  path: FaultPath,
): Promise<{ certificates: Certificates; faults: Fault[] }> {
  const faults: Fault[] = [];
  const certificates: Certificates = {};
  const read = async (file: string | undefined, name: string, look: (text: string) => void): Promise<string | null> => {
    if (file === undefined) return null;
    try {
      const text = await readFile(file, "utf8");
      look(text);
      return text;
    } catch (error) {
      faults.push(fault([...path, name], `${file} ${reasonOf(error)}`));
      return null;
    }
  };
  const found = await read(ca, "ca", (text) => void certificatesIn(text));
  if (found !== null) certificates.ca = found;
  let own: X509Certificate | undefined;
  let key: KeyObject | undefined;
  const certText = await read(cert, "cert", (text) => ([own] = certificatesIn(text)));
  const keyText = await read(certKey, "cert_key", (text) => (key = createPrivateKey(text)));
  if (own !== undefined && key !== undefined && !own.checkPrivateKey(key)) {
    faults.push(fault([...path, "cert_key"], `${certKey} is not the private key of ${cert}`));
  }
  if (certText !== null) certificates.cert = certText;
  if (keyText !== null) certificates.key = keyText;
  return { certificates, faults };
}

/** Everything that is wrong with the certificates of deployments. */
export async function certificateFaults(deployments: readonly Deployment[]): Promise<Fault[]> {
  const each = deployments.map(async ({ name, connection = {} }) =>
    readCertificates(connection, ["deployments", name]),
  );
  return (await Promise.all(each)).flatMap(({ faults }) => faults);
}

/** The certificates of a PEM text, at least one. Throws where there is none, or one is damaged. */
export function certificatesIn(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error("holds no certificate (-----BEGIN CERTIFICATE-----)");
  return blocks.map((block) => new X509Certificate(block));
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return "does not exist";
  if (code === "EISDIR") return "is a folder";
  if (code === "ERR_MISSING_PASSPHRASE") return "has a passphrase; write the key without one (`openssl pkey`)";
  if (code === "" && error instanceof Error) return error.message;
  return code.startsWith("ERR_OSSL") || code.startsWith("ERR_")
    ? "is not a PEM file that can be read"
    : `cannot be read: ${code}`;
}
