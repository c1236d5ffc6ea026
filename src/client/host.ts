/** The Host header of requests over a Unix socket; `.invalid` names never exist (facts cli-and-config 1.7). */
export const LOCAL_HOST = "svc.invalid";
