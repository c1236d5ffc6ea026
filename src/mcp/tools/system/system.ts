import { z } from "zod";
import { instance } from "../../../contract/health.ts";
import { BOOTSTRAP_ACTOR } from "../../../contract/reserved-actors.ts";
import { READS, tool } from "../../tool.ts";

export const system = tool({
  name: "svc.system",
  title: "About the daemon",
  description:
    "The daemon's database and version, and under which name and with which token this server works.",
  annotations: READS,
  input: z.strictObject({}),
  output: z.strictObject({
    instance_uid: z.string(),
    version: z.string(),
    schema_version: z.int(),
    auth_kind: z.enum(["none", "bootstrap", "token", "proxy"]),
    authenticated_actor: z.string().optional(),
  }),
  async run(_input, { call, hasToken }) {
    const { instance_uid, version, schema_version, auth } = await call(instance, {});
    const { actor } = auth;
    return {
      instance_uid,
      version,
      schema_version,
      auth_kind: kindOf(actor, hasToken),
      ...(actor === undefined ? {} : { authenticated_actor: actor }),
    };
  },
});

/**
 * Returns how the daemon authenticated the actor. If this server sends no token, only a proxy in front of the daemon
 * can have named an actor.
 */
function kindOf(
  actor: string | undefined,
  hasToken: boolean,
): "none" | "bootstrap" | "token" | "proxy" {
  if (!hasToken) return actor === undefined ? "none" : "proxy";
  return actor === undefined || actor === BOOTSTRAP_ACTOR ? "bootstrap" : "token";
}
