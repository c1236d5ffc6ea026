import { formatHostPort, scopeOfAddress } from "../config/addresses.ts";
import type { Place } from "./listeners.ts";
import { StartError } from "./start-error.ts";

/**
 * This release serves its own machine only: a TCP listener takes loopback addresses. The modes for private networks
 * (doc 3, Authentication) need tokens and come with them.
 */
export function requireLoopback(place: Place): void {
  if ("path" in place || scopeOfAddress(place.host) === "loopback") return;
  throw new StartError(
    "address",
    `cannot listen on ${formatHostPort(place)}: only loopback addresses are served`,
    {
      hint: "use --listen 127.0.0.1:7777 or [::1]:7777; other machines reach it through an SSH tunnel",
    },
  );
}
