import { z } from "zod";
import { shape } from "./shape.ts";

/** What a connector said of the record from which the change comes (docs/contract/events.md#38-bridges). */
export const ExternalSource = () =>
  z.strictObject({
    connector_instance: z.string(),
    external_root_key: z.string(),
    external_revision: z.string(),
    external_comment_id: z.string().optional(),
    actor_id: z.string().optional(),
    actor_name: z.string().optional(),
    created_at: z.string().optional(),
    updated_at: z.string().optional(),
    observed_at: z.string().optional(),
    /** Of a comment that was deleted there. */
    deleted: z.boolean().optional(),
  });

/**
 * A bridge as it is after the event. Closed, so that no account, value or locator gets into the log.
 */
const BridgePayload = () =>
  z.strictObject({
    binding_uid: z.string(),
    connector_instance: z.string(),
    external_root_key: z.string(),
    actor: z.string(),
    active: z.boolean(),
    enabled: z.boolean(),
    pending_comment_uid: z.string().optional(),
  });

const FieldPayload = () =>
  BridgePayload().extend({ svc_field: z.enum(["scheduled_on", "deadline_on"]) });

/** The payloads of the events of a bridge (docs/contract/events.md#38-bridges). */
export const BRIDGE_PAYLOADS = {
  "issue.external_root_bound": shape(() => BridgePayload().extend({ action: z.literal("bound") })),
  "issue.external_root_paused": shape(() =>
    BridgePayload().extend({ action: z.literal("paused"), reason: z.string().optional() }),
  ),
  "issue.external_root_resumed": shape(() =>
    BridgePayload().extend({ action: z.literal("resumed") }),
  ),
  "issue.external_root_unbound": shape(() =>
    BridgePayload().extend({ action: z.literal("unbound") }),
  ),
  /** `published` by a run; the others by a person, after the answer of the connector was lost. */
  "issue.external_comment_resolved": shape(() =>
    BridgePayload().extend({ action: z.enum(["published", "adopt", "retry", "skip"]) }),
  ),
  "issue.external_field_conflicted": shape(() =>
    FieldPayload().extend({ action: z.literal("conflicted") }),
  ),
  "issue.external_field_resolved": shape(() =>
    FieldPayload().extend({ action: z.literal("resolved") }),
  ),
} as const;
