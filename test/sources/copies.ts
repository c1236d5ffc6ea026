interface Dated {
  readonly id: string;
  readonly title?: string;
  readonly created_at: string;
}

/** Gives the records with the same id the title and the creation time of the first of them: copies of one issue. */
export function copiesOfOneIssue<R extends Dated>(records: readonly R[]): readonly R[] {
  return records.map((record) => {
    const { title, created_at } = records.find(({ id }) => id === record.id) ?? record;
    const { title: _own, ...rest } = record;
    return { ...rest, created_at, ...(title === undefined ? {} : { title }) } as R;
  });
}
