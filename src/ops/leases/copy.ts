import { invariant } from "../../base/invariant.ts";
import { SvcError } from "../../contract/errors.ts";
import { isReadOnly } from "../../domain/federation/gate.ts";
import type { StoredProject } from "../../store/types/rows.ts";
import type { Reader, Tx } from "../../store/types/store.ts";
import type { Deps } from "../deps.ts";
import { findBinding } from "../federation/binding.ts";
import type { Replica } from "../federation/bound-replica.ts";
import { replicaFrom } from "../federation/replica.ts";
import type { HubLeases } from "./hub-leases.ts";

/**
 * The copy whose hub decides about the leases of the project; undefined for a project of this daemon, and for a copy
 * that only reads, where every change is refused anyway.
 */
export async function copyIn(
  tx: Pick<Reader, "unfolded"> & Pick<Tx, "hasCopies">,
  project: Pick<StoredProject, "uid">,
): Promise<Replica | undefined> {
  if (!tx.hasCopies) return undefined;
  const binding = await findBinding(tx, project);
  return binding === undefined || isReadOnly(binding) ? undefined : replicaFrom(binding);
}

/** Returns the dependencies with `hubLeases`, which every daemon with copies has. */
export function withHubs<D extends Pick<Deps, "hubLeases">>(
  deps: D,
): Omit<D, "hubLeases"> & { readonly hubLeases: HubLeases } {
  const { hubLeases } = deps;
  invariant(hubLeases !== undefined, "a daemon with copies has hubs to ask");
  return { ...deps, hubLeases };
}

/**
 * The error for a copy whose enrollment does not permit leases: nobody here may lease or claim an issue. Only the hub
 * knows whether somebody else has the issue.
 */
export function leasesNotPermitted({ project_uid }: Pick<Replica, "project_uid">): SvcError {
  return new SvcError(
    "federated_read_only",
    { project_uid },
    {
      message:
        "the hub decides who leases or claims an issue of this project, and the enrollment of this daemon does not permit to ask it",
      hint: "ask the owner of the hub for an enrollment with the capability lease; svc assign sets an owner without asking",
    },
  );
}
