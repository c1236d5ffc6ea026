import { SvcError } from "../../contract/errors.ts";
import { PROVIDER_NAMES, PROVIDER_RULES } from "../../domain/issue-sync/providers.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";

/**
 * Refuses an import from a file of the repository that the project reads by issue sync. Sync uses other ids for the
 * issues than the file, so the import would create each issue a second time.
 */
export async function refuseSynced(
  tx: Tx,
  { uid: project_uid, name }: StoredProject,
  source: string,
): Promise<void> {
  const provider = PROVIDER_NAMES.find((one) => source.startsWith(`${one}:`));
  if (provider === undefined) return;
  const binding = await tx.unfolded.find("issue_sync_binding", { project_uid });
  if (binding?.provider !== provider) return;
  if (!PROVIDER_RULES[provider].isFileSource(source, binding.display_name)) return;
  throw new SvcError(
    "validation",
    { field: "source" },
    {
      message: `source: the project ${name} is bound to ${binding.display_name}, whose issues svc sync reads`,
      hint: `svc sync ${provider} enable, then svc sync ${provider} once`,
    },
  );
}
