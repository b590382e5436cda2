import { ANSWER_SCHEMAS } from "./answer-schemas.js";
import { jsonSchemas } from "./describe-schema.js";
import { DELIVERY_HEADERS, webhooks } from "./events.js";
import { HEADERS } from "./headers.js";
import type { JsonObject } from "./json.js";
import { operationObject, type Path } from "./operation.js";
import { ORDER_PATHS } from "./orders.js";
import { PARTNER_PATHS } from "./partner.js";
import { PAYMENT_PATHS } from "./payments.js";
import { REFUND_PATHS } from "./refunds.js";
import { REQUEST_SCHEMAS } from "./request-schemas.js";
import { PAY_SERVERS } from "./servers.js";
import { WEBHOOK_PATHS } from "./webhooks.js";

/** An OpenAPI 3.1 document, as far as its readers here need to know its parts. */
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

**Modes.** Every credential belongs to one merchant and one mode, sandbox or live; their data never mix, and sandbox moves no real funds.
On the Pay API each mode has a base path; on the Partner API the API token chooses the mode.

**Money.** Amounts are JSON numbers, or decimal texts where an amount is sent. Timestamps are ISO 8601 with whole seconds and \`+00:00\`.

**Fields.** An optional field that is \`null\` or empty counts as left out; fields that are not known are passed over. Answers may gain fields.

**Errors.** Every error has the same envelope; \`message.code\` equals the HTTP status. A wrong method on a known path answers 405 with
\`Allow\`, an unknown path 404. Every answer carries \`X-Request-Id\`.

**Idempotency.** A key is scoped to merchant, mode and operation. Only successes are remembered. A repeat answers 200 with the same resource
as it is now and \`Idempotent-Replayed: true\`; nothing moves twice.

**Rate limits.** 600 requests a minute for each merchant on the Pay API, 120 on the Partner API, 30 a minute for each client address at the
token endpoint, unless the account has others. \`RateLimit-*\` headers tell what is left; over it the answer is 429 with \`Retry-After\`.
`.trim();

const TAGS: JsonObject[] = [
  { name: "Payments", description: "Pay API: access token, hosted payments and their status." },
  { name: "Orders", description: "Pay API: payment orders for tills, shops and their plugins." },
  { name: "Refunds", description: "Pay API: refunds of payments." },
  { name: "Webhooks", description: "Pay API: try a callback_url, and read events live." },
  { name: "Payouts", description: "Partner API: recipients, quotes, payouts and balances." },
  { name: "Events", description: "Webhooks that Tillgate sends." },
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
    description: "The API token from the dashboard; it belongs to one mode.",
  },
};

const pathItem = ({ servers, api, operations }: Path): JsonObject => ({
  servers,
  ...Object.fromEntries(operations.map((operation) => [operation.method, operationObject(operation, api)])),
});

/** Describes the Pay API and the Partner API, made from the schemas of the contract. */
export const openApiDocument = (): OpenApiDocument => ({
  openapi: "3.1.1",
  info: {
    title: "Tillgate API",
    version: "1",
    description: DESCRIPTION,
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: PAY_SERVERS,
  tags: TAGS,
  paths: Object.fromEntries(
    [...PAYMENT_PATHS, ...ORDER_PATHS, ...REFUND_PATHS, ...WEBHOOK_PATHS, ...PARTNER_PATHS].map((path) => [
      path.path,
      pathItem(path),
    ]),
  ),
  webhooks: webhooks(),
  components: {
    schemas: { ...jsonSchemas(REQUEST_SCHEMAS, "input"), ...jsonSchemas(ANSWER_SCHEMAS, "output") },
    headers: HEADERS,
    parameters: DELIVERY_HEADERS,
    securitySchemes: SECURITY_SCHEMES,
  },
});
