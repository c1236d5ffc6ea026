import type { RestartResult, StartResult, StopResult } from "../../client/control.ts";
import type { RecordedListener } from "../../client/record.ts";
import type { ReloadResult } from "../../client/reload.ts";
import type { DaemonStatus, EngineStatus, Status } from "../../client/status.ts";
import { header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";

export const startView: View<StartResult> = {
  human: ({ action, pid, replaced_pid, address, kept_old }) => {
    const old =
      kept_old === undefined
        ? ""
        : `\nthe tables were upgraded; the database as it was is kept as ${oneLine(kept_old)}`;
    const what = action === "already_running" ? "already running" : action;
    const instead = replaced_pid === undefined ? "" : ` (instead of pid=${replaced_pid})`;
    return `${what} pid=${pid} address=${address}${instead}${old}`;
  },
  agent: ({ action, pid, address }) => header("start", { action, pid, address }),
};

export const stopView: View<StopResult> = {
  human: ({ stopped, pids, killed = [] }) => {
    if (!stopped) return "no daemon was running";
    return `stopped pid=${pids.join(",")}${killed.length === 0 ? "" : " (it had to be killed)"}`;
  },
  agent: ({ stopped, pids }) => header("stop", { stopped, pids: pids.map(String) }),
};

export const restartView: View<RestartResult> = {
  human: ({ pids, pid, address }) => {
    const before = pids.length === 0 ? "" : ` (was pid=${pids.join(",")})`;
    return `restarted pid=${pid} address=${address}${before}`;
  },
  agent: ({ pid, address }) => header("restart", { pid, address }),
};

export const reloadView: View<ReloadResult> = {
  human: ({ pid, certificate }) => {
    const until =
      certificate === undefined
        ? ""
        : `; the certificate is valid until ${certificate.valid_until}`;
    return `reloaded pid=${pid}${until}`;
  },
  agent: ({ pid, certificate }) =>
    header("reload", { pid, certificate_until: certificate?.valid_until }),
};

export const statusView: View<Status> = {
  human: ({ daemons, selected }) =>
    daemons.length === 0
      ? "no daemon is running"
      : daemons.map((daemon) => statusLine(daemon, daemon.pid === selected)).join("\n"),
  agent: ({ daemons }, quiet) => {
    const rows = daemons.map((daemon) => {
      const { pid, version, address, listeners, web_origin, mode, state, engines = [] } = daemon;
      const here = engines.filter((engine) => engine.here).map(({ name }) => name);
      const others = listeners?.map((listener) => listener.address);
      const enginesHere = here.length === 0 ? undefined : here;
      return row({
        pid,
        version,
        address,
        listeners: others,
        web_origin,
        mode,
        state,
        engines: enginesHere,
      });
    });
    const status = header("daemon", { status: daemons.length === 0 ? "stopped" : "running" });
    return (quiet ? rows : [status, ...rows]).join("\n");
  },
};

function statusLine(daemon: DaemonStatus, selected: boolean): string {
  const { pid, version, address, listeners = [], mode, db_path, state } = daemon;
  const { failure, note, engines = [] } = daemon;
  const asks = mode === undefined ? "" : ` mode=${mode}`;
  const from = daemon.other_home === true ? " (of another SVC_HOME)" : "";
  const why = failure === undefined ? "" : `: ${oneLine(failure)}`;
  return [
    `${selected ? "*" : " "} ${state} pid=${pid} version=${version} address=${address}${asks}`,
    ` db=${oneLine(db_path)} since=${daemon.started_at}${from}${why}`,
    ...listeners.map(listenerLine),
    ...engines.map(engineLine),
    ...(note === undefined ? [] : [`\n    ${oneLine(note)}`]),
  ].join("");
}

function listenerLine({ address, kind, origin }: RecordedListener): string {
  if (kind === "browser") return `\n    pages at ${oneLine(origin ?? address)}`;
  const pages = origin === undefined ? "" : ` (${oneLine(origin)})`;
  return `\n    also address=${oneLine(address)}${pages}`;
}

/**
 * Names the daemon that runs the engine, and the daemon from which it took over. Several daemons can share a database,
 * but only one of them runs an engine.
 */
function engineLine({ name, here, holder, since, taken_from }: EngineStatus): string {
  const by = here ? "this daemon" : `daemon ${oneLine(holder)}`;
  const from =
    taken_from === undefined ? "" : `, taken over from ${oneLine(taken_from)}, which fell silent`;
  return `\n    ${name}: ${by} since ${since}${from}`;
}

export const locateView: View<{ readonly address: string }> = {
  human: ({ address }) => address,
  agent: (body) => header("daemon", { ...body }),
};

export interface Trust {
  readonly url: string;
  readonly trusted: boolean;
  readonly changed: boolean;
}

export const trustView: View<Trust> = {
  human: ({ url, trusted, changed }) => {
    if (trusted) return changed ? `trusted ${url}` : `${url} was trusted already`;
    return changed ? `no longer trusted ${url}` : `${url} was not trusted`;
  },
  agent: (body) => header("trust", { ...body }),
};

export const trustedView: View<{ readonly servers: readonly string[] }> = {
  human: ({ servers }) => (servers.length === 0 ? "no trusted servers" : servers.join("\n")),
  agent: ({ servers }) => header("trusted", { servers }),
};

interface OpenedPage {
  readonly url: string;
  readonly opened: boolean;
  readonly expires_at?: string;
}

export const uiView: View<OpenedPage> = {
  human: ({ url }) => `opened ${url}`,
  agent: ({ url, opened, expires_at }) => header("ui", { url, opened, expires_at }),
};
