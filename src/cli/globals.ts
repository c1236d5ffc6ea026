export interface Globals {
  readonly workspace?: string | undefined;
  readonly project?: string | undefined;
  readonly daemon?: string | undefined;
  readonly as?: string | undefined;
  readonly teammate?: string | undefined;
  readonly fence?: number | undefined;
  readonly quiet?: boolean | undefined;
}

/** Picks the global flags from the parsed ones. */
export function globalsOf(flags: Readonly<Record<string, unknown>>): Globals {
  const text = (name: keyof Globals): string | undefined => {
    const value = flags[name];
    return typeof value === "string" ? value : undefined;
  };
  return {
    workspace: text("workspace"),
    project: text("project"),
    daemon: text("daemon"),
    as: text("as"),
    teammate: text("teammate"),
    fence: typeof flags["fence"] === "number" ? flags["fence"] : undefined,
    quiet: flags["quiet"] === true,
  };
}
