/** A program of the person's own, with its arguments, under the name that the menu shows. */
export interface OwnCommand {
  readonly name: string;
  readonly argv: readonly string[];
}
