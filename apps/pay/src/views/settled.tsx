import type { CheckoutView } from "@tillgate/contract";
import type { ReactNode } from "react";
import { RETURN_SECONDS } from "../config";
import type { Notice } from "../notice";
import { fill, texts } from "../texts";
import { Moment } from "./moment";
import { NoticeBox } from "./notice-box";
import { Summary } from "./summary";

export interface SettledProps {
  token: string;
  view: CheckoutView;
  notice: Notice | null;
}

/** An order that is no longer payable: its receipt or what became of it, and the way back to the shop. */
export function Settled({ token, view, notice }: SettledProps): ReactNode {
  const { order } = view;
  const names = { merchant: order.merchant_name };
  const next =
    order.status === "PAID" || order.status === "PENDING" ? texts.receipt.next : texts.ended[order.status];
  return (
    <main
      className="page settled"
      data-token={token}
      data-order-status={order.status}
      data-version={order.version}
    >
      <div className="card receipt">
        <Summary view={view} />
        <NoticeBox notice={notice} />
        <p>{fill(next, names)}</p>
        <dl>
          {order.trx_id === null ? null : (
            <div>
              <dt>{texts.receipt.transaction}</dt>
              <dd data-testid="pay-receipt-trx">{order.trx_id}</dd>
            </div>
          )}
          <div>
            <dt>{texts.order.orderId}</dt>
            <dd data-testid="pay-order-id">{order.order_id}</dd>
          </div>
          {order.paid_at === null ? null : (
            <div>
              <dt>{texts.receipt.time}</dt>
              <dd>
                <Moment time={order.paid_at} testId="pay-receipt-time" />
              </dd>
            </div>
          )}
          {order.refunded_amount === null ? null : (
            <div>
              <dt>{texts.receipt.refunded}</dt>
              <dd data-testid="pay-refunded">{order.refunded_amount}</dd>
            </div>
          )}
        </dl>
        {view.return_to === null ? null : <WayBack view={view} to={view.return_to} />}
        {order.paid_at === null ? null : (
          <button type="button" className="button plain with-script no-print" data-testid="pay-print">
            {texts.receipt.print}
          </button>
        )}
      </div>
    </main>
  );
}

/** Orders whose page leads back by itself; a refunded one was looked up on purpose. */
export const returnsByItself = ({ order, return_to }: CheckoutView): boolean =>
  return_to !== null && ["PAID", "CANCELLED", "EXPIRED"].includes(order.status);

function WayBack({ view, to }: { view: CheckoutView; to: string }): ReactNode {
  const names = { merchant: view.order.merchant_name };
  return (
    <div className="way-back no-print">
      <a
        className="button main"
        href={to}
        rel="noreferrer"
        data-testid="pay-return"
        data-return-seconds={returnsByItself(view) ? RETURN_SECONDS : undefined}
      >
        {fill(texts.goBack.link, names)}
      </a>
      {returnsByItself(view) ? (
        <p className="returning with-script" data-testid="pay-returning">
          <span data-counting={fill(texts.goBack.counting, names)}>
            {fill(texts.goBack.counting, { ...names, seconds: RETURN_SECONDS })}
          </span>{" "}
          <button type="button" className="button plain" data-testid="pay-stay">
            {texts.goBack.stop}
          </button>
        </p>
      ) : null}
    </div>
  );
}
