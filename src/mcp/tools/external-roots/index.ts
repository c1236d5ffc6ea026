import type { Tool } from "../../tool.ts";
import { bridgeBind } from "./bridge-bind.ts";
import { bridgePause } from "./bridge-pause.ts";
import { bridgeReconcile } from "./bridge-reconcile.ts";
import { bridgeResolveComment } from "./bridge-resolve-comment.ts";
import { bridgeResolveField } from "./bridge-resolve-field.ts";
import { bridgeResume } from "./bridge-resume.ts";
import { bridgeShow } from "./bridge-show.ts";
import { bridgeUnbind } from "./bridge-unbind.ts";
import { connectorFieldMap } from "./connector-field-map.ts";
import { connectorFieldUnmap } from "./connector-field-unmap.ts";
import { connectorFields } from "./connector-fields.ts";
import { connectors } from "./connectors.ts";

export const tools: readonly Tool[] = [
  connectors,
  connectorFields,
  connectorFieldMap,
  connectorFieldUnmap,
  bridgeBind,
  bridgeShow,
  bridgeReconcile,
  bridgePause,
  bridgeResume,
  bridgeResolveField,
  bridgeResolveComment,
  bridgeUnbind,
];
