import type { CheckoutEmbed } from "@tillgate/contract";
import type { ReactNode } from "react";
import { embedAddress } from "#http/addresses.ts";
import type { PageLocale } from "#http/page-locale.ts";
import { CODE_SECONDS } from "#limits.ts";
import type { Notice } from "#notice.ts";
import type { Language } from "#texts/languages.ts";
import { Frame } from "./frame";
import { TextsProvider, useLocalization } from "./localization";
import { MessagePage } from "./message";
import { LostResponse, NoticeBox } from "./notice-box";
import { OrderMain } from "./order-main";
import { Code } from "./scan-panel";
import { NotFound } from "./screen-view";
import { Outcome } from "./settled";
import { TestButtons } from "./step-form";
import { orderTitle, Summary } from "./summary";

export type EmbedScreen =
  | OrderEmbed
  | { kind: "not_found" }
  | { kind: "unavailable"; token: string }
  | { kind: "rejected"; token: string; why: "origin" | "method" | "size" | "form" };

type OrderEmbed = {
  kind: "order";
  token: string;
  view: CheckoutEmbed;
  /** Language requested by the shop's page. */
  language: Language | null;
  notice: Notice | null;
  nonce: string | null;
};

export type EmbedProps = Omit<PageLocale, "address"> & { address: string | null; screen: EmbedScreen };

export function EmbedView({ screen, ...locale }: EmbedProps): ReactNode {
  return (
    <TextsProvider {...locale}>
      <AnyEmbed screen={screen} />
    </TextsProvider>
  );
}

function AnyEmbed({ screen }: { screen: EmbedScreen }): ReactNode {
  const { texts } = useLocalization();
  switch (screen.kind) {
    case "order":
      return <OrderFrame {...screen} />;
    case "not_found":
      return <NotFound />;
    case "unavailable":
      return (
        <MessagePage
          title={texts.unavailable.title}
          explanation={texts.unavailable.explanation}
          status="UNAVAILABLE"
          link={backLink(screen.token, texts.unavailable.retry)}
        />
      );
    case "rejected":
      return (
        <MessagePage
          title={texts.rejected.title}
          explanation={texts.rejected[screen.why]}
          status="REFUSED"
          link={backLink(screen.token, texts.rejected.back)}
        />
      );
  }
}

const backLink = (token: string, text: string) => ({ href: embedAddress(token), text, testId: "pay-back" });

function OrderFrame(screen: OrderEmbed): ReactNode {
  const localization = useLocalization();
  const { view, nonce } = screen;
  const { status, mode } = view.order;
  const { accent } = view.merchant;
  const refresh = { seconds: CODE_SECONDS, url: null, scripted: true };
  return (
    <Frame
      title={orderTitle(localization, view)}
      sandbox={mode === "sandbox"}
      script="embed"
      refresh={status === "PENDING" || status === "REFUND_PENDING" ? refresh : null}
      brand={accent !== null && nonce !== null ? { accent, nonce } : null}
    >
      <OrderMain token={screen.token} view={view} className="narrow" frameOrigins={view.origins}>
        {status === "PENDING" ? <PayableFrame {...screen} /> : <EndedFrame {...screen} />}
      </OrderMain>
    </Frame>
  );
}

/** Renders a payable order in the frame. It has no input fields: the payment page opens in a new tab, where its URL is visible. */
function PayableFrame({ token, view, language, notice }: OrderEmbed): ReactNode {
  const { texts } = useLocalization();
  return (
    <>
      <Summary view={view} />
      <NoticeBox notice={notice} />
      <LostResponse />
      <div className="card scan-only">
        <a
          className="button main"
          href={`/pay/${token}`}
          target="_blank"
          rel="noopener"
          data-testid="pay-at-top"
        >
          {texts.embed.payHere}
        </a>
        <p className="next">{texts.embed.next}</p>
        {view.order.qr_data === null ? null : (
          <>
            <details className="scan-toggle touched">
              <summary data-testid="pay-qr-open">{texts.scan.open}</summary>
            </details>
            <div className="scan-body touched">
              <p>{texts.embed.scan}</p>
              <Code view={view} />
            </div>
          </>
        )}
      </div>
      {view.form_token === null ? null : (
        <TestButtons
          token={token}
          formToken={view.form_token}
          addressOf={(step) => embedAddress(`${token}/${step}`, { language })}
        />
      )}
    </>
  );
}

function EndedFrame({ token, view }: OrderEmbed): ReactNode {
  const { texts } = useLocalization();
  return (
    <div className="card receipt">
      <div className="slip">
        <Outcome view={view} />
      </div>
      {view.order.status === "PAID" ? (
        <a
          className="button plain"
          href={`/pay/${token}`}
          target="_blank"
          rel="noopener"
          data-testid="pay-receipt"
        >
          {texts.embed.receipt}
        </a>
      ) : null}
    </div>
  );
}
