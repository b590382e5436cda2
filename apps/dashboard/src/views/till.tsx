import type { ConsoleTill, ConsoleTillOrder } from "@tillgate/contract";
import { qrSvg } from "@tillgate/qr";
import Head from "next/head";
import type { ReactNode } from "react";
import { getAmountSize } from "#till-size.ts";
import { Button, Confirmation, Field, Form } from "./form";
import { NoticeBox } from "./frame";
import { Money } from "./parts";
import { useMerchantPage, usePage } from "./use-page";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "0", "⌫"] as const;

/** Renders the form that charges an amount entered on a keypad. Without scripts, the amount is a plain field. */
export function TillKeypad({ till, orderKey }: { till: ConsoleTill; orderKey: string }): ReactNode {
  const { t } = usePage();
  return (
    <Form action="charge" className="till-form">
      <h1 className="unseen">{t("till.charge")}</h1>
      <input type="hidden" name="idempotency_key" value={orderKey} />
      <div className="till-amount" data-amount-field="" data-digits={till.digits}>
        <Field name="amount" label={t("till.amountIn", { currency: till.currency })} inputMode="decimal" />
      </div>
      <div className="till-keys with-script" data-keys="">
        {KEYS.map((key) => (
          <button
            key={key}
            type="button"
            data-key={key}
            aria-label={key === "⌫" ? t("till.erase") : undefined}
          >
            {key}
          </button>
        ))}
      </div>
      <Field name="note" label={t("till.note")} optional />
      <Button testId="charge">{t("till.charge")}</Button>
    </Form>
  );
}

const REFRESH_SECONDS = 3;

export type TillFrameProps = {
  name: string;
  /** Whether the order is pending. A browser without scripts then reloads the page. */
  isWaiting: boolean;
  children: ReactNode;
};

/** Renders a full-screen layout. Its only navigation is a link to the list of tills, so that nobody leaves the till by accident. */
export function TillFrame({ name, isWaiting, children }: TillFrameProps): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  return (
    <>
      <Head>
        <title>{`${t(`mode.${merchant.mode}`).toUpperCase()} · ${name} · Tillgate`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {isWaiting ? (
          <noscript>
            <meta httpEquiv="refresh" content={String(REFRESH_SECONDS)} />
          </noscript>
        ) : null}
        <script src={`/assets/till.js?v=${process.env.ASSET_VERSION}`} defer />
      </Head>
      <div className={`till-app ${merchant.mode}`}>
        <header className="till-head">
          <a href={to("tills")}>← {t("nav.tills")}</a>
          <strong>{name}</strong>
          {merchant.mode === "sandbox" ? (
            <span className="till-mode" data-testid="test-mode">
              {t("mode.sandbox")}
            </span>
          ) : null}
        </header>
        <main id="main" data-till="" tabIndex={-1}>
          <NoticeBox />
          {children}
        </main>
        <p className="till-lost" data-testid="till-lost" data-lost="" hidden>
          {t("till.lost")}
        </p>
      </div>
      <p className="unseen" role="status" data-announcer="" />
    </>
  );
}

/** Renders the QR code and countdown of a pending order. The script replaces this view when the order's status changes. */
export function PendingOrder({ order, endsAt }: { order: ConsoleTillOrder; endsAt: string }): ReactNode {
  const { t, f } = usePage();
  const picture = qrSvg(order.payment_url, { title: t("till.scan", { amount: f.money(order.money) }) });
  return (
    <section className="till-waits" data-state="PENDING">
      <h1 className="till-sum" data-size={getAmountSize(f.money(order.money))} data-testid="till-sum">
        <Money money={order.money} />
      </h1>
      {order.description ? <p>{order.description}</p> : null}
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: SVG from @tillgate/qr, which escapes its only text. */}
      <div className="qr-picture" data-testid="qr-picture" dangerouslySetInnerHTML={{ __html: picture }} />
      <p className="soft">
        {t("till.waiting")}{" "}
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

/** Renders the order's outcome, large enough to be read from across the counter. */
export function OrderResult({ order, next }: { order: ConsoleTillOrder; next: string }): ReactNode {
  const { t, f } = usePage();
  const paid = order.status !== "CANCELLED" && order.status !== "EXPIRED";
  const outcome = paid ? "paid" : order.status === "CANCELLED" ? "cancelled" : "expired";
  return (
    <section className={`till-ended ${outcome}`} data-state={order.status} data-testid="till-ended">
      <svg viewBox="0 0 48 48" aria-hidden="true">
        <path d={paid ? "M11 25l9 9L38 15" : "M15 15l18 18M33 15L15 33"} />
      </svg>
      <h1>{t(`till.${outcome}`)}</h1>
      <p className="till-sum" data-size={getAmountSize(f.money(order.money))}>
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
