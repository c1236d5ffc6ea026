import entries from "./entries.json" with { type: "json" };
import { annotationsOf, type ToolEntry } from "./entry.ts";
import { loaderName, SECTION_NAMES, SECTIONS, type Section, toolNames } from "./sections.ts";
import type { Tool } from "./tool.ts";
import { TOOLS } from "./tools/index.ts";

/** The answer of a loader tool: the section that it loads, and the tools of that section (facts mcp 5). */
export interface Loaded {
  readonly section: Section;
  readonly available: boolean;
  readonly loaded: boolean;
  readonly tools: readonly string[];
}

export interface Caller {
  /** The protocol server of this client. */
  readonly server: object;
  /** Sends this client a notification that the list of tools has changed, together with the answer to its call. */
  announce(): void;
}

type Listener = (caller: Caller | undefined) => void;

/**
 * The tools that clients see. At first there is one loader for each section. Calling a loader adds the tools of its
 * section for all clients of the process (facts mcp 2.4, 5).
 */
export class Catalog {
  readonly #available: ReadonlySet<Section>;
  readonly #loaded = new Map<Section, ReadonlyMap<string, Tool>>();
  readonly #listeners = new Set<Listener>();

  /**
   * @param available The sections whose conditions were met when the server started.
   */
  constructor(available: ReadonlySet<Section>) {
    this.#available = available;
  }

  /** Returns the loaders, then the tools of the loaded sections, each in the order of doc 3. */
  list(): readonly ToolEntry[] {
    const shown = SECTION_NAMES.filter((section) => this.#loaded.has(section));
    return [...LOADERS, ...shown.flatMap((section) => ENTRIES.get(section) ?? [])];
  }

  loader(name: string): Section | undefined {
    return SECTION_NAMES.find((section) => loaderName(section) === name);
  }

  tool(name: string): Tool | undefined {
    for (const tools of this.#loaded.values()) {
      const found = tools.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Loads a section. Calls the listeners if this added tools. */
  async load(section: Section, caller?: Caller): Promise<Loaded> {
    const tools = toolNames(section);
    if (!this.#available.has(section)) return { section, available: false, loaded: false, tools };
    const made = await TOOLS[section]();
    if (!this.#loaded.has(section)) {
      this.#loaded.set(section, new Map(made.map((tool) => [tool.name, tool])));
      for (const listener of this.#listeners) listener(caller);
    }
    return { section, available: true, loaded: true, tools };
  }

  /** Calls the listener whenever tools are added. Returns a function that removes the listener. */
  onGrown(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

const ENTRIES: ReadonlyMap<Section, readonly ToolEntry[]> = new Map(
  SECTION_NAMES.map((section) => {
    const names = new Set(toolNames(section));
    return [section, (entries as readonly ToolEntry[]).filter(({ name }) => names.has(name))];
  }),
);

const LOADERS: readonly ToolEntry[] = SECTION_NAMES.map((section) => ({
  name: loaderName(section),
  description: `Adds the tools ${SECTIONS[section].join(", ")}`,
  annotations: annotationsOf("+-+-"),
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  outputSchema: {
    type: "object",
    properties: {
      section: { type: "string" },
      available: { type: "boolean" },
      loaded: { type: "boolean" },
      tools: { type: "array", items: { type: "string" } },
    },
    required: ["section", "available", "loaded", "tools"],
    additionalProperties: false,
  },
}));
