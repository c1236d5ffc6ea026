/** This file has the texts that a caller must repeat to delete or erase something (facts http-api 1.8). */

/** `name` is the qualified id. */
export function deleteConfirmation(name: string): string {
  return `DELETE ${name}`;
}

/** `name` is the qualified id of an issue, or the name of a project. */
export function purgeConfirmation(name: string): string {
  return `PURGE ${name}`;
}
