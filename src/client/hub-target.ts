import { parseBaseUrl } from "../config/base-url.ts";
import { requireEntry } from "../config/catalog.ts";
import type { Config } from "../config/load.ts";
import { requireKept } from "../config/lost-settings.ts";
import { CLIENT_CURES, requireSafeHttp } from "../config/plain-http.ts";
import { SvcError } from "../contract/errors.ts";
import type { RemoteTarget, Token } from "./target.ts";

/** The address of a hub, as a command names it. Its URL may have a path. */
export interface HubAddress {
  readonly url: string;
  /** The source of the URL, such as `--hub-url`, for messages. */
  readonly from: string;
  readonly allowInsecure: boolean;
  /** The token for the hub, or the name of the `[[daemon]]` entry that has it. */
  readonly credential: Token | { readonly daemon: string };
}

/**
 * Returns the hub as a target of requests. Throws `validation` if the URL may not be called. Throws
 * `federation_binding_conflict` if the `[[daemon]]` entry is that of another daemon, because an entry's token is sent
 * only to its own daemon.
 */
export function hubTarget(
  config: Config,
  { url, from, allowInsecure, credential }: HubAddress,
): RemoteTarget {
  const { origin, path } = parseBaseUrl(url, from);
  const base = { kind: "remote", source: "configured", from, origin, path, trusted: true } as const;
  if (!("daemon" in credential)) {
    const common = { ...base, entry: undefined, cure: undefined };
    return allowed(config, { ...common, allowInsecure, token: credential });
  }
  requireKept(config.lost, "[[daemon]]");
  const entry = requireEntry(config.catalog, credential.daemon, "--hub");
  if (entry.origin?.text !== origin.text) throw otherDaemon(entry.origin?.text, url);
  return allowed(config, {
    ...{ ...base, entry, cure: undefined },
    allowInsecure: allowInsecure || entry.allowInsecure,
  });
}

const CURES = {
  ...CLIENT_CURES,
  public: "use https, the IP address, an SSH tunnel, or --allow-insecure",
};

/** Returns the target. Throws if it uses plain http and that is not allowed for its address. */
function allowed({ settings }: Config, target: RemoteTarget): RemoteTarget {
  if (target.allowInsecure) return target;
  const { origin, from } = target;
  requireSafeHttp(origin, {
    ...{ from, trusts: settings.trustPrivateNetwork },
    ...{ cure: undefined, cures: CURES },
  });
  return target;
}

function otherDaemon(named: string | undefined, hub_url: string): SvcError {
  const message = `--hub names ${named ?? "this machine's daemon"}, and the hub is ${hub_url}`;
  return new SvcError(
    "federation_binding_conflict",
    { fields: ["hub_url"] },
    {
      message,
      hint: "give the entry of the hub, or --hub-token-env",
    },
  );
}
