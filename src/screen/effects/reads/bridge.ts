import { errorCode } from "../../../base/error-code.ts";
import type { Transport } from "../../../shared/transport.ts";
import { bridgeChoices } from "../../detail/bridge-choices.ts";
import type { EffectOf } from "../../effect.ts";
import type { MessageOf } from "../../message.ts";
import { textOf } from "../failures.ts";

/** Reads the bridge of an issue that has a root. A refusal is a part of the detail, since the rest is shown anyway. */
export async function readBridge(
  daemon: Transport,
  { uid, project_id }: EffectOf<"load-bridge">,
): Promise<MessageOf<"detail">> {
  try {
    const params = { project_id, ref: uid };
    const bridge = await daemon.call("getExternalRootBridge", { params });
    const detail = { bridge, bridgeChoices: bridgeChoices(bridge), bridgeError: undefined };
    return { type: "detail", uid, detail };
  } catch (error) {
    const isElsewhere = errorCode(error) === "bridge_not_found";
    const bridgeError = isElsewhere ? "another daemon reconciles it" : textOf(error);
    return { type: "detail", uid, detail: { bridge: undefined, bridgeError } };
  }
}
