import { qrSvg } from "@tillgate/qr";
import { orderRoute, sendNotFound } from "#http/order-route.ts";
import { readView } from "#internal-api/checkout.ts";
import { resolveLocale } from "#texts/languages.ts";
import { createLocalization } from "#texts/localization.ts";

/** Seconds for which browsers may cache the image, which never changes. */
const CACHE_SECONDS = 300;

/** Serves the QR code as an image, for shops without scripts; 404 if the order cannot be read or has no QR code. */
export default orderRoute(async ({ token, caller, request, response }) => {
  const outcome = await readView(token, caller);
  if (!outcome.ok) return sendNotFound(response);
  const { order, merchant } = outcome.data;
  if (order.qr_data === null) return sendNotFound(response);
  response.setHeader("Content-Type", "image/svg+xml");
  response.setHeader("Cache-Control", `private, max-age=${CACHE_SECONDS}`);
  const { fill, money, texts } = createLocalization(
    resolveLocale({ order: order.locale, header: request.headers["accept-language"] }),
  );
  const title = fill(texts.scan.picture, { amount: money(order.amount), merchant: merchant.name });
  response.status(200).send(qrSvg(order.qr_data, { title }));
});
