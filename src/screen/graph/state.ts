import type { criticalPath, reachableIssueGraph } from "../../contract/graph.ts";
import type { Output } from "../../contract/route.ts";

export interface GraphState {
  readonly source: string;
  /** Earlier sources, the most recent at the end. */
  readonly before: readonly string[];
  readonly depth: number | "full";
  readonly hideDone: boolean;
  readonly transitive: boolean;
  readonly folded: ReadonlySet<string>;
  readonly cursor: number;
  readonly data: Output<typeof reachableIssueGraph> | undefined;
  /** The longest chain of open blockers that ends in the source; shown instead of the tree with `showChain`. */
  readonly chain: Output<typeof criticalPath> | undefined;
  readonly showChain: boolean;
  readonly error: string | undefined;
}

declare module "../state.ts" {
  interface ScreenStates {
    /** `undefined` until a graph is opened. */
    readonly graph: GraphState | undefined;
  }
}

declare module "../message.ts" {
  interface ScreenMessages {
    readonly graph: {
      readonly graph: { readonly source: string; readonly graph: Partial<GraphState> };
    };
  }
}

declare module "../effect.ts" {
  interface ScreenEffects {
    readonly "load-graph": {
      readonly source: string;
      /** The project and the id of `source`; if they are not known, the daemon is asked for them first. */
      readonly at: { readonly project_id: number; readonly ref: string } | undefined;
      readonly depth: number | "full";
      readonly hideDone: boolean;
      readonly wait: number;
    };
    readonly "load-chain": {
      readonly source: string;
      readonly at: { readonly project_id: number; readonly ref: string } | undefined;
      readonly wait: number;
    };
  }
}
