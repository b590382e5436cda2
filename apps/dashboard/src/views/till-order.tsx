import type { ConsoleTillOrder } from "@tillgate/contract";
import { qrSvg } from "@tillgate/qr";
import type { ReactNode } from "react";
import { amountSize } from "../till-size";
import { Button, Confirmation, Form } from "./form";
import { Money } from "./parts";
import { usePage } from "./use-page";

/** The code that the customer scans, and the clock. The script draws this part again until it is paid. */
export function TillWaits({ order, endsAt }: { order: ConsoleTillOrder; endsAt: string }): ReactNode {
  const { t, f } = usePage();
  const picture = qrSvg(order.payment_url, { title: t("till.scan", { amount: f.money(order.money) }) });
  return (
    <section className="till-waits" data-state="PENDING">
      <h1 className="till-sum" data-size={amountSize(f.money(order.money))} data-testid="till-sum">
        <Money money={order.money} />
      </h1>
      {order.description ? <p>{order.description}</p> : null}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing, its one text escaped by @tillgate/qr. */}
      <div className="qr-picture" data-testid="qr-picture" dangerouslySetInnerHTML={{ __html: picture }} />
      <p className="soft">
        {t("till.waits")}{" "}
        <time dateTime={endsAt} data-ends="">
          {f.clock(endsAt)}
        </time>
      </p>
      <Confirmation label={t("till.cancel")} danger>
        <Form action="cancel">
          <Button kind="danger" testId="till-cancel">
            {t("till.cancelNow")}
          </Button>
        </Form>
      </Confirmation>
    </section>
  );
}

/** What became of it: a sign that is seen across the counter. */
export function TillEnded({ order, next }: { order: ConsoleTillOrder; next: string }): ReactNode {
  const { t, f } = usePage();
  const paid = order.status !== "CANCELLED" && order.status !== "EXPIRED";
  const outcome = paid ? "paid" : order.status === "CANCELLED" ? "cancelled" : "expired";
  return (
    <section className={`till-ended ${outcome}`} data-state={order.status} data-testid="till-ended">
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <path d={paid ? "M11 25l9 9L38 15" : "M15 15l18 18M33 15L15 33"} />
      </svg>
      <h1>{t(`till.${outcome}`)}</h1>
      <p className="till-sum" data-size={amountSize(f.money(order.money))}>
        <Money money={order.money} />
      </p>
      {order.description ? <p>{order.description}</p> : null}
      {order.trx_id ? <p data-testid="till-trx">{order.trx_id}</p> : null}
      <div className="till-steps">
        <a className="button main" href={next} data-testid="till-next">
          {t("till.next")}
        </a>
        {paid ? (
          <a className="button quiet" href={order.payment_url} target="_blank" rel="noreferrer">
            {t("till.receipt")}
          </a>
        ) : null}
      </div>
    </section>
  );
}
