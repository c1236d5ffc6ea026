/** When a signal stops the server, running calls have this long to finish (facts mcp 1.2). */
export const DRAIN_MS = 10_000;
