import { readFileSync, statSync } from "node:fs";
import { codeSuffix } from "../base/error-code.ts";
import { StartError } from "./start-error.ts";

/** Paths of a certificate and of its private key, both PEM. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

export type Certificate = CertificateFiles;

/** Reads the certificate and the key. Throws a `StartError` for files that a server could not use. */
export function readCertificate(files: CertificateFiles): Certificate {
  const { X509Certificate, createPrivateKey } = process.getBuiltinModule("node:crypto");
  const certificate = readAs("listen_certificate", files.certificate, (pem) => {
    return new X509Certificate(pem);
  });
  const key = readAs("listen_key", files.key, (pem) => createPrivateKey(pem));
  requirePrivate(files.key);
  if (!certificate.value.checkPrivateKey(key.value))
    throw refused(`${files.key} (listen_key) is not the key of ${files.certificate}`);
  return { certificate: certificate.pem, key: key.pem };
}

function readAs<T>(setting: string, path: string, parse: (pem: string) => T) {
  try {
    const pem = readFileSync(path, "utf8");
    return { pem, value: parse(pem) };
  } catch (cause) {
    const code = codeSuffix(cause);
    throw refused(`${path} (${setting}) cannot be read as PEM${code}`, cause);
  }
}

/** Refuses a key that every user can read. A group may have access, as for the keys of a whole machine. */
function requirePrivate(key: string): void {
  if (process.platform === "win32" || (statSync(key).mode & 0o007) === 0) return;
  throw refused(`${key} (listen_key) is open to every user of this machine: run chmod o= ${key}`);
}

function refused(message: string, cause?: unknown): StartError {
  const hint =
    "listen_certificate and listen_key in config.toml name a PEM certificate and its key";
  return new StartError("address", message, { hint, cause });
}
