import type { ReactNode } from "react";
import { CHECK_SECONDS, CODE_SECONDS, REFUND_RETRY_SECONDS, RETURN_SECONDS_WITHOUT_SCRIPT } from "#limits.ts";
import { Frame, type Refresh } from "./frame";
import { TextsProvider, useLocalization } from "./localization";
import { MessagePage } from "./message";
import { Payable } from "./payable";
import type { OrderScreen, Screen, ScreenProps } from "./screen";
import { Settled } from "./settled";
import { orderTitle } from "./summary";
import { Checking, CodeOnly, nextCheckAddress } from "./waiting";

export function ScreenView({ screen, ...locale }: ScreenProps): ReactNode {
  return (
    <TextsProvider {...locale}>
      <ScreenContent screen={screen} />
    </TextsProvider>
  );
}

function ScreenContent({ screen }: { screen: Screen }): ReactNode {
  const { texts } = useLocalization();
  switch (screen.kind) {
    case "order":
      return <OrderView {...screen} />;
    case "not_found":
      return <NotFound />;
    case "unavailable":
      return (
        <MessagePage
          script
          title={texts.unavailable.title}
          explanation={texts.unavailable.explanation}
          scriptAdvice={texts.unavailable.scriptAdvice}
          status="UNAVAILABLE"
          pollAddress={`/pay/${screen.token}/status`}
          link={{ href: `/pay/${screen.token}`, text: texts.unavailable.retry, testId: "pay-retry" }}
        />
      );
    case "rejected":
      return (
        <MessagePage
          title={texts.rejected.title}
          explanation={texts.rejected[screen.why]}
          status="REFUSED"
          link={{ href: `/pay/${screen.token}`, text: texts.rejected.back, testId: "pay-back" }}
        />
      );
  }
}

export function NotFound(): ReactNode {
  const { texts } = useLocalization();
  return (
    <MessagePage title={texts.notFound.title} explanation={texts.notFound.explanation} status="NOT_FOUND" />
  );
}

function OrderView(screen: OrderScreen): ReactNode {
  const localization = useLocalization();
  const { view, nonce } = screen;
  const { accent } = view.merchant;
  return (
    <Frame
      title={orderTitle(localization, view)}
      sandbox={view.order.mode === "sandbox"}
      script
      refresh={getRefresh(screen)}
      brand={accent !== null && nonce !== null ? { accent, nonce } : null}
    >
      <OrderContent {...screen} />
    </Frame>
  );
}

function OrderContent(screen: OrderScreen): ReactNode {
  const { view, show } = screen;
  if (view.order.status !== "PENDING") return <Settled {...screen} />;
  if (show.check !== null) return <Checking {...screen} check={show.check} />;
  if (show.codeOnly && view.order.qr_data !== null) return <CodeOnly {...screen} />;
  return <Payable {...screen} />;
}

/** Returns how the page refreshes without our script; null if it does not refresh, for example while it shows a form. */
function getRefresh({ token, view, show, scripted }: OrderScreen): Refresh | null {
  const { status, qr_data } = view.order;
  if (status === "REFUND_PENDING") return { seconds: REFUND_RETRY_SECONDS, url: null, scripted };
  if (view.leads_back) return { seconds: RETURN_SECONDS_WITHOUT_SCRIPT, url: view.return_to, scripted };
  if (status !== "PENDING") return null;
  if (show.check !== null)
    return { seconds: CHECK_SECONDS, url: nextCheckAddress(token, show.check), scripted };
  return show.codeOnly && qr_data !== null ? { seconds: CODE_SECONDS, url: null, scripted } : null;
}
