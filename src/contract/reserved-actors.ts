/** This file has the names under which nobody may write. */

/** The actor of a caller with the configured token. */
export const BOOTSTRAP_ACTOR = "bootstrap";

/** The actor of writes that the daemon makes by itself: deliveries of jobs and requests about dates. */
export const SYSTEM_ACTOR = "system";

/** In a command, this means the caller's own name. */
export const ME = "@me";

/** Another word for the caller's own name. Unlike `@me`, it can also be the real name of a person. */
export const ME_WORD = "me";
