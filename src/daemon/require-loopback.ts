import { formatHostPort, scopeOfAddress } from "../config/addresses.ts";
import type { Place } from "./listener.ts";
import { StartError } from "./start-error.ts";

/**
 * Throws for a TCP address that is not loopback, because the modes for private networks need tokens (doc 3,
 * Authentication).
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
