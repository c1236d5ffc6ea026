/** "svc1" in ASCII: the first key of every advisory lock. The second key is a hash of the schema and the purpose. */
export const LOCKS = 0x73766331;

/** Whoever writes holds this lock until the end of the transaction. */
export function writeLockName(schema: string): string {
  return `${schema} write`;
}

/** Every daemon with the database open shares this lock; an offline upgrade takes it exclusively. */
export function daemonLockName(schema: string): string {
  return `${schema} served`;
}
