import { ErrorCode } from "../errors/index.js";
import { MAX_CURSOR_LENGTH, MAX_KEY_LENGTH, MAX_PER_PAGE } from "../fields.js";
import { PAY_API_PATH, PAY_REQUESTS_PER_MINUTE } from "../limits.js";
import { PARTNER_API_PATHS } from "../public/payouts.js";
import { type Json, type JsonObject, reference } from "./describe-schema.js";
import { ANY_BODY, ANY_PATH, ANY_REQUEST, type ErrorExample, type ErrorRow, errorExample } from "./errors.js";
import type { REQUEST_SCHEMAS } from "./request-schemas.js";
import type { RESPONSE_SCHEMAS } from "./response-schemas.js";

/** Which of the two APIs an operation belongs to. */
export type PublicApi = "pay" | "partner";

/**
 * One base path of an API, and the suffix that distinguishes its operations. Paths are written whole: few generators read
 * separate servers for each path, and generated clients then posted payouts to the Pay API.
 */
type BasePath = { base: string; idSuffix: string; tagSuffix: string };

const BASE_PATHS: Record<PublicApi, readonly BasePath[]> = {
  /** A base path for each mode; a key of the other mode is refused there. */
  pay: [
    { base: PAY_API_PATH.sandbox, idSuffix: "InSandbox", tagSuffix: " (sandbox)" },
    { base: PAY_API_PATH.live, idSuffix: "", tagSuffix: "" },
  ],
  /** Two base paths that do the same: the API token chooses the mode. */
  partner: [
    { base: PARTNER_API_PATHS[0], idSuffix: "", tagSuffix: "" },
    { base: PARTNER_API_PATHS[1], idSuffix: "UnderShortPath", tagSuffix: " (short path)" },
  ],
};

/** The base paths that something is served under. */
export const basePathsOf = ({
  api,
  sandboxOnly,
}: {
  api: PublicApi;
  sandboxOnly?: true;
}): readonly BasePath[] =>
  BASE_PATHS[api].filter(({ base }) => !sandboxOnly || base === PAY_API_PATH.sandbox);

/** Paths are whole, so that only the host is left to be said. */
export const SERVERS: JsonObject[] = [{ url: "/", description: "The host that answers this document." }];

const header = (description: string, schema: JsonObject, example: string | number): JsonObject => ({
  description,
  schema,
  example,
});

const COUNT: JsonObject = { type: "integer", minimum: 0 };

/** Every header that an answer may carry beside those of HTTP itself. */
export const HEADERS: Record<string, JsonObject> = {
  "X-Request-Id": header(
    "Names this request in the service's logs.",
    { type: "string", pattern: "^req_[0-9a-f]{32}$" },
    "req_0f9d6c2b7a4e4f0c8a1d5b3e6f7a8c9d",
  ),
  "Idempotent-Replayed": header(
    "`true` when an earlier request with the same idempotency key had already done this.",
    { type: "string", const: "true" },
    "true",
  ),
  "RateLimit-Policy": header(
    "The limit and its window in seconds.",
    { type: "string", pattern: "^\\d+;w=\\d+$" },
    "600;w=60",
  ),
  "RateLimit-Limit": header("Requests that are allowed in this window.", COUNT, PAY_REQUESTS_PER_MINUTE),
  "RateLimit-Remaining": header("Requests that are left in this window.", COUNT, 599),
  "RateLimit-Reset": header("Seconds until this window is over.", COUNT, 60),
  "Retry-After": header("Seconds after which to try again.", { type: "integer", minimum: 1 }, 12),
  "WWW-Authenticate": header(
    "How to authenticate.",
    { type: "string" },
    'Basic realm="Tillgate", charset="UTF-8"',
  ),
};

/** Sent with every answer. */
const ALWAYS = ["X-Request-Id"];
/** Sent with every answer to a caller that is counted. */
const RATE_LIMIT = ["RateLimit-Policy", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];

