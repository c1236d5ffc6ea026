import { z } from "zod";
import type { JsonObject } from "../../../base/json.ts";
import { editIssue, showIssue } from "../../../contract/issues.ts";
import { DEFAULT_BODY_BYTES } from "../../../contract/limits.ts";
import type { LinkPeer } from "../../../contract/objects.ts";
import type { CallInput, Output } from "../../../contract/route.ts";
import type { OutputOf } from "../../../contract/shape.ts";
import { projectOf } from "../../../shared/ref.ts";
import { ToolError } from "../../failure.ts";
import * as inputs from "../../inputs.ts";
import { EventSummary, mutation } from "../../objects.ts";
import { patchMetadata } from "../../patch-metadata.ts";
import { peersOf } from "../../peers.ts";
import { personNamed } from "../../person.ts";
import { dateText, refuseBoth, withMembers } from "../../planned.ts";
import type { Scope } from "../../scope.ts";
import { CHANGES, type ToolContext, tool } from "../../tool.ts";
import { eventOf, writtenOf } from "../../views.ts";

const clear = z.literal(true).optional();

/** The qualified ids of the issues at the other ends of links. */
const Peers = z.array(z.string()).optional();

const input = z.strictObject({
  ref: inputs.ref,
  title: inputs.title.optional().describe("new title, one line"),
  body: z.string().max(DEFAULT_BODY_BYTES).optional().describe("the whole new body"),
  owner: z.string().min(1).optional().describe("new owner"),
  clear_owner: clear.describe("remove the owner"),
  priority: inputs.priority,
  clear_priority: clear.describe("remove the priority"),
  parent: inputs.ref.optional().describe("new parent"),
  remove_parent: clear.describe("remove the parent"),
  add_blocks: inputs.refs.describe("issues that now wait for it"),
  remove_blocks: inputs.refs.describe("issues that no longer wait for it"),
  add_blocked_by: inputs.refs.describe("issues that it now waits for"),
  remove_blocked_by: inputs.refs.describe("issues that it no longer waits for"),
  add_related: inputs.refs.describe("newly related"),
  remove_related: inputs.refs.describe("no longer related"),
  metadata: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("further data: keys to set, null removes a key"),
  scheduled_on: dateText.optional().describe("YYYY-MM-DD, YYYY-MM-DDTHH:MM or a UTC instant"),
  clear_scheduled_on: clear.describe("remove scheduled_on"),
  timezone: z.string().min(1).optional().describe("IANA zone of scheduled_on"),
  clear_timezone: clear.describe("remove timezone"),
});

type Input = z.output<typeof input>;

const EXCLUSIVE = [
  ["owner", "clear_owner"],
  ["priority", "clear_priority"],
  ["parent", "remove_parent"],
  ["scheduled_on", "clear_scheduled_on"],
  ["timezone", "clear_timezone"],
] as const;

export const edit = tool({
  name: "svc.edit",
  title: "Edit issue",
  description:
    "Changes an issue: title, body, owner, priority and links in one call; metadata, scheduled_on and timezone in another. Give the body as a whole, never one that svc.show cut.",
  annotations: CHANGES,
  input,
  output: z.strictObject({
    ...mutation,
    events: z.array(EventSummary),
    changes: z
      .strictObject({
        parent_set: Peers,
        parent_removed: Peers,
        blocks_added: Peers,
        blocks_removed: Peers,
        blocked_by_added: Peers,
        blocked_by_removed: Peers,
        related_added: Peers,
        related_removed: Peers,
      })
      .optional(),
  }),
  async run(input, context) {
    refuseBoth(input, EXCLUSIVE);
    const patch = withMembers(input.metadata, {
      scheduled_on: input.clear_scheduled_on ? null : input.scheduled_on,
      timezone: input.clear_timezone ? null : input.timezone,
    });
    const hasFields = FIELDS.some((name) => input[name] !== undefined);
    if (patch === undefined && !hasFields)
      throw new ToolError("invalid arguments: name at least one change");
    if (patch === undefined) return await editFields(input, context);
    if (hasFields)
      throw new ToolError(
        "invalid arguments: fields or links and metadata or dates need a call of their own each",
      );
    const { ref } = input;
    const written = await patchMetadata(ref, patch as JsonObject, undefined, context);
    return { ...written, events: written.event === undefined ? [] : [written.event] };
  },
});

