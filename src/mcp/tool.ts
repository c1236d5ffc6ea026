import type { z } from "zod";
import type { CallInput, Output, Route } from "../contract/route.ts";
import type { Scope } from "./scope.ts";

/**
 * The four hints of a tool in this order: reads only, destroys, repeating changes nothing more, reaches beyond this
 * daemon (`readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`).
 */
export type Hints = `${Sign}${Sign}${Sign}${Sign}`;
type Sign = "+" | "-";

/** What a tool works with during one call. */
export interface ToolContext {
  readonly scope: Scope;
  /** To whom writes are attributed; fixed when the server starts. */
  readonly actor: string;
  /** Aborted when the client cancels the call or goes away. */
  readonly signal: AbortSignal;
  /** Calls the daemon; throws its refusal as `SvcError`. */
  call<R extends Route>(route: R, input: CallInput<R>): Promise<Output<R>>;
}

/** One tool (facts mcp 8). `title` and `description` are for the agent that chooses it. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: Hints;
  /** A closed object; every property has a description. */
  readonly input: I;
  /** A closed object; its properties have no descriptions, which would double the catalogue. */
  readonly output: O;
  run(input: z.output<I>, context: ToolContext): Promise<z.input<O>>;
}

/** Returns the tool; only the types of its input and output are inferred. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(spec: Tool<I, O>): Tool<I, O> {
  return spec;
}
