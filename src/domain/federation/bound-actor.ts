import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { EventDraft } from "../../contract/events.ts";

/**
 * Returns the event in the form in which a copy that sends its events writes it: in the name of the actor of its
 * enrollment, since the hub accepts no other actor. This actor is also the author of what the event
 * adds. If somebody else wrote the event, `local_actor` names that writer. Owners, teammates and holders of leases do
 * not change.
 */
export function asBoundActor<K extends EventDraft>(draft: K, bound_actor: string): K {
  const payload = withAuthor(draft, bound_actor);
  if (draft.actor === bound_actor) return { ...draft, payload };
  return { ...draft, actor: bound_actor, local_actor: draft.actor, payload };
}

/** Kinds of events, besides those of issues, whose payload names the author of what the event adds. */
const OTHER_KINDS: ReadonlySet<string> = new Set(["cron.job.created", "cron.workflow.created"]);

/** The lists in the payload of an event of an issue whose items may have authors. */
const LISTS = ["comments", "labels", "links"] as const;

function withAuthor({ type, payload }: EventDraft, author: string): object {
  if (!type.startsWith("issue.") && !OTHER_KINDS.has(type)) return payload;
  const fields = setActor(type, setAuthor(payload as unknown as JsonObject, author), author);
  const lists = LISTS.flatMap((name): [string, JsonValue][] => {
    const list = fields[name];
    if (!Array.isArray(list)) return [];
    return [
      [
        name,
        (list as JsonValue[]).map((item) => (isPlainObject(item) ? setAuthor(item, author) : item)),
      ],
    ];
  });
  return { ...fields, ...Object.fromEntries(lists) };
}

/** The events of bridges name their actor in the payload too. */
function setActor(type: string, fields: JsonObject, actor: string): JsonObject {
  return type.startsWith("issue.external_") ? { ...fields, actor } : fields;
}

function setAuthor(fields: JsonObject, author: string): JsonObject {
  return Object.hasOwn(fields, "author") ? { ...fields, author } : fields;
}

/** Returns the authors that a payload names: the author of the added issue or comment, and the authors in its lists. */
export function authorsIn(payload: JsonObject): readonly JsonValue[] {
  const lists = LISTS.map((name) => payload[name]);
  const items = lists.flatMap((list) => (Array.isArray(list) ? (list as JsonValue[]) : []));
  return [payload, ...items.filter(isPlainObject)].flatMap(({ author }) =>
    author === undefined ? [] : author,
  );
}

/**
 * Returns who wrote the event on this daemon. For an event of another daemon, returns its actor, since nothing else is
 * known of its writer.
 */
export function writerOf({
  actor,
  local_actor,
}: Pick<EventDraft, "actor" | "local_actor">): string {
  return local_actor ?? actor;
}
