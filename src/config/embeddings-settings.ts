import * as kinds from "./kinds.ts";
import { optional, setting } from "./setting.ts";

/** `[search.embeddings]`: the provider of search by meaning (`embeddings.ts` has the rules between these settings). */
export const EMBEDDINGS_SETTINGS = {
  embeddingsBaseUrl: optional({
    key: "search.embeddings.base_url",
    kind: kinds.text,
    guarded: "daemon",
    help: "URL of the API that embeds texts, such as http://127.0.0.1:11434/v1; needs search.embeddings.model, and turns on search by meaning",
  }),
  embeddingsModel: optional({
    key: "search.embeddings.model",
    kind: kinds.text,
    guarded: "daemon",
    help: "name of the model, which is sent as it is",
  }),
  embeddingsApiKey: optional({
    key: "search.embeddings.api_key",
    kind: kinds.text,
    secret: true,
    guarded: "daemon",
    help: "bearer token for base_url; at most one of api_key, api_key_file and api_key_env is set",
  }),
  embeddingsApiKeyFile: optional({
    key: "search.embeddings.api_key_file",
    kind: kinds.text,
    guarded: "daemon",
    help: "file with this token, in one line",
  }),
  embeddingsApiKeyEnv: optional({
    key: "search.embeddings.api_key_env",
    kind: kinds.variable,
    guarded: "daemon",
    help: "the variable in the daemon's environment that holds this token",
  }),
  embeddingsDims: setting({
    key: "search.embeddings.dims",
    kind: kinds.wholeNumber(1, 16_384),
    default: 768,
    guarded: "daemon",
    help: "how many numbers the model gives for a text",
  }),
  embeddingsBatchSize: setting({
    key: "search.embeddings.batch_size",
    kind: kinds.wholeNumber(1, 2048),
    default: 64,
    guarded: "daemon",
    help: "how many pieces of text are sent in one call",
  }),
  embeddingsTimeoutSeconds: setting({
    key: "search.embeddings.timeout_seconds",
    kind: kinds.wholeNumber(1, 3600),
    default: 30,
    guarded: "daemon",
    help: "time limit of a call that embeds issues; a query has 3 seconds",
  }),
  embeddingsSalt: setting({
    key: "search.embeddings.fingerprint_salt",
    kind: kinds.anyText,
    default: "",
    guarded: "daemon",
    help: "any other text has all issues embedded anew, as when the provider changed the model under its name",
  }),
  embeddingsTrustPrivateNetwork: setting({
    key: "search.embeddings.trust_private_network",
    kind: kinds.flag,
    default: false,
    guarded: "daemon",
    help: "allow plain http to base_url at a private IP address",
  }),
} as const;
