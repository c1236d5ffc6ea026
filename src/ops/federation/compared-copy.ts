import type { StoredProject } from "../../store/types/rows.ts";
import type { BindingRow } from "./binding.ts";
import type { Replica } from "./bound-replica.ts";

/** The copy as it is compared: events of the hub up to its cursor do not change any more. */
export interface ComparedCopy {
  readonly project: StoredProject;
  readonly binding: BindingRow;
  readonly replica: Replica;
}
