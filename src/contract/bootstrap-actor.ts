/** The actor of a caller with the configured token; no API token may act under this name. */
export const BOOTSTRAP_ACTOR = "bootstrap";
