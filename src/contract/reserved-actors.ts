/** This file has the names under which nobody may write. */

/** The actor of a caller with the configured token. */
export const BOOTSTRAP_ACTOR = "bootstrap";

/** The actor of writes that the daemon makes by itself: deliveries of jobs and requests about dates. */
export const SYSTEM_ACTOR = "system";

/** How the names of connectors begin: what a run takes over from another tracker is written as `connector:<id>`. */
export const CONNECTOR_ACTOR_PREFIX = "connector:";

/** The actor of what a connector brings. `instance` is its id in config.toml. */
export function connectorActor(instance: string): string {
  return `${CONNECTOR_ACTOR_PREFIX}${instance}`;
}

/** In a command, this means the caller's own name. */
export const ME = "@me";

/** Another word for the caller's own name. Unlike `@me`, it can also be the real name of a person. */
export const ME_WORD = "me";
