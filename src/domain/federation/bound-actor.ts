import { isPlainObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { EventDraft } from "../../contract/events.ts";

/**
 * Returns the event as a copy writes it that sends its events: in the name of the actor of its enrollment, since the hub
 * accepts no other (issue 33, B1). The same actor is the author of what the event adds. `local_actor` keeps who wrote it.
 * Owners, teammates and holders of leases stay as they are.
 */
export function asBoundActor<K extends EventDraft>(draft: K, bound_actor: string): K {
  const payload = withAuthor(draft, bound_actor);
  if (draft.actor === bound_actor) return { ...draft, payload };
  return { ...draft, actor: bound_actor, local_actor: draft.actor, payload };
}

/** Kinds of events, beside those of issues, whose payload says who has made what the event adds. */
const OTHER_KINDS: ReadonlySet<string> = new Set(["cron.job.created", "cron.workflow.created"]);

/** The lists in the payload of an event of an issue whose items may have authors. */
const LISTS = ["comments", "labels", "links"] as const;

function withAuthor({ type, payload }: EventDraft, author: string): object {
  if (!type.startsWith("issue.") && !OTHER_KINDS.has(type)) return payload;
  const fields = setAuthor(payload as unknown as JsonObject, author);
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

function setAuthor(fields: JsonObject, author: string): JsonObject {
  return Object.hasOwn(fields, "author") ? { ...fields, author } : fields;
}

/** The authors of what the event adds: its issue or comment, and the comments, labels and links of a snapshot. */
export function authorsIn(payload: JsonObject): readonly JsonValue[] {
  const lists = LISTS.map((name) => payload[name]);
  const items = lists.flatMap((list) => (Array.isArray(list) ? (list as JsonValue[]) : []));
  return [payload, ...items.filter(isPlainObject)].flatMap(({ author }) =>
    author === undefined ? [] : author,
  );
}

/** Who wrote the event on this daemon. The actor of an event of another daemon is all that is known of it. */
export function writerOf({
  actor,
  local_actor,
}: Pick<EventDraft, "actor" | "local_actor">): string {
  return local_actor ?? actor;
}
