/** What a purge says of the bytes, after what it did. */
export interface Erased {
  readonly erased?: boolean | undefined;
  readonly erasure?: string | undefined;
}

/** Nothing that svc can reach holds a copy but what the user made: that is said each time. */
export function erasedLines({ erased, erasure }: Erased): readonly string[] {
  return [
    ...(erased === false && erasure !== undefined ? [`not erased yet: ${erasure}`] : []),
    "Backups, exports and copies of the database (svc.db.before-…, svc_before_schema_…) made before still hold it: delete those that need not be kept.",
  ];
}
