/** The name that requests over a Unix socket are addressed to; no such name can exist (facts cli-and-config 1.7). */
export const LOCAL_HOST = "svc.invalid";
