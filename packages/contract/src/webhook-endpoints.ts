import { z } from "zod";
import {
  attemptSchema,
  chosenEvents,
  createReceiverRequestSchema,
  deliverySchema,
  receiverSchema,
} from "./console.js";
import { successEnvelope } from "./envelope.js";
import {
  cursorField,
  nextCursor,
  optional,
  optionalFilter,
  optionalWebAddress,
  pageFields,
} from "./fields.js";
import { oneOfRule } from "./refusals/field-rules.js";

/** Webhook endpoints, their deliveries and attempts, as the Pay API has them: what the console does, in its own mode. */

export const createEndpointRequestSchema = createReceiverRequestSchema;
export type CreateEndpoint = z.output<typeof createEndpointRequestSchema>;

/** A field that is left out does not change. */
export const changeEndpointRequestSchema = z.object({
  address: optionalWebAddress,
  events: optional(chosenEvents),
});

export const endpointSchema = z.object({
  endpoint_id: z.uuid(),
  ...receiverSchema.omit({ receiver_id: true, mode: true }).shape,
});
export type WebhookEndpoint = z.infer<typeof endpointSchema>;

export const endpointAnswerSchema = successEnvelope(endpointSchema);
/** The secret is shown only here. */
export const endpointSecretAnswerSchema = successEnvelope(endpointSchema.extend({ secret: z.string() }));
export type WebhookEndpointSecret = z.infer<typeof endpointSecretAnswerSchema>["data"];
export const endpointListAnswerSchema = successEnvelope(z.object({ endpoints: z.array(endpointSchema) }));

const LISTED_STATUSES = ["failed"] as const;
export const listWebhookDeliveriesQuerySchema = z.object({
  endpoint_id: optionalFilter(64),
  status: z.enum(LISTED_STATUSES, { error: oneOfRule(LISTED_STATUSES).text }).optional(),
  cursor: cursorField,
  per_page: pageFields.per_page,
});

export const webhookDeliverySchema = z.object({
  ...deliverySchema.omit({ receiver_id: true }).shape,
  /** Null: the order's own callback_url. */
  endpoint_id: z.uuid().nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;
export const webhookAttemptSchema = attemptSchema;

export const webhookDeliveryListAnswerSchema = successEnvelope(
  z.object({ deliveries: z.array(webhookDeliverySchema), next_cursor: nextCursor }),
);
export type WebhookDeliveryList = z.infer<typeof webhookDeliveryListAnswerSchema>["data"];
export const webhookDeliveryAnswerSchema = successEnvelope(
  webhookDeliverySchema.extend({ history: z.array(webhookAttemptSchema) }),
);
export type WebhookDeliveryDetails = z.infer<typeof webhookDeliveryAnswerSchema>["data"];

export const deliveryResentAnswerSchema = successEnvelope(
  z.object({ delivery_id: z.uuid(), already_waiting: z.boolean() }),
);
export type DeliveryResent = z.infer<typeof deliveryResentAnswerSchema>["data"];
