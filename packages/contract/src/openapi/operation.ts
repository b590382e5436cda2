import { ErrorCode } from "../errors/index.js";
import { MAX_CURSOR_LENGTH, MAX_KEY_LENGTH, MAX_PER_PAGE } from "../fields.js";
import { PAY_API_PATH, PAY_REQUESTS_PER_MINUTE } from "../limits.js";
import { PARTNER_API_PATHS } from "../public/payouts.js";
import { type Json, type JsonObject, reference } from "./describe-schema.js";
import {
  ANY_BODY,
  ANY_PATH,
  ANY_REQUEST,
  CREDENTIAL_ERRORS,
  type Credentials,
  type ErrorExample,
  type ErrorRow,
  errorExample,
} from "./errors.js";
import type { REQUEST_SCHEMAS } from "./request-schemas.js";
import type { RESPONSE_SCHEMAS } from "./response-schemas.js";

export type PublicApi = "pay" | "partner";

/** The suffixes distinguish the operations. Paths are absolute, because few client generators support servers per path. */
type BasePath = { base: string; idSuffix: string; tagSuffix: string };

const BASE_PATHS: Record<PublicApi, readonly BasePath[]> = {
  /** A key of the other mode is rejected. */
  pay: [
    { base: PAY_API_PATH.sandbox, idSuffix: "InSandbox", tagSuffix: " (sandbox)" },
    { base: PAY_API_PATH.live, idSuffix: "", tagSuffix: "" },
  ],
  /** The paths are equivalent: the API token determines the mode. */
  partner: [
    { base: PARTNER_API_PATHS[0], idSuffix: "", tagSuffix: "" },
    { base: PARTNER_API_PATHS[1], idSuffix: "UnderShortPath", tagSuffix: " (short path)" },
  ],
};

export const getBasePaths = (api: PublicApi, sandboxOnly?: true): readonly BasePath[] =>
  BASE_PATHS[api].filter(({ base }) => !sandboxOnly || base === PAY_API_PATH.sandbox);

/** Paths are absolute, so the server is only a host. */
export const SERVERS: JsonObject[] = [{ url: "/", description: "The host that serves this document." }];

const header = (description: string, schema: JsonObject, example: string | number): JsonObject => ({
  description,
  schema,
  example,
});

const COUNT: JsonObject = { type: "integer", minimum: 0 };

/** Only headers specific to Tillgate, or to rate limits and authentication. */
export const HEADERS: Record<string, JsonObject> = {
  "X-Request-Id": header(
    "The request ID, as logged by Tillgate.",
    { type: "string", pattern: "^req_[0-9a-f]{32}$" },
    "req_0f9d6c2b7a4e4f0c8a1d5b3e6f7a8c9d",
  ),
  "Idempotent-Replayed": header(
    "`true` if an earlier request with the same idempotency key was already processed.",
    { type: "string", const: "true" },
    "true",
  ),
  "RateLimit-Policy": header(
    "The limit, and its window in seconds.",
    { type: "string", pattern: "^\\d+;w=\\d+$" },
    "600;w=60",
  ),
  "RateLimit-Limit": header("Maximum requests in this window.", COUNT, PAY_REQUESTS_PER_MINUTE),
  "RateLimit-Remaining": header("Remaining requests in this window.", COUNT, 599),
  "RateLimit-Reset": header("Seconds until this window ends.", COUNT, 60),
  "Retry-After": header("Seconds to wait before retrying.", { type: "integer", minimum: 1 }, 12),
  "WWW-Authenticate": header(
    "The authentication scheme.",
    { type: "string" },
    'Basic realm="Tillgate", charset="UTF-8"',
  ),
};

const ALWAYS = ["X-Request-Id"];
/** Only responses to an identified caller have these headers. */
const RATE_LIMIT = ["RateLimit-Policy", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];

export type Examples = Record<string, { summary: string; value: Json }>;

export const example = (name: string, summary: string, value: Json): Examples => ({
  [name]: { summary, value },
});

export const succeeded = (message: string, data: Json): Json => ({ message: { success: [message] }, data });

export const successExample = (name: string, summary: string, message: string, data: Json): Examples =>
  example(name, summary, succeeded(message, data));

const CREDENTIALS: Record<PublicApi, Credentials> = { pay: "clientCredentials", partner: "apiToken" };

export type Operation = {
  id: string;
  method: "get" | "post" | "put";
  path: string;
  /** Only under the sandbox base path. */
  sandboxOnly?: true;
  tag: string;
  summary: string;
  description: string;
  /** Absent for the API's usual credentials; null if none are required. */
  security?: Credentials | null;
  parameters?: JsonObject[];
  request?: { schema: keyof typeof REQUEST_SCHEMAS; examples: Examples };
  response:
    | { schema: keyof typeof RESPONSE_SCHEMAS; description: string; examples: Examples }
    /** `example` is the file's text. */
    | { mediaType: "text/csv" | "application/xml"; description: string; example: string };
  /** Accepts an idempotency key. */
  replays?: boolean;
  /** Errors of the operation, in addition to those common to all requests, credentials and bodies. */
  errors?: ErrorRow[];
};

