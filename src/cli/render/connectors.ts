import type { getConnectorStatus, listConnectors } from "../../contract/connectors.ts";
import type { Output } from "../../contract/route.ts";
import { agentOutput, header, row } from "../../shared/agent.ts";
import { oneLine } from "../../shared/text.ts";
import type { View } from "../output/output.ts";
import { aligned } from "./table.ts";

type Connector = Output<typeof getConnectorStatus>;

const NONE =
  "No connectors. Add a [[connector]] with an id and a command to config.toml of the daemon, then svc daemon restart; docs/connectors.md has an example.";

export const connectorListView: View<Output<typeof listConnectors>> = {
  human: ({ connectors }, { quiet }) => {
    if (quiet) return connectors.map(({ instance_id }) => oneLine(instance_id)).join("\n");
    if (connectors.length === 0) return NONE;
    return aligned([HEADINGS, ...connectors.map(cells)], () => false)
      .map((text) => text.trimEnd())
      .join("\n");
  },
  agent: ({ connectors }, quiet) =>
    agentOutput(
      header("connectors", { count: connectors.length }),
      connectors.map((connector) => row(fields(connector))),
      quiet,
    ),
};

export const connectorView: View<Connector> = {
  human: (connector, { quiet, paint }) => {
    if (quiet) return stateOf(connector);
    const { instance_id, connector_id, display_name, protocol } = connector;
    const { account_identity, capabilities, health_error } = connector;
    const shown = (name: string, value: string | undefined): readonly string[] =>
      value === undefined ? [] : [`${name} ${oneLine(value)}`];
    return [
      `${oneLine(instance_id)} ${stateOf(connector)}`,
      ...(health_error === undefined ? [] : [paint("strong", oneLine(health_error))]),
      ...shown("name", display_name),
      ...shown("connector", connector_id),
      ...shown("protocol", protocol),
      ...shown("account", account_identity),
      ...shown("capabilities", capabilities && listed(capabilities)),
    ].join("\n");
  },
  agent: (connector, quiet) => agentOutput(header("connector", fields(connector)), [], quiet),
};

const HEADINGS = ["INSTANCE", "STATE", "NAME", "CAPABILITIES"];

/** The last cell says what the connector can do, or why it fails. */
function cells(connector: Connector): readonly string[] {
  const { instance_id, display_name = "-", capabilities = [], health_error } = connector;
  return [
    oneLine(instance_id),
    stateOf(connector),
    oneLine(display_name),
    oneLine(health_error ?? listed(capabilities)),
  ];
}

function listed(capabilities: readonly string[]): string {
  return capabilities.join(", ") || "-";
}

function fields(connector: Connector) {
  const { instance_id, display_name, connector_id, protocol } = connector;
  const { account_identity, capabilities, health_error } = connector;
  return {
    ...{ instance: instance_id, state: stateOf(connector), name: display_name },
    ...{ connector: connector_id, protocol, account: account_identity },
    ...{ capabilities, error: health_error },
  };
}

function stateOf({ healthy }: Connector): string {
  return healthy ? "healthy" : "failing";
}
