import { type PathFault, socketFault } from "../config/private-path.ts";
import { UnavailableError } from "../shared/answer-errors.ts";

/** Refuses a socket that another user could have put there; checked before each connection. */
export function requireSafeSocket(path: string): void {
  const fault = socketFault(path);
  if (fault !== undefined) throw unsafeSocket(path, fault);
}

interface Place {
  readonly network: "unix" | "tcp";
  readonly address: string;
}

/**
 * Whether a record's address may be called. An address under another user's control counts as dead. If only the mode of
 * the user's own folder is wrong, it throws an error that names the cure, because a daemon may well run there.
 */
export function isSafe({ network, address }: Place): boolean {
  const fault = network === "unix" ? socketFault(address) : undefined;
  if (fault?.ours === true) throw unsafeSocket(address, fault);
  return fault === undefined;
}

function unsafeSocket(socket: string, { path, what, cure }: PathFault): UnavailableError {
  const whose = path === socket ? "" : ` of the socket ${socket}`;
  return new UnavailableError(`${path}${whose} ${what}; nothing was sent`, { hint: cure });
}
