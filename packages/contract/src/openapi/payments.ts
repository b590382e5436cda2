import { ErrorCode, FieldRule } from "../errors/index.js";
import { ACCESS_TOKEN_SECONDS } from "../public/payments.js";
import type { Json } from "./describe-schema.js";
import { wrongField } from "./errors.js";
import { example, type Operation, pathParameter } from "./operation.js";

const TAG = "Payments";

const TOKEN = "q3Vw0uXkqPZ7hYc2dR9sTg";

const succeeded = (message: string, data: Json): Json => ({
  message: { code: 200, success: [message] },
  data,
  type: "success",
});

const PAYMENT: Json = {
  token: TOKEN,
  order_id: "POS-20261121-7KQ2MX",
  status: "PAID",
  amount: "41.50 EUR",
  raw_amount: 41.5,
  currency: "EUR",
  order_number: "1001",
  custom: null,
  metadata: null,
  locale: null,
  trx_id: "TRX-482913750264",
  paid_at: "2026-11-21T09:31:12+00:00",
  expires_at: "2026-11-21T10:30:00+00:00",
  created_at: "2026-11-21T09:30:00+00:00",
};

export const PAYMENT_OPERATIONS: Operation[] = [
  {
    id: "createAccessToken",
    method: "post",
    path: "/authentication/token",
    tag: TAG,
    summary: "Create an access token",
    description: `Exchanges client credentials for an access token that is valid for ${ACCESS_TOKEN_SECONDS} seconds. Revoking the credential invalidates its tokens within two seconds.`,
    security: null,
    request: {
      schema: "TokenRequest",
      examples: example("credentials", "Client credentials", {
        client_id: "tg_test_4f6b…",
        secret_id: "tgs_test_…",
      }),
    },
    response: {
      schema: "TokenResponse",
      description: "The access token.",
      examples: example(
        "token",
        "Token",
        succeeded("SUCCESS", {
          access_token: "eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.…",
          expire_time: ACCESS_TOKEN_SECONDS,
        }),
      ),
    },
    errors: [
      ErrorCode.InvalidSecretId,
      ErrorCode.SecretIdOfOtherMode,
      ErrorCode.MerchantSuspended,
      wrongField("client_id", FieldRule.Required),
    ],
  },
  {
    id: "createPayment",
    method: "post",
    path: "/payment/create",
    tag: TAG,
    summary: "Create a payment",
    description:
      "Creates a payment and returns the URL of its hosted page. The customer returns to `return_url` or `cancel_url` with `token`, `status`, `order_number`, `trx_id` and `custom` in the query. These parameters are not proof of payment: retrieve the payment to confirm its status.",
    security: "accessToken",
    request: {
      schema: "CreatePaymentRequest",
      examples: example("payment", "A payment of 41.50 EUR", {
        amount: 41.5,
        currency: "EUR",
        return_url: "https://shop.example/thanks",
        cancel_url: "https://shop.example/cart",
        product_name: "Order 1001",
        order_number: "1001",
      }),
    },
    response: {
      schema: "PaymentCreatedResponse",
      description: "The payment, awaiting the customer.",
      examples: example(
        "created",
        "Created, now or by an earlier request with the same idempotency key",
        succeeded("Payment created successfully", {
          token: TOKEN,
          payment_url: `https://pay.example/pay/${TOKEN}`,
        }),
      ),
    },
    replays: true,
    errors: [
      wrongField("amount", FieldRule.Required),
      wrongField("currency", FieldRule.OwnCurrency),
      wrongField("currency", FieldRule.ActiveCurrency),
      ErrorCode.IdempotencyKeyReused,
    ],
  },
  {
    id: "getPayment",
    method: "get",
    path: "/payment/{token}",
    tag: TAG,
    summary: "Get a payment",
    description: "Retrieves a payment and its status, for example after the customer returns to the shop.",
    security: "accessToken",
    parameters: [pathParameter("token", "The payment's token.", TOKEN)],
    response: {
      schema: "PaymentResponse",
      description: "The payment.",
      examples: example("paid", "Paid", succeeded("Payment status retrieved", PAYMENT)),
    },
    errors: [ErrorCode.OrderNotFound],
  },
];
