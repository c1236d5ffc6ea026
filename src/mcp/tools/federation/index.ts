import type { Tool } from "../../tool.ts";
import { federationEnrollmentRevoke } from "./federation-enrollment-revoke.ts";
import { federationLeave } from "./federation-leave.ts";
import { federationQuarantine } from "./federation-quarantine.ts";
import { federationRebind } from "./federation-rebind.ts";
import { federationStatus } from "./federation-status.ts";

export const tools: readonly Tool[] = [
  federationStatus,
  federationEnrollmentRevoke,
  federationRebind,
  federationLeave,
  federationQuarantine,
];
