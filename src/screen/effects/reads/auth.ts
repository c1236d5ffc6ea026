import type { instance } from "../../../contract/health.ts";
import type { Output } from "../../../contract/route.ts";
import type { Transport } from "../../../shared/transport.ts";
import type { MessageOf } from "../../message.ts";

export async function readAuth(daemon: Transport): Promise<MessageOf<"auth">> {
  return authOf((await daemon.call("instance", {})).auth);
}

/**
 * What the daemon lets this caller do. An old daemon does not report `read_only`. Then the first refused change shows
 * that the caller may only read.
 */
export function authOf({
  close_requires_evidence,
  read_only: readOnly,
}: Output<typeof instance>["auth"]): MessageOf<"auth"> {
  return { type: "auth", quickClose: !close_requires_evidence, readOnly };
}
