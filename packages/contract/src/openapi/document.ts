import {
  PARTNER_REQUESTS_PER_MINUTE,
  PAY_REQUESTS_PER_MINUTE,
  TOKEN_REQUESTS_PER_MINUTE,
} from "../limits.js";
import { ACCOUNT_OPERATIONS } from "./account.js";
import { COMPARISON_OPERATIONS } from "./comparisons.js";
import { type JsonObject, jsonSchemas } from "./describe-schema.js";
import { DELIVERY_HEADERS, describeWebhooks } from "./events.js";
import {
  describeOperation,
  getBasePaths,
  HEADERS,
  type Operation,
  type PublicApi,
  SERVERS,
} from "./operation.js";
import { ORDER_OPERATIONS } from "./orders.js";
import { PAYMENT_OPERATIONS } from "./payments.js";
import { PARTNER_OPERATIONS } from "./payouts.js";
import { REFUND_OPERATIONS } from "./refunds.js";
import { REPLAY_OPERATIONS } from "./replays.js";
import { REPORT_OPERATIONS } from "./reports.js";
import { REQUEST_SCHEMAS } from "./request-schemas.js";
import { RESPONSE_SCHEMAS } from "./response-schemas.js";
import { TEST_CONTROL_OPERATIONS } from "./test-controls.js";
import { WEBHOOK_ENDPOINT_OPERATIONS } from "./webhook-endpoints.js";
import { WEBHOOK_OPERATIONS } from "./webhooks.js";

/** Has only the parts that this repository reads. */
export type OpenApiDocument = {
  openapi: string;
  info: JsonObject;
  servers: JsonObject[];
  tags: JsonObject[];
  paths: Record<string, JsonObject>;
  webhooks: JsonObject;
  components: {
    schemas: Record<string, JsonObject>;
    headers: Record<string, JsonObject>;
    parameters: Record<string, JsonObject>;
    securitySchemes: Record<string, JsonObject>;
  };
};

const DESCRIPTION = `
Wallet payments, refunds and payouts.

**Modes.** Every credential belongs to one merchant and one mode, sandbox or live. Data of the two modes is separate, and the sandbox moves no real funds.
On the Pay API, each mode has its own base path. On the Partner API, the API token determines the mode.

**Amounts and times.** Requests accept amounts as decimal strings and as JSON numbers. Responses contain JSON numbers, with two exceptions: reports contain
decimal strings; and a field that also exists with the prefix \`raw_\`, such as \`amount\` and \`raw_amount\`, is formatted text ("41.50 EUR"), while the \`raw_\` field is the number. Timestamps are ISO 8601 in whole seconds with the offset \`+00:00\`.

**Fields.** \`null\` or an empty string in an optional body field counts as absent, whatever the field's type. There are two exceptions: the
\`amount\` of a refund, because omitting it refunds the full remainder, and \`idempotency_key\`, because an empty key is a caller's bug. Both are rejected. An
empty list filter is rejected. Unknown fields are ignored, with two exceptions. Comparisons reject them. If an unknown field
resembles a known field that is absent from the request (\`amout\`, \`callbackUrl\`), the request is rejected, and the error names both. A validation error lists every invalid and missing field. Responses may gain fields.

**Errors.** All errors use the same envelope, and \`message.code\` equals the HTTP status. \`error_code\` is a stable identifier of the error: branch on
it, not on the message. \`param\` is the invalid field if there is exactly one. An unsupported method on a known path returns 405
(\`method_not_allowed\`) with \`Allow\`; an unknown path returns 404 (\`unknown_route\`). Every response has \`X-Request-Id\`.

**Idempotency.** Send the key in \`idempotency_key\` or in the \`Idempotency-Key\` header; if both are present, they must be equal. Keys have up to 64
characters; an empty key is rejected. A key is scoped to a merchant, mode and operation. Only successful requests are recorded. A repeat returns 200 with the same resource
in its current state and \`Idempotent-Replayed: true\`, and no money moves again. The same key with other fields returns 409 (\`idempotency_key_reused\`), except for a payout: it
returns the original payout.

**Rate limits.** By default: ${PAY_REQUESTS_PER_MINUTE} requests per minute and merchant on the Pay API, ${PARTNER_REQUESTS_PER_MINUTE} on the Partner API, and ${TOKEN_REQUESTS_PER_MINUTE} per minute and client IP address on the
token endpoint. \`RateLimit-*\` headers report the remaining requests; beyond the limit, requests return 429 with \`Retry-After\`.
`.trim();

