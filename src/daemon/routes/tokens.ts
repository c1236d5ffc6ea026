import * as contract from "../../contract/tokens.ts";
import type { UngatedDeps } from "../../ops/deps.ts";
import { createToken } from "../../ops/tokens/create.ts";
import { listTokens } from "../../ops/tokens/list.ts";
import { revokeToken } from "../../ops/tokens/revoke.ts";
import type { App } from "../app.ts";
import { bind } from "../bind.ts";

export function tokenRoutes(app: App, deps: UngatedDeps): void {
  bind(app, deps, contract.listTokens, listTokens);
  bind(app, deps, contract.createToken, createToken);
  bind(app, deps, contract.revokeToken, revokeToken);
}
