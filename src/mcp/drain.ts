/** Calls that run get this long to end when the server is stopped by a signal (facts mcp 1.2). */
export const DRAIN_MS = 10_000;
