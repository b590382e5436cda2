import { readStatus } from "../../../../edge/checkout-edge";
import { orderRoute, sendNotFound } from "../../../../http/order-route";

/** The order's status as JSON, for pages whose live stream does not get through. */
export default orderRoute(async ({ token, caller, response }) => {
  const outcome = await readStatus(token, caller);
  if (!outcome.ok) return sendNotFound(response);
  response.status(200).json(outcome.data);
});
