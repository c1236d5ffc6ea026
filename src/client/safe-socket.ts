import type { PathFault } from "../config/path-fault.ts";
import { socketFault } from "../config/private-path.ts";
import { UnavailableError } from "../shared/answer-errors.ts";

/** Throws if another user could have created the socket. This is checked before each connection. */
export function requireSafeSocket(path: string): void {
  const fault = socketFault(path);
  if (fault !== undefined) throw unsafeSocket(path, fault);
}

interface SocketPlace {
  readonly network: "unix" | "tcp";
  readonly address: string;
}

/**
 * Whether the address of a record may be called. The result is false if another user controls the address. If only the
 * permissions of the user's own folder are wrong, it throws an error that says how to correct them, because the user's
 * daemon may well run there.
 */
export function isSafe({ network, address }: SocketPlace): boolean {
  const fault = network === "unix" ? socketFault(address) : undefined;
  if (fault?.ours === true) throw unsafeSocket(address, fault);
  return fault === undefined;
}

function unsafeSocket(socket: string, { path, what, hint }: PathFault): UnavailableError {
  const whose = path === socket ? "" : ` of the socket ${socket}`;
  return new UnavailableError(`${path}${whose} ${what}; nothing was sent`, { hint });
}