/** An example by its name: what it shows, and the value. */
export type Examples = Record<string, { summary: string; value: Json }>;

export type Security = "clientCredentials" | "accessToken" | "apiToken";

/** One operation of the API: what the document says of it. */
export type Operation = {
  id: string;
  method: "get" | "post";
  tag: string;
  summary: string;
  description: string;
  /** Left out: no credentials are needed. */
  security?: Security;
  parameters?: JsonObject[];
  request?: { schema: keyof typeof REQUEST_SCHEMAS; examples: Examples };
  answer: { schema: keyof typeof RESPONSE_SCHEMAS; description: string; examples: Examples };
  /** Whether an idempotency key can make it answer an earlier result. */
  replays?: boolean;
  errors: ErrorRow[];
};

/** The operations of one path below the base paths of its API. */
export type Path = {
  path: string;
  api: PublicApi;
  /** Under the sandbox's base path only. */
  sandboxOnly?: true;
  operations: Operation[];
};

export const queryParameter = (name: string, description: string, schema: JsonObject): JsonObject => ({
  name,
  in: "query",
  required: false,
  description,
  schema,
});

/** Where a list that has no numbered pages goes on. */
export const CURSOR_PARAMETER = queryParameter(
  "cursor",
  "The `next_cursor` of an earlier answer. Left out: from the newest.",
  { type: "string", maxLength: MAX_CURSOR_LENGTH },
);

export const PER_PAGE_PARAMETER = queryParameter("per_page", "Entries a page.", {
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
  description: "The idempotency key, where it is not in the body. Both must be equal where both are given.",
  schema: { type: "string", minLength: 1, maxLength: MAX_KEY_LENGTH },
};

const headersOf = (names: string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, reference("headers", name)]));

const errorHeaders = (status: number): JsonObject =>
  headersOf([
    ...ALWAYS,
    ...RATE_LIMIT,
    ...(status === 401 ? ["WWW-Authenticate"] : []),
    ...(status === 429 || status === 503 ? ["Retry-After"] : []),
  ]);

/** What causes a status: one sentence, or a list of the texts with their causes. */
const causes = (rows: ErrorExample[]): string => {
  const [only, ...others] = rows;
  if (only && others.length === 0) return only.cause;
  return rows.map(({ summary, cause }) => `- **${summary}** ${cause}`).join("\n");
};

/** The response of one status: every row of it as an example with the exact text. */
const errorResponse = (status: number, rows: ErrorExample[]): JsonObject => ({
  description: causes(rows),
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

function responsesOf({ answer, replays }: Operation, rows: ErrorExample[]): JsonObject {
  const statuses = [...new Set(rows.map(({ status }) => status))].sort((a, b) => a - b);
  return {
    200: {
      description: answer.description,
      headers: headersOf([...ALWAYS, ...RATE_LIMIT, ...(replays ? ["Idempotent-Replayed"] : [])]),
      content: {
        "application/json": { schema: reference("schemas", answer.schema), examples: answer.examples },
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

/** What an order-only key may call by POST. */
const OF_ORDERS = ["createOrder", "cancelOrder", "simulateOrder", "createPayment"];

/** The Operation Object of the OpenAPI Specification. */
export function operationObject(
  operation: Operation,
  api: PublicApi,
  { idSuffix, tagSuffix }: BasePath,
): JsonObject {
  const { id, tag, summary, description, security, parameters = [], request, replays } = operation;
  const allParameters = replays ? [...parameters, KEY_HEADER] : parameters;
  const rows = [
    ...operation.errors,
    ...(operation.method === "post" ? ANY_BODY : []),
    ...(operation.method === "post" && security ? [ErrorCode.ReadOnlyCredential] : []),
    ...(operation.method === "post" && security && api === "pay" && !OF_ORDERS.includes(id)
      ? [ErrorCode.OrderOnlyCredential]
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
    responses: responsesOf(operation, rows),
  };
}
