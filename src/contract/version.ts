/** `info.version` of the OpenAPI document and `api_schema_version` of the health report (doc 1, Versioning). */
export const API_SCHEMA_VERSION = "0.15.0";
