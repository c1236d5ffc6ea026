/** The actor of whoever has the configured token; no API token may act under this name. */
export const BOOTSTRAP_ACTOR = "bootstrap";