export const queryParameter = (name: string, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: "query",
  required: false,
  description,
  schema,
});

export const CURSOR_PARAMETER = queryParameter(
  "cursor",
  "The `next_cursor` of the previous page. Omit it to start with the newest.",
  { type: "string", maxLength: MAX_CURSOR_LENGTH },
);

export const PER_PAGE_PARAMETER = queryParameter("per_page", "Number of entries per page.", {
  type: "integer",
  minimum: 1,
  maximum: MAX_PER_PAGE,
  default: 20,
});

export const pathParameter = (name: string, description: string, example: string): JsonObject => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
  example,
});

const KEY_HEADER: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "The idempotency key, instead of the field in the body. If both are present, they must be equal.",
  schema: { type: "string", minLength: 1, maxLength: MAX_KEY_LENGTH },
};

const headerReferences = (names: string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, reference("headers", name)]));

const errorHeaders = (status: number): JsonObject =>
  headerReferences([
    ...ALWAYS,
    ...RATE_LIMIT,
    ...(status === 401 ? ["WWW-Authenticate"] : []),
    ...(status === 429 || status === 503 ? ["Retry-After"] : []),
  ]);

const describeCauses = (rows: ErrorExample[]): string => {
  const [first, ...others] = rows;
  if (first && others.length === 0) return first.cause;
  return rows.map(({ summary, cause }) => `- **${summary}** ${cause}`).join("\n");
};

const errorResponse = (status: number, rows: ErrorExample[]): JsonObject => ({
  description: describeCauses(rows),
  headers: errorHeaders(status),
  content: {
    "application/json": {
      schema: reference("schemas", "ErrorEnvelope"),
      examples: Object.fromEntries(
        rows.map(({ summary, envelope }, index) => [`error${index + 1}`, { summary, value: envelope }]),
      ),
    },
  },
});

function describeResponses({ response, replays }: Operation, rows: ErrorExample[]): JsonObject {
  const statuses = [...new Set(rows.map(({ status }) => status))].sort((a, b) => a - b);
  return {
    200: {
      description: response.description,
      headers: headerReferences([...ALWAYS, ...RATE_LIMIT, ...(replays ? ["Idempotent-Replayed"] : [])]),
      content:
        "mediaType" in response
          ? { [response.mediaType]: { schema: { type: "string" }, example: response.example } }
          : {
              "application/json": {
                schema: reference("schemas", response.schema),
                examples: response.examples,
              },
            },
    },
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        errorResponse(
          status,
          rows.filter((row) => row.status === status),
        ),
      ]),
    ),
  };
}

/** The writes that an order-only key may call. */
const ORDER_ONLY_OPERATIONS = [
  "createOrder",
  "cancelOrder",
  "simulateOrder",
  "createPayment",
  "compareOrders",
];

const REPORT_OPERATIONS = [
  "listReportWallets",
  "getReportDay",
  "listReportFeed",
  "getStatementCsv",
  "getStatementXml",
  "getFeeStatement",
];

/** Builds an Operation Object of the OpenAPI Specification. */
export function describeOperation(
  operation: Operation,
  api: PublicApi,
  { idSuffix, tagSuffix }: BasePath,
): JsonObject {
  const { id, tag, summary, description, parameters = [], request, replays, errors = [] } = operation;
  const { security = CREDENTIALS[api] } = operation;
  const allParameters = replays ? [...parameters, KEY_HEADER] : parameters;
  const isWrite = operation.method !== "get";
  const rows = [
    ...(security ? CREDENTIAL_ERRORS[security] : []),
    ...errors,
    ...(isWrite ? ANY_BODY : []),
    ...(isWrite && security ? [ErrorCode.ReadOnlyCredential] : []),
    ...(isWrite && security && api === "pay" && !ORDER_ONLY_OPERATIONS.includes(id)
      ? [ErrorCode.OrderOnlyCredential]
      : []),
    ...(api === "pay" && security && !REPORT_OPERATIONS.includes(id)
      ? [ErrorCode.ReportsOnlyCredential]
      : []),
    ...(parameters.some((parameter) => parameter.in === "path") ? ANY_PATH : []),
    ...ANY_REQUEST,
  ].map((row) => errorExample(row, api));
  return {
    operationId: `${id}${idSuffix}`,
    tags: [`${tag}${tagSuffix}`],
    summary,
    description,
    security: security ? [{ [security]: [] }] : [],
    ...(allParameters.length > 0 ? { parameters: allParameters } : {}),
    ...(request
      ? {
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: reference("schemas", request.schema),
                examples: request.examples,
              },
            },
          },
        }
      : {}),
    responses: describeResponses(operation, rows),
  };
}
