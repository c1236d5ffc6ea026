import tried from "./tried.json" with { type: "json" };

/** How a host treated tool servers when it was last tried. `npm run bench -- mcp-hosts` writes these rows. */
export interface HostTrial {
  readonly title: string;
  /** The name of the host for `--client`; absent for a library. */
  readonly client?: string;
  readonly package: string;
  readonly version: string;
  readonly date: string;
  /**
   * How soon the host's model can call a tool that the server has added during a call of another tool: in the next call
   * (`at once`), some calls later (`later`), or `never` in one run.
   */
  readonly lists_again: string;
  /** Which part of a tool's answer reaches the model: its text, its structured content or both. */
  readonly reads: string;
  /**
   * How many copies of an answer the host's model gets if the answer has structured content, and the same content as
   * JSON in its text.
   */
  readonly copies: number;
  /** What the host does with a dot in the name of a tool. */
  readonly dots: string;
  /**
   * How many of the six steps of a short piece of work succeeded with the configuration that `svc mcp install` writes.
   */
  readonly steps: number;
}

export const TRIED: readonly HostTrial[] = tried;

/** The sections of tools that an agent needs to find, do and finish work. */
const WORKING = "issue_discovery,issue_mutation,issue_lifecycle";

/**
 * Returns the flags of `svc mcp serve` that a host needs. A host that was not tried gets the flags with which every
 * host works:
 * - A host that does not list tools again at once gets the tools from the start. Their definitions are short, because
 *   the host's model reads all of them.
 * - A host that does not keep the dots in names of tools gets names with underscores. Otherwise its model would look
 *   for the names that the server's texts mention, and not find these tools.
 * - A host that gives its model both the text and the structure of an answer gets only the text, which each host
 *   understands.
 */
export function serveFlags(client: string | undefined): readonly string[] {
  const seen = hostTrialOf(client);
  return [
    ...(seen?.lists_again === "at once" ? [] : ["--load", WORKING, "--compact"]),
    ...(seen?.dots === "kept" ? [] : ["--tool-names", "underscore"]),
    ...(seen === undefined || seen.copies > 1 ? ["--content", "text"] : []),
  ];
}

/** The trial of the host with this name; `undefined` if it was not tried. */
export function hostTrialOf(client: string | undefined): HostTrial | undefined {
  return TRIED.find((row) => client !== undefined && row.client === client);
}
