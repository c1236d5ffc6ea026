/** What an agent host sends to its model, in a form that all APIs of models share. */
export interface Turn {
  /** The tools that the model may call, under the names that the host gives them. */
  readonly tools: readonly OfferedTool[];
  /** Names of tools whose definitions the model has to ask for before it can call them; absent in most hosts. */
  readonly deferred?: readonly string[];
  /** What the host gave the model of each tool's answer, oldest first. */
  readonly results: readonly string[];
}

export interface OfferedTool {
  readonly name: string;
  /** The group in which a host offers the tools of a server; a call must name it too. */
  readonly namespace?: string;
}

/**
 * An answer of the mock model: a call of one tool, or a final text. All answers of a conversation have different ids,
 * because some libraries drop a message whose id they already know.
 */
export type Reply = { readonly id: string } & (
  | { readonly kind: "call"; readonly tool: OfferedTool; readonly args: Body }
  | { readonly kind: "text"; readonly text: string }
);

/** An API by which hosts call models. */
export interface Dialect {
  readonly path: RegExp;
  read(body: Body): Turn;
  /** The body of the answer to a host that does not request a stream. */
  whole(reply: Reply): unknown;
  /** The events of the answer to a host that requests a stream. */
  stream(reply: Reply): readonly StreamEvent[];
  isStream(body: Body, path: string): boolean;
}

export type Body = Readonly<Record<string, unknown>>;

export interface StreamEvent {
  /** Absent if the events of this API have no names. */
  readonly event?: string;
  readonly data: unknown;
}

export function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objects(value: unknown): readonly Body[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}

export function named({ name }: Body): readonly OfferedTool[] {
  return typeof name === "string" ? [{ name }] : [];
}
