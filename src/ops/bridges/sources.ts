import type { ExternalComment, Root } from "../../domain/bridges/values.ts";
import type { ExternalSource } from "../../domain/drafts/issues.ts";
import type { BridgeRow } from "../../store/types/bridges.ts";

type Place = Pick<BridgeRow, "connector_instance" | "external_root_key">;

export function rootSource(
  { connector_instance, external_root_key }: Place,
  root: Root,
): ExternalSource {
  return {
    ...{ connector_instance, external_root_key, external_revision: root.revision },
    ...(root.actor && { actor_id: root.actor.id, actor_name: root.actor.display_name }),
    ...{ updated_at: root.updated_at, observed_at: root.observed_at },
  };
}

export function commentSource(
  { connector_instance, external_root_key }: Place,
  { id, revision, author, created_at, updated_at, deleted }: ExternalComment,
): ExternalSource {
  return {
    ...{ connector_instance, external_root_key, external_revision: revision },
    ...{ external_comment_id: id, actor_id: author.id },
    ...(author.display_name === undefined ? {} : { actor_name: author.display_name }),
    ...{ created_at, updated_at },
    ...(deleted ? { deleted } : {}),
  };
}
