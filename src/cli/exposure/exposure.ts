import type { FoundDaemon } from "../../client/daemons.ts";
import { probe } from "../../client/probe.ts";
import type { RecordedListener } from "../../client/record.ts";
import type { Config } from "../../config/load.ts";
import { socketPath } from "../../config/paths.ts";
import { type Start, startOf } from "../../config/start.ts";
import { judgeStart, type StartVerdict } from "../../config/start-rows.ts";
import { userId } from "../../config/users.ts";
import type { Finding } from "../../domain/finding.ts";
import {
  certificateWarnings,
  contradictions,
  type ExposedListener,
  exposed,
  isSocket,
  type MachineNetwork,
  scopeOf,
} from "./listener.ts";
import { type ExposedPages, exposedPages, openersText, plannedPages } from "./pages.ts";

type Mode = Start["mode"];

interface Exposed {
  readonly mode: Mode;
  readonly listeners: readonly ExposedListener[];
  /** Absent if the daemon has no separate listener for its web pages. */
  readonly pages?: ExposedPages;
  /** Why the settings of `[web]` are refused. Absent if they are not refused. */
  readonly web?: Start["web"];
}

export interface ExposureReport extends Exposed {
  /**
   * `daemon`: the report comes from the running daemon. `settings`: it comes from the settings with which the next
   * daemon starts.
   */
  readonly source: "daemon" | "settings";
  readonly pid?: number;
  /** What would apply after a restart; absent if the running daemon already has these settings. */
  readonly after_restart?: Exposed;
  readonly unchecked: readonly string[];
}

/**
 * Reports who can reach the local daemon and what they may do. This starts no daemon, and the report contains no
 * secret.
 */
export async function exposureReport(
  config: Config,
  daemons: readonly FoundDaemon[],
  around: MachineNetwork,
): Promise<ExposureReport> {
  const planned = bySettings(config, around);
  const found = daemons.find(({ state }) => state !== "stopping");
  const running = found === undefined ? undefined : await byDaemon(found, config, around);
  if (found === undefined || running === undefined) {
    const silent =
      found === undefined
        ? []
        : [`what the daemon with pid ${found.record.pid} does: ${NO_RECORD}`];
    return {
      source: "settings",
      ...planned,
      unchecked: [...silent, ...uncheckedOf(planned, config, around)],
    };
  }
  return {
    source: "daemon",
    pid: found.record.pid,
    ...running,
    ...(isSame(running, planned) ? {} : { after_restart: planned }),
    unchecked: uncheckedOf(running, config, around),
  };
}

const NO_RECORD = "it says nothing of its listeners, since another svc or another home started it";

function bySettings(config: Config, around: MachineNetwork): Exposed {
  const { env, dsn, home, sources } = config;
  // Compute the listeners of a daemon that a command starts automatically. Such a daemon ignores the variable PORT.
  const settings = { ...config.settings, autostarted: true };
  const { mode, listeners, web } = startOf({ settings, sources });
  const pages = plannedPages({ settings, sources }, mode, around.platform);
  const { trustedActorHeader, trustedProxyListeners, tlsCertificate } = settings;
  return {
    mode,
    listeners: listeners.map(({ address: named, ...verdict }) => {
      const address = named ?? `unix://${socketPath(env, dsn, home)}`;
      const trusted = trustedProxyListeners.includes(address) ? trustedActorHeader : undefined;
      const https = tlsCertificate !== undefined && !isSocket(address);
      const origin = isSocket(address) ? undefined : settings.webPublicOrigin;
      const user = trusted === undefined || isSocket(address) ? undefined : proxyUser(settings);
      const listener = {
        address,
        https,
        ...(origin === undefined ? {} : { origin }),
        ...(trusted && { trusted_header: trusted }),
        ...(user === undefined ? {} : { proxy_user: user }),
      };
      return exposed({ mode, listener, verdict }, around);
    }),
    ...(pages === undefined ? {} : { pages }),
    ...(web === undefined ? {} : { web }),
  };
}

/**
 * The id of the user that `[auth.proxy] proxy_user` names. Undefined on other systems than Linux, where this setting
 * has no effect.
 */
function proxyUser({ trustedProxyUser: name }: Config["settings"]): number | undefined {
  return name === undefined || process.platform !== "linux" ? undefined : userId(name);
}

/**
 * The check of `svc doctor`: fails if no daemon starts with the settings, and warns if the report contains warnings.
 */
export function checkExposure(report: ExposureReport): Finding {
  const { mode, listeners, after_restart: next } = report;
  const details = { exposure: report };
  const judged = [...listeners, report.web ?? {}];
  const blocked = judged.find(({ refusal }) => refusal !== undefined);
  if (blocked?.refusal !== undefined) {
    const fix = blocked.cure === undefined ? {} : { fix: blocked.cure };
    return { status: "failed", summary: `no daemon starts: ${blocked.refusal}`, details, ...fix };
  }
  const later = [...(next?.listeners ?? []), next?.web ?? {}].flatMap(
    ({ refusal }) => refusal ?? [],
  );
  const warnings = [
    ...listeners.flatMap((listener) => listener.warnings),
    ...(report.pages?.warnings ?? []),
    ...later.map((refusal) => `no daemon would start again by the settings: ${refusal}`),
  ];
  const [first] = warnings;
  if (first !== undefined) {
    const more = warnings.length === 1 ? "" : ` (and ${warnings.length - 1} more)`;
    return {
      status: "warning",
      summary: `${first}${more}`,
      details,
      fix: "svc daemon exposure shows who can do what",
    };
  }
  const places = listeners.map(
    ({ address, reached_by, pages_opened_by }) =>
      `${address}: ${reached_by}${pages_opened_by === undefined ? "" : `; pages opened by ${openersText(pages_opened_by)}`}`,
  );
  if (report.pages !== undefined) {
    const { address, opened_by } = report.pages;
    places.push(`${address}: pages opened by ${openersText(opened_by)}`);
  }
  return { status: "ok", summary: `${places.join("; ")} (${mode})`, details };
}

