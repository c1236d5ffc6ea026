import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { StartError } from "../start-error.ts";
import { type CertificateFiles, readCertificate } from "./certificate.ts";
import type { Listener } from "./listeners.ts";
import { certificateState, changeRecord } from "./record.ts";

export interface CertificateReload {
  readonly files: CertificateFiles;
  readonly listeners: readonly Pick<Listener, "replaceCertificate">[];
  readonly runtimeDir: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Reads the certificate and its key again. If the daemon cannot use these files, the listeners keep the certificate
 * that they have. The result is logged and written into the record file, where `svc daemon reload` reads it.
 */
export function reloadCertificate({
  files,
  listeners,
  runtimeDir,
  clock,
  log,
}: CertificateReload): void {
  const read_at = clock.now();
  const read = readOrFault(files, clock);
  if (typeof read === "string") {
    log.error("certificate.kept", { reason: read });
    changeRecord(runtimeDir, process.pid, ({ metadata, ...record }) => {
      const tls = metadata.tls && { ...metadata.tls, read_at, fault: read };
      return { ...record, metadata: { ...metadata, ...(tls && { tls }) } };
    });
    return;
  }
  for (const { replaceCertificate } of listeners) replaceCertificate?.(read);
  const tls = certificateState(read, read_at);
  changeRecord(runtimeDir, process.pid, ({ metadata, ...record }) => ({
    ...record,
    ...(record.certificate === undefined ? {} : { certificate: read.leaf }),
    metadata: { ...metadata, tls },
  }));
  log.info("certificate.reloaded", { valid_until: read.validUntil });
}

function readOrFault(files: CertificateFiles, clock: Clock) {
  try {
    return readCertificate(files, clock);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}
