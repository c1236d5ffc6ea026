/** `info.version` of the OpenAPI document and `api_schema_version` of the health report (doc 1, Versioning). */
export const API_SCHEMA_VERSION = "0.22.0";

/** Prefix of every route's path (facts http-api 1.1). */
export const BASE_PATH = "/api/v1";
