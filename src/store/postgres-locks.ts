/** "svc1": the first half of every advisory lock of ours; the second half is made of the schema and the purpose. */
export const LOCKS = 0x73766331;

/** Shared by all that have the database open, on whatever machine; alone with whoever upgrades it offline. */
export function servedLock(schema: string): string {
  return `${schema} served`;
}
