import {
  formatHostPort,
  type HostPort,
  parseHostPort,
  scopeOfAddress,
} from "../../config/addresses.ts";
import { bearerFault } from "../../config/bearer.ts";
import type { Env } from "../../config/env.ts";
import { usage } from "../failure/failure.ts";

/** Where the tool server listens for HTTP, and the token that its clients must send. */
export interface ToolListener {
  readonly place: HostPort;
  /**
   * Host and port as `--http` names them. On a loopback address, a request must have exactly this text as its `Host`.
   */
  readonly authority: string;
  readonly isLoopback: boolean;
  readonly token: string;
}

interface Flags {
  readonly http?: string | undefined;
  readonly "http-token-env"?: string | undefined;
  readonly "trust-private-network": boolean;
}

const EXAMPLE = "for example --http 127.0.0.1:7800";

/**
 * Reads those flags of `svc mcp serve` that are about HTTP (docs/contract/tools.md#11-flags). Returns `undefined`
 * without `--http`: the server then uses stdin and stdout.
 */
export function toolListener(flags: Flags, env: Env): ToolListener | undefined {
  if (flags.http === undefined) return undefined;
  const { place, authority } = placeOf(flags.http);
  const scope = scopeOfAddress(place.host);
  if (scope === "public")
    throw usage(`--http: ${place.host} is a public address`, "listen on a loopback or private one");
  if (scope !== "loopback" && !flags["trust-private-network"])
    throw usage(
      `--http: ${authority} can be reached from other machines`,
      "add --trust-private-network if every machine of that network may try the token",
    );
  const token = tokenOf(flags["http-token-env"] ?? "", env);
  return { place, authority, isLoopback: scope === "loopback", token };
}

function placeOf(text: string): { readonly place: HostPort; readonly authority: string } {
  const port = /^localhost:(\d{1,5})$/i.exec(text)?.[1];
  const place = parseHostPort(port === undefined ? text : `127.0.0.1:${port}`);
  if (place === undefined)
    throw usage("--http takes a literal IP address or localhost, and a port", EXAMPLE);
  if (place.port === 0) throw usage("--http takes a port from 1 to 65535", EXAMPLE);
  const authority = port === undefined ? formatHostPort(place) : `localhost:${place.port}`;
  return { place, authority };
}

/**
 * Reads the token from the variable `name`. The messages do not repeat `name`, because it may be the token itself,
 * written there by mistake.
 */
function tokenOf(name: string, env: Env): string {
  const value = env[name];
  if (name === "" || value === undefined)
    throw usage(
      "--http-token-env names no variable that is set",
      "it takes the name of a variable that holds the token: --http-token-env SVC_MCP_TOKEN",
    );
  const fault = bearerFault(value);
  if (fault === undefined) return value;
  throw usage(
    `the token in the variable that --http-token-env names ${fault}`,
    "openssl rand -hex 32 makes a good one",
  );
}
