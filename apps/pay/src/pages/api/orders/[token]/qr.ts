import { qrSvg } from "@tillgate/qr";
import { readView } from "../../../../edge/checkout-edge";
import { orderRoute, sendNotFound } from "../../../../http/order-route";
import { fill, texts } from "../../../../texts";

/** Seconds for which a browser may show the picture again; what it encodes never changes. */
const KEEP_SECONDS = 300;

/** The QR code as a picture, for shops without scripts. An order without a QR code has no picture either. */
export default orderRoute(async ({ token, caller, response }) => {
  const outcome = await readView(token, caller);
  if (!outcome.ok) return sendNotFound(response);
  const { order, merchant } = outcome.data;
  if (order.qr_data === null) return sendNotFound(response);
  response.setHeader("Content-Type", "image/svg+xml");
  response.setHeader("Cache-Control", `private, max-age=${KEEP_SECONDS}`);
  const title = fill(texts.scan.picture, { amount: order.amount, merchant: merchant.name });
  response.status(200).send(qrSvg(order.qr_data, { title }));
});
