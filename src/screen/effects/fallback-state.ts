/**
 * How the screen learns of changes: by the event stream or, while no stream can be opened, by asking for the log.
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
 * `opening` and `trying` last a short time, so that a connection that is back soon is not reported as lost. An accepted
 * stream counts once it has brought something, because a proxy may accept a stream and hold back all that it brings.
 */
export type FallbackState = "opening" | "streaming" | "trying" | "polling" | "away";

/**
 * - `received`: the stream has brought something, which may be a heartbeat.
 * - `lost`: the stream has ended or could not be opened. It is tried again.
 * - `refused`: the daemon gives no stream. It is not tried again.
 * - `answered`, `unanswered`: the log was asked for.
 * - `elapsed`: the state has lasted its short time.
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

/** Whether the log is asked for in this state. */
export function isAsking(state: FallbackState): boolean {
  return state === "trying" || state === "polling" || state === "away";
}

/** Whether this state lasts a short time only. */
export function isShort(state: FallbackState): boolean {
  return state === "opening" || state === "trying";
}
