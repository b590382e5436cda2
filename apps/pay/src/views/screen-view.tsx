import type { ReactNode } from "react";
import { CHECK_SECONDS, CODE_SECONDS, REFUND_RETRY_SECONDS, RETURN_SECONDS_WITHOUT_SCRIPT } from "#limits.ts";
import { Frame, type Refresh } from "./frame";
import { Message } from "./message";
import { Payable } from "./payable";
import type { OrderScreen, Screen, Shown } from "./screen";
import { Settled } from "./settled";
import { orderTitle } from "./summary";
import { Checking, CodeOnly, nextCheck } from "./waiting";
import { Speaking, useWords } from "./words";

/** Draws any screen in its language. */
export function ScreenView({ screen, ...spoken }: Shown): ReactNode {
  return (
    <Speaking {...spoken}>
      <AnyScreen screen={screen} />
    </Speaking>
  );
}

function AnyScreen({ screen }: { screen: Screen }): ReactNode {
  const { texts } = useWords();
  switch (screen.kind) {
    case "order":
      return <OrderView {...screen} />;
    case "not_found":
      return <NotFound />;
    case "unavailable":
      return (
        <Frame title={texts.unavailable.title} script>
          <Message
            title={texts.unavailable.title}
            explanation={texts.unavailable.explanation}
            scriptAdvice={texts.unavailable.scriptAdvice}
            status="UNAVAILABLE"
            waitsFor={`/pay/${screen.token}/status`}
            link={{ href: `/pay/${screen.token}`, text: texts.unavailable.retry, testId: "pay-retry" }}
          />
        </Frame>
      );
    case "refused":
      return (
        <Frame title={texts.refused.title}>
          <Message
            title={texts.refused.title}
            explanation={texts.refused[screen.why]}
            status="REFUSED"
            link={{ href: `/pay/${screen.token}`, text: texts.refused.back, testId: "pay-back" }}
          />
        </Frame>
      );
  }
}

export function NotFound(): ReactNode {
  const { texts } = useWords();
  return (
    <Frame title={texts.notFound.title}>
      <Message title={texts.notFound.title} explanation={texts.notFound.explanation} status="NOT_FOUND" />
    </Frame>
  );
}

function OrderView(screen: OrderScreen): ReactNode {
  const words = useWords();
  const { view, nonce } = screen;
  const { accent } = view.merchant;
  return (
    <Frame
      title={orderTitle(words, view)}
      sandbox={view.order.mode === "sandbox"}
      script
      refresh={refreshOf(screen)}
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

/** Refresh without our script; null while there is a field to type into. */
function refreshOf({ token, view, show, scripted }: OrderScreen): Refresh | null {
  const { status, qr_data } = view.order;
  if (status === "REFUND_PENDING") return { seconds: REFUND_RETRY_SECONDS, url: null, scripted };
  if (view.leads_back) return { seconds: RETURN_SECONDS_WITHOUT_SCRIPT, url: view.return_to, scripted };
  if (status !== "PENDING") return null;
  if (show.check !== null) return { seconds: CHECK_SECONDS, url: nextCheck(token, show.check), scripted };
  return show.codeOnly && qr_data !== null ? { seconds: CODE_SECONDS, url: null, scripted } : null;
}
