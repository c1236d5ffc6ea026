/** This file has the names under which nobody may write. */

/** The actor of a caller with the configured token. */
export const BOOTSTRAP_ACTOR = "bootstrap";

/** The actor of writes that the daemon makes by itself: deliveries of jobs and requests about dates. */
export const SYSTEM_ACTOR = "system";

/** Stands for the caller's own name where a command takes a name. */
export const ME = "@me";

/** What people type for themselves too. Unlike `@me` it can be the name of somebody. */
export const ME_WORD = "me";
