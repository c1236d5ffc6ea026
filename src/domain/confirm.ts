/**
 * This file has the texts that a caller must repeat to delete or erase something, or to decide about a refused batch
 * (docs/contract/http-api.md#18-confirmation).
 */

/** `name` is the qualified id. */
export function deleteConfirmation(name: string): string {
  return `DELETE ${name}`;
}

/** `name` is the qualified id of an issue, or the name of a project. */
export function purgeConfirmation(name: string): string {
  return `PURGE ${name}`;
}

export function retryConfirmation(quarantineId: number): string {
  return `RETRY FEDERATION BATCH ${quarantineId}`;
}

export function skipConfirmation(quarantineId: number): string {
  return `SKIP FEDERATION BATCH ${quarantineId}`;
}
