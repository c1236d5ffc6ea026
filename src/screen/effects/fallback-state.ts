/**
 * How the screen learns of changes: by the event stream or, while no stream can be opened, by reading the log at
 * intervals (polling).
 *
 *   opening ──── received ──────────────> streaming
 *   opening ──── elapsed, refused ──────> trying
 *   streaming ── lost ──────────────────> opening
 *   streaming ── refused ───────────────> trying
 *   trying ───── answered ──────────────> polling
 *   trying ───── unanswered, elapsed ───> away
 *   polling ──── unanswered ────────────> away
 *   away ─────── answered ──────────────> polling
 *   trying, polling, away ── received ──> streaming
 *
 * The states `opening` and `trying` last only a short time. In these states nothing is reported, because the connection
 * may soon be back. A stream counts as working only after it has delivered something, because a proxy may accept a
 * stream and hold back all data.
 */
export type FallbackState = "opening" | "streaming" | "trying" | "polling" | "away";

/**
 * - `received`: the stream has delivered something, possibly only a heartbeat.
 * - `lost`: the stream has ended or could not be opened. The stream is tried again.
 * - `refused`: the daemon has no stream, or this caller may not use it. The stream is not tried again.
 * - `answered`, `unanswered`: the log could be read, or could not.
 * - `elapsed`: the time limit of `opening` or of `trying` is over.
 */
export type FallbackEvent = "received" | "lost" | "refused" | "answered" | "unanswered" | "elapsed";

export function nextFallback(state: FallbackState, event: FallbackEvent): FallbackState {
  return MOVES[state][event] ?? state;
}

const MOVES: Readonly<
  Record<FallbackState, Readonly<Partial<Record<FallbackEvent, FallbackState>>>>
> = {
  opening: { received: "streaming", elapsed: "trying", refused: "trying" },
  streaming: { lost: "opening", refused: "trying" },
  trying: { received: "streaming", answered: "polling", unanswered: "away", elapsed: "away" },
  polling: { received: "streaming", unanswered: "away" },
  away: { received: "streaming", answered: "polling" },
};

/** Whether the log is polled in this state. */
export function isAsking(state: FallbackState): boolean {
  return state === "trying" || state === "polling" || state === "away";
}

/** Whether this state lasts only a short time. */
export function isShort(state: FallbackState): boolean {
  return state === "opening" || state === "trying";
}