const FIELDS = [
  "title",
  "body",
  "owner",
  "clear_owner",
  "priority",
  "clear_priority",
  "parent",
  "remove_parent",
  "add_blocks",
  "remove_blocks",
  "add_blocked_by",
  "remove_blocked_by",
  "add_related",
  "remove_related",
] as const satisfies readonly (keyof Input)[];

async function editFields(input: Input, context: ToolContext) {
  const { scope, call, actor } = context;
  const { project, params } = await scope.issue(input.ref);
  const { title, body, priority } = input;
  const owner = await personNamed(input.owner, context);
  const links_delta = await linksOf(input, params, context);
  const answer = await call(editIssue, {
    params,
    body: {
      title,
      body,
      owner: input.clear_owner ? "" : owner,
      set_priority: priority,
      clear_priority: input.clear_priority,
      actor,
      ...(links_delta && { links_delta }),
    },
  });
  const changes = await changesOf(answer.changes, scope);
  return {
    ...(await writtenOf(project, answer, scope)),
    events: answer.events.map(eventOf),
    ...(changes && { changes }),
  };
}

type LinksDelta = NonNullable<NonNullable<CallInput<typeof editIssue>["body"]>["links_delta"]>;

const LISTS = ["blocks", "blocked_by", "related"] as const;

/**
 * Returns the links to add and remove; they name the other issues by uid. `expected_project_uids` has the project in
 * which each of these issues was found.
 */
async function linksOf(
  input: Input,
  params: { readonly project_id: number; readonly ref: string },
  context: ToolContext,
): Promise<LinksDelta | undefined> {
  const delta: LinksDelta = {};
  const expected: Record<string, string> = {};
  const uidsOf = async (
    argument: string,
    refs: readonly string[] | undefined,
  ): Promise<string[] | undefined> => {
    if (refs === undefined) return undefined;
    const peers = await peersOf(argument, refs, context);
    for (const { uid, project } of peers) expected[uid] = project.uid;
    return peers.map(({ uid }) => uid);
  };
  for (const list of LISTS) {
    const added = await uidsOf(`add_${list}`, input[`add_${list}`]);
    const removed = await uidsOf(`remove_${list}`, input[`remove_${list}`]);
    if (added?.some((uid) => removed?.includes(uid)))
      throw new ToolError(`invalid arguments: add_${list} and remove_${list} name the same issue`);
    if (added !== undefined) delta[`add_${list}`] = added;
    if (removed !== undefined) delta[`remove_${list}`] = removed;
  }
  const [parent] = (await uidsOf("parent", input.parent === undefined ? [] : [input.parent])) ?? [];
  if (parent !== undefined) delta.set_parent = parent;
  if (input.remove_parent || (parent !== undefined && context.scope.isLimited)) {
    const shown = await context.call(showIssue, { params, query: { max_bytes: 1 } });
    const isHidden =
      shown.parent !== undefined &&
      !(await context.scope.has(projectOf(shown.parent.qualified_id)));
    if (isHidden && !input.remove_parent)
      throw new ToolError("invalid arguments: parent: this server cannot change it");
    if (input.remove_parent && (shown.parent === undefined || isHidden))
      throw new ToolError("invalid arguments: it has no parent");
    if (input.remove_parent) delta.remove_parent = shown.parent?.uid;
  }
  if (Object.keys(delta).length === 0) return undefined;
  return { ...delta, expected_project_uids: expected };
}

/** For each kind of change, the answer names at most this many issues, because the client knows what it asked for. */
const MAX_NAMED = 10;

type ChangedPeer = OutputOf<typeof LinkPeer>;

/** Returns the changed links, without those to issues that are out of reach. */
async function changesOf(changes: Output<typeof editIssue>["changes"], scope: Scope) {
  if (changes === undefined) return undefined;
  const named: Record<string, string[]> = {};
  for (const [kind, value] of Object.entries(changes)) {
    const peers = [value].flat() as readonly ChangedPeer[];
    const shown: ChangedPeer[] = [];
    for (const peer of peers.slice(0, MAX_NAMED))
      if (await scope.has(peer.project)) shown.push(peer);
    named[kind] = shown.map(({ qualified_id }) => qualified_id);
  }
  return named;
}
