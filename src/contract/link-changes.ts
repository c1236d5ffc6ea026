import { z } from "zod";
import { isPlainObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { MAX_LINKS } from "./limits.ts";
import { LinkPeer } from "./objects.ts";
import { component } from "./shape.ts";
import { IssueRef } from "./values.ts";

const Refs = () => z.array(IssueRef()).max(MAX_LINKS).optional();

/**
 * An object whose values are all strings. `z.record` would also accept a number such as `1.0`, because the daemon's
 * JSON parser keeps the spelling of such a number in an object.
 */
const Texts = () =>
  z
    .custom<Readonly<Record<string, string>>>(
      (value) =>
        isPlainObject(value as JsonValue) &&
        Object.values(value as JsonObject).every((text) => typeof text === "string"),
      "must be an object of texts",
    )
    .meta({ type: "object", additionalProperties: { type: "string" } });

export const LinksDelta = component("LinksDelta", () =>
  z.strictObject({
    set_parent: IssueRef().optional(),
    remove_parent: IssueRef().optional().describe("must be the current parent"),
    add_blocks: Refs(),
    remove_blocks: Refs(),
    add_blocked_by: Refs(),
    remove_blocked_by: Refs(),
    add_related: Refs(),
    remove_related: Refs(),
    expected_project_uids: Texts()
      .optional()
      .describe("maps a ref to the uid of the project that the issue must be in"),
  }),
);

const Peers = () => z.array(LinkPeer()).optional();

export const LinkChanges = component("LinkChanges", () =>
  z.looseObject({
    parent_set: LinkPeer().optional(),
    parent_removed: LinkPeer().optional(),
    blocks_added: Peers(),
    blocks_removed: Peers(),
    blocked_by_added: Peers(),
    blocked_by_removed: Peers(),
    related_added: Peers(),
    related_removed: Peers(),
  }),
);
