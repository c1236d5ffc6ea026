import { nearest } from "../shared/nearest.ts";
import { compacted } from "./compact.ts";
import entries from "./entries.json" with { type: "json" };
import type { ToolEntry } from "./entry.ts";
import { dotted, inForm, type NameForm } from "./names.ts";
import { loaderName, SECTION_NAMES, SECTIONS, type Section, toolNames } from "./sections.ts";
import { READS, type Tool } from "./tool.ts";
import { TOOLS } from "./tools/index.ts";

/**
 * The answer of a loader tool: the section that it loads, and the tools of that section
 * (docs/contract/tools.md#5-loaders).
 */
export interface LoadedSection {
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

/** How the tools are listed. The style does not change what a call does. */
export interface ListStyle {
  readonly names: NameForm;
  readonly isCompact: boolean;
  /**
   * Whether answers are only text. This is for hosts that would give the model both the text and the structure of an
   * answer.
   */
  readonly isText?: boolean;
}

const USUAL_STYLE: ListStyle = { names: "dot", isCompact: false };

type Listener = (caller: Caller | undefined) => void;

/** What a name in a call means: the loader of a section, or a tool of an available section. */
export type NamedTool =
  | { readonly kind: "loader"; readonly section: Section }
  | { readonly kind: "tool"; readonly section: Section; readonly entry: ToolEntry };

/**
 * The tools that clients see. At first there is one loader for each section. Calling a loader adds the tools of its
 * section for all clients of the process (docs/contract/tools.md#24-over-http and docs/contract/tools.md#5-loaders).
 * Sections can also be loaded from the start.
 */
export class Catalog {
  readonly #available: ReadonlySet<Section>;
  readonly #atStart: ReadonlySet<Section>;
  readonly #loaded: Set<Section>;
  readonly #style: ListStyle;
  readonly #listeners = new Set<Listener>();

  /**
   * @param available The sections whose conditions were met when the server started.
   * @param load The sections to load from the start, of those that are available.
   * @param style How the tools are listed.
   */
  constructor(
    available: ReadonlySet<Section>,
    load: readonly Section[] = [],
    style: ListStyle = USUAL_STYLE,
  ) {
    this.#available = available;
    this.#atStart = new Set(load.filter((section) => available.has(section)));
    this.#loaded = new Set(this.#atStart);
    this.#style = style;
  }

  get isText(): boolean {
    return this.#style.isText === true;
  }

  /**
   * Returns the loaders, then the tools of the loaded sections, each in the order of docs/contract/tools.md#8-tools. A
   * section that was loaded from the start has no loader in the list.
   */
  list(): readonly ToolEntry[] {
    const loaders = SECTION_NAMES.filter((section) => !this.#atStart.has(section)).map(loaderOf);
    const shown = SECTION_NAMES.filter((section) => this.#loaded.has(section));
    const listed = [...loaders, ...shown.flatMap((section) => ENTRIES.get(section) ?? [])];
    return listed.map((entry) => this.#styledEntry(entry));
  }

  /** Returns the text with the names of tools in the listed form. */
  named(text: string): string {
    return inForm(text, this.#style.names);
  }

  isLoaded(section: Section): boolean {
    return this.#loaded.has(section);
  }

  /** Returns what the name means, or `undefined` for a name that is unknown or whose section is not available. */
  find(nameInCall: string): NamedTool | undefined {
    const name = dotted(nameInCall);
    for (const section of SECTION_NAMES) {
      if (loaderName(section) === name) return { kind: "loader", section };
      const entry = ENTRIES.get(section)?.find((one) => one.name === name);
      if (entry !== undefined && this.#available.has(section))
        return { kind: "tool", section, entry };
    }
    return undefined;
  }

  /** Returns the available tool or the loader whose name is most like this one. */
  nearest(nameInCall: string): string | undefined {
    const name = dotted(nameInCall);
    const available = SECTION_NAMES.filter((section) => this.#available.has(section));
    const whole = name.startsWith("svc.") ? name : `svc.${name}`;
    return nearest(whole, [...available.flatMap(toolNames), ...SECTION_NAMES.map(loaderName)]);
  }

  /** Loads a section. Calls the listeners if this added tools. */
  async load(section: Section, caller?: Caller): Promise<LoadedSection> {
    const tools = toolNames(section).map((name) => this.named(name));
    if (!this.#available.has(section)) return { section, available: false, loaded: false, tools };
    await TOOLS[section]();
    if (!this.#loaded.has(section)) {
      this.#loaded.add(section);
      for (const listener of this.#listeners) listener(caller);
    }
    return { section, available: true, loaded: true, tools };
  }

  /** Returns a tool of the section, which is loaded first if it is not (docs/contract/tools.md#5-loaders). */
  async tool(section: Section, name: string, caller?: Caller): Promise<Tool | undefined> {
    await this.load(section, caller);
    return (await TOOLS[section]()).find((tool) => tool.name === name);
  }

  #styledEntry(entry: ToolEntry): ToolEntry {
    const { names, isCompact } = this.#style;
    const shown = isCompact ? compacted(entry) : entry;
    return names === "dot" ? shown : (JSON.parse(this.named(JSON.stringify(shown))) as ToolEntry);
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

function loaderOf(section: Section): ToolEntry {
  return {
    name: loaderName(section),
    description: `Adds ${SECTIONS[section].join(", ")}`,
    annotations: READS,
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
    },
  };
}
