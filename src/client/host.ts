/**
 * The Host header of requests over a Unix socket. No real host has a name in `.invalid`
 * (docs/contract/command-line.md#17-requests).
 */
export const LOCAL_HOST = "svc.invalid";
