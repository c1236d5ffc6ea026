/** The union of the variants in a table. Each variant has its name in the field `Tag`. */
export type Tagged<Table, Tag extends string> = {
  readonly [Name in keyof Table]: Readonly<Record<Tag, Name>> & Table[Name];
}[keyof Table];
