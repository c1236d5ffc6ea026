/** The Host header of requests over a Unix socket. No real host has a name in `.invalid` (facts cli-and-config 1.7). */
export const LOCAL_HOST = "svc.invalid";
