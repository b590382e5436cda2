import { orderRoute, sendNotFound } from "#http/order-route.ts";
import { ApiUnreachable, readStatus } from "#internal-api/checkout.ts";

export default orderRoute(async ({ token, caller, response }) => {
  const outcome = await readStatus(token, caller);
  if (!outcome.ok && outcome.reason === "not_found") return sendNotFound(response);
  // Only "not found" is final. Any other error may be temporary.
  if (!outcome.ok)
    throw new ApiUnreachable(`The API rejected the request for an order's status: ${outcome.reason}`);
  response.status(200).json(outcome.data);
});
