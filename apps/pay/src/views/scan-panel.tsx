import type { CheckoutView } from "@tillgate/contract";
import { qrSvg } from "@tillgate/qr";
import type { ReactNode } from "react";
import { fill, texts } from "../texts";

/**
 * The QR code and the payment address, to pay on another device. On a phone the code waits behind one tap, since a
 * phone does not scan itself: the picture follows the `details` and the style shows it when that is open or the
 * screen is wide, without a script.
 */
export function ScanPanel({ view: { order } }: { view: CheckoutView }): ReactNode {
  const names = { amount: order.amount, merchant: order.merchant_name };
  const picture =
    order.qr_data === null ? null : qrSvg(order.qr_data, { title: fill(texts.scan.picture, names) });
  return (
    <section className="card scan" aria-labelledby="scan-title">
      <h2 id="scan-title">{texts.scan.title}</h2>
      <p>
        {picture === null ? texts.scan.linkOnly : texts.scan.explanation}{" "}
        <span className="with-script">{texts.scan.live}</span>
      </p>
      {picture === null ? null : (
        <>
          <details className="qr-toggle">
            <summary data-testid="pay-qr-open">{texts.scan.open}</summary>
          </details>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing, its one text escaped by @tillgate/qr. */}
          <div className="qr" data-testid="pay-qr" dangerouslySetInnerHTML={{ __html: picture }} />
        </>
      )}
      <p className="label" id="url-label">
        {texts.scan.address}
      </p>
      <div className="url">
        <code data-testid="pay-url" data-url="">
          {order.payment_url}
        </code>
        <button
          type="button"
          className="button quiet with-script"
          data-testid="pay-copy"
          data-copied={texts.scan.copied}
          data-failed={texts.scan.copyFailed}
          aria-describedby="url-label"
        >
          {texts.scan.copy}
        </button>
      </div>
    </section>
  );
}
