/** This file has the names that no API token may act under. */

/** The actor of a caller with the configured token. */
export const BOOTSTRAP_ACTOR = "bootstrap";

/** The actor of writes that the daemon makes by itself: deliveries of jobs and requests about dates. */
export const SYSTEM_ACTOR = "system";
