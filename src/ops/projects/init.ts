import { invariant } from "../../base/invariant.ts";
import { invalid, SvcError } from "../../contract/errors.ts";
import type { initProject as contract } from "../../contract/projects.ts";
import type { Input } from "../../contract/route.ts";
import { aliasAdded, aliasRemoved, projectCreated } from "../../domain/drafts/projects.ts";
import { namesFor, projectName } from "../../domain/projects.ts";
import { folderName, localIdentity, workspacePath } from "../../domain/workspace.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Tx } from "../../store/types/store.ts";
import { actorOf } from "../actor.ts";
import type { Op } from "../deps.ts";
import { aliasOut, projectOut } from "../out/projects.ts";
import { isActive, refuseArchivedName } from "./names.ts";

type Body = Input<typeof contract>["body"];

/**
 * Creates a project, or finds it by name, and binds a workspace to it
 * (docs/contract/http-api.md#32-health-and-projects).
 */
export const initProject: Op<typeof contract, "store" | "ids"> = async (deps, who, { body }) => {
  const actor = actorOf(who, body.actor);
  const request = requestOf(body);
  return await deps.store.write(async (tx) => {
    const bound = await boundProject(tx, request.alias);
    const chosenName = request.name ?? bound?.name;
    const { name, namesake } =
      chosenName === undefined
        ? await defaultName(tx, request)
        : { name: chosenName, namesake: undefined };
    const known = await tx.projects.findByName(name);
    if (known !== undefined) refuseArchivedName(known);
    if (bound !== undefined && bound.uid !== known?.uid) refuseRebinding(bound, name, body);
    const project = known ?? (await createProject(tx, deps.ids.ulid(), name, actor));
    let joined_with: string | undefined;
    if (request.alias !== undefined && bound?.uid !== project.uid) {
      joined_with = (await tx.projects.aliases(project.uid))[0]?.alias_identity;
      await bindAlias(tx, { alias: request.alias, from: bound, to: project, actor });
    }
    const aliases = await tx.projects.aliases(project.uid);
    const alias = aliases.find(({ alias_identity }) => alias_identity === request.alias?.identity);
    return {
      project: projectOut(project),
      ...(alias === undefined ? {} : { alias: aliasOut(alias, project) }),
      ...(request.root === undefined ? {} : { workspace_root: request.root }),
      created: known === undefined,
      ...(joined_with === undefined ? {} : { joined_with }),
      ...(namesake === undefined ? {} : { namesake }),
    };
  });
};

interface Alias {
  readonly identity: string;
  readonly kind: "git" | "local";
}

interface BindRequest {
  readonly name: string | undefined;
  /**
   * The repository or folder whose path gives the project's name, if the request has no name and the workspace is not
   * bound.
   */
  readonly place: string;
  readonly alias: Alias | undefined;
  readonly root: string | undefined;
}

/**
 * Reads from a request which name and which workspace a project gets. Without an alias in the request, the path of the
 * folder becomes a local alias.
 */
function requestOf({ name, start_path, alias }: Body): BindRequest {
  if (start_path === undefined) {
    if (name === undefined && alias === undefined) throw missingName();
    return { name, place: alias?.identity ?? "", alias, root: alias?.root_path };
  }
  const path = workspacePath(start_path);
  // If the request has no name, refuse a folder that can give no name, even if the workspace is bound already.
  if (name === undefined) projectName(folderName(path));
  return {
    name,
    place: path,
    alias: alias ?? { identity: localIdentity(path), kind: "local" },
    root: alias?.root_path ?? path,
  };
}

/**
 * Returns the first of the workspace's possible names that no project has. There is one exception: if the project with
 * the shortest name is archived or has no alias, that name is returned. The request then joins that project, or is
 * refused because it is archived. If that project is active and has an alias, it belongs to another repository or
 * folder, and is returned as `namesake`.
 */
async function defaultName(tx: Tx, { place }: BindRequest) {
  let namesake: { readonly name: string; readonly alias_identity: string } | undefined;
  for (const name of namesFor(place)) {
    const known = await tx.projects.findByName(name);
    if (known === undefined) return { name, namesake };
    if (namesake !== undefined) continue;
    const [other] = await tx.projects.aliases(known.uid);
    if (!isActive(known) || other === undefined) return { name, namesake };
    namesake = { name, alias_identity: other.alias_identity };
  }
  invariant(false, "the names of a place have no end");
}

/**
 * Returns the active project that has the alias. After the restore of a backup, an archived project may have an alias
 * too.
 */
async function boundProject(tx: Tx, alias: Alias | undefined): Promise<StoredProject | undefined> {
  const project = alias === undefined ? undefined : await tx.projects.findByAlias(alias.identity);
  return isActive(project) ? project : undefined;
}

function missingName(): SvcError {
  return invalid("one of name, start_path and alias is required");
}

/**
 * Throws unless the workspace may be bound to another project. `replace` allows this only if the request has no alias,
 * since other folders may share an alias such as a git remote. `reassign` allows it with and without an alias.
 */
function refuseRebinding(bound: StoredProject, name: string, body: Body): void {
  const isFolder = body.alias === undefined;
  if (body.reassign === true || (isFolder && body.replace === true)) return;
  throw new SvcError(
    isFolder ? "project_binding_conflict" : "project_alias_conflict",
    { project: bound.name, requested: name },
    { message: `this workspace belongs to the project ${bound.name}` },
  );
}

async function createProject(
  tx: Tx,
  uid: string,
  name: string,
  actor: string,
): Promise<StoredProject> {
  await tx.append(projectCreated(uid, name, { actor, now: tx.now }));
  const project = await tx.projects.find(uid);
  invariant(project !== undefined, "a project is there once its creation is in the log");
  return project;
}

interface Binding {
  readonly alias: Alias;
  readonly from: StoredProject | undefined;
  readonly to: StoredProject;
  readonly actor: string;
}

async function bindAlias(tx: Tx, { alias, from, to, actor }: Binding): Promise<void> {
  const bound = { alias_identity: alias.identity, alias_kind: alias.kind };
  const act = { actor, now: tx.now };
  if (from !== undefined) await tx.append(aliasRemoved(from.uid, bound, false, act));
  await tx.append(aliasAdded(to.uid, bound, act));
}
