import type { getConnectorStatus } from "../../contract/connectors.ts";
import type { Output } from "../../contract/route.ts";
import { accountDigest } from "../../domain/bridges/pauses.ts";
import type { ConnectorHealth } from "../bridges/external-roots.ts";
import type { ConnectorFault } from "../bridges/far-side.ts";

type Connector = Output<typeof getConnectorStatus>;

export function connectorOut(health: ConnectorHealth): Connector {
  const { instance_id } = health;
  if ("fault" in health)
    return { instance_id, healthy: false, health_error: faultText(health.fault) };
  const { connector_id, display_name, protocol, account_identity, capabilities } = health.described;
  return {
    ...{ instance_id, healthy: true, connector_id, display_name, protocol },
    account_identity: shownAccount(instance_id, account_identity),
    capabilities: [...capabilities],
  };
}

/** The message of a fault is one of four texts. The connector's own text is never shown. */
function faultText({ message, code }: ConnectorFault): string {
  return code === undefined ? message : `${message}: ${code}`;
}

/** The account can be a key or an address of a person, so only a part of its digest is shown. */
function shownAccount(instance: string, account: string): string {
  return `sha256:${accountDigest(instance, account).slice(0, DIGITS)}`;
}

const DIGITS = 16;
