/** "svc1" in ASCII: the first key of every advisory lock. The second key is a hash of the schema and the purpose. */
export const LOCKS = 0x73766331;

/** Every daemon with the database open shares this lock; an offline upgrade takes it exclusively. */
export function servedLock(schema: string): string {
  return `${schema} served`;
}
