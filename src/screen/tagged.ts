/** The union of the variants in one or more tables. Each variant has its name in the field `Tag`. */
export type Tagged<Table, Tag extends string> = Table extends unknown
  ? { readonly [Name in keyof Table]: Readonly<Record<Tag, Name>> & Table[Name] }[keyof Table]
  : never;
