/**
 * `info.version` of the OpenAPI document and `api_schema_version` of the health report
 * (docs/contract/http-api.md#71-what-the-version-of-the-api-says).
 */
export const API_SCHEMA_VERSION = "0.22.0";

/** Prefix of every route's path (docs/contract/http-api.md#11-transport-and-formats). */
export const BASE_PATH = "/api/v1";
