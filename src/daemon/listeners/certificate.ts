import type { X509Certificate } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import type { Clock } from "../../base/clock.ts";
import { codeSuffix, errorCode } from "../../base/error-code.ts";
import { pathFault } from "../../config/path-fault.ts";
import { StartError } from "../start-error.ts";

/** The paths of two PEM files: the certificate, with its chain if it has one, and its private key. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

export interface Certificate {
  /** The certificate and the rest of its chain as they are sent to clients, in PEM. */
  readonly chain: string;
  readonly key: string;
  /**
   * The first certificate of the chain, in PEM. Clients on this machine trust only this one, not the authority that
   * signed it.
   */
  readonly leaf: string;
  readonly validUntil: string;
}

/** A larger file is refused: no certificate chain is as large as this. */
const MAX_PEM_BYTES = 1024 * 1024;

/**
 * Reads the certificate and the key. Throws a `StartError` for files that a server could not use, or that no client
 * would accept now.
 */
export function readCertificate(files: CertificateFiles, clock: Pick<Clock, "now">): Certificate {
  const crypto = process.getBuiltinModule("node:crypto");
  const { createSecureContext } = process.getBuiltinModule("node:tls");
  const chain = readPem("cert", files.certificate);
  const key = readPem("key", files.key, requirePrivate);
  const leaf = parsed("cert", files.certificate, () => new crypto.X509Certificate(chain));
  if (/^(-----BEGIN ENCRYPTED|Proc-Type:.*ENCRYPTED)/m.test(key))
    throw certificateError(`${files.key} ([tls] key) is encrypted, and svc asks for no passphrase`);
  const keyObject = parsed("key", files.key, () => crypto.createPrivateKey(key));
  if (!leaf.checkPrivateKey(keyObject))
    throw certificateError(`${files.key} ([tls] key) is not the key of ${files.certificate}`);
  // Creating a TLS context parses the rest of the chain, and refuses what is too weak.
  parsed("cert", files.certificate, () =>
    requireStrong(files.certificate, leaf, () => createSecureContext({ cert: chain, key })),
  );
  requireValid(files.certificate, leaf, clock.now());
  return {
    chain,
    key,
    leaf: leaf.toString(),
    validUntil: leaf.validToDate.toISOString(),
  };
}

type Setting = "cert" | "key";

/**
 * Reads a PEM file. Opens it without waiting, because opening a named pipe that has no writer would block the daemon
 * for ever.
 */
function readPem(
  setting: Setting,
  path: string,
  require: (path: string, stats: Stats) => void = () => undefined,
): string {
  let file: number | undefined;
  try {
    // Windows has no O_NONBLOCK; `undefined` then counts as 0.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile()) throw certificateError(`${path} ([tls] ${setting}) is no file`);
    if (stats.size > MAX_PEM_BYTES)
      throw certificateError(
        `${path} ([tls] ${setting}) is larger than a certificate or key can be`,
      );
    require(path, stats);
    requireUnchanged(setting, path);
    const text = readFileSync(file, "utf8");
    // A PEM file may begin with a description of the certificate. Leave the description out: with it, the package
    // listhen, which opens the listener, would take the text for a path.
    return text.slice(Math.max(0, text.indexOf("-----BEGIN")));
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw certificateError(`${path} ([tls] ${setting}) cannot be read${codeSuffix(cause)}`, cause);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function parsed<T>(setting: Setting, path: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const what = setting === "cert" ? "a PEM certificate" : "a PEM private key";
    throw certificateError(`${path} ([tls] ${setting}) is not ${what}${codeSuffix(cause)}`, cause);
  }
}

/** OpenSSL's codes for a certificate that no client would accept, each with a function that says what is too weak. */
const TOO_WEAK = new Map<string, (leaf: X509Certificate) => string>([
  ["ERR_SSL_EE_KEY_TOO_SMALL", (leaf) => `its key (${keyText(leaf)})`],
  ["ERR_SSL_CA_KEY_TOO_SMALL", () => "the key of a certificate that signed it"],
  ["ERR_SSL_EE_MD_TOO_WEAK", () => "the hash of its signature"],
  ["ERR_SSL_CA_MD_TOO_WEAK", () => "the hash of a signature in its chain"],
]);

const STRONG =
  "make one with an RSA key of at least 2048 bits, or with an elliptic curve such as P-256";

function requireStrong(path: string, leaf: X509Certificate, use: () => unknown): void {
  try {
    use();
  } catch (cause) {
    const weak = TOO_WEAK.get(errorCode(cause) ?? "")?.(leaf);
    if (weak === undefined) throw cause;
    throw certificateError(`${path} ([tls] cert) is too weak for TLS: ${weak}`, cause, STRONG);
  }
}

function keyText({ publicKey }: X509Certificate): string {
  const { modulusLength, namedCurve } = publicKey.asymmetricKeyDetails ?? {};
  const size = modulusLength === undefined ? namedCurve : `${modulusLength} bits`;
  return [publicKey.asymmetricKeyType?.toUpperCase(), size].filter(Boolean).join(", ");
}

/**
 * Refuses a file that another user could have written. That user could know the private key, and with it pretend to be
 * the daemon.
 */
function requireUnchanged(setting: Setting, path: string): void {
  const fault = pathFault(path, `name in [tls] ${setting} a file that only you can change`);
  if (fault === undefined) return;
  const where = fault.path === path ? "" : ` is not used: ${fault.path}`;
  throw certificateError(`${path} ([tls] ${setting})${where} ${fault.what}`, undefined, fault.hint);
}

/** Refuses a key that every user can read. A group may have access: on many machines, one group may read TLS keys. */
function requirePrivate(key: string, { mode }: Stats): void {
  if (process.platform === "win32" || (mode & 0o007) === 0) return;
  throw certificateError(
    `${key} ([tls] key) is open to every user of this machine: run chmod o= ${key}`,
  );
}

function requireValid(
  path: string,
  { validFromDate, validToDate }: Pick<X509Certificate, "validFromDate" | "validToDate">,
  now: string,
): void {
  const [from, to] = [validFromDate.toISOString(), validToDate.toISOString()];
  if (now < from) throw certificateError(`${path} ([tls] cert) is not valid before ${from}`);
  if (now > to)
    throw certificateError(`${path} ([tls] cert) has expired: it was valid until ${to}`);
}

const FILES = "[tls] cert and key in config.toml name a PEM certificate and its private key";

function certificateError(message: string, cause?: unknown, hint = FILES): StartError {
  return new StartError("address", message, { hint, cause });
}
