/**
 * How a daemon authenticates requests. The mode is decided once at start, for all listeners of the daemon
 * (docs/contract/network-and-access.md#11-the-start-up-table).
 * - `open`: without credentials, on a socket or loopback.
 * - `tokenless`: without credentials, on a private network.
 * - `readonly`: without credentials, for reads only.
 * - `static`: by one shared token.
 * - `identity`: by a token of each person.
 */
export type Mode = "open" | "tokenless" | "readonly" | "static" | "identity";
