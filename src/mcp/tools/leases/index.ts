import type { Tool } from "../../tool.ts";
import { lease } from "./lease.ts";
import { leaseForceRelease } from "./lease-force-release.ts";
import { leaseStatus } from "./lease-status.ts";
import { leaseSteal } from "./lease-steal.ts";

export const tools: readonly Tool[] = [leaseStatus, lease, leaseForceRelease, leaseSteal];