/**
 * Returns the report of a running daemon, or `undefined` if the daemon's record does not say how the daemon listens.
 */
async function byDaemon(
  { record, state }: FoundDaemon,
  { settings }: Config,
  around: MachineNetwork,
): Promise<Exposed | undefined> {
  const { mode, listeners, tls } = record.metadata ?? {};
  if (mode === undefined || listeners === undefined) return undefined;
  const dated = tls === undefined ? [] : certificateWarnings(tls.valid_until, tls.fault, around);
  const found: ExposedListener[] = [];
  for (const listener of listeners) {
    if (listener.kind === "browser") continue;
    const verdict = verdictOn(mode, listener, settings.trustPrivateNetwork);
    const seen = exposed({ mode, listener, verdict }, around);
    const probed = state === "running" ? await probe(record, listener) : undefined;
    found.push({
      ...seen,
      warnings: [
        ...seen.warnings,
        ...(listener.https ? dated : []),
        ...(probed === undefined ? [] : contradictions(seen, probed)),
      ],
      ...(probed === undefined ? {} : { without_token: probed }),
    });
  }
  const own = listeners.find(({ kind }) => kind === "browser");
  const pages = own === undefined ? {} : { pages: exposedPages(own, mode, around.platform) };
  return { mode, listeners: found, ...pages };
}

/**
 * Returns the row of the start-up table (`src/config/start-rows.ts`) that allowed the daemon to start. The row also
 * depends on `[auth] trust_private_network`, which the daemon's record does not contain. This function assumes that the
 * setting was on if the daemon could not have started without it.
 */
function verdictOn(mode: Mode, { address, https }: RecordedListener, trust: boolean): StartVerdict {
  const token = mode === "static" || mode === "identity";
  const listen = scopeOf(address);
  // A daemon whose writes need no token may also listen on its own socket. For the socket, `tokenless` must be false:
  // row 7 of the table refuses every `tokenless` address that is not private, before row 8 allows all sockets.
  const tokenless = mode === "tokenless" && listen !== "socket";
  const facts = { token, tokenless, identity: mode === "identity" };
  const away = listen === "private" || listen === "wildcard";
  return judgeStart(
    {
      ...facts,
      listen,
      readonly: mode === "readonly",
      encrypted: https,
      trust: trust || (away && token && !https),
    },
    address,
  );
}

function isSame(running: Exposed, planned: Exposed): boolean {
  const { mode, listeners } = planned;
  return (
    planned.web === undefined &&
    mode === running.mode &&
    // A daemon that has just started may not have opened its listener for pages yet.
    (running.pages === undefined || isAt(running.pages.address, planned.pages?.address)) &&
    listeners.length === running.listeners.length &&
    listeners.every((listener, at) => isThat(running.listeners[at], listener))
  );
}

function isThat(running: ExposedListener | undefined, planned: ExposedListener): boolean {
  return (
    running?.https === planned.https &&
    running.trusted_header === planned.trusted_header &&
    running.proxy_user === planned.proxy_user &&
    isAt(running.address, planned.address)
  );
}

/** Whether a daemon listens where the settings say. Port 0 in the settings matches any port. */
function isAt(running: string, planned = ""): boolean {
  return running === planned || (planned.endsWith(":0") && hostOf(running) === hostOf(planned));
}

function hostOf(address: string): string {
  return address.replace(/:\d+$/, "");
}

function uncheckedOf(
  { mode, listeners }: Exposed,
  { dsn, settings }: Config,
  { platform }: MachineNetwork,
): readonly string[] {
  const reaches = new Set(listeners.map(({ reach }) => reach));
  const tcp = listeners.some(({ address }) => !isSocket(address));
  const away = reaches.has("network") || reaches.has("internet");
  const header = listeners.find(
    ({ trusted_header }) => trusted_header !== undefined,
  )?.trusted_header;
  const { webPublicOrigin: origin } = settings;
  return [
    ...(away ? ["firewalls and routers: they may let fewer machines through"] : []),
    ...(tcp ? ["what forwards to a port from elsewhere: SSH tunnels, proxies, containers"] : []),
    ...(tcp && mode === "open" && platform === "linux"
      ? ["whether the kernel tells whose a connection is (the log says peers.unknown if not)"]
      : []),
    ...(header === undefined ? [] : [`that the proxy removes ${header} from what clients send`]),
    ...(origin === undefined ? [] : [`whom the proxy of ${origin} lets through`]),
    ...(mode === "static" || mode === "identity" ? ["who has the tokens"] : []),
    ...(dsn.dialect === "postgres"
      ? ["who else can log in to the PostgreSQL database, and other daemons on it"]
      : []),
  ];
}
