import type {
  Described,
  Descriptor,
  ExternalComment,
  FieldValue,
  Root,
} from "../../domain/bridges/values.ts";

/** `missing`: the instance is not configured. `request`: the connector answered with an error. */
export type FaultKind = "process" | "protocol" | "timeout" | "request" | "missing";

/** A call of a connector that failed. Its message is one of four texts, so that it may be shown and stored. */
export class ConnectorFault extends Error {
  override readonly name = "ConnectorFault";
  readonly kind: FaultKind;
  /** The connector's error code, without secrets; undefined if it gave none. */
  readonly code: string | undefined;
  /** The rule of docs/connectors.md that the connector breaks, if it breaks one. */
  readonly rule: string | undefined;
  /** What happened, without secrets. Only `svc connector test` shows it, to the person who runs it. */
  readonly detail: string | undefined;

  constructor(
    kind: FaultKind,
    {
      code,
      rule,
      detail,
      cause,
    }: { code?: string; rule?: string; detail?: string; cause?: unknown } = {},
  ) {
    super(kind === "missing" ? SAFE_TEXTS.request : SAFE_TEXTS[kind], { cause });
    this.kind = kind;
    this.code = code;
    this.rule = rule;
    this.detail = detail;
  }
}

/** All that an answer of the API may say of a failed call. */
export const SAFE_TEXTS = {
  process: "external connector process failed",
  protocol: "external connector protocol failed",
  timeout: "external connector request timed out",
  request: "external connector request failed",
} as const;

/**
 * The methods of one connector (docs/connectors.md). Each call starts the program once. A method throws
 * `ConnectorFault`, or the reason of the caller's signal if that was aborted.
 */
export interface ConnectorClient {
  describe(): Promise<Described>;
  resolveRoot(locator: string): Promise<Root>;
  readRoot(rootKey: string): Promise<Root>;
  listComments(rootKey: string): Promise<readonly ExternalComment[]>;
  completeRoot(rootKey: string): Promise<Root>;
  /** `self_actor_id` comes from a `describe` of the same run: the comment must be by this author. */
  publishComment(ask: Publication): Promise<ExternalComment>;
  listFields(): Promise<readonly Descriptor[]>;
  /** The result has exactly the asked ids. */
  readFields(
    rootKey: string,
    fieldIds: readonly string[],
  ): Promise<ReadonlyMap<string, FieldValue>>;
  /** Throws a fault with the code `field_conflict` if a value is not the expected one. */
  writeFields(ask: FieldWrite): Promise<ReadonlyMap<string, FieldValue>>;
}

export interface Publication {
  readonly root_key: string;
  readonly body: string;
  /** The same for each attempt to publish the same comment. */
  readonly operation_id: string;
  readonly self_actor_id: string;
}

/** `values` and `expected` have the same keys. */
export interface FieldWrite {
  readonly root_key: string;
  readonly values: ReadonlyMap<string, FieldValue>;
  readonly expected: ReadonlyMap<string, FieldValue>;
}
