import { PROVIDER_RULES, type ProviderName } from "../../domain/issue-sync/providers.ts";
import type { StoredConfig } from "../../domain/issue-sync/run.ts";
import type { SyncedIssue } from "../../store/types/store.ts";

/** The field `synced` of an issue that a code host owns; empty for any other issue. */
export function syncedOut(synced: SyncedIssue | undefined) {
  if (synced === undefined) return {};
  const provider = synced.provider as ProviderName;
  const number = Number(synced.external_id.slice(synced.external_id.indexOf(":") + 1));
  const config = synced.config as unknown as StoredConfig;
  return { synced: { provider, number, url: PROVIDER_RULES[provider].issueUrl(config, number) } };
}
