/**
 * Why a search by meaning cannot be answered, and what to do about it. The text is shown as `degraded_reason`, and as
 * the message of 503.
 */
export const UNAVAILABLE = {
  no_generation:
    "no active embedding generation (backfill in progress); search again in a few seconds, and svc search status shows how far it is",
  other_model:
    "embedding model changed; new index is backfilling; wait until the backlog of svc search status is 0",
  provider_silent:
    "the embedding provider gave no answer in time, or is overloaded; see that it runs and can be reached, or ask it with svc doctor",
  provider_refused:
    "the embedding provider did not embed the query; svc doctor asks it and says what is wrong",
  index_unreadable:
    "the index of meanings cannot be read now; if this goes on, see svc doctor and svc daemon logs",
} as const;

export type UnavailableReason = keyof typeof UNAVAILABLE;
