/** The result of a command could not be written to stdout, as when a file there has no room on its disk. */
export class OutputError extends Error {
  override readonly name = "OutputError";
  /** The output that was not written. */
  readonly text: string;

  constructor(text: string, cause: unknown) {
    super("stdout cannot be written to", { cause });
    this.text = text;
  }
}
