import { MAX_CURSOR_LENGTH, MAX_KEY_LENGTH, MAX_PER_PAGE } from "../fields.js";
import { Refusal } from "../refusals/index.js";
import type { ANSWER_SCHEMAS } from "./answer-schemas.js";
import type { BasePath, PublicApi } from "./base-paths.js";
import { ANY_BODY, ANY_PATH, ANY_REQUEST, type ErrorRow, type ShownError, shownError } from "./errors.js";
import { ALWAYS, RATE_LIMIT } from "./headers.js";
import { type Json, type JsonObject, reference } from "./json.js";
import type { REQUEST_SCHEMAS } from "./request-schemas.js";

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
  answer: { schema: keyof typeof ANSWER_SCHEMAS; description: string; examples: Examples };
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
const causes = (rows: ShownError[]): string => {
  const [only, ...others] = rows;
  if (only && others.length === 0) return only.cause;
  return rows.map(({ summary, cause }) => `- **${summary}** ${cause}`).join("\n");
};

/** The response of one status: every row of it as an example with the exact text. */
const errorResponse = (status: number, rows: ShownError[]): JsonObject => ({
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

function responsesOf({ answer, replays }: Operation, rows: ShownError[]): JsonObject {
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
    ...(operation.method === "post" && security ? [Refusal.ReadOnlyCredential] : []),
    ...(operation.method === "post" && security && api === "pay" && !OF_ORDERS.includes(id)
      ? [Refusal.OrderOnlyCredential]
      : []),
    ...(parameters.some((parameter) => parameter.in === "path") ? ANY_PATH : []),
    ...ANY_REQUEST,
  ].map((row) => shownError(row, api));
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
