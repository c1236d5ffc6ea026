import { type JsonObject, sameJson } from "../../base/json.ts";
import { invalid, invalidField, SvcError } from "../../contract/errors.ts";
import type { enableIssueSync as contract } from "../../contract/issue-sync.ts";
import type { Input } from "../../contract/route.ts";
import { intervalSeconds } from "../../domain/issue-sync/interval.ts";
import { PROVIDER_RULES, type ProviderName } from "../../domain/issue-sync/providers.ts";
import { type BindingRow, configOf, newStatus } from "../../domain/issue-sync/run.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import { requireWriter } from "../actor.ts";
import type { Deps, Op, Principal } from "../deps.ts";
import { findBinding } from "../federation/binding.ts";
import { requireProject } from "../find.ts";
import { bindingOut, requireProvider, statusOf, statusOut } from "./binding.ts";
import type { FarSide, RepositoryIdentity, RepositoryPlace } from "./far-side.ts";

type Needs = Pick<Deps, "store" | "clock"> & { readonly farSide: FarSide };

/**
 * Binds the project to a repository, or enables its binding again with the settings of the request
 * (docs/contract/issue-sync.md#3-routes). The repository is requested from the host between two transactions, so the
 * second one checks that the binding has not changed since the first.
 */
export async function enableIssueSync(
  { store, clock, farSide }: Needs,
  who: Principal,
  { params, body }: Input<typeof contract>,
): ReturnType<Op<typeof contract>> {
  requireWriter(who);
  const provider = requireProvider(params.provider);
  const interval_seconds = intervalSeconds(body);
  const place = placeOf(provider, body.config);
  const before = await store.read(async (reader) => {
    const project = await requireProject(reader, params.project_id);
    await refuseCopy(reader, project);
    const { uid } = project;
    return await reader.unfolded.find("issue_sync_binding", { project_uid: uid });
  });
  requireListed(farSide, provider, who, place);
  const identity = await farSide.identify(provider, place);
  requireListed(farSide, provider, who, identity.config);
  const answer = await store.write(async (tx) => {
    const project = await requireProject(tx, params.project_id);
    await refuseCopy(tx, project);
    const found = await tx.unfolded.find("issue_sync_binding", { project_uid: project.uid });
    if (found !== undefined) requireSameSource(found, provider, identity);
    await refuseBridged(tx, project, [
      identity.source_key,
      farSide.importSource(identity.display_name),
    ]);
    if (versionOf(found) !== versionOf(before))
      throw new SvcError("issue_sync_binding_changed", { project_id: project.id });
    const request = { provider, identity, interval_seconds, titlePrefix: body.config.title_prefix };
    const binding = bindingFor(tx, project, found, request);
    const status = {
      ...(found === undefined ? newStatus(project.uid) : await statusOf(tx, project.uid)),
      sync_started_at: null,
    };
    await tx.unfolded.put("issue_sync_binding", binding);
    await tx.unfolded.put("issue_sync_status", status);
    const bound = { project, binding, status };
    return { binding: bindingOut(bound), status: statusOut(bound, clock.nowMs()) };
  });
  farSide.wake();
  return answer;
}

/** Throws for a copy: a copy has only what its hub has. */
async function refuseCopy(reader: Reader, project: StoredProject): Promise<void> {
  const binding = await findBinding(reader, project);
  if (binding?.role !== "spoke") return;
  throw new SvcError(
    "issue_sync_federation_conflict",
    { project_id: project.id },
    { message: "the project is a copy of a project of another daemon", hint: "bind it on the hub" },
  );
}

/** Throws if an issue of these sources has a bridge: its root owns the words that the sync would write. */
async function refuseBridged(
  { bridges }: Pick<Tx, "bridges">,
  { id, uid }: StoredProject,
  sources: readonly string[],
): Promise<void> {
  const issue_uid = await bridges.bridgedImport(uid, sources);
  if (issue_uid === undefined) return;
  throw new SvcError(
    "external_root_conflict",
    { project_id: id, issue_uid },
    {
      message: "an issue that the project imported from the repository has a bridge",
      hint: "end it with svc bridge unbind, or bind another project to the repository",
    },
  );
}

function placeOf(
  provider: ProviderName,
  config: Input<typeof contract>["body"]["config"],
): RepositoryPlace {
  const { host = PROVIDER_RULES[provider].publicHost, owner, repo } = config;
  for (const [field, value] of Object.entries({ owner, repo }))
    if (/[/\s]/.test(value)) throw invalidField(`config.${field}`, "must not contain / or spaces");
  return { host: host.toLowerCase(), owner, repo };
}

/**
 * Refuses a repository that the configuration does not list, to callers with a token or behind a proxy: otherwise each
 * of them could read every private repository that the daemon's credentials open.
 */
function requireListed(
  farSide: FarSide,
  provider: ProviderName,
  { kind }: Principal,
  place: RepositoryPlace,
): void {
  if (kind !== "db_token" && kind !== "trusted_proxy") return;
  if (farSide.isListed(provider, place)) return;
  const repository = `${place.owner}/${place.repo}`;
  const isPublic = place.host === PROVIDER_RULES[provider].publicHost;
  const listed = isPublic ? repository : `${place.host}/${repository}`;
  throw new SvcError(
    "issue_sync_repository_forbidden",
    { repository, host: place.host },
    {
      hint: `list "${listed}" in repositories of [provider_sync] in the daemon's config.toml, then svc daemon restart`,
    },
  );
}

function requireSameSource(
  found: BindingRow,
  provider: ProviderName,
  { remote_id, display_name }: RepositoryIdentity,
): void {
  if (found.provider === provider && found.remote_id === remote_id) return;
  throw invalid(
    `the project is bound to ${found.display_name}, and ${display_name} is another repository`,
    "bind another project to it: svc init --project <name>",
  );
}

function versionOf(binding: BindingRow | undefined): string | undefined {
  return binding === undefined ? undefined : `${binding.source_key} ${binding.updated_at}`;
}

interface AskedBinding {
  readonly provider: ProviderName;
  readonly identity: RepositoryIdentity;
  readonly interval_seconds: number;
  readonly titlePrefix: boolean | undefined;
}

/**
 * The row to store. If the config has changed, the next run reads everything. A changed interval has no such effect.
 */
function bindingFor(
  tx: Tx,
  { uid: project_uid }: StoredProject,
  found: BindingRow | undefined,
  { provider, identity, interval_seconds, titlePrefix }: AskedBinding,
): BindingRow {
  const { config: place, ...names } = identity;
  const old = found === undefined ? undefined : configOf(found);
  const title_prefix = titlePrefix ?? old?.title_prefix ?? true;
  const shown = { ...place, title_prefix };
  const { parents_scanned_at, ...shownBefore } = old ?? {};
  const isSame = old !== undefined && sameJson(shownBefore as JsonObject, shown);
  const config: JsonObject = {
    ...shown,
    ...(isSame && parents_scanned_at !== undefined ? { parents_scanned_at } : {}),
  };
  return {
    project_uid,
    provider,
    ...names,
    config,
    enabled: 1,
    interval_seconds,
    last_cursor_at: isSame ? (found?.last_cursor_at ?? null) : null,
    created_at: found?.created_at ?? tx.now,
    updated_at: tx.now,
  };
}
