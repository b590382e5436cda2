import { qrSvg } from "@tillgate/qr";
import type { ReactNode } from "react";
import { pageAddress } from "#http/addresses.ts";
import { useLocalization } from "./localization";
import type { OrderHead } from "./order-main";
import type { OrderScreen } from "./screen";

/** Renders the QR code and payment URL for another device, collapsed on narrow screens, because a phone cannot scan its own screen. */
export function ScanPanel({ token, view }: Pick<OrderScreen, "token" | "view">): ReactNode {
  const { texts } = useLocalization();
  const { order } = view;
  return (
    <section className="scan" aria-label={texts.scan.open}>
      <details className="scan-toggle">
        <summary data-testid="pay-qr-open">{texts.scan.open}</summary>
      </details>
      <div className="scan-body">
        <h2>{texts.scan.title}</h2>
        <p>
          {order.qr_data === null ? texts.scan.linkOnly : texts.scan.explanation}{" "}
          <span className="with-script">{texts.scan.live}</span>
        </p>
        <Code view={view} />
        <Address view={view} />
        {order.qr_data === null ? null : (
          <p className="without-script">
            <a href={pageAddress(token, { codeOnly: true })}>{texts.scan.watch}</a>
          </p>
        )}
      </div>
    </section>
  );
}

/** Renders the QR code as inline SVG; nothing if the shop disabled the code. */
export function Code({ view: { order, merchant } }: { view: OrderHead }): ReactNode {
  const { texts, fill, money } = useLocalization();
  if (order.qr_data === null) return null;
  const title = fill(texts.scan.picture, { amount: money(order.amount), merchant: merchant.name });
  const picture = qrSvg(order.qr_data, { title });
  // biome-ignore lint/security/noDangerouslySetInnerHtml: SVG from @tillgate/qr, which escapes its only text.
  return <div className="qr" data-testid="pay-qr" dangerouslySetInnerHTML={{ __html: picture }} />;
}

export function Address({ view: { order } }: Pick<OrderScreen, "view">): ReactNode {
  const { texts } = useLocalization();
  return (
    <div className="address">
      <p className="label" id="url-label">
        {texts.scan.address}
      </p>
      <div className="url">
        <code data-testid="pay-url" id="url">
          {order.payment_url}
        </code>
        <button
          type="button"
          className="button quiet with-script"
          data-testid="pay-copy"
          data-copy="url"
          data-copied={texts.scan.copied}
          data-failed={texts.scan.copyFailed}
          aria-describedby="url-label"
        >
          {texts.scan.copy}
        </button>
      </div>
    </div>
  );
}
