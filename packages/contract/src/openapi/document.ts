import {
  PARTNER_REQUESTS_PER_MINUTE,
  PAY_REQUESTS_PER_MINUTE,
  TOKEN_REQUESTS_PER_MINUTE,
} from "../limits.js";
import { ACCOUNT_PATHS, BALANCE_PATHS } from "./account.js";
import { type JsonObject, jsonSchemas } from "./describe-schema.js";
import { DELIVERY_HEADERS, webhooks } from "./events.js";
import { basePathsOf, HEADERS, operationObject, type Path, type PublicApi, SERVERS } from "./operation.js";
import { ORDER_PATHS } from "./orders.js";
import { PAYMENT_PATHS } from "./payments.js";
import { PARTNER_PATHS } from "./payouts.js";
import { REFUND_PATHS } from "./refunds.js";
import { REPLAY_PATHS } from "./replays.js";
import { REQUEST_SCHEMAS } from "./request-schemas.js";
import { RESPONSE_SCHEMAS } from "./response-schemas.js";
import { TEST_CONTROL_PATHS } from "./test-controls.js";
import { WEBHOOK_ENDPOINT_PATHS } from "./webhook-endpoints.js";
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

**Fields.** An optional field of a body that is \`null\` or the empty text counts as left out, whatever kind of field it is. Two say otherwise: the
\`amount\` of a refund, where leaving it out refunds all that is left, and an empty \`idempotency_key\`, which is a mistake; both are refused. An
empty filter of a list is refused. Fields that are not known are passed over, except one that looks like a known field that was left out
(\`amout\`, \`callbackUrl\`): it is refused, naming both. Every wrong and missing field of a request is named at once. Answers may gain fields.

**Errors.** Every error has the same envelope; \`message.code\` equals the HTTP status. \`error_code\` says which error it is and never changes: decide by
it, texts are for people. \`param\` is the one field that is to blame, where it is one. A wrong method on a known path answers 405
(\`method_not_allowed\`) with \`Allow\`, an unknown path 404 (\`unknown_route\`). Every answer carries \`X-Request-Id\`.

**Idempotency.** The key stands in \`idempotency_key\` or in the header \`Idempotency-Key\`; where both are given they must be equal. At most 64
characters; an empty one is refused. A key is scoped to merchant, mode and operation. Only successes are remembered. A repeat answers 200 with the same resource
as it is now and \`Idempotent-Replayed: true\`; nothing moves twice.

**Rate limits.** ${PAY_REQUESTS_PER_MINUTE} requests a minute for each merchant on the Pay API, ${PARTNER_REQUESTS_PER_MINUTE} on the Partner API, ${TOKEN_REQUESTS_PER_MINUTE} a minute for each client address at the
token endpoint, unless the account has others. \`RateLimit-*\` headers tell what is left; over it the answer is 429 with \`Retry-After\`.
`.trim();

const API_TAGS: { api: PublicApi; sandboxOnly?: true; name: string; description: string }[] = [
  { api: "pay", name: "Payments", description: "Pay API: access token, hosted payments and their status." },
  { api: "pay", name: "Orders", description: "Pay API: payment orders for tills, shops and their plugins." },
  { api: "pay", name: "Refunds", description: "Pay API: refunds of payments." },
  {
    api: "pay",
    name: "Webhooks",
    description: "Pay API: endpoints and deliveries, trials, and events read live.",
  },
  {
    api: "pay",
    name: "Account",
    description: "Pay API: whose credentials these are, balances and statements.",
  },
  {
    api: "pay",
    sandboxOnly: true,
    name: "Test controls",
    description: "Time and faults on order, for tests. The live mode has none of it.",
  },
  { api: "partner", name: "Payouts", description: "Partner API: recipients, quotes, payouts and balances." },
];

const TAGS: JsonObject[] = [
  ...API_TAGS.flatMap(({ name, description, ...where }) =>
    basePathsOf(where).map(({ base, tagSuffix }) => ({
      name: `${name}${tagSuffix}`,
      description: `${description} Under \`${base}\`.`,
    })),
  ),
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

const PATHS: Path[] = [
  ...PAYMENT_PATHS,
  ...ORDER_PATHS,
  ...REFUND_PATHS,
  ...WEBHOOK_PATHS,
  ...ACCOUNT_PATHS,
  ...BALANCE_PATHS,
  ...TEST_CONTROL_PATHS,
  ...WEBHOOK_ENDPOINT_PATHS,
  ...REPLAY_PATHS,
  ...PARTNER_PATHS,
];

/** Every path in full, with the operations under it. */
const pathItems = ({ path, operations, ...where }: Path): [string, JsonObject][] =>
  basePathsOf(where).map((basePath) => [
    `${basePath.base}${path}`,
    Object.fromEntries(
      operations.map((operation) => [operation.method, operationObject(operation, where.api, basePath)]),
    ),
  ]);

/** Describes the Pay API and the Partner API, made from the schemas of the contract. */
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
  paths: Object.fromEntries(PATHS.flatMap(pathItems)),
  webhooks: webhooks(),
  components: {
    schemas: { ...jsonSchemas(REQUEST_SCHEMAS, "input"), ...jsonSchemas(RESPONSE_SCHEMAS, "output") },
    headers: HEADERS,
    parameters: DELIVERY_HEADERS,
    securitySchemes: SECURITY_SCHEMES,
  },
});
