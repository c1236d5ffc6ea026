/** Thrown if the result of a command could not be written to stdout, for example because the disk is full. */
export class OutputError extends Error {
  override readonly name = "OutputError";
  /** The output that was not written. */
  readonly text: string;

  constructor(text: string, cause: unknown) {
    super("stdout cannot be written to", { cause });
    this.text = text;
  }
}
