/**
 * How a daemon authenticates requests, decided once at start for all of its listeners (facts browser-and-auth 1.1):
 * without credentials on a socket or loopback (`open`), without credentials on a private network (`tokenless`), without
 * credentials for reads only (`readonly`), by one shared token (`static`), or by a token of each person (`identity`).
 */
export type Mode = "open" | "tokenless" | "readonly" | "static" | "identity";