const API_TAGS: { api: PublicApi; sandboxOnly?: true; name: string; description: string }[] = [
  { api: "pay", name: "Payments", description: "Pay API: access tokens, hosted payments and their status." },
  { api: "pay", name: "Orders", description: "Pay API: payment orders of tills, shops and plugins." },
  { api: "pay", name: "Refunds", description: "Pay API: refunds of payments." },
  {
    api: "pay",
    name: "Webhooks",
    description: "Pay API: webhook endpoints, deliveries, replays, test events and the event list.",
  },
  {
    api: "pay",
    name: "Account",
    description: "Pay API: the account, its balances and its statements.",
  },
  { api: "pay", name: "Reports", description: "Pay API: every entry of the wallets, by day and as a feed." },
  { api: "pay", name: "Comparisons", description: "Pay API: a shop's orders compared with Tillgate." },
  {
    api: "pay",
    sandboxOnly: true,
    name: "Test controls",
    description: "Fault injection and early expiry for tests, in the sandbox only.",
  },
  { api: "partner", name: "Payouts", description: "Partner API: recipients, quotes, payouts and balances." },
];

const TAGS: JsonObject[] = [
  ...API_TAGS.flatMap(({ api, sandboxOnly, name, description }) =>
    getBasePaths(api, sandboxOnly).map(({ base, tagSuffix }) => ({
      name: `${name}${tagSuffix}`,
      description: `${description} Under \`${base}\`.`,
    })),
  ),
  { name: "Events", description: "Webhook events sent by Tillgate." },
];

const SECURITY_SCHEMES: Record<string, JsonObject> = {
  clientCredentials: {
    type: "http",
    scheme: "basic",
    description: "`Basic base64(client_id:client_secret)`",
  },
  accessToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The access token from `/authentication/token`.",
  },
  apiToken: {
    type: "http",
    scheme: "bearer",
    description: "The API token from the console; it belongs to one mode.",
  },
};

const OPERATIONS: Record<PublicApi, Operation[]> = {
  pay: [
    ...PAYMENT_OPERATIONS,
    ...ORDER_OPERATIONS,
    ...REFUND_OPERATIONS,
    ...WEBHOOK_OPERATIONS,
    ...ACCOUNT_OPERATIONS,
    ...REPORT_OPERATIONS,
    ...COMPARISON_OPERATIONS,
    ...TEST_CONTROL_OPERATIONS,
    ...WEBHOOK_ENDPOINT_OPERATIONS,
    ...REPLAY_OPERATIONS,
  ],
  partner: PARTNER_OPERATIONS,
};

/** Describes each path under every base path of the API. */
function describePaths(api: PublicApi): Record<string, JsonObject> {
  const paths: Record<string, JsonObject> = {};
  for (const operation of OPERATIONS[api])
    for (const basePath of getBasePaths(api, operation.sandboxOnly)) {
      const path = `${basePath.base}${operation.path}`;
      paths[path] = { ...paths[path], [operation.method]: describeOperation(operation, api, basePath) };
    }
  return paths;
}

/** Returns the document of the Pay API and the Partner API, generated from the contract's schemas. */
export const openApiDocument = (): OpenApiDocument => ({
  openapi: "3.1.1",
  info: {
    title: "Tillgate API",
    version: "1",
    description: DESCRIPTION,
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: SERVERS,
  tags: TAGS,
  paths: { ...describePaths("pay"), ...describePaths("partner") },
  webhooks: describeWebhooks(),
  components: {
    schemas: { ...jsonSchemas(REQUEST_SCHEMAS, "input"), ...jsonSchemas(RESPONSE_SCHEMAS, "output") },
    headers: HEADERS,
    parameters: DELIVERY_HEADERS,
    securitySchemes: SECURITY_SCHEMES,
  },
});
