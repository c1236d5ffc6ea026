import { BUILD } from "../../base/build.ts";
import type { CertificateState } from "../../client/record.ts";
import { API_SCHEMA_VERSION } from "../../contract/version.ts";
import type { AdminStore } from "../../store/admin-store.ts";
import type { WebOrigin } from "../access/browser.ts";
import { OWNER_ID } from "../listener.ts";
import type { Listener } from "../listeners/listeners.ts";
import { webOrigin } from "../listeners/pages.ts";
import { changeRecord, writeRecord } from "../listeners/record.ts";
import type { DaemonSettings } from "../settings.ts";

interface AnnouncedDaemon {
  readonly local: Listener;
  readonly listeners: readonly Listener[];
  readonly startedAt: string;
  readonly tls: CertificateState | undefined;
}

/** Writes the file in the runtime folder by which clients find the running daemon. */
export function announce(
  { runtimeDir, version, dsn, authentication = { mode: "open" } }: DaemonSettings,
  { local, listeners, startedAt, tls }: AnnouncedDaemon,
  { schemaVersion, upgraded }: Pick<AdminStore, "schemaVersion" | "upgraded">,
): void {
  writeRecord(runtimeDir, {
    pid: process.pid,
    ...local.endpoint,
    service: "svc",
    version,
    commit: BUILD.commit,
    built_at: BUILD.built_at,
    schema_version: schemaVersion,
    api_schema_version: API_SCHEMA_VERSION,
    started_at: startedAt,
    metadata: {
      db_path: dsn.display,
      ...(upgraded?.copy === undefined ? {} : { kept_before_upgrade: upgraded.copy }),
      ...(tls === undefined ? {} : { tls }),
      mode: authentication.mode,
      ...placesOf(listeners),
    },
  });
}

/** Adds listeners to the daemon's record file that were opened after the file was written. */
export function announceListeners(runtimeDir: string, listeners: readonly Listener[]): void {
  changeRecord(runtimeDir, process.pid, ({ metadata, ...record }) => ({
    ...record,
    metadata: { ...metadata, ...placesOf(listeners) },
  }));
}

function placesOf(listeners: readonly Listener[]) {
  const web = webOrigin(listeners);
  const own = listeners.find(({ described }) => described.id === OWNER_ID);
  return {
    listeners: listeners.filter((one) => one !== own).map(({ recorded }) => recorded),
    ...(own === undefined ? {} : { own_socket: own.described.address }),
    ...webIn(web),
  };
}

function webIn(web: WebOrigin | undefined) {
  return web === undefined ? {} : { web_origin: web.origin, web_origin_stable: web.stable };
}
