import { type PathFault, socketFault } from "../config/private-path.ts";
import { UnavailableError } from "../shared/answer-errors.ts";

/** Nothing is sent to a socket that another user could have put there. Looked at before each connection. */
export function requireSafeSocket(path: string): void {
  const fault = socketFault(path);
  if (fault !== undefined) throw unsafeSocket(path, fault);
}

/** What a record says of where its daemon listens. */
interface Place {
  readonly network: "unix" | "tcp";
  readonly address: string;
}

/**
 * Whether a record's address may be asked. An address that is somebody else's leads nowhere, like that of a dead
 * daemon. Where only the mode of our own folder is wrong, a daemon of ours may well be there: that is an error that says
 * how to mend it.
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
