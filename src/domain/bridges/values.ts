import type { Instant } from "../../base/clock.ts";
import type { JsonObject } from "../../base/json.ts";

/** What a connector says of one object of its provider (docs/connectors.md). */
export interface Root {
  /** The provider's name of the object, which never changes. */
  readonly key: string;
  /** The account by which the object was read: that of `Described`. */
  readonly identity_key: string;
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "complete" | "deleted";
  /** Compared for equality only. */
  readonly revision: string;
  readonly updated_at: Instant;
  /** When the connector read the object. */
  readonly observed_at: Instant;
  readonly actor?: { readonly id: string; readonly display_name: string };
  readonly fields?: ReadonlyMap<string, FieldValue>;
}

export interface ExternalComment {
  readonly id: string;
  readonly revision: string;
  readonly body: string;
  readonly author: { readonly id: string; readonly display_name?: string };
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly deleted: boolean;
}

export const FIELD_KINDS = ["null", "date", "local_datetime", "instant"] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** A date field's value, in its canonical form: see `canonicalValue`. */
export type FieldValue =
  | { readonly kind: "null" }
  | { readonly kind: "date"; readonly value: string }
  | { readonly kind: "local_datetime"; readonly value: string; readonly timezone: string }
  | { readonly kind: "instant"; readonly value: string };

/** A date field that the provider has. */
export interface Descriptor {
  readonly id: string;
  readonly display_name: string;
  readonly accepted_kinds: readonly FieldKind[];
  readonly nullable: boolean;
  readonly writable: boolean;
  readonly schema_revision: string;
}

export const CAPABILITIES = ["publish_comment", "fields", "conditional_fields"] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** What a connector says of itself. */
export interface Described {
  readonly connector_id: string;
  readonly display_name: string;
  readonly protocol: string;
  readonly capabilities: readonly Capability[];
  /** The account at the provider. Opaque. */
  readonly account_identity: string;
  /** The author of the comments that the connector writes. */
  readonly self_actor_id?: string;
  readonly config_schema?: JsonObject;
}
